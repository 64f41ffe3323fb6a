// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which instructions of a segment must follow which others, and after how many clocks: a result precedes its
// readers, readers precede the next write, and the target's Order adds what words do not express.
#pragma once

#include <algorithm>

#include "drivers/common/backend/function.h"

namespace terrazzo::backend {

/// S: the target T, or a struct derived from it, with the functions of SchedulerTarget.
template <SchedulerTarget S, Target T>
class DependenceGraph {
  public:
    using Inst = typename T::Inst;
    static constexpr uint32_t kNone = ~0u;
    /// An instruction of the segment.
    struct Step {
        uint32_t waits_for = 0;  // steps before it that are not placed yet
        uint32_t edges = kNone;  // a list: those that wait for it
        uint32_t path_clk = 0;   // the longest path from its issue to the end
        uint32_t at_clk = 0;     // when its operands are ready
        bool is_placed = false;
    };

    explicit DependenceGraph(const Function<T>& f)
        : f_(f),
          allocated_(!f.reg.empty()),
          writer_(places(), kNone, f.memory),
          readers_(places(), kNone, f.memory),
          steps_(f.memory),
          edges_(f.memory),
          reader_links_(f.memory),
          order_(f.memory) {}

    /// Replaces the graph by that of `count` instructions.
    void build(const Inst* insts, uint32_t count) {
        steps_.assign(count, Step{});
        edges_.clear();
        reader_links_.clear();
        order_.begin();
        for (uint32_t n = 0; n < count; n++) {
            const auto forget = [&](Word w, uint32_t words) {
                for_each_place(w, words, [&](uint32_t place) { writer_[place] = readers_[place] = kNone; });
            };
            T::for_each_read(insts[n], forget);
            T::for_each_write(insts[n], forget);
        }
        for (uint32_t n = 0; n < count; n++) {
            depend_on_places(insts, n);
            order_.add(insts, n, [&](uint32_t from, uint32_t clk) { edge(from, n, clk); });
        }
        for (uint32_t n = count; n-- > 0;) {
            Step& step = steps_[n];
            step.path_clk = S::latency_clk(insts[n]);
            for (uint32_t e = step.edges; e != kNone; e = edges_[e].next)
                step.path_clk = std::max(step.path_clk, edges_[e].clk + steps_[edges_[e].to].path_clk);
        }
    }
    [[nodiscard]] const Step& operator[](uint32_t n) const { return steps_[n]; }
    void mark_placed(uint32_t n) { steps_[n].is_placed = true; }
    /// Step n starts at start_clk. Calls is_ready(step) for each that waited for n last.
    template <typename F>
    void start(uint32_t n, uint32_t start_clk, const F& is_ready) {
        for (uint32_t e = steps_[n].edges; e != kNone; e = edges_[e].next) {
            Step& to = steps_[edges_[e].to];
            to.at_clk = std::max(to.at_clk, start_clk + edges_[e].clk);
            if (!--to.waits_for) is_ready(edges_[e].to);
        }
    }

  private:
    struct Edge {
        uint32_t to, next, clk;
    };
    struct Link {
        uint32_t step, next;
    };

    /// Dependencies are tracked by place: a word before allocation, a unit after it.
    [[nodiscard]] uint32_t places() const { return allocated_ ? T::kUnits : f_.words(); }
    template <typename F>
    void for_each_place(Word w, uint32_t count, const F& call) const {
        if (allocated_) return for_each_unit(f_, w, count, [&](Unit u) { call(number_of(u)); });
        for (uint32_t k = 0; k < count; k++)
            call(number_of(w + k));
    }
    void edge(uint32_t from, uint32_t to, uint32_t clk) {
        if (from == kNone || from == to) return;
        edges_.push_back({to, steps_[from].edges, clk});
        steps_[from].edges = uint32_t(edges_.size() - 1);
        steps_[to].waits_for++;
    }
    void depend_on_places(const Inst* insts, uint32_t n) {
        const Inst& i = insts[n];
        T::for_each_read(i, [&](Word w, uint32_t count) {
            for_each_place(w, count, [&](uint32_t place) {
                const uint32_t from = writer_[place];
                if (from != kNone) edge(from, n, S::latency_clk(insts[from], i));
                reader_links_.push_back({n, readers_[place]});
                readers_[place] = uint32_t(reader_links_.size() - 1);
            });
        });
        T::for_each_write(i, [&](Word w, uint32_t count) {
            for_each_place(w, count, [&](uint32_t place) {
                edge(writer_[place], n, 1);
                for (uint32_t l = readers_[place]; l != kNone; l = reader_links_[l].next)
                    edge(reader_links_[l].step, n, 0);
                readers_[place] = kNone;
                writer_[place] = n;
            });
        });
    }

    const Function<T>& f_;
    const bool allocated_;
    std::pmr::vector<uint32_t> writer_, readers_;  // by place: the last step that writes it; link
    std::pmr::vector<Step> steps_;
    std::pmr::vector<Edge> edges_;
    std::pmr::vector<Link> reader_links_;
    typename S::Order order_;
};

}  // namespace terrazzo::backend
