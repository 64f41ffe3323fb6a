// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Valhall instructions (Mali v10): 64 bits <-> Instr <-> text, for the compiler (encode), the simulator
// (decode) and the decoder (text). The bits are in the tables (info.h). The text has the format of Mesa's
// assembler tests: MNEMONIC.modifiers.flow destination, @staging, sources, immediates. All functions are
// re-entrant. Outputs change only on success. `error` may be null.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    bool last : 1 = false;  // the last read of a register
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

/// One instruction. Members that its OpInfo does not have must keep the values of make().
struct Instr : terrazzo::isa::InstrBase<Instr> {
    using Word = isa::Word;

    Op op = Op::kNop;
    Flow flow = Flow::kNone;
    Dest dest;
    std::array<Operand, OpInfo::kMaxSources> src{};
    std::array<Staging, OpInfo::kMaxStaging>
        staging{};  // in the order of OpInfo::staging(): written registers come first
    std::array<int32_t, OpInfo::kMaxImmediates> imm{};  // in the order of OpInfo::immediates()
    std::array<uint8_t, kModCount> mods{};

    // instr.clamp(), instr.set_clamp(Clamp::kUnit), instr.saturate(), ...
#define TERRAZZO_ISA_FIELDS "drivers/mali/isa/modifiers.inc"
#define FIELD(e, accessor, type, ...) TERRAZZO_ISA_ACCESSOR(mods[unsigned(Mod::e)], accessor, type)
#include "drivers/common/isa/each_field.inc"

    /// 0 if the instruction has no such immediate.
    int32_t immediate(Imm name) const;
    /// Does nothing if it has none.
    Instr& set_immediate(Imm name, int32_t value);
    /// The staging registers that are read or written. The count is 0 if there are none.
    Staging staging_read() const;
    Staging staging_written() const;
    /// The slot of the message, for waits; -1: the instruction is no message.
    int wait_slot() const;
    bool operator==(const Instr&) const = default;
};

/// An instruction whose modifiers have their defaults (the smallest named value if there is no default) and
/// whose sources are r0.
Instr make(Op op);

/// Whether the hardware accepts the instruction. Checks register pairs, staging registers, the limits of FAU
/// reads, and reserved values.
[[nodiscard]] bool validate(const Instr& instr, Error* error);

/// Refuses a word that is no known instruction, that has a reserved value or bit, or that is not valid
/// (validate()).
[[nodiscard]] bool decode(Word word, Instr* out, Error* error);
/// decode() of the word returns the same Instr.
[[nodiscard]] bool encode(const Instr& instr, Word* out, Error* error);

/// Assembles one line.
[[nodiscard]] bool assemble_line(std::string_view line, Instr* out, Error* error);
/// Assembles lines. Blank lines and those that start with '#' are skipped. The reason of an error starts with
/// the line's number.
inline constexpr auto& assemble = terrazzo::isa::assemble<Instr>;

/// Appends the canonical text, without a newline.
void print(const Instr& instr, std::string* out);
/// One line for each instruction. A word that is no instruction is printed in hexadecimal with "(reason)".
inline constexpr auto& disassemble = terrazzo::isa::disassemble<Instr>;

// ---- The fast-access uniforms (FAU) ----

/// The value of entry 0..31 of the constant table.
uint32_t constant_table(unsigned entry);
/// The first entry that holds `value`; -1: none.
int find_constant(uint32_t value);
/// The FAU page of the operand, 0..3.
unsigned fau_page(const Operand& operand);
/// "lane_id", or nullptr for a reserved value.
const char* special_name(Special special);

/// The slots that are waited for after the instruction: bit n for slot n.
unsigned waited_slots(Flow flow);

/// The resource table of a 4-bit immediate: 0..11 are tables 0..11, 12..15 are tables 60..63.
constexpr unsigned table_of_immediate(unsigned immediate) {
    return immediate < 12 ? immediate : immediate + 48;
}

/// The work of a warp's instruction, in the measure of its unit: FMA, CVT and SFU count 32-bit results, V
/// counts 16-bit components, LS and T count messages. A core of Mali G78 executes 64 (FMA), 64 (CVT), 16
/// (SFU), 16 (V), 1 (LS) and 4 (T) of these per clock.
struct Cost {
    Unit unit;
    unsigned amount;
};
Cost cost(const Instr& instr);

}  // namespace terrazzo::mali::isa
