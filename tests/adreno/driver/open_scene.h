// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene that the driver draws on the virtual GPU.
#pragma once

#include "drivers/adreno/screen.h"
#include "drivers/adreno/sim/chips.h"
#include "tests/common/driver_scene.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::test {

/// The render path of a test's passes.
struct SceneOptions {
    pipe::DebugWords debug;
    uint32_t first_stream_B = 0;  // of the device
};
/// A function that opens the device for a DriverScene.
inline auto screen_maker(const SceneOptions& options, const char* name = "sim:adreno-630") {
    return [=](const pipe::Log& log) {
        std::string why;
        auto file = winsys::virt::create_device(name, adreno::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(file, why);
        auto device = adreno::Device::create(winsys::open_virtual_drm(std::move(file)), log, &why);
        REQUIRE_MESSAGE(device, why);
        device->debug.bits |= options.debug.bits;
        device->first_stream_B = options.first_stream_B;
        return std::make_unique<adreno::AdrenoScreen>(std::move(device));
    };
}
/// `mode`: Sysmem or Gmem; any other value lets the driver choose.
inline auto screen_maker(std::optional<pipe::DebugWord> mode = {}, const char* name = "sim:adreno-630") {
    SceneOptions options;
    if (mode) options.debug.set(*mode);
    return screen_maker(options, name);
}
inline DriverScene open_scene(int32_t width, int32_t height, const SceneOptions& options, const char* name) {
    return DriverScene(width, height, pipe::Format::D24_UNORM_S8_UINT, screen_maker(options, name));
}
inline DriverScene open_scene(int32_t width, int32_t height, std::optional<pipe::DebugWord> mode = {},
                              const char* name = "sim:adreno-630") {
    return DriverScene(width, height, pipe::Format::D24_UNORM_S8_UINT, screen_maker(mode, name));
}

/// Runs the test case once for each render path.
inline pipe::DebugWord either_mode() {
    pipe::DebugWord mode = pipe::DebugWord::Sysmem;
    DOCTEST_SUBCASE("sysmem") {
        mode = pipe::DebugWord::Sysmem;
    }
    DOCTEST_SUBCASE("gmem") {
        mode = pipe::DebugWord::Gmem;
    }
    return mode;
}

}  // namespace terrazzo::test
