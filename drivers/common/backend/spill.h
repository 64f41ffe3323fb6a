// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Nodes that live long and are seldom touched leave the registers: each write is followed by a store, each
// read comes after a load, into nodes that live for that one instruction. What can be computed again from
// nothing is, in place of the load, and needs no memory.
#pragma once

#include <optional>

#include "drivers/common/backend/liveness.h"

namespace terrazzo::backend {

/// What spill.h asks besides. A SpillHome is the memory of one node.
template <typename T>
concept SpillTarget = Target<T> &&
    requires(const typename T::Inst& i, typename T::Code& f, const Node& node, typename T::SpillHome& home,
             std::pmr::vector<typename T::Inst>& out) {
    typename T::SpillHome;
    requires std::constructible_from<typename T::SpillHome, typename T::Code&, const Node&>;
    { T::SpillHome::has_room(f) } -> std::same_as<bool>;
    // Appends what stores (or loads) `count` words: those of a temporary node, from the word of the node
    // with that index on.
    home.access(true, uint32_t(), uint32_t(), uint32_t(), out);
    { T::is_repeatable(i) } -> std::same_as<bool>;  // reads nothing that changes, writes one word
};

/// How often each block runs, as a guess: eight turns a loop.
template <Target T>
[[nodiscard]] std::pmr::vector<uint32_t> block_weights(const Function<T>& f) {
    constexpr uint32_t kTurns = 8, kMost = 1u << 15;
    std::pmr::vector<uint32_t> out(f.blocks.size(), 1, f.memory);
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (int32_t to : f.blocks[b].next)
            for (size_t k = to >= 0 ? size_t(to) : b + 1; k <= b; k++)
                out[k] = std::min(out[k] * kTurns, kMost);
    return out;
}

/// Takes one node out of registers.
/// S: the target T, and what spilling asks besides.
template <SpillTarget S, Target T>
class Spiller {
  public:
    using Inst = typename T::Inst;

    Spiller(typename T::Code& f, uint32_t node) : f_(f), node_(f.nodes[node]), known_(f.memory) {
        if (find_repeatable()) return;
        home_.emplace(f, node_);
        f.spilled_words += node_.count;
    }
    void run() {
        for (Block<T>& b : f_.blocks)
            rewrite(b);
    }

  private:
    struct Known {
        uint32_t word, count, temporary;
    };
    [[nodiscard]] bool mine(uint32_t word) const { return word - node_.first < node_.count; }

    /// Whether the node's only definition can stand before each use.
    bool find_repeatable() {
        unsigned writes = 0;
        for (const Block<T>& b : f_.blocks)
            for (const Inst& i : b.insts)
                T::for_each_write(i, [&](uint32_t w, uint32_t) {
                    if (!mine(w)) return;
                    writes++;
                    repeated_ = i;
                });
        return repeats_ = node_.count == 1 && writes == 1 && S::is_repeatable(repeated_);
    }
    void load(uint32_t temporary, uint32_t word, uint32_t count, std::pmr::vector<Inst>& out) {
        if (!repeats_) return home_->access(false, temporary, word - node_.first, count, out);
        out.push_back(repeated_);
        T::rewrite_words(out.back(), SameWord{}, [&](uint32_t, uint32_t) { return temporary; });
    }
    void rewrite(Block<T>& b) {
        std::pmr::vector<Inst> out(f_.memory), after(f_.memory);
        for (Inst i : b.insts) {
            known_.clear();
            after.clear();
            bool is_definition = false;
            const auto find = [&](uint32_t word, uint32_t count) {
                for (const Known& k : known_)
                    if (k.word == word && k.count == count) return k.temporary;
                return kNoWord;
            };
            const auto read = [&](uint32_t word, uint32_t count) {
                if (!mine(word)) return word;
                uint32_t temporary = find(word, count);
                if (temporary != kNoWord) return temporary;
                temporary = f_.add_node(count, true, node_.cls);
                load(temporary, word, count, out);
                known_.push_back({word, count, temporary});
                return temporary;
            };
            const auto write = [&](uint32_t word, uint32_t count) {
                if (!mine(word)) return word;
                is_definition = true;
                if (repeats_) return word;
                // What an instruction reads and writes stays one word: it may write a part of it.
                uint32_t temporary = find(word, count);
                if (temporary == kNoWord) temporary = f_.add_node(count, true, node_.cls);
                home_->access(true, temporary, word - node_.first, count, after);
                return temporary;
            };
            T::rewrite_words(i, read, write);
            if (is_definition && repeats_) continue;
            out.push_back(i);
            out.insert(out.end(), after.begin(), after.end());
        }
        b.insts = std::move(out);
    }

    typename T::Code& f_;
    const Node node_;
    std::optional<typename S::SpillHome> home_;
    std::pmr::vector<Known> known_;  // that the instruction reads
    Inst repeated_;
    bool repeats_ = false;
};

/// Takes some nodes that live at that place (a place of live_ranges()) out of registers: those that live
/// longest for what they are used. False: nothing is left that could go.
template <SpillTarget S, Target T>
[[nodiscard]] bool spill_at(Function<T>& f, uint32_t place) {
    struct Choice {
        uint32_t node;
        double worth;
    };
    f.link();
    const std::pmr::vector<Ranges> live = live_ranges(f);
    const std::pmr::vector<uint32_t> weight = block_weights(f);
    std::pmr::vector<uint64_t> cost(f.nodes.size(), 0, f.memory);
    for (size_t b = 0; b < f.blocks.size(); b++)
        for (const typename T::Inst& i : f.blocks[b].insts) {
            const auto add = [&](uint32_t w, uint32_t) { cost[f.node_of[w]] += weight[b]; };
            T::for_each_read(i, add);
            T::for_each_write(i, add);
        }
    std::pmr::vector<Choice> choices(f.memory);
    for (uint32_t n = 0; n < f.nodes.size(); n++) {
        const Node& node = f.nodes[n];
        if (node.fixed || node.temporary || !cost[n]) continue;
        uint64_t length = 0;
        bool there = false;
        for (uint32_t w = node.first; w < node.first + node.count; w++)
            for (const Range& r : live[w]) {
                length += r.end - r.begin;
                there |= r.begin <= place && place < r.end;
            }
        if (there) choices.push_back({n, double(length) / double(cost[n])});
    }
    std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
        return a.worth != b.worth ? a.worth > b.worth : a.node < b.node;
    });
    if (choices.empty()) return false;
    for (size_t k = 0; k < std::min<size_t>(choices.size(), S::kSpillsAtOnce); k++) {
        if (!S::SpillHome::has_room(static_cast<typename T::Code&>(f))) return false;
        Spiller<S, T>(static_cast<typename T::Code&>(f), choices[k].node).run();
    }
    return true;
}

}  // namespace terrazzo::backend
