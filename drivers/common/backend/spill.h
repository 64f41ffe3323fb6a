// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Spills nodes that live long and are seldom accessed: a store follows each write, and a load precedes each
// read. The loads and stores use temporary nodes that live for this one instruction. A value that an
// instruction without operands computes needs no memory: the instruction is repeated in place of the load.
#pragma once

#include <optional>
#include <span>

#include "drivers/common/backend/liveness.h"

namespace terrazzo::backend {

/// The requirements of spill.h. A SpillHome is the memory of one node.
template <typename T>
concept SpillTarget = Target<T> &&
    requires(const typename T::Inst& i, typename T::Code& f, const Node& node, typename T::SpillHome& home,
             std::pmr::vector<typename T::Inst>& out) {
    typename T::SpillHome;
    requires std::constructible_from<typename T::SpillHome, typename T::Code&, const Node&>;
    // access(is_store, temporary, index, count, out): appends the stores or loads of `count` words, from the
    // word `temporary` on. `index`: the first of them within the spilled node.
    home.access(true, Word(), uint32_t(), uint32_t(), out);
    { T::has_room(f) } -> std::same_as<bool>;              // for one more SpillHome
    { T::is_repeatable(i) } -> std::same_as<bool>;         // its operands never change; it writes one word
    { T::kAccessUnits } -> std::convertible_to<uint32_t>;  // of a load or store, in addition to its words
};

/// An estimate of how often each block runs: each loop runs eight times.
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

/// Spills nodes, all in one walk over the code.
/// S: the target T, or a struct derived from it, with the functions of SpillTarget.
template <SpillTarget S, Target T>
class Spiller {
  public:
    using Inst = typename T::Inst;

