// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits that are draws, which the devices share (drivers/common/blit).
#include "tests/common/blit/draw_blit_cases.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("draw blits: as the CPU's") {
    Scene s(16, 16);
    CHECK(check_draw_blits(s) > 20);
}
