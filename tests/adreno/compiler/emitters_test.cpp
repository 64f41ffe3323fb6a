// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/emitters.h"

#include "tests/common/compiler/emitter_cases.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;

TEST_CASE("adreno emitters: the emitters generated from the text of rows agree with the table") {
    static_assert(tests::counts_sources<Ref>());
    tests::check_emitters(kEmittedOps, [](const adreno::isa::OpInfo& row) {
        return row.dest_count == 1 && !row.texture.is && !row.is(adreno::isa::kReadsMemory) &&
               !row.is(adreno::isa::kWritesMemory);
    });
}
