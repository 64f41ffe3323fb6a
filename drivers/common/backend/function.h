// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of a shader while it is compiled: blocks of a vendor's instructions on words. A word is what one
// register of its class holds. A node is a run of words that must be consecutive registers (a virtual
// register, mostly of one word). A fixed node is a register itself. Words may have several definitions.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "drivers/common/backend/target.h"

namespace terrazzo::backend {

/// In the order of the code: a block without a branch goes on in the next one. Branches stand at the end.
template <typename T>
struct Block {
    explicit Block(std::pmr::memory_resource* memory) : insts(memory) {}
    std::pmr::vector<typename T::Inst> insts;
    int32_t next[2] = {-1, -1};  // filled by link()
    unsigned entries = 0;
};

struct Node {
    uint32_t first, count;
    bool temporary = false;  // lives for one instruction, beside memory: it is not spilled
    bool fixed = false;      // its register is given: unit `at`
    uint8_t cls = 0;         // of T::kClasses
    uint16_t at = 0;
};

template <typename T>
struct Function {
    using Node = backend::Node;
    using Unit = typename T::Unit;
    static constexpr Unit kNoUnit = std::numeric_limits<Unit>::max();

    explicit Function(std::pmr::memory_resource* arena)
        : memory(arena), blocks(arena), node_of(arena), nodes(arena), reg(arena), same_value(arena) {}

    std::pmr::memory_resource* memory;
    std::pmr::vector<Block<T>> blocks;
    std::pmr::vector<uint32_t> node_of;  // by word
    std::pmr::vector<Node> nodes;
    // By word, after allocate(): the first unit of its register; words that share a value (their moves are
    // gone) name the same word in same_value.
    std::pmr::vector<Unit> reg;
    std::pmr::vector<uint32_t> same_value;
    std::string error;  // empty: all is well
    uint32_t spilled_words = 0;

    [[nodiscard]] uint32_t words() const { return uint32_t(node_of.size()); }
    [[nodiscard]] const Node& node(uint32_t word) const { return nodes[node_of[word]]; }
    [[nodiscard]] bool is_fixed(uint32_t word) const { return node(word).fixed; }
    [[nodiscard]] const RegisterClass& class_of(uint32_t word) const {
        if constexpr (std::size(T::kClasses) == 1)
            return T::kClasses[0];
        else
            return T::kClasses[node(word).cls];
    }
    /// Units of the word's register.
    [[nodiscard]] uint32_t width(uint32_t word) const { return class_of(word).width; }
    /// The first unit of a fixed word.
    [[nodiscard]] uint32_t fixed_unit(uint32_t word) const {
        return node(word).at + (word - node(word).first) * width(word);
    }

    /// A new node; the first of its words.
    uint32_t add_node(uint32_t count, bool temporary = false, uint8_t cls = 0) {
        return add({.first = words(), .count = count, .temporary = temporary, .cls = cls});
    }
    /// The word that is a register of that class, which begins at `unit`.
    uint32_t fixed_word(uint32_t unit, uint8_t cls = 0) {
        for (const Node& n : nodes)
            if (n.fixed && n.cls == cls && n.at == unit) return n.first;
        return add_fixed(unit, cls);
    }
    /// The same, of a register that has no word yet.
    uint32_t add_fixed(uint32_t unit, uint8_t cls = 0) {
        return add({.first = words(), .count = 1, .fixed = true, .cls = cls, .at = uint16_t(unit)});
    }
    /// Fills in what follows what.
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
    uint32_t add(const Node& n) {
        nodes.push_back(n);
        node_of.insert(node_of.end(), n.count, uint32_t(nodes.size() - 1));
        return n.first;
    }
};

/// Calls f(unit) for all units of `count` words from `first`, after allocation.
template <typename T, typename F>
void for_each_unit(const Function<T>& f, uint32_t first, uint32_t count, const F& call) {
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t u = 0; u < f.width(first + k); u++)
            call(uint32_t(f.reg[first + k]) + u);
}

/// The units that `i` reads (or, `read` false, writes), after allocation.
template <typename T>
[[nodiscard]] UnitSet<T> units_of(const Function<T>& f, const typename T::Inst& i, bool read) {
    UnitSet<T> set;
    const auto add = [&](uint32_t w, uint32_t count) {
        for_each_unit(f, w, count, [&](uint32_t u) { set[u] = true; });
    };
    if (read)
        T::for_each_read(i, add);
    else
        T::for_each_write(i, add);
    return set;
}

}  // namespace terrazzo::backend
