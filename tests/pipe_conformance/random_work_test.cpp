// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random commands: a later command sees the results of earlier ones, whether the CPU or the GPU executed
// them.
#include "tests/common/random_work.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("order: random work has the results of the CPU driver") {
    for (unsigned seed = 0; seed < 16; ++seed) {
        CAPTURE(seed);
        Scene s(work::kSide_px, work::kSide_px, pipe::Format::None);
        work::compare(s, seed, 1);
    }
}
