// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Instructions of Adreno a6xx ("ir3"): 64 bits <-> Instr <-> text. The tables (info.h) have all facts about
// bits. This interface is for the compiler (encode), the simulator (decode) and the decoder (text). The text
// is that of Mesa's ir3-disasm: flags, name.fields destinations, sources. All functions are re-entrant;
// outputs change only on success; `error` may be null.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/adreno/isa/info.h"
#include "drivers/common/isa/program.h"

namespace terrazzo::adreno::isa {

using terrazzo::isa::Error;

/// A register as instructions encode it: 4 times its number, plus the component. Half registers use the same
/// numbers.
struct Reg {
    uint8_t index = 0;
    constexpr unsigned number() const { return index >> 2; }
    constexpr unsigned component() const { return index & 3; }
    bool operator==(const Reg&) const = default;
};
constexpr Reg reg(unsigned number, unsigned component) {
    return {uint8_t(number << 2 | component)};
}

/// All invocations of a wave share r48 .. r55.
inline constexpr unsigned kFirstShared = 48, kFirstNotShared = 56;
inline constexpr Reg kA0 = reg(61, 0), kA1 = reg(61, 1), kP0 = reg(62, 0);
/// Registers of 0xf8 and more have no halves.
inline constexpr uint8_t kFirstPredicate = 0xf8;

enum class SrcKind : uint8_t {
    kNone,
    kRegister,          // value: a Reg's index
    kConstant,          // value: 4 times the number, plus the component: c0.x .. c511.w
    kImmediate,         // value: the number; for moves the bits in the instruction
    kFloatTable,        // value: a FloatEntry
    kRelativeRegister,  // value: the offset from a0.x
    kRelativeConstant,
};

struct Src {
    SrcKind kind = SrcKind::kNone;
    bool half = false;
    bool neg = false;  // logic: inverts all bits; p0.x: "not"
    bool abs = false;
    bool repeat = false;  // (r): advances with each repetition; on mova's number it only ends a hazard
    bool last = false;    // the register's last use
    int32_t value = 0;

    static constexpr Src of(Reg r, bool half = false) {
        return {SrcKind::kRegister, half, false, false, false, false, r.index};
    }
    static constexpr Src constant(unsigned index, bool half = false) {
        return {SrcKind::kConstant, half, false, false, false, false, int32_t(index)};
    }
    static constexpr Src immediate(int32_t value, bool half = false) {
        return {SrcKind::kImmediate, half, false, false, false, false, value};
    }
    static constexpr Src table(FloatEntry entry, bool half = false) {
        return {SrcKind::kFloatTable, half, false, false, false, false, int32_t(entry)};
    }
    bool operator==(const Src&) const = default;
};

struct Dest {
    Reg reg;
    bool half = false;
    bool relative = false;  // r<a0.x + reg.index>
    bool operator==(const Dest&) const = default;
};

/// One instruction. Members that its OpInfo does not have keep the values of make().
struct Instr : terrazzo::isa::InstrBase<Instr> {
    using Word = isa::Word;

    Op op = Op::kNop;
    bool has_offset = false;  // for instructions with an optional offset
    int32_t offset = 0;       // of an address; or of a jump's target, in instructions from this one
    std::array<Dest, OpInfo::kMaxDests> dst{};
    std::array<Src, OpInfo::kMaxSources> src{};
    std::array<uint16_t, kFieldCount> fields{};

    // instr.sy(), instr.set_sy(true), instr.type(), instr.set_type(Type::kF32), ...
#define TERRAZZO_ISA_FIELDS "drivers/adreno/isa/fields.inc"
#define FIELD(e, accessor, type, ...) TERRAZZO_ISA_ACCESSOR(fields[unsigned(Field::e)], accessor, type)
#include "drivers/common/isa/each_field.inc"

    bool operator==(const Instr&) const = default;
};

/// An instruction with the smallest value in each field, types f32, registers r0.x, predicates p0.x.
Instr make(Op op);

/// Sets the precision of registers and numbers if the types and the operation determine it.
void fix_halves(Instr* instr);

/// Whether the instruction can be encoded without reserved values.
[[nodiscard]] bool validate(const Instr& instr, Error* error);

/// Refuses a word that is no known instruction, has a reserved value or bit, or does not validate.
[[nodiscard]] bool decode(Word word, Instr* out, Error* error);
/// decode() of the result is the same Instr.
[[nodiscard]] bool encode(const Instr& instr, Word* out, Error* error);

/// Assembles one line.
[[nodiscard]] bool assemble_line(std::string_view line, Instr* out, Error* error);
/// Assembles lines. Blank lines and those that begin with '#' are skipped. An error's reason begins with the
/// number of the line.
inline constexpr auto& assemble = terrazzo::isa::assemble<Instr>;

/// Appends the canonical text, without a newline.
void print(const Instr& instr, std::string* out);
/// One line per instruction. If a word is none, "(reason)" follows the hexadecimal word.
inline constexpr auto& disassemble = terrazzo::isa::disassemble<Instr>;

/// Whether it is a kMov whose text is mova (a0.x) or mova1 (a1.x).
bool moves_to_a0(const Instr& instr);
bool moves_to_a1(const Instr& instr);

// The properties of texture modes.
bool is_indirect(TextureMode mode);
bool is_bindless(TextureMode mode);
bool uses_a1(TextureMode mode);

}  // namespace terrazzo::adreno::isa
