// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a shader during compilation: blocks of a vendor's instructions on words. A word has the size of
// one register of its class. A node is a virtual register: a run of words, mostly one, that must be in
// consecutive registers. A fixed node represents a hardware register. Words may have several definitions.
#pragma once

#include <algorithm>
#include <string>

#include "drivers/common/backend/target.h"

namespace terrazzo::backend {

/// A block without a branch continues in the next block. A branch is the last instruction of its block.
template <typename T>
struct Block {
    explicit Block(std::pmr::memory_resource* memory) : insts(memory) {}
    Block(const Block& from, std::pmr::memory_resource* memory)
        : insts(from.insts, memory), next{from.next[0], from.next[1]}, entries(from.entries) {}
    std::pmr::vector<typename T::Inst> insts;
    int32_t next[2] = {-1, -1};  // filled by link()
    unsigned entries = 0;
};

/// The units of a class whose registers a new function has words for: fixed ones, in this order.
struct FixedUnits {
    Unit first{}, end{};
    uint8_t cls = 0;
};

struct Node {
    Word first;
    uint32_t count;
    bool temporary = false;  // lives for one instruction, between it and a load or store: it is not spilled
    bool fixed = false;      // its register begins at unit `at`
    uint8_t cls = 0;         // index into T::kClasses
    Unit at{};

    [[nodiscard]] Words words() const { return {first, count}; }
};

template <typename T>
struct Function {
    using Node = backend::Node;
    using Target = T;

    explicit Function(std::pmr::memory_resource* arena)
        : memory(arena), blocks(arena), node_of(arena), nodes(arena), reg(arena), same_value(arena) {
        constexpr FixedUnits kFixed = T::kFixed;
        for (Unit u = kFixed.first; u < kFixed.end; u = u + T::kClasses[kFixed.cls].width)
            add_fixed(u, kFixed.cls);
    }
    /// A copy in another arena.
    Function(const Function& from, std::pmr::memory_resource* arena)
        : memory(arena),
          blocks(arena),
          node_of(from.node_of, arena),
          nodes(from.nodes, arena),
          reg(from.reg, arena),
          same_value(from.same_value, arena),
          error(from.error),
          spilled_words(from.spilled_words),
          private_B(from.private_B) {
        blocks.reserve(from.blocks.size());
        for (const Block<T>& b : from.blocks)
            blocks.emplace_back(b, arena);
    }
    std::pmr::memory_resource* memory;
    std::pmr::vector<Block<T>> blocks;
    ByWord<NodeIndex> node_of;
    ByNode<Node> nodes;
    // After allocate(): the first unit of its register. Words that share a value, since the moves
    // between them were removed, have the same entry in same_value.
    ByWord<Unit> reg;
    ByWord<Word> same_value;
    std::string error;  // empty: no error
    uint32_t spilled_words = 0;
    uint32_t private_B = 0;  // memory of each thread

    /// How many words there are.
    [[nodiscard]] uint32_t words() const { return uint32_t(node_of.size()); }
    [[nodiscard]] Words all_words() const { return {Word(0), words()}; }
    [[nodiscard]] const Node& node(Word word) const { return nodes[node_of[word]]; }
    [[nodiscard]] bool is_fixed(Word word) const { return node(word).fixed; }
    [[nodiscard]] const RegisterClass& class_of(Word word) const {
        if constexpr (std::size(T::kClasses) == 1)
            return T::kClasses[0];
        else
            return T::kClasses[node(word).cls];
    }
    /// The number of units of the word's register.
    [[nodiscard]] uint32_t width(Word word) const { return class_of(word).width; }
    /// The first unit of a fixed word.
    [[nodiscard]] Unit fixed_unit(Word word) const {
        return node(word).at + (word - node(word).first) * width(word);
    }

    /// Creates a node; returns its first word.
    Word add_node(uint32_t count, bool temporary = false, uint8_t cls = 0) {
        return add({.first = Word(words()), .count = count, .temporary = temporary, .cls = cls});
    }
    /// The word for the register of that class that begins at `unit`; it is created if it does not exist.
    Word fixed_word(Unit unit, uint8_t cls = 0) {
        for (const Node& n : nodes)
            if (n.fixed && n.cls == cls && n.at == unit) return n.first;
        return add_fixed(unit, cls);
    }
    /// Like fixed_word(), for a register that has no word yet.
    Word add_fixed(Unit unit, uint8_t cls = 0) {
        return add({.first = Word(words()), .count = 1, .fixed = true, .cls = cls, .at = unit});
    }
    /// Allocates memory of each thread for `count` words, so that no access to a word, an aligned pair or
    /// four aligned words crosses a multiple of 16 bytes. Returns the offset in bytes.
    uint32_t add_private(uint32_t count) {
        const uint32_t align_B = count == 1 ? 4 : count == 2 ? 8 : 16;
        const uint32_t at_B = (private_B + align_B - 1) / align_B * align_B;
        private_B = at_B + count * 4;
        return at_B;
    }
    /// Fills `next` and `entries` of all blocks.
    void link() {
        for (Block<T>& b : blocks)
            b.entries = 0;
        for (size_t i = 0; i < blocks.size(); i++) {
            Block<T>& b = blocks[i];
            const auto* last = b.insts.empty() ? nullptr : &b.insts.back();
            const bool branch = last && T::is_branch(*last);
            b.next[1] = branch ? T::branch_target(*last) : -1;
            const bool leaves = (branch && T::branches_always(*last)) || i + 1 == blocks.size();
            b.next[0] = leaves ? -1 : int32_t(i + 1);
            for (int32_t n : b.next)
                if (n >= 0) blocks[size_t(n)].entries++;
        }
    }
    void fail(const std::string& why) {
        if (error.empty()) error = why;
    }

  private:
    Word add(const Node& n) {
        nodes.push_back(n);
        node_of.insert(node_of.end(), n.count, NodeIndex(nodes.size() - 1));
        return n.first;
    }
};

/// The word of a hardware register, for targets in which all registers have fixed words (T::kFixed).
[[nodiscard]] constexpr Word register_word(unsigned reg) {
    return Word(reg);
}

/// Calls call(unit) for all units of `count` words from `first`, after allocation.
template <typename T, typename F>
void for_each_unit(const Function<T>& f, Word first, uint32_t count, const F& call) {
    for (uint32_t k = 0; k < count; k++)
        for (const Unit u : Units(f.reg[first + k], f.width(first + k)))
            call(u);
}

/// The end of the units below `most` that the code reads or writes, after allocation.
template <typename T>
[[nodiscard]] uint32_t units_end(const Function<T>& f, uint32_t most = T::kUnits) {
    uint32_t end = 0;
    const auto add = [&](Word w, uint32_t count) {
        for_each_unit(f, w, count, [&](Unit u) {
            if (number_of(u) < most) end = std::max(end, number_of(u) + 1);
        });
    };
    for (const Block<T>& b : f.blocks)
        for (const typename T::Inst& i : b.insts) {
            T::for_each_read(i, add);
            T::for_each_write(i, add);
        }
    return end;
}

/// The units that `i` reads (`read`) or writes (not `read`), after allocation.
template <typename T>
[[nodiscard]] UnitSet<T> units_of(const Function<T>& f, const typename T::Inst& i, bool read) {
    UnitSet<T> set;
    const auto add = [&](Word w, uint32_t count) {
        for_each_unit(f, w, count, [&](Unit u) { set[u] = true; });
    };
    if (read)
        T::for_each_read(i, add);
    else
        T::for_each_write(i, add);
    return set;
}

}  // namespace terrazzo::backend
