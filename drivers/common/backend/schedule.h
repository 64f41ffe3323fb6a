// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// List scheduling from the top, block by block, between fences. Of the ready instructions, the one that can
// start first is placed first; then the one with the longest path to the end; then the first one of the
// original order. If more units live than the budget allows, the one that frees most is placed. An
// instruction is not moved forward if more units would then live than the budget allows. Budget has the limit
// if the original order already exceeds the budget, and from which number of live units on registers are
// saved where nothing waits.
#pragma once

#include <limits>
#include <span>

#include "drivers/common/backend/dependence_graph.h"
#include "drivers/common/backend/liveness.h"
#include "drivers/common/backend/pressure.h"
#include "drivers/common/backend/ready_queue.h"

namespace terrazzo::backend {

/// How many units may live at once when schedule.h orders code: the maximum of the original order, clamped to
/// `least` and `most`.
struct Budget {
    /// Applies if the original order needs more than `most`. Bounded: no place may need more than the
    /// original maximum. Free: it may, which can lead to fewer live units later.
    enum class Overrun : uint8_t { Free, Bounded };
    static constexpr uint32_t kUnlimited = uint32_t(std::numeric_limits<int32_t>::max());

    uint32_t least, most;
    Overrun overrun = Overrun::Free;
    /// An instruction after which more units than this would live is placed only if all other instructions
    /// must wait for their operands.
    uint32_t eager = kUnlimited;
    /// While more units than this live, waits of `long_wait_clk` and more do not count as waits for `eager`:
    /// the GPU runs other threads meanwhile.
    uint32_t impatient = kUnlimited;
    uint32_t long_wait_clk = 0;
};

/// S: the target T, or a struct derived from it, with the functions of SchedulerTarget.
template <SchedulerTarget S, Target T>
class Scheduler {
  public:
    using Inst = typename T::Inst;

    Scheduler(Function<T>& f, Budget budget)
        : f_(f),
          allocated_(!f.reg.empty()),
          budget_(budget),
          lives_((f.words() + 63) / 64, 0, f.memory),
          touched_(f.memory),
          touched_in_(f.words(), kNone, f.memory),
          last_touch_(f.words(), kNone, f.memory),
          changed_(f.memory),
          reads_left_(f.words(), 0, f.memory),
          reads_behind_(f.words(), 0, f.memory),
          live_(f.words(), 0, f.memory),
          units_after_(f.memory),
          units_ahead_(f.memory),
          graph_(f),
          touch_links_(f.memory),
          ready_(f.memory),
          deferred_(f.memory),
          next_deferred_(f.memory),
          out_(f.memory) {}

    uint32_t run() {
        if (allocated_) {
            for (size_t b = 0; b < f_.blocks.size(); b++)
                block(b, 0);
            return 0;
        }
        const Liveness<T> between(f_);
        const int peak = find_pressure(between);
        room_ = std::clamp(peak, int(budget_.least), int(budget_.most));
        most_ = peak <= room_                                 ? room_
                : budget_.overrun == Budget::Overrun::Bounded ? peak
                                                              : std::numeric_limits<int>::max();
        size_t at = units_after_.size();
        for (size_t b = f_.blocks.size(); b-- > 0;) {
            for (const Word w : between.only_after(b))
                set_lives(w, true);
            count_uses(b);
            at -= f_.blocks[b].insts.size();
            block(b, at);
            for (const Word w : between.only_before(b))
                set_lives(w, false);
        }
        return uint32_t(peak);
    }

  private:
    static constexpr uint32_t kNone = ~0u;
    /// The most instructions that are ordered at once.
    static constexpr size_t kMaxSegment = 1024;
    struct Link {
        uint32_t step, next;
    };

    /// `first`: the index in units_after_ of the block's first instruction.
    void block(size_t b, size_t first) {
        std::pmr::vector<Inst>& insts = f_.blocks[b].insts;
        if (insts.size() < 3) return;
        out_.clear();
        for (size_t at = 0; at < insts.size();) {
            size_t end = at;
            while (end < insts.size() && end - at < kMaxSegment && !S::is_fence(insts[end]))
                end++;
            segment(insts.data() + at, uint32_t(end - at), first + at);
            if (end < insts.size()) place(insts[end++]);
            at = end;
        }
        insts.swap(out_);
        S::finish_block(insts);
    }

