// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Steps that a scheduler may place next, and the best of them: what fits into the room that is left, of that
// what can start first, then what has the longest way to the end, then what came first. Where nothing fits,
// it is what grows least. Steps of one growth are a level; levels are few, so that a choice costs a
// logarithm.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

class ReadyQueue {
  public:
    struct Choice {
        uint32_t step, start_clk;
    };
    explicit ReadyQueue(std::pmr::memory_resource* memory) : steps_(memory), levels_(memory) {}
    /// Forgets all; steps are numbers below `steps` from now on.
    void begin(uint32_t steps);
    /// `at_clk`: when all that it needs is there. `growth`: by how many units what lives grows with it.
    void add(uint32_t step, uint32_t at_clk, uint32_t path_clk, int growth);
    [[nodiscard]] bool has(uint32_t step) const { return steps_[step].is_ready; }
    /// Of one that is there.
    void change(uint32_t step, int growth);
    /// Takes the best away. What does not grow always fits. Something must be there; time does not go back.
    [[nodiscard]] Choice take(uint32_t now_clk, int room);

  private:
    struct Step {
        uint32_t at_clk, path_clk;
        int growth;
        bool is_ready;
    };
    /// Heaps of steps. Those that have left, or have another growth, are dropped when they come to the top.
    struct Level {
        explicit Level(int g, std::pmr::memory_resource* memory)
            : growth(g), waiting(memory), started(memory) {}
        int growth;
        std::pmr::vector<uint32_t> waiting, started;  // not yet ready at the clock; ready
    };
    [[nodiscard]] Level& level(int growth);
    /// Of two that can start at the same time.
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
