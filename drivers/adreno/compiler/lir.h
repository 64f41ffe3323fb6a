// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The back end's instructions: ir3 instructions (isa::Instr, without register numbers) on words, in the form
// that drivers/common/backend expects. A unit is a half register: hr2n and hr2n+1 are the halves of rn. a0.x,
// p0.x and the shared registers that the hardware fills are fixed words.
#pragma once

#include <memory_resource>
#include <optional>
#include <span>

#include "drivers/adreno/isa/isa.h"
#include "drivers/common/backend/machine.h"

namespace terrazzo::adreno::compiler {

using backend::absolute, backend::is_plain, backend::is_word, backend::kNoWord, backend::negated,
    backend::Unit, backend::Word;

/// Classes of registers, and the first unit of those that allocation does not assign.
inline constexpr uint8_t kFullClass = 0, kHalfClass = 1, kSpecialClass = 2;
static_assert(kFullClass == uint8_t(false) && kHalfClass == uint8_t(true));  // new_words(count, half)
inline constexpr uint32_t kFullUnits = 384, kHalfUnits = 192, kSharedUnits = 3;
inline constexpr Unit kUnitA0{384}, kUnitP0{385}, kUnitShared{386}, kUnitA1 = kUnitShared + kSharedUnits;
/// The words of the fixed registers of the special class.
inline constexpr Word kA0Word{0}, kP0Word{1}, kSharedWord{2};

/// In a list of tables in constants, by variable: the variable is none.
inline constexpr uint32_t kNoTable = ~0u;

/// A source of an instruction.
struct Ref : backend::SourceBase<Ref> {
    enum class Kind : uint8_t {
        None,
        Word,        // the first word of a run
        Uniform,     // dword of the default block, in constants
        Param,       // entry of Function::params
        Constant,    // entry of Function::immediates
        Preamble,    // dword of the preamble's results in constants
        PreambleAt,  // the number of the first of these dwords, plus index
        Relative,    // dword of the default block, plus a0.x
        InTable,     // entry of Function::immediates, plus a0.x
        Immediate,   // bits; only where Selector::legalize() permits them, or as an instruction's number
        Table,       // entry of the table of floats
    };
    Kind kind = Kind::None;
    bool half = false, neg = false, abs = false;
    uint8_t count = 1;  // words of the run
    uint32_t index = 0;

    bool operator==(const Ref&) const = default;
    [[nodiscard]] bool is_const() const {
        return kind == Kind::Uniform || kind == Kind::Param || kind == Kind::Constant ||
               kind == Kind::Preamble || is_relative();
    }
    [[nodiscard]] bool is_relative() const { return kind == Kind::Relative || kind == Kind::InTable; }
};

/// A run of words in registers at the end of a shader.
struct Run {
    Word first;
    uint32_t count;
};

struct Inst : backend::MachineInst<isa::Instr, Ref, isa::OpInfo::kMaxSources> {
    uint8_t data_count = 0;  // words after the destination that are read (atomics of images and buffers)
    std::span<Run> left{};   // for the end instruction; in the function's arena

    [[nodiscard]] bool is_branch() const {
        return proto.op == isa::Op::kBr || proto.op == isa::Op::kJump || proto.op == isa::Op::kShps ||
               proto.op == isa::Op::kGetone;
    }
    [[nodiscard]] bool is_move() const;
    [[nodiscard]] unsigned sources() const;
};

struct Function;

/// What drivers/common/backend needs of ir3.
struct Ir3 : backend::MachineTarget<Ir3, Inst> {
    using Code = Function;
    static constexpr uint32_t kUnits = number_of(kUnitA1) + 1;
    static constexpr backend::FixedUnits kFixed{kUnitA0, kUnitA1, kSpecialClass};
    static constexpr unsigned kEffects =
        isa::kKills | isa::kWritesMemory | isa::kWritesConstants | isa::kEndsProgram | isa::kOrders;
    static constexpr backend::RegisterClass kClasses[] = {
        {.prefix = "r", .width = 2, .vector_align = 2, .end = kFullUnits},
        {.prefix = "h", .width = 1, .vector_align = 1, .end = kHalfUnits},
        {.prefix = "s", .width = 1, .vector_align = 1, .end = kUnits}};

    template <typename F>
    static void for_each_read(const Inst& i, const F& f) {
        for (const Ref& r : i.src) {
            if (r.kind == Ref::Kind::Word) f(r.as_word(), uint32_t(r.count));
            if (r.is_relative()) f(kA0Word, 1u);
        }
        if (i.data_count) f(i.dest + 1, uint32_t(i.data_count));
        for (const Run& r : i.left)
            f(r.first, r.count);
    }
    template <typename R, typename W>
    static void rewrite_words(Inst& i, const R& read, const W& write);
    static isa::Instr move_op(bool half) {
        const isa::Type type = half ? isa::Type::kU16 : isa::Type::kU32;
        return isa::make(isa::Op::kMov).set_source_type(type).set_dest_type(type);
    }
};

using Block = backend::Block<Ir3>;

struct Function : backend::Function<Ir3> {
    using backend::Function<Ir3>::Function;
    /// A copy in another arena.
    Function(const Function& from, std::pmr::memory_resource* arena);
    std::pmr::vector<uint8_t> params{memory};       // compiler::Param
    std::pmr::vector<uint32_t> immediates{memory};  // bits
    std::pmr::vector<Word> prefetched{memory};      // fixed words that (sy) waits for from the beginning
    uint32_t uniforms_dw = 0;                       // of the default block that constants hold
    uint32_t preamble_dw = 0;                       // results of the preamble
    uint32_t main_block = 0;                        // the first block after the preamble

    [[nodiscard]] uint32_t params_at_dw() const { return (uniforms_dw + 3) / 4 * 4; }
    [[nodiscard]] uint32_t preamble_at_dw() const {
        return params_at_dw() + (uint32_t(params.size()) + 3) / 4 * 4;
    }
    [[nodiscard]] uint32_t immediates_at_dw() const { return preamble_at_dw() + (preamble_dw + 3) / 4 * 4; }
    [[nodiscard]] uint32_t constants_dw() const { return immediates_at_dw() + uint32_t(immediates.size()); }
    /// The index of the entry with these bits, which is added if it is missing. None: there are `most`
    /// others.
    [[nodiscard]] std::optional<uint32_t> find_immediate(uint32_t bits, uint32_t most);
    /// The register of a word after allocation, as instructions encode it.
    [[nodiscard]] isa::Reg register_of(Word word) const;
    [[nodiscard]] bool is_half(Word word) const { return node(word).cls == kHalfClass; }
};

template <typename R, typename W>
void Ir3::rewrite_words(Inst& i, const R& read, const W& write) {
    rewrite_sources(i, read);
    for (Run& r : i.left)
        r.first = read(r.first, r.count);
    if (i.dest == kNoWord) return;
    const uint32_t count = i.data_count ? 1u + i.data_count : i.dest_count;
    if (i.data_count) (void)read(i.dest, count);  // the data are in the run that is written
    i.dest = write(i.dest, count);
}
static_assert(backend::Target<Ir3>);

/// Converts an instruction whose words have registers: operands, without the additions of legalize().
[[nodiscard]] isa::Instr to_instr(const Function& f, const Inst& i);

}  // namespace terrazzo::adreno::compiler