    /// False: the memory for spilled nodes is exhausted; no instruction was changed.
    [[nodiscard]] bool run(typename T::Code& f, std::span<const NodeIndex> nodes) {
        of_node_.assign(f.nodes.size(), kNone);
        for (const NodeIndex n : nodes) {
            of_node_[n] = uint32_t(spilled_.size());
            spilled_.emplace_back(f.nodes[n]);
        }
        find_repeatable(f);
        for (Spilled& s : spilled_) {
            if (s.repeats) continue;
            if (!S::has_room(f)) return false;
            s.home.emplace(f, s.node);
            f.spilled_words += s.node.count;
        }
        for (Block<T>& b : f.blocks)
            rewrite(f, b);
        return true;
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    struct Spilled {
        explicit Spilled(const Node& n) : node(n) {}
        Node node;
        std::optional<typename S::SpillHome> home;
        Inst repeated{};  // its only definition, which may be repeated before each use
        unsigned writes = 0;
        bool repeats = false;
    };
    struct Known {
        Word word;
        uint32_t count;
        Word temporary;
    };
    /// Null: the word stays in registers.
    [[nodiscard]] Spilled* find(const typename T::Code& f, Word word) {
        const NodeIndex n = f.node_of[word];
        return size_t(n) < of_node_.size() && of_node_[n] != kNone ? &spilled_[of_node_[n]] : nullptr;
    }

    void find_repeatable(const typename T::Code& f) {
        for (const Block<T>& b : f.blocks)
            for (const Inst& i : b.insts)
                T::for_each_write(i, [&](Word w, uint32_t) {
                    Spilled* const s = find(f, w);
                    if (!s) return;
                    s->writes++;
                    s->repeated = i;
                });
        for (Spilled& s : spilled_)
            s.repeats = s.node.count == 1 && s.writes == 1 && S::is_repeatable(s.repeated);
    }
    void load(Spilled& s, Word temporary, Word word, uint32_t count, std::pmr::vector<Inst>& out) {
        if (!s.repeats) return s.home->access(false, temporary, word - s.node.first, count, out);
        out.push_back(s.repeated);
        T::rewrite_words(out.back(), SameWord{}, [&](Word, uint32_t) { return temporary; });
    }
    [[nodiscard]] bool touches(const typename T::Code& f, const Inst& i) {
        bool any = false;
        const auto look = [&](Word w, uint32_t) { any |= find(f, w) != nullptr; };
        T::for_each_read(i, look);
        T::for_each_write(i, look);
        return any;
    }
    void rewrite(typename T::Code& f, Block<T>& b) {
        size_t first = 0;
        while (first < b.insts.size() && !touches(f, b.insts[first]))
            first++;
        if (first == b.insts.size()) return;
        std::pmr::vector<Inst> out(b.insts.begin(), b.insts.begin() + ptrdiff_t(first), f.memory);
        std::pmr::vector<Inst> stores(&memory_);
        for (size_t k = first; k < b.insts.size(); k++) {
            Inst i = b.insts[k];
            known_.clear();
            stores.clear();
            bool is_definition = false;
            const auto known = [&](Word word, uint32_t count) {
                for (const Known& k : known_)
                    if (k.word == word && k.count == count) return k.temporary;
                return kNoWord;
            };
            const auto read = [&](Word word, uint32_t count) {
                Spilled* const s = find(f, word);
                if (!s) return word;
                Word temporary = known(word, count);
                if (temporary != kNoWord) return temporary;
                temporary = f.add_node(count, true, s->node.cls);
                load(*s, temporary, word, count, out);
                known_.push_back({word, count, temporary});
                return temporary;
            };
            const auto write = [&](Word word, uint32_t count) {
                Spilled* const s = find(f, word);
                if (!s) return word;
                is_definition |= s->repeats;
                if (s->repeats) return word;
                // A word that the instruction both reads and writes stays one word: it may write only a part.
                Word temporary = known(word, count);
                if (temporary == kNoWord) temporary = f.add_node(count, true, s->node.cls);
                s->home->access(true, temporary, word - s->node.first, count, stores);
                return temporary;
            };
            T::rewrite_words(i, read, write);
            if (is_definition) continue;
            out.push_back(i);
            out.insert(out.end(), stores.begin(), stores.end());
        }
        b.insts = std::move(out);
    }

    std::pmr::monotonic_buffer_resource memory_;
    std::vector<Spilled> spilled_;
    ByNode<uint32_t> of_node_;  // index into spilled_
    std::vector<Known> known_;  // temporary nodes that the current instruction reads
};

/// The benefit of spilling each node: the length of its live ranges, and the number of its accesses.
template <Target T>
struct SpillCosts {
    explicit SpillCosts(const Function<T>& f)
        : live(live_ranges(f)), cost(f.nodes.size()), length(f.nodes.size()) {
        const std::pmr::vector<uint32_t> weight = block_weights(f);
        for (size_t b = 0; b < f.blocks.size(); b++)
            for (const typename T::Inst& i : f.blocks[b].insts) {
                const auto add = [&](Word w, uint32_t) { cost[f.node_of[w]] += weight[b]; };
                T::for_each_read(i, add);
                T::for_each_write(i, add);
            }
        for (const Word w : f.all_words())
            for (const Range& r : live[w])
                length[f.node_of[w]] += r.end - r.begin;
    }
    [[nodiscard]] bool may_go(const Function<T>& f, NodeIndex n) const {
        return !f.nodes[n].fixed && !f.nodes[n].temporary && cost[n];
    }
    [[nodiscard]] double worth(NodeIndex n) const { return double(length[n]) / double(cost[n]); }
    /// Whether `a` should be spilled before `b`.
    [[nodiscard]] bool is_better(NodeIndex a, NodeIndex b) const {
        return worth(a) != worth(b) ? worth(a) > worth(b) : a < b;
    }
    void take(NodeIndex, const auto& /*prolong*/) {}
    [[nodiscard]] bool lives(Word w, uint32_t place) const {
        const Ranges& ranges = live[w];
        const auto at = std::partition_point(ranges.begin(), ranges.end(),
                                             [&](const Range& r) { return r.end <= place; });
        return at != ranges.end() && at->begin <= place;
    }
    ByWord<Ranges> live;
    ByNode<uint64_t> cost, length;
};

/// Chooses the nodes to spill so that no more than `room` units live anywhere. The temporary nodes of loads
/// and stores count, each with `access_units` further units; fixed words outside of `limit` do not. One walk
/// from the first place to the last: while too many units live at a place, the best node that lives there is
/// chosen. A chosen node is spilled everywhere. `costs` are SpillCosts or derived from them. Each choice is
/// told by costs.take(node, prolong). It may call prolong(word, until): because of the choice, the word lives
/// from here to that place.
template <Target T, typename Costs>
class SpillChooser {
  public:
    SpillChooser(const Function<T>& f, Costs& costs, const UnitSet<T>& limit, uint32_t access_units)
        : f_(f),
          costs_(costs),
          limit_(limit),
          access_units_(access_units),
          units_(f.nodes.size()),
          goes_(f.nodes.size()),
          until_(f.words()) {}
    [[nodiscard]] std::vector<NodeIndex> choose(uint32_t room) {
        sort_events();
        uint32_t place = 0;
        for (const Block<T>& b : f_.blocks)
            for (const typename T::Inst& i : b.insts) {
                step(i, place++, true, room);
                step(i, place++, false, room);
            }
        return std::move(chosen_);
    }

    /// After choose(): how many units live at once, at most.
    [[nodiscard]] uint32_t most_live() const { return most_; }

