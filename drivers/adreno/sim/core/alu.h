// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic: a function per operation, on all lanes of a wave at once. It only sees values: neg and abs are
// applied, integer halves are extended, float halves are half floats in the low 16 bits. Conversion and (sat)
// of floats come after it. Internal to core/.
//
// 32-bit floats: denormals are read and written as zero, as drivers of Vulkan and a6xx declare (Mesa 25.0.7,
// tu_device.cc: it cannot preserve them); the core sets the host's mode. Halves keep denormals. Each
// operation rounds once to nearest even; mad is fused (Mesa declares a fused one).
#pragma once

#include <cstdint>
#include <span>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using wave::F32;
using wave::I32;
using wave::U32;

/// How the signs and extensions of sources are interpreted.
enum class Numbers : uint8_t { Float, Signed, Unsigned, Bits };

struct AluArgs {
    const U32* a;
    const U32* b;
    const U32* c;
    U32* out;
    unsigned groups;
    bool half;
    const isa::Instr* instr;
};
using Kernel = void (*)(const AluArgs&);

enum AluTrait : uint8_t {
    kSaturates = 1,  // an integer operation that implements (sat) itself
    kWide = 2,       // the result has 32 bits whatever the sources' width
    kTruth = 4,      // the result is 0 or 1
    kHalves = 8,     // (ei) halves the result
    kHalfOnly = 16,
};

struct AluRow {
    isa::Op op;
    Numbers numbers;
    Kernel full;
    Kernel half = nullptr;  // for floats; integers have one kernel for both
    uint8_t traits = 0;
};
/// By family.
std::span<const AluRow> float_rows();
std::span<const AluRow> integer_rows();
std::span<const AluRow> bit_rows();
std::span<const AluRow> special_rows();
/// Null: not implemented.
const AluRow* alu_row(isa::Op op);

/// Floats to halves and back, in low 16 bits. Rounds to nearest even.
void halves_to_floats(const U32* in, U32* out, unsigned groups);
void floats_to_halves(const U32* in, U32* out, unsigned groups);
/// (sat): to 0..1; NaN is 0.
void saturate_floats(U32* v, unsigned groups);
void saturate_halves(U32* v, unsigned groups);
/// Converts values of one type, as lanes hold them, to another type.
void convert(isa::Type from, isa::Type to, isa::Round round, const U32* in, U32* out, unsigned groups);

}  // namespace terrazzo::adreno::sim
