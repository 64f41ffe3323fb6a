// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits by draws on the virtual GPU.
#include "tests/adreno/driver/open_scene.h"
#include "tests/common/blit/draw_blit_cases.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("draw blits: as the CPU's") {
    DriverScene s = open_scene(16, 16);
    CHECK(check_draw_blits(s) == draw_blit_cases().size());
}
