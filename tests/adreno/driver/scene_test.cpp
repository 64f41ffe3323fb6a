// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The whole driver on the virtual GPU, through the pipe interface.
#include "tests/mali/driver/scene.h"
#include "drivers/adreno/factory.h"
#include "drivers/adreno/sim/chips.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

DriverScene open_scene(int32_t width, int32_t height, const char* name = "sim:adreno-630") {
    return DriverScene(width, height, pipe::Format::D24_UNORM_S8_UINT, [&](const pipe::Log& log) {
        std::string why;
        auto file = winsys::virt::create_device(name, adreno::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(file, why);
        auto screen = adreno::create_screen(winsys::open_virtual_drm(std::move(file)), log, &why);
        REQUIRE_MESSAGE(screen, why);
        return screen;
    });
}

}  // namespace

TEST_CASE("scene: a clear reaches memory") {
    DriverScene s = open_scene(64, 64);
    s.begin(1, 0.5f, 0, 1);
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    CHECK(pixels[0] == 0xff0080ff);
    CHECK(pixels.back() == 0xff0080ff);
}

TEST_CASE("scene: a rectangle over a clear") {
    DriverScene s = open_scene(64, 64);
    s.begin(0, 0, 0, 1);
    s.rectangle(16, 8, 48, 40, 0.5f, {0, 1, 0, 1});
    const auto pixels = s.pixels();
    CHECK(s.messages == "");
    const auto at = [&](int x, int y) { return pixels[size_t(y) * 64 + size_t(x)]; };
    CHECK(at(0, 0) == 0xff000000);
    CHECK(at(16, 8) == 0xff00ff00);
    CHECK(at(47, 39) == 0xff00ff00);
    CHECK(at(48, 39) == 0xff000000);
    CHECK(at(47, 40) == 0xff000000);
    CHECK(at(15, 8) == 0xff000000);
}
