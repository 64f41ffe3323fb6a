// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of the back end: hardware instructions (isa::Instr without register numbers) on words, for
// drivers/common/backend. A word is a register of 32 bits. Words 0 to 127 are the hardware registers. A value
// of 16 bits is in the low half of a word, whose upper half is undefined.
//
// All threads of a group share the program counter, but a thread that does not execute writes no register. So
// to each thread control flow looks like branches, and the blocks here are those of one thread: `Flow` says
// what a branch is in machine code.
#pragma once

#include <memory_resource>
#include <vector>

#include "drivers/agx/compiler/abi.h"
#include "drivers/agx/isa/isa.h"
#include "drivers/common/backend/machine.h"

namespace terrazzo::agx::compiler {

using backend::absolute, backend::is_plain, backend::is_word, backend::kNoWord, backend::negated,
    backend::Unit, backend::Word;
using backend::register_word;
inline constexpr uint32_t kRegisterWords = isa::kRegisterHalves / 2;

/// A source of an instruction.
struct Ref : backend::SourceBase<Ref> {
    enum class Kind : uint8_t {
        None,       // the operand of Inst::proto
        Word,       // the first word of a run
        Uniform,    // a word of the uniform registers
        Immediate,  // bits of a value; legalize() replaces what the operand cannot be
        Number,     // as the instruction encodes it
    };
    Kind kind = Kind::None;
    bool neg = false, abs = false;
    bool sign = false;  // an integer is extended by its sign
    bool high = false;  // the upper half of a word, of 16 bits
    uint8_t size = 32;  // bits of a register
    uint8_t count = 1;  // registers of that size
    uint32_t index = 0;

    bool operator==(const Ref&) const = default;
    static Ref uniform(uint32_t w, uint8_t bits = 32) {
        return {.kind = Kind::Uniform, .size = bits, .index = w};
    }
    static Ref number(uint32_t n) { return {.kind = Kind::Number, .index = n}; }
    /// Registers of 16 or 64 bits in consecutive words.
    static Ref run_of(Word first, unsigned registers, unsigned bits) {
        Ref r = run(first, registers);
        r.size = uint8_t(bits);
        return r;
    }
    /// The value of 16 bits in the lower or upper half.
    [[nodiscard]] Ref half(bool upper = false) const {
        Ref r = *this;
        r.size = 16, r.high = upper;
        return r;
    }
    [[nodiscard]] Ref extended() const {
        Ref r = *this;
        r.sign = true;
        return r;
    }
    [[nodiscard]] uint32_t words() const { return (uint32_t(size) * count + 31) / 32; }
    /// Also a half in the lower part of the word.
    [[nodiscard]] bool is_whole() const { return is_word(*this) && !neg && !abs && !sign && !high; }
    [[nodiscard]] bool rearranged() const { return sign || size != 32; }
    [[nodiscard]] uint64_t more() const { return uint64_t(size) << 5 | count << 2 | high << 1 | sign; }
};

/// What an instruction does to the flow of control.
enum class Flow : uint8_t {
    None,
    Fence,  // changes the execution mask, in place
    If,     // a branch: threads that do not go on continue at the target
    Jump,   // a branch of all threads, for which the instruction before it has changed the mask: no code
    Keep,   // no code: reads what must be in its registers at the end
    Loop,   // no branch to the back end: while any thread executes, jump to `head`
};

struct Inst : backend::MachineInst<isa::Instr, Ref, isa::OpInfo::kMaxSources> {
    Flow flow = Flow::None;
    bool half_dest = false;  // the result has 16 bits
    bool wide_dest = false;  // the result is one of 64 bits, in two words
    int32_t head = -1;       // block, of Loop

    [[nodiscard]] bool is_branch() const { return flow == Flow::If || flow == Flow::Jump; }
    [[nodiscard]] bool is_move() const {
        return proto.op == isa::Op::kBitop && proto.truth_table() == isa::TruthTable::kMov && passes_word();
    }
};

struct Function;

struct Agx : backend::MachineTarget<Agx, Inst> {
    using Code = Function;
    static constexpr uint32_t kUnits = kRegisterWords;
    static constexpr backend::FixedUnits kFixed{Unit(0), Unit(kRegisterWords), 0};
    static constexpr unsigned kEffects = isa::kWritesMemory | isa::kSetsMask | isa::kBranches;
    /// Values of 64 bits begin at an even register, as in Mesa.
    static constexpr backend::RegisterClass kClasses[] = {
        {.prefix = "r", .width = 1, .vector_align = 2, .end = kRegisterWords}};

    /// Outputs, coverage, barriers, waits, changes of the mask.
    static bool is_fence(const Inst& i) {
        const isa::Class c = i.proto.info().unit;
        return i.flow != Flow::None || c == isa::Class::kBarrier || c == isa::Class::kFlow ||
               ((c == isa::Class::kVarying || c == isa::Class::kPixel) && i.dest == kNoWord);
    }
    static bool has_own_effect(const Inst& i) { return is_fence(i); }
    static bool writes_early(const Inst& i) { return i.proto.info().is(isa::kLate); }
    static isa::Instr move_op(bool) {
        isa::Instr p = isa::make(isa::Op::kBitop).set_truth_table(isa::TruthTable::kMov);
        p.src[1] = isa::Operand::immediate(0);
        return p;
    }
};

using Block = backend::Block<Agx>;

struct Function : backend::Function<Agx> {
    using backend::Function<Agx>::Function;
    std::pmr::vector<UniformWord> uniforms{memory};
    uint32_t first_uniform = 0;                  // their place
    uint32_t most_uniforms = kBlendUniformWord;  // the end of their places
    /// The number of the uniform register; kNoUniform: there is no room left.
    static constexpr uint32_t kNoUniform = ~0u;
    uint32_t find_uniform(UniformWord w);
    /// A pair of words for an address, in reach of memory instructions.
    uint32_t find_address(uint32_t sysval);
};

static_assert(backend::Target<Agx>);

/// Converts an instruction whose words have registers, without the target of a jump.
[[nodiscard]] isa::Instr to_instr(const Function& f, const Inst& i);

}  // namespace terrazzo::agx::compiler
