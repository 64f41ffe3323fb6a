// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: AGX' instructions, as words and as text (isa_fuzz.h), and as programs.
#include "tests/fuzz/isa_fuzz.h"

#include "drivers/agx/isa/isa.h"
#include "tests/fuzz/target.h"

namespace isa = terrazzo::agx::isa;

int fuzz_one(const uint8_t* data, size_t size) {
    std::vector<isa::Unit> units(size / sizeof(isa::Unit));
    if (!units.empty()) std::memcpy(units.data(), data, units.size() * sizeof(isa::Unit));
    isa::Error error;
    if (!isa::validate_program(units, &error) && !error.reason[0])
        fuzz::fail_isa("refused without a reason", "");
    return fuzz::fuzz_instructions<isa::Instr, isa::Unit>(data, size);
}
