// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the back end works on: hardware instructions (isa::Instr, all but the register numbers) on words. A
// word is 32 bits of a thread; words 0..63 are the registers themselves, those above get one in allocate.h.
// Runs of words that must be consecutive registers (staging, pairs of 64 bits) are nodes. Words may have
// several definitions.
#pragma once

#include <memory_resource>
#include <string>
#include <vector>

#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::compiler {

inline constexpr uint32_t kRegisterWords = 64;
inline constexpr uint32_t kNoWord = ~0u;
/// Registers that blend shaders may overwrite.
inline constexpr uint64_t kClobbered = 0xffffull | 1ull << kBlendReturnRegister;

/// What an instruction reads.
struct Ref {
    enum class Kind : uint8_t {
        None,
        Word,       // of a 64-bit source: the first of the pair
        Uniform,    // word of the shader's uniforms
        Constant,   // entry of the constant table
        Special,    // isa::Special
        Immediate,  // any 32 bits; legal only until legalize() made it one of the above
    };
    Kind kind = Kind::None;
    bool high = false, neg = false, abs = false, invert = false;
    bool last = false;  // nobody reads the word after this (last_use.h)
    isa::Swizzle swizzle = isa::Swizzle::kNone;
    uint32_t index = 0;

    bool operator==(const Ref&) const = default;

    static Ref word(uint32_t w) { return {.kind = Kind::Word, .index = w}; }
    static Ref uniform(uint32_t w) { return {.kind = Kind::Uniform, .index = w}; }
    static Ref special(isa::Special s, bool high = false) {
        return {.kind = Kind::Special, .high = high, .index = uint32_t(s)};
    }
    /// From the constant table where it is there.
    static Ref immediate(uint32_t bits);
    [[nodiscard]] bool plain() const { return !neg && !abs && !invert && swizzle == isa::Swizzle::kNone; }
    [[nodiscard]] Ref negated() const;
    [[nodiscard]] Ref absolute() const;
    [[nodiscard]] Ref part(isa::Swizzle s) const;
    /// As the instruction says it; a word becomes register `reg`.
    [[nodiscard]] isa::Operand operand(uint8_t reg) const;
};

struct Inst {
    isa::Instr proto;
    uint32_t dest = kNoWord;
    std::array<Ref, isa::OpInfo::kMaxSources> src{};
    uint32_t read = kNoWord, written = kNoWord;  // first words of the staging runs; their lengths:
    uint8_t read_count = 0, written_count = 0;
    uint32_t also_read = kNoWord;  // what a blend shader finds besides
    uint8_t also_read_count = 0;
    bool local = false;   // a load or store of the thread's own memory
    bool calls = false;   // a blend shader, which may overwrite kClobbered
    int32_t target = -1;  // block, of a branch
    bool always = false;  // a branch without condition

    [[nodiscard]] bool is_branch() const { return proto.op == isa::Op::kBranchz; }
    [[nodiscard]] bool is_move() const;
};

/// Calls f(first word, count) for all that `i` reads.
template <typename F>
void for_each_read(const Inst& i, const F& f) {
    const isa::OpInfo& row = i.proto.info();
    for (unsigned n = 0; n < row.source_count; n++)
        if (i.src[n].kind == Ref::Kind::Word)
            f(i.src[n].index,
              row.source_rows[n].size == 64 && i.src[n].swizzle == isa::Swizzle::kNone ? 2u : 1u);
    if (i.read_count) f(i.read, unsigned(i.read_count));
    if (i.also_read_count) f(i.also_read, unsigned(i.also_read_count));
}
template <typename F>
void for_each_write(const Inst& i, const F& f) {
    if (i.dest != kNoWord) f(i.dest, 1u);
    if (i.written_count) f(i.written, unsigned(i.written_count));
}

/// In the order of the code: a block without a branch goes on in the next one.
struct Block {
    explicit Block(std::pmr::memory_resource* memory) : insts(memory) {}
    std::pmr::vector<Inst> insts;
    int32_t next[2] = {-1, -1};  // filled by link()
    unsigned entries = 0;
};

/// Loads or stores 1 to 4 words at a constant place of the thread's own memory.
Inst local_access(bool store, uint32_t word, unsigned count, uint32_t at_B, isa::Slot slot);

struct Function {
    explicit Function(std::pmr::memory_resource* arena)
        : memory(arena), blocks(arena), node_of(arena), nodes(arena), fau(arena), reg(arena) {
        for (uint32_t w = 0; w < kRegisterWords; w++) {
            nodes.push_back({w, 1});
            node_of.push_back(w);
        }
    }
    struct Node {
        uint32_t first, count;
        bool temporary = false;  // lives for one instruction, beside memory
    };
    std::pmr::memory_resource* memory;
    std::pmr::vector<Block> blocks;
    std::pmr::vector<uint32_t> node_of;  // by word
    std::pmr::vector<Node> nodes;
    std::pmr::vector<UniformWord> fau;
    std::pmr::vector<uint8_t> reg;  // by word, after allocate()
    std::string error;              // empty: all is well
    uint32_t local_B = 0;           // of the thread's own memory
    uint32_t spilled_words = 0;
    bool has_uniforms = true;  // false: the uniforms are another shader's

    [[nodiscard]] uint32_t words() const { return uint32_t(node_of.size()); }
    /// A new node; the first of its words.
    uint32_t add_node(uint32_t count, bool temporary = false);
    /// The uniform word that holds this; kNoWord: there is no room left.
    uint32_t find_fau(UniformWord w);
    /// An even uniform word with the constants low and high; kNoWord: no room.
    uint32_t find_fau_pair(uint32_t low, uint32_t high);
    /// Room in the thread's own memory for so many words; where it is, bytes.
    uint32_t add_local(uint32_t count);
    /// Fills in what follows what.
    void link();
    void fail(const std::string& why) {
        if (error.empty()) error = why;
    }
};

/// One line an instruction: for tests and people.
[[nodiscard]] std::string print(const Function& f);

/// Bit a register that `i` reads (or, `read` false, writes), after allocation.
[[nodiscard]] uint64_t registers_of(const Function& f, const Inst& i, bool read);

}  // namespace terrazzo::mali::compiler
