// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's device on a virtual kernel.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "drivers/mali/device.h"
#include "drivers/mali/sim/chips.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::test {

/// "sim:mali-g610" runs streams, "noop:mali-g610" only completes them.
inline pipe::Ref<mali::Device> open_device(const char* name, const pipe::Log& log = {}) {
    std::string why;
    auto device = winsys::virt::create_device(name, mali::sim::virtual_chips(), &why);
    REQUIRE_MESSAGE(device, why);
    auto result = mali::Device::create(winsys::open_virtual_drm(std::move(device)), log, &why);
    REQUIRE_MESSAGE(result, why);
    return result;
}

}  // namespace terrazzo::test
