// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Valhall instructions (Mali v10): 64 bits <-> Instr <-> text. The tables say everything about bits (info.h);
// this is what the compiler (encode), the simulator (decode) and the decoder (text) call. Text is as in
// Mesa's assembler cases: MNEMONIC.modifiers.flow destination, @staging, sources, immediates. All functions
// are re-entrant; outputs change only on success; `error` may be null.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/common/isa/accessor.h"
#include "drivers/common/isa/program.h"
#include "drivers/mali/isa/info.h"

namespace terrazzo::mali::isa {

using terrazzo::isa::Error;

enum class OperandKind : uint8_t {
    kRegister,  // r0..r63
    kUniform,   // u0..u255, 32-bit words; the page of the instruction is index / 64
    kConstant,  // entry 0..31 of the constant table
    kSpecial,   // index is a Special; high_word says which half of its 64 bits
};

struct Operand {
    OperandKind kind = OperandKind::kRegister;
    uint8_t index = 0;
    Swizzle swizzle = Swizzle::kNone;
    bool last : 1 = false;  // a register that nobody reads after this
    bool high_word : 1 = false;
    bool neg : 1 = false;
    bool abs : 1 = false;
    bool invert : 1 = false;  // ".not", all bits

    static constexpr Operand reg(uint8_t r) { return {OperandKind::kRegister, r}; }
    static constexpr Operand uniform(uint8_t word) { return {OperandKind::kUniform, word}; }
    static constexpr Operand constant(uint8_t entry) { return {OperandKind::kConstant, entry}; }
    static constexpr Operand special(Special s, bool high = false) {
        Operand out{OperandKind::kSpecial, uint8_t(s)};
        out.high_word = high;
        return out;
    }
    bool operator==(const Operand&) const = default;
};

struct Dest {
    uint8_t reg = 0;
    uint8_t halves = 3;  // bit 0: the low half is written, bit 1: the high half
    bool operator==(const Dest&) const = default;
};

struct Staging {
    uint8_t reg = 0;
    uint8_t count = 0;
    bool operator==(const Staging&) const = default;
};

/// One instruction. What its OpInfo does not have stays as make() leaves it.
struct Instr {
    using Word = isa::Word;

    Op op = Op::kNop;
    Flow flow = Flow::kNone;
    Dest dest;
    std::array<Operand, OpInfo::kMaxSources> src{};
    std::array<Staging, OpInfo::kMaxStaging>
        staging{};  // in the order of OpInfo::staging(): what is written first
    std::array<int32_t, OpInfo::kMaxImmediates> imm{};  // in the order of OpInfo::immediates()
    std::array<uint8_t, kModCount> mods{};

    // instr.clamp(), instr.set_clamp(Clamp::kUnit), instr.saturate(), ...
#define MODIFIER(enumerator, accessor, type, start, width) \
    TERRAZZO_ISA_ACCESSOR(mods[unsigned(Mod::enumerator)], accessor, type)
#define FLAG(enumerator, accessor, text, bit) \
    TERRAZZO_ISA_ACCESSOR(mods[unsigned(Mod::enumerator)], accessor, bool)
#include "drivers/mali/isa/modifiers.inc"
#undef MODIFIER
#undef FLAG

    const OpInfo& info() const {
        return isa::info(op);
    }
    /// 0 where the instruction has no such immediate.
    int32_t immediate(Imm name) const;
    /// Does nothing where it has none.
    void set_immediate(Imm name, int32_t value);
    /// The staging registers that are read (or written); a count of 0 where there are none.
    Staging staging_read() const;
    Staging staging_written() const;
    /// The slot that results are waited for by; -1 for what is not a message.
    int wait_slot() const;
    bool operator==(const Instr&) const = default;
};

/// An instruction with each modifier at its default (at its first value where it has none), sources r0.
Instr make(Op op);

/// Whether the hardware takes it: registers in pairs, staging registers, what the FAU can give in one go,
/// reserved values.
[[nodiscard]] bool validate(const Instr& instr, Error* error);

/// A word is refused that is no known instruction, has a reserved value or bit, or would not validate.
[[nodiscard]] bool decode(Word word, Instr* out, Error* error);
/// decode() of what encode() gives is the same Instr.
[[nodiscard]] bool encode(const Instr& instr, Word* out, Error* error);

/// One line.
[[nodiscard]] bool assemble_line(std::string_view line, Instr* out, Error* error);
/// Lines; blank ones and those that start with '#' are skipped. The reason of an error starts with the line's
/// number.
inline constexpr auto& assemble = terrazzo::isa::assemble<Instr>;

/// Appends the canonical text, without a newline.
void print(const Instr& instr, std::string* out);
/// One line an instruction; "(reason)" after the hexadecimal word where it is none.
inline constexpr auto& disassemble = terrazzo::isa::disassemble<Instr>;

// ---- The fast-access uniforms (FAU) ----

/// What entry 0..31 of the constant table holds.
uint32_t constant_table(unsigned entry);
/// The first entry that holds `value`; -1: none.
int find_constant(uint32_t value);
/// The page that the operand asks for, 0..3.
unsigned fau_page(const Operand& operand);
/// "lane_id", or nullptr for a reserved value.
const char* special_name(Special special);

/// Waits for the slot after the instruction: bit n of the result.
unsigned waited_slots(Flow flow);

/// Immediates say resource tables in 4 bits: 0..11 are tables 0..11, 12..15 are 60..63.
constexpr unsigned table_of_immediate(unsigned immediate) {
    return immediate < 12 ? immediate : immediate + 48;
}

/// Clocks that a warp keeps its unit busy, in the unit's own measure: FMA, CVT and SFU count 32-bit results,
/// V counts 16-bit components, LS and T messages. Mali G78's core does per clock 64, 64, 16, 16, 1 and 4 of
/// them.
struct Cost {
    Unit unit;
    unsigned amount;
};
Cost cost(const Instr& instr);

}  // namespace terrazzo::mali::isa
