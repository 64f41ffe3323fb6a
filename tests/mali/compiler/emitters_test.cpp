// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/emitters.h"

#include "tests/common/compiler/emitter_cases.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;

TEST_CASE("mali emitters: the emitters generated from the text of rows agree with the table") {
    static_assert(tests::counts_sources<Ref>());
    tests::check_emitters(kEmittedOps, [](const mali::isa::OpInfo& row) {
        return row.has_dest && !row.staging_count && row.message == mali::isa::Message::kNone;
    });
}
