// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The driver's device on a virtual kernel.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "drivers/adreno/device.h"
#include "drivers/adreno/sim/chips.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::test {

/// "noop:adreno-630" completes streams without running them.
inline pipe::Ref<adreno::Device> open_adreno(const char* name = "noop:adreno-630",
                                             const pipe::Log& log = {}) {
    std::string why;
    auto device = winsys::virt::create_device(name, adreno::sim::virtual_chips(), &why);
    REQUIRE_MESSAGE(device, why);
    auto result = adreno::Device::create(winsys::open_virtual_drm(std::move(device)), log, &why);
    REQUIRE_MESSAGE(result, why);
    return result;
}

}  // namespace terrazzo::test
