// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene that the driver draws on the virtual GPU.
#pragma once

#include "drivers/adreno/factory.h"
#include "drivers/adreno/sim/chips.h"
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

inline DriverScene open_scene(int32_t width, int32_t height, const char* name = "sim:adreno-630") {
    return DriverScene(width, height, pipe::Format::D24_UNORM_S8_UINT, [&](const pipe::Log& log) {
        std::string why;
        auto file = winsys::virt::create_device(name, adreno::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(file, why);
        auto screen = adreno::create_screen(winsys::open_virtual_drm(std::move(file)), log, &why);
        REQUIRE_MESSAGE(screen, why);
        return screen;
    });
}

}  // namespace terrazzo::test
