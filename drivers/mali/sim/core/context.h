// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The execution of one instruction of a warp: sources as the instruction sees them, results as it writes
// them. Internal to core/.
#pragma once

#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/program.h"
#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

using isa::Op;
using wave::I32;
using wave::Round;

struct Pair {
    U32 low, high;
};

struct Context {
    Warp& warp;
    const isa::Instr& instr;
    U32 mask;                         // active lanes
    uint32_t active;                  // the same, a bit each
    uint64_t next_pc;                 // for all active lanes
    const char* undefined = nullptr;  // set by an operation whose semantics are unknown

    /// 32 bits of a source, without modifiers.
    U32 raw(unsigned i, bool high = false) const;
    /// A word; halves and bytes are extended.
    U32 s32(unsigned i) const { return word(i, true); }
    U32 u32(unsigned i) const { return word(i, false); }
    /// A half is widened; absolute value and sign are applied.
    F32 f32(unsigned i) const;
    /// Two halves as integers.
    U32 s16(unsigned i) const { return halves(i, true); }
    U32 u16(unsigned i) const { return halves(i, false); }
    /// Two halves as floats; absolute value and sign are applied.
    U32 f16(unsigned i) const;
    /// Four bytes.
    U32 bytes(unsigned i) const;
    /// 64 bits.
    Pair wide(unsigned i, bool sign) const;
    U64 u64(unsigned i, bool sign) const;

    Round round_mode() const;

    /// Writes the halves that the instruction selects.
    void write(U32 value);
    void write(F32 value) { write(wave::as_bits(value)); }
    void write64(U64 value);
    /// Applies the instruction's clamp.
    void write_clamped(F32 value);
    void write_clamped_halves(U32 value);

  private:
    U32 word(unsigned i, bool sign) const;
    U32 halves(unsigned i, bool sign) const;
};

struct HandlerRow {
    Op op;
    Handler run;
};
/// The handlers by family; everything except messages, branches and discards.
std::span<const HandlerRow> float_handlers();
std::span<const HandlerRow> half_handlers();
std::span<const HandlerRow> integer_handlers();
std::span<const HandlerRow> small_integer_handlers();
std::span<const HandlerRow> bit_handlers();
std::span<const HandlerRow> compare_handlers();
std::span<const HandlerRow> convert_handlers();
std::span<const HandlerRow> special_handlers();
std::span<const HandlerRow> subgroup_handlers();
/// Null: another part of the core executes it.
Handler handler_of(Op op);

/// The condition as a float, signed or unsigned comparison.
bool condition_holds(isa::Condition c, float a, float b);
bool condition_holds(isa::Condition c, int64_t a, int64_t b);

}  // namespace terrazzo::mali::sim