    /// Updates the set of live words, and their units, at the place of the backward walk.
    void set_lives(Word w, bool lives) {
        if (test(lives_, w) == lives) return;
        lives ? put(lives_, w) : drop(lives_, w);
        lives_units_ += lives ? int(f_.width(w)) : -int(f_.width(w));
    }
    /// Fills units_after_: the units that live after each instruction in the original order, with the results
    /// that are never read. Returns the maximum.
    int find_pressure(const Liveness<T>& between) {
        size_t at = 0;
        for (const Block<T>& b : f_.blocks)
            at += b.insts.size();
        units_after_.resize(at);
        int peak = 0;
        for (size_t b = f_.blocks.size(); b-- > 0;) {
            for (const Word w : between.only_after(b))
                set_lives(w, true);
            const auto& insts = f_.blocks[b].insts;
            for (size_t i = insts.size(); i-- > 0;) {
                const Inst& inst = insts[i];
                const auto live = [&](Word w, uint32_t count) {
                    for (uint32_t k = 0; k < count; k++)
                        set_lives(w + k, true);
                };
                const auto die = [&](Word w, uint32_t count) {
                    for (uint32_t k = 0; k < count; k++)
                        set_lives(w + k, false);
                };
                T::for_each_write(inst, live);
                int& units = units_after_[--at] = lives_units_;
                T::for_each_clobber(inst, die);
                if (T::writes_early(inst)) {
                    T::for_each_read(inst, live);
                    units = std::max(units, lives_units_);
                }
                T::for_each_write(inst, die);
                T::for_each_read(inst, live);
                peak = std::max(peak, units);
            }
            for (const Word w : between.only_before(b))
                set_lives(w, false);
        }
        std::fill(lives_.begin(), lives_.end(), 0);
        lives_units_ = 0;
        return peak;
    }
    /// Steps from the words that live after the block to those that live before it, and counts the reads of
    /// each word in the block.
    void count_uses(size_t b) {
        const auto& insts = f_.blocks[b].insts;
        touched_.clear();
        const auto touch = [&](Word w) {
            if (std::exchange(touched_in_[w], uint32_t(b)) == b) return;
            touched_.push_back(w);
            reads_left_[w] = test(lives_, w);
        };
        for (size_t i = insts.size(); i-- > 0;) {
            const auto die = [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    touch(w + k);
                    set_lives(w + k, false);
                }
            };
            T::for_each_clobber(insts[i], die);
            T::for_each_write(insts[i], die);
            T::for_each_read(insts[i], [&](Word w, uint32_t count) {
                for (uint32_t k = 0; k < count; k++) {
                    touch(w + k);
                    set_lives(w + k, true);
                    reads_left_[w + k]++;
                }
            });
        }
        for (const Word w : touched_)
            live_[w] = uint8_t(test(lives_, w));
        pressure_ = lives_units_;
    }

    /// Lists the accesses of each word in the segment, the last one first, and counts the reads after it.
    void find_touches(const Inst* insts, uint32_t count) {
        touch_links_.clear();
        for (uint32_t n = 0; n < count; n++) {
            const auto forget = [&](Word w, uint32_t words) {
                for (uint32_t k = 0; k < words; k++)
                    last_touch_[w + k] = kNone;
            };
            T::for_each_read(insts[n], forget);
            T::for_each_write(insts[n], forget);
        }
        for (uint32_t n = 0; n < count; n++) {
            const auto touch = [&](Word w, bool reads) {
                if (last_touch_[w] == kNone) reads_behind_[w] = reads_left_[w];
                reads_behind_[w] -= reads;
                touch_links_.push_back({n, last_touch_[w]});
                last_touch_[w] = uint32_t(touch_links_.size() - 1);
            };
            T::for_each_read(insts[n], [&](Word w, uint32_t words) {
                for (uint32_t k = 0; k < words; k++)
                    touch(w + k, true);
            });
            T::for_each_write(insts[n], [&](Word w, uint32_t words) {
                for (uint32_t k = 0; k < words; k++)
                    touch(w + k, false);
            });
        }
    }

    // ---- Choice ----

