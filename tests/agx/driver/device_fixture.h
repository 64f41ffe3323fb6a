// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's device on a virtual kernel without a GPU.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "drivers/agx/device.h"
#include "drivers/agx/sim/chips.h"
#include "tests/common/memory/controlled_drm.h"
#include "winsys/drm/drm.h"

namespace terrazzo::test {

inline std::unique_ptr<winsys::Drm> open_agx_drm(const char* name) {
    std::string why;
    auto device = winsys::virt::create_device(name, agx::sim::virtual_chips(), &why);
    REQUIRE_MESSAGE(device, why);
    return winsys::open_virtual_drm(std::move(device));
}

inline pipe::Ref<agx::Device> open_agx_device(const char* name = "noop:agx-g13g") {
    std::string why;
    auto result = agx::Device::create(open_agx_drm(name), {}, &why);
    REQUIRE_MESSAGE(result, why);
    return result;
}

}  // namespace terrazzo::test
