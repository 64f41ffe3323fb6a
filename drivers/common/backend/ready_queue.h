// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The steps that a scheduler may place next. A step fits if the units that it makes live are left. The best
// step is chosen by these rules:
// - Of the steps that fit, the one that can start first; then the one with the longest path to the end; then
//   the first one of the original order.
// - If no step fits, the one with the smallest growth of live units.
// - A step that fits, but exceeds a wanted number of live units (Room::eager), is chosen only if the steps
//   within that number would start later. Of several, the one with the smallest growth is chosen.
// Steps with the same growth form a level. There are few levels, so a choice takes logarithmic time.
#pragma once

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

class ReadyQueue {
  public:
    struct Choice {
        uint32_t step, start_clk;
    };
    /// The units that a step may make live.
    struct Room {
        int most = 0;
        int eager = std::numeric_limits<int>::max();  // more only if the steps within it must wait
        /// Waits of this and more count as none when a step that fits into `eager` is compared with one that
        /// does not.
        uint32_t free_wait_clk = std::numeric_limits<uint32_t>::max();
    };
    explicit ReadyQueue(std::pmr::memory_resource* memory) : steps_(memory), levels_(memory) {}
    /// Empties the queue. Steps are numbers below `steps`.
    void begin(uint32_t steps);
    /// `at_clk`: when its operands are ready. `path_clk`: the longest path to the end. `growth`: how many
    /// more units live after the step than before it.
    void add(uint32_t step, uint32_t at_clk, uint32_t path_clk, int growth);
    [[nodiscard]] bool has(uint32_t step) const { return steps_[step].is_ready; }
    /// Changes the growth of a step that is in the queue.
    void change(uint32_t step, int growth);
    /// Removes the best step and returns it. A step whose growth is not positive always fits. The queue must
    /// not be empty, and now_clk must not decrease.
    [[nodiscard]] Choice take(uint32_t now_clk, const Room& room);

  private:
    struct Step {
        uint32_t at_clk, path_clk;
        int growth;
        bool is_ready;
    };
    /// Heaps of steps. Stale entries, of steps that left or whose growth changed, are dropped at the top.
    struct Level {
        explicit Level(int g, std::pmr::memory_resource* memory)
            : growth(g), waiting(memory), started(memory) {}
        int growth;
        std::pmr::vector<uint32_t> waiting, started;  // operands not ready at now_clk; ready
    };
    [[nodiscard]] Level& level(int growth);
    /// Compares two steps that can start at the same time.
    [[nodiscard]] bool is_better(uint32_t a, uint32_t b) const;
    [[nodiscard]] bool comes_after(uint32_t a, uint32_t b, bool by_clock) const {
        if (by_clock && steps_[a].at_clk != steps_[b].at_clk) return steps_[a].at_clk > steps_[b].at_clk;
        return is_better(b, a);
    }
    void push(std::pmr::vector<uint32_t>& heap, uint32_t step, bool by_clock);
    void pop(std::pmr::vector<uint32_t>& heap, bool by_clock);
    /// False: the level is empty.
    [[nodiscard]] bool best_of(Level& l, uint32_t now_clk, uint32_t* step);

    std::pmr::vector<Step> steps_;
    std::pmr::vector<Level> levels_;
};

}  // namespace terrazzo::backend