    /// How many more units live after `i` than before it, if it is placed next.
    [[nodiscard]] int growth(const Inst& i) const {
        int grows = 0;
        if (allocated_) return grows;
        T::for_each_write(i, [&](Word w, uint32_t count) {
            for (uint32_t k = 0; k < count; k++)
                if (!live_[w + k] && reads_left_[w + k]) grows += int(f_.width(w + k));
        });
        T::for_each_read(i, [&](Word w, uint32_t count) {
            for (uint32_t k = 0; k < count; k++)
                if (live_[w + k] && reads_left_[w + k] == 1) grows -= int(f_.width(w + k));
        });
        return grows;
    }
    /// The units that `i` writes early and that do not live before it: they live in addition to its operands.
    [[nodiscard]] int written_beside(const Inst& i) const {
        int units = 0;
        if (!T::writes_early(i)) return units;
        T::for_each_write(i, [&](Word w, uint32_t count) {
            for (uint32_t k = 0; k < count; k++)
                units += live_[w + k] ? 0 : int(f_.width(w + k));
        });
        return units;
    }
    void count_live(const Inst& i) {
        T::for_each_read(i, [&](Word w, uint32_t count) {
            for (const Word k : Words(w, count)) {
                reads_left_[k]--;
                const bool dies = reads_left_[k] == 0 && live_[k];
                // The growth of other instructions changes: with one read left, that reader frees the word.
                // With no read left, a later write does not make the word live.
                if (reads_left_[k] < 2 && !dies) changed_.push_back(k);
                if (!dies) continue;
                live_[k] = 0;
                pressure_ -= int(f_.width(k));
            }
        });
        T::for_each_write(i, [&](Word w, uint32_t count) {
            for (const Word k : Words(w, count))
                if (!live_[k] && reads_left_[k]) {
                    live_[k] = 1;
                    pressure_ += int(f_.width(k));
                    changed_.push_back(k);
                }
        });
    }
    void place(const Inst& i) {
        if (!allocated_) count_live(i);
        now_clk_ += S::issue_clk(i);
        out_.push_back(i);
    }
    /// Updates the growth of ready instructions that read or write changed words.
    void update_ready(const Inst* insts) {
        for (const Word w : changed_)
            for (uint32_t l = last_touch_[w]; l != kNone; l = touch_links_[l].next)
                if (const uint32_t n = touch_links_[l].step; ready_.has(n))
                    ready_.change(n, growth(insts[n]));
        changed_.clear();
    }
    void make_ready(const Inst* insts, uint32_t n) {
        ready_.add(n, graph_[n].at_clk, graph_[n].path_clk, growth(insts[n]));
    }

    // ---- Live units of the steps that are not placed, in the original order ----

    /// The last step before `n` that is not placed and reads or writes the word; kNone: there is none.
    [[nodiscard]] uint32_t touch_before(Word w, uint32_t n) {
        uint32_t* link = &last_touch_[w];
        while (*link != kNone) {
            Link& l = touch_links_[*link];
            if (l.step < n && !graph_[l.step].is_placed) return l.step;
            if (graph_[l.step].is_placed)
                *link = l.next;
            else
                link = &l.next;
        }
        return kNone;
    }
    /// Step n is placed before steps that preceded it: its results live from here on, and the words of which
    /// it was the last reader die earlier.
    void move_ahead(const Inst* insts, uint32_t n) {
        const Inst& i = insts[n];
        T::for_each_write(i, [&](Word w, uint32_t count) {
            for (const Word k : Words(w, count))
                if (!live_[k] && reads_left_[k]) units_ahead_.add(head_, n, int(f_.width(k)));
        });
        T::for_each_read(i, [&](Word w, uint32_t count) {
            for (const Word k : Words(w, count)) {
                if (reads_behind_[k] || !live_[k] || touch_before(k, kNone) != n) continue;
                // It may read the word twice: count it once.
                while (last_touch_[k] != kNone && touch_links_[last_touch_[k]].step == n)
                    last_touch_[k] = touch_links_[last_touch_[k]].next;
                const uint32_t before = touch_before(k, n);
                // The word is still live while the previous step writes its early results.
                const uint32_t from = before == kNone ? head_ : before + T::writes_early(insts[before]);
                units_ahead_.add(from, n, -int(f_.width(k)));
            }
        });
    }
    [[nodiscard]] ReadyQueue::Room room() const {
        if (allocated_) return {};
        ReadyQueue::Room r{.most = room_ - pressure_, .eager = int(budget_.eager) - pressure_};
        if (pressure_ > int(budget_.impatient)) r.free_wait_clk = budget_.long_wait_clk;
        return r;
    }
    /// The best ready step that does not exceed the limit of live units at a later step. One that does is
    /// deferred until that step is placed.
    [[nodiscard]] ReadyQueue::Choice choose(const Inst* insts) {
        for (;;) {
            const ReadyQueue::Choice chosen = ready_.take(now_clk_, room());
            if (allocated_ || chosen.step == head_) return chosen;
            const Inst& i = insts[chosen.step];
            const int grows = growth(i);
            uint32_t full = Pressure::kNone;
            if (pressure_ + std::max(grows, written_beside(i)) > most_)
                full = head_;
            else if (grows > 0)
                full = units_ahead_.last_above(head_, chosen.step, most_ - grows);
            if (full == Pressure::kNone) return chosen;
            next_deferred_[chosen.step] = deferred_[full];
            deferred_[full] = chosen.step;
        }
    }
    void pass_placed(const Inst* insts, uint32_t count) {
        for (; head_ < count && graph_[head_].is_placed; head_++)
            for (uint32_t n = std::exchange(deferred_[head_], kNone); n != kNone; n = next_deferred_[n])
                make_ready(insts, n);
    }

