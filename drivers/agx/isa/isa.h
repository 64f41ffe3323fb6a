// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// AGX, the instruction set of Apple's G13: instructions, their encoding and their text.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "drivers/agx/isa/info.h"
#include "drivers/common/isa/program.h"
#include "drivers/common/isa/text.h"

namespace terrazzo::agx::isa {

using terrazzo::isa::Error;

struct Operand {
    OperandKind kind = OperandKind::kNone;
    uint8_t size = 0;   // bits of a register or uniform
    uint8_t count = 0;  // of consecutive registers or uniforms
    uint8_t flags = 0;  // OperandFlag
    /// Registers and uniforms: the number of the first half (r3h is 7). Immediates: the number, or the
    /// eight bits of a float (minifloat.h). Otherwise the number of the state, coefficient or special
    /// register.
    int32_t value = 0;

    static constexpr Operand reg(unsigned half, unsigned size = 32, unsigned count = 1) {
        return {OperandKind::kRegister, uint8_t(size), uint8_t(count), 0, int32_t(half)};
    }
    static constexpr Operand uniform(unsigned half, unsigned size = 32) {
        return {OperandKind::kUniform, uint8_t(size), 1, 0, int32_t(half)};
    }
    static constexpr Operand of(OperandKind kind, int32_t number) { return {kind, 0, 0, 0, number}; }
    static constexpr Operand immediate(int32_t value) { return of(OperandKind::kImmediate, value); }
    constexpr Operand with(unsigned more) const {
        Operand out = *this;
        out.flags = uint8_t(out.flags | more);
        return out;
    }
    /// The halves of registers or uniforms.
    constexpr unsigned halves() const { return count * size / 16u; }
    bool operator==(const Operand&) const = default;
};

/// One instruction. Members that its OpInfo does not have must keep the values of make().
struct Instr : terrazzo::isa::InstrBase<Instr> {
    using Word = isa::Word;

    Op op = Op::kStop;
    /// The longer form, although the shorter one could express the instruction.
    bool padded = false;
    Operand dest;
    std::array<Operand, OpInfo::kMaxSources> src{};
    std::array<uint16_t, kFieldCount> fields{};

    // instr.saturate(), instr.set_saturate(true), instr.format(), ...
#define TERRAZZO_ISA_FIELDS "drivers/agx/isa/fields.inc"
#define FIELD(e, accessor, type, ...) TERRAZZO_ISA_ACCESSOR(fields[unsigned(Field::e)], accessor, type)
#include "drivers/common/isa/each_field.inc"

    /// Its bits in memory.
    unsigned length() const;
    bool operator==(const Instr&) const = default;
};

/// An instruction with the usual values of unknown bits, the defaults of fields (the smallest named value
/// if there is none), and the first case of each operand's shape that applies, with the value 0.
Instr make(Op op);

/// Whether the instruction has an encoding.
[[nodiscard]] bool validate(const Instr& instr, Error* error);
/// Refuses a word that starts with no known instruction, or whose operands are not known. Bits after the
/// instruction are ignored.
[[nodiscard]] bool decode(const Word& word, Instr* out, Error* error);
/// decode() of the word returns the same Instr. Bits after the instruction are zero.
[[nodiscard]] bool encode(const Instr& instr, Word* out, Error* error);

[[nodiscard]] bool assemble_line(std::string_view line, Instr* out, Error* error);
inline constexpr auto& assemble = terrazzo::isa::assemble<Instr, Unit>;
/// Appends the canonical text, without a newline.
void print(const Instr& instr, std::string* out);
inline constexpr auto& disassemble = terrazzo::isa::disassemble<Instr, Unit>;

/// Whether a program consists of instructions whose jumps lead to instructions of it, and cannot run beyond
/// its end. The reason of an error starts with the byte offset.
[[nodiscard]] bool validate_program(std::span<const Unit> units, Error* error);
/// The target of a jump, in bytes from its own start. False: it is no jump, or a register has the target.
[[nodiscard]] bool jump_offset(const Instr& instr, int32_t* out);

/// The registers that it writes, as a range of halves; empty if it writes none. Jumps with a return address
/// write r1, instructions that set the execution mask r0l.
struct Halves {
    unsigned first = 0, count = 0;
    bool operator==(const Halves&) const = default;
};
Halves registers_written(const Instr& instr);
/// The registers that source `n` reads.
Halves registers_read(const Instr& instr, unsigned n);
/// The slot that a wait must name before the result is used, or before its registers are written again; -1:
/// the next instruction can use it. A slot has at most kMostPending instructions.
int result_slot(const Instr& instr);
inline constexpr unsigned kSlots = 2, kMostPending = 8;

/// The number of registers of an operand of such a case.
unsigned registers_of(Count count, const Instr& instr);
/// "backfacing", or nullptr for an unknown register.
const char* special_name(unsigned number);

}  // namespace terrazzo::agx::isa
