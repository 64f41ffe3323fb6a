// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of the back end: hardware instructions (isa::Instr without register numbers) on words, for
// drivers/common/backend. A word is 32 bits of a thread. Words 0..63 are the hardware registers. Runs of
// words (staging, 64-bit pairs) are nodes.
#pragma once

#include <memory_resource>
#include <vector>

#include "drivers/common/backend/machine.h"
#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::compiler {

inline constexpr uint32_t kRegisterWords = 64;
using backend::absolute, backend::is_plain, backend::is_word, backend::kNoWord, backend::negated,
    backend::Unit, backend::Word;
/// What find_fau() returns if no uniform word is left.
inline constexpr uint32_t kNoUniform = ~0u;
using backend::register_word;
/// Registers that blend shaders may overwrite.
inline constexpr uint64_t kClobbered = 0xffffull | 1ull << kBlendReturnRegister;

/// A source of an instruction.
struct Ref : backend::SourceBase<Ref> {
    enum class Kind : uint8_t {
        None,
        Word,       // of a 64-bit source: the first of the pair
        Uniform,    // word of the shader's uniforms
        Constant,   // entry of the constant table
        Special,    // isa::Special
        Immediate,  // any 32 bits; legalize() replaces it by one of the above
    };
    Kind kind = Kind::None;
    bool high = false, neg = false, abs = false, invert = false;
    bool last = false;  // the word is not read after this (last_use.h)
    isa::Swizzle swizzle = isa::Swizzle::kNone;
    uint32_t index = 0;

    bool operator==(const Ref&) const = default;

    static Ref special(isa::Special s, bool high = false) {
        return {.kind = Kind::Special, .high = high, .index = uint32_t(s)};
    }
    /// A Constant if the table has these bits, otherwise an Immediate.
    static Ref immediate(uint32_t bits);
    [[nodiscard]] Ref with_bits(uint32_t bits) const { return immediate(bits); }
    [[nodiscard]] bool rearranged() const { return invert || swizzle != isa::Swizzle::kNone; }
    [[nodiscard]] uint64_t more() const { return uint64_t(swizzle) << 2 | high << 1 | invert; }
    [[nodiscard]] Ref part(isa::Swizzle s) const;
    /// The operand of the machine instruction; a word becomes register `reg`.
    [[nodiscard]] isa::Operand operand(uint8_t reg) const;
};

struct Inst : backend::MachineInst<isa::Instr, Ref, isa::OpInfo::kMaxSources> {
    Word read = kNoWord, written = kNoWord;  // first words of the staging runs; their lengths:
    uint8_t read_count = 0, written_count = 0;
    Word also_read = kNoWord;  // further words that a blend shader reads
    uint8_t also_read_count = 0;
    bool local = false;         // a load or store of the thread's own memory
    bool ordered = false;       // an access to memory that other threads access and shaders write
    bool calls = false;         // a blend shader, which may overwrite kClobbered
    bool calls_sample = false;  // the blend shader reads kSampleRegister, too

    [[nodiscard]] bool is_branch() const { return proto.op == isa::Op::kBranchz; }
    [[nodiscard]] bool is_move() const { return proto.op == isa::Op::kMovI32 && passes_word(); }
    /// The number of words that source n reads; `row` describes the source.
    [[nodiscard]] unsigned source_words(const isa::SourceInfo& row, unsigned n) const {
        return row.size == 64 && src[n].swizzle == isa::Swizzle::kNone ? 2 : 1;
    }
};

struct Function;

/// The target of drivers/common/backend for Valhall.
struct Valhall : backend::MachineTarget<Valhall, Inst> {
    using Code = Function;
    static constexpr uint32_t kUnits = kRegisterWords;
    static constexpr backend::FixedUnits kFixed{Unit(0), Unit(kRegisterWords), 0};
    static constexpr unsigned kEffects = isa::kKills | isa::kWritesMemory;
    /// Runs of registers begin at an even one.
    static constexpr backend::RegisterClass kClasses[] = {
        {.prefix = "r", .width = 1, .vector_align = 2, .end = kRegisterWords}};

    template <typename F>
    static void for_each_read(const Inst& i, const F& f) {
        const isa::OpInfo& row = i.proto.info();
        for (unsigned n = 0; n < row.source_count; n++)
            if (is_word(i.src[n])) f(i.src[n].as_word(), i.source_words(row.source_rows[n], n));
        if (i.read_count) f(i.read, unsigned(i.read_count));
        if (i.also_read_count) f(i.also_read, unsigned(i.also_read_count));
        if (i.calls_sample) f(register_word(kSampleRegister), 1u);
    }
    template <typename F>
    static void for_each_write(const Inst& i, const F& f) {
        MachineTarget::for_each_write(i, f);
        if (i.written_count) f(i.written, unsigned(i.written_count));
    }
    template <typename F>
    static void for_each_clobber(const Inst& i, const F& f) {
        for (unsigned reg = 0; i.calls && reg < kRegisterWords; reg++)
            if (kClobbered >> reg & 1) f(register_word(reg), 1u);
    }
    template <typename R, typename W>
    static void rewrite_words(Inst& i, const R& read, const W& write);
    /// Textures read and write registers at the same time.
    static bool writes_early(const Inst& i) { return i.read_count && i.written_count; }
    static isa::Instr move_op(bool) { return isa::make(isa::Op::kMovI32); }

    /// A write of one half keeps the other half.
    static bool writes_whole(const Inst& i, Word word) { return word != i.dest || i.proto.dest.halves == 3; }
    /// A blend shader reads coverage from its register.
    template <typename F>
    static void for_each_hidden_read(const Inst& i, const F& f) {
        if (i.calls) f(Unit(kCoverageRegister));
    }
};

using Block = backend::Block<Valhall>;

/// Loads or stores 1 to 4 words at a constant place of the thread's own memory.
Inst local_access(bool store, Word word, unsigned count, uint32_t at_B, isa::Slot slot);

struct Function : backend::Function<Valhall> {
    using backend::Function<Valhall>::Function;
    std::pmr::vector<UniformWord> fau{memory};
    bool has_uniforms = true;  // false: the uniforms are another shader's

    /// The uniform word that holds this; kNoUniform: there is no room left.
    uint32_t find_fau(UniformWord w);
    /// An even uniform word with the constants low and high; kNoUniform: no room.
    uint32_t find_fau_pair(uint32_t low, uint32_t high);
};

template <typename R, typename W>
void Valhall::rewrite_words(Inst& i, const R& read, const W& write) {
    const isa::OpInfo& row = i.proto.info();
    for (unsigned n = 0; n < row.source_count; n++)
        if (i.src[n].kind == Ref::Kind::Word)
            i.src[n].set_word(read(i.src[n].as_word(), uint32_t(i.source_words(row.source_rows[n], n))));
    if (i.read_count) i.read = read(i.read, uint32_t(i.read_count));
    if (i.also_read_count) i.also_read = read(i.also_read, uint32_t(i.also_read_count));
    if (i.dest != kNoWord) i.dest = write(i.dest, 1u);
    if (i.written_count) i.written = write(i.written, uint32_t(i.written_count));
}
static_assert(backend::Target<Valhall>);

/// A register of an allocated word, as instructions encode it.
[[nodiscard]] inline uint8_t register_of(const Function& f, Word word) {
    return uint8_t(f.reg[word]);
}
/// The registers that `i` reads (`read`) or writes (not `read`), one bit each, after allocation.
[[nodiscard]] uint64_t registers_of(const Function& f, const Inst& i, bool read);

}  // namespace terrazzo::mali::compiler
