// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: Adreno's instructions, as words and as text (isa_fuzz.h).
#include "tests/fuzz/isa_fuzz.h"

#include "drivers/adreno/isa/isa.h"
#include "tests/fuzz/target.h"

int fuzz_one(const uint8_t* data, size_t size) {
    return fuzz::fuzz_instructions<terrazzo::adreno::isa::Instr, uint64_t>(data, size);
}