  private:
    struct Event {
        uint32_t place;
        Word word;
    };
    void sort_events() {
        for (const Word w : f_.all_words()) {
            if (f_.is_fixed(w) && !limit_[f_.fixed_unit(w)]) continue;
            for (const Range& r : costs_.live[w]) {
                begins_.push_back({r.begin, w});
                ends_.push_back({r.end, w});
            }
        }
        const auto earlier = [](const Event& a, const Event& b) { return a.place < b.place; };
        std::stable_sort(begins_.begin(), begins_.end(), earlier);
        std::stable_sort(ends_.begin(), ends_.end(), earlier);
    }
    void add(Word word, bool begins) {
        const NodeIndex n = f_.node_of[word];
        const uint32_t units = f_.width(word);
        units_[n] += begins ? units : 0 - units;
        if (goes_[n] || until_[word]) return;
        live_ += begins ? units : 0 - units;
        if (!begins || !costs_.may_go(f_, n)) return;
        heap_.push_back(n);
        std::push_heap(heap_.begin(), heap_.end(), worse_);
    }
    void prolong(Word word, uint32_t place, uint32_t until) {
        if (until_[word] >= until) return;
        if (!until_[word] && !costs_.lives(word, place)) live_ += f_.width(word);
        until_[word] = until;
        prolonged_.push_back(word);
    }
    void end_prolonged(uint32_t place) {
        std::erase_if(prolonged_, [&](Word word) {
            if (until_[word] > place) return false;
            if (until_[word] && !costs_.lives(word, place)) live_ -= f_.width(word);
            until_[word] = 0;
            return true;
        });
    }
    /// The units of temporary nodes that are loaded before the instruction (`reads`) or stored after it.
    [[nodiscard]] uint32_t temporary(const typename T::Inst& i, bool reads) const {
        uint32_t sum = 0;
        const auto add = [&](Word w, uint32_t count) {
            if (goes_[f_.node_of[w]]) sum += count * f_.width(w) + access_units_;
        };
        if (reads)
            T::for_each_read(i, add);
        else
            T::for_each_write(i, add);
        return sum;
    }
    void step(const typename T::Inst& i, uint32_t place, bool reads, uint32_t room) {
        while (end_ < ends_.size() && ends_[end_].place <= place)
            add(ends_[end_++].word, false);
        while (begin_ < begins_.size() && begins_[begin_].place <= place)
            add(begins_[begin_++].word, true);
        end_prolonged(place);
        while (!heap_.empty() && live_ + temporary(i, reads) > room) {
            const NodeIndex n = heap_.front();
            std::pop_heap(heap_.begin(), heap_.end(), worse_);
            heap_.pop_back();
            // A node that does not live here is pushed again at the begin of its next live range.
            if (goes_[n] || !units_[n] || !costs_.may_go(f_, n)) continue;
            goes_[n] = true;
            live_ -= units_[n];
            costs_.take(n, [&](Word word, uint32_t until) { prolong(word, place, until); });
            chosen_.push_back(n);
        }
        most_ = std::max(most_, live_ + temporary(i, reads));
    }

    struct Worse {
        const Costs& costs;
        bool operator()(NodeIndex a, NodeIndex b) const { return costs.is_better(b, a); }
    };
    const Function<T>& f_;
    Costs& costs_;
    const UnitSet<T>& limit_;
    const uint32_t access_units_;
    const Worse worse_{costs_};
    std::vector<Event> begins_, ends_;
    size_t begin_ = 0, end_ = 0;
    ByNode<uint32_t> units_;  // its live units
    ByNode<uint8_t> goes_;    // whether it is chosen
    ByWord<uint32_t> until_;  // where a prolonged word ends; 0: it is not prolonged
    std::vector<Word> prolonged_;
    std::vector<NodeIndex> heap_, chosen_;
    uint32_t live_ = 0;  // live units of nodes that are not chosen
    uint32_t most_ = 0;
};

/// Spills nodes until `room` units are enough everywhere, except where a single instruction needs more.
/// False: nothing was spilled.
template <SpillTarget S, Target T>
[[nodiscard]] bool spill_over(Function<T>& f, const UnitSet<T>& limit, uint32_t room) {
    f.link();
    SpillCosts<T> costs(f);
    const std::vector<NodeIndex> nodes =
        SpillChooser<T, SpillCosts<T>>(f, costs, limit, S::kAccessUnits).choose(room);
    return !nodes.empty() && Spiller<S, T>().run(static_cast<typename T::Code&>(f), nodes);
}

/// Spills up to kSpillsAtOnce nodes that live at `place` (a place of live_ranges()): those with the longest
/// live ranges for the number of their accesses. False: nothing was spilled.
template <SpillTarget S, Target T>
[[nodiscard]] bool spill_at(Function<T>& f, uint32_t place) {
    f.link();
    const SpillCosts<T> costs(f);
    std::vector<NodeIndex> nodes;
    for (const Node& node : f.nodes) {
        bool there = false;
        for (const Word w : node.words())
            for (const Range& r : costs.live[w])
                there |= r.begin <= place && place < r.end;
        if (there && costs.may_go(f, f.node_of[node.first])) nodes.push_back(f.node_of[node.first]);
    }
    std::sort(nodes.begin(), nodes.end(), [&](NodeIndex a, NodeIndex b) { return costs.is_better(a, b); });
    const auto best =
        std::span<const NodeIndex>(nodes).first(std::min<size_t>(nodes.size(), S::kSpillsAtOnce));
    return !best.empty() && Spiller<S, T>().run(static_cast<typename T::Code&>(f), best);
}

/// The spill function for allocate(): spills at one place or, with kEverywhere, in the whole code.
template <SpillTarget S, Target T>
[[nodiscard]] bool spill(Function<T>& f, uint32_t place, const UnitSet<T>& limit, uint32_t room) {
    return place == kEverywhere ? spill_over<S>(f, limit, room) : spill_at<S>(f, place);
}

}  // namespace terrazzo::backend