    void segment(const Inst* insts, uint32_t count, size_t first) {
        if (count < 2) {
            for (uint32_t n = 0; n < count; n++)
                place(insts[n]);
            return;
        }
        graph_.build(insts, count);
        if (!allocated_) find_touches(insts, count);
        changed_.clear();
        now_clk_ = 0;
        head_ = 0;
        ready_.begin(count);
        deferred_.assign(count, kNone);
        next_deferred_.assign(count, kNone);
        if (!allocated_) units_ahead_.begin(std::span(units_after_).subspan(first, count));
        for (uint32_t n = 0; n < count; n++)
            if (!graph_[n].waits_for) make_ready(insts, n);
        for (uint32_t left = count; left > 0; left--) {
            const ReadyQueue::Choice chosen = choose(insts);
            now_clk_ = chosen.start_clk;
            if (!allocated_ && chosen.step != head_) move_ahead(insts, chosen.step);
            graph_.mark_placed(chosen.step);
            place(insts[chosen.step]);
            update_ready(insts);
            graph_.start(chosen.step, chosen.start_clk, [&](uint32_t n) { make_ready(insts, n); });
            pass_placed(insts, count);
        }
    }

    Function<T>& f_;
    const bool allocated_;
    const Budget budget_;
    int room_ = 0, most_ = 0;  // units: the preferred and the hard limit
    Bits lives_;               // live words at the place of the backward walk
    int lives_units_ = 0;
    std::pmr::vector<Word> touched_;  // words of a block
    ByWord<uint32_t> touched_in_;     // the last block
    ByWord<uint32_t> last_touch_;     // link
    std::pmr::vector<Word> changed_;
    ByWord<uint32_t> reads_left_;    // reads left in the block, +1 if live after
    ByWord<uint32_t> reads_behind_;  // those of reads_left_ after the segment
    ByWord<uint8_t> live_;
    std::pmr::vector<int> units_after_;  // by instruction, in the original order
    Pressure units_ahead_;               // of the segment's steps that are not placed
    DependenceGraph<S, T> graph_;        // of the segment
    std::pmr::vector<Link> touch_links_;
    ReadyQueue ready_;
    std::pmr::vector<uint32_t> deferred_, next_deferred_;  // by step: lists of steps that wait for it
    uint32_t head_ = 0;                                    // the first step that is not placed
    std::pmr::vector<Inst> out_;
    uint32_t now_clk_ = 0;
    int pressure_ = 0;
};

/// Before allocation: hides latencies as far as `budget` allows. After allocation: by time alone; `budget` is
/// ignored, and the accesses of each register keep their order.
/// Returns how many units lived at once in the original order, at most; 0 after allocation.
template <SchedulerTarget S, Target T>
uint32_t schedule(Function<T>& f, Budget budget) {
    return Scheduler<S, T>(f, budget).run();
}

}  // namespace terrazzo::backend
