// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arithmetic: a function an operation, on all lanes of a wave at once. It sees values alone: neg and abs have been applied, halves of integers are extended,
// halves of floats are half floats in the low 16 bits. Conversion and (sat) of floats come after it. Internal to core/.
//
// 32-bit floats: denormals read and are written as zero, as a6xx' and Vulkan's drivers have it (Mesa 25.0.7, tu_device.cc: it cannot preserve them); the core
// sets the host's mode. Halves keep theirs. Each operation is rounded once to nearest even; mad is fused (Mesa gives it for a fused one).
#pragma once

#include <cstdint>
#include <span>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/wave/lanes.h"

namespace terrazzo::adreno::sim {

using wave::F32;
using wave::I32;
using wave::U32;

/// How sources' signs and extensions are meant.
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
    kSaturates = 1,  // an integer operation that obeys (sat) itself
    kWide = 2,       // the result has 32 bits whatever the sources have
    kTruth = 4,      // the result is 0 or 1
    kHalves = 8,     // (ei) halves the result
    kHalfOnly = 16,
};

struct AluRow {
    isa::Op op;
    Numbers numbers;
    Kernel full;
    Kernel half = nullptr;  // of floats; integers have one for both
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
/// Values of a type, as lanes hold it, to another type.
void convert(isa::Type from, isa::Type to, isa::Round round, const U32* in, U32* out, unsigned groups);

}  // namespace terrazzo::adreno::sim
