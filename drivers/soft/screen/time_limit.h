// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Limits the time of a context's work. There is no watchdog thread: workers check the clock regularly (loops
// of shaders once in kTurnsPerLook iterations, vertices and tiles after a certain amount of work). The first
// one that finds a piece of work over the limit stops all work of the context. A piece is the work of one
// draw call, or the tiles of one pass. Its time starts at the first check while it runs, so short work never
// reads the clock.
#pragma once

#include <atomic>

#include "drivers/soft/shader_abi.h"
#include "pipe/time_limit.h"

namespace terrazzo::soft {

class TimeLimit {
  public:
    explicit TimeLimit(uint64_t limit_ns) : limit_ns_(limit_ns) { watch_.look = look; }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;

    [[nodiscard]] Watch& watch() { return watch_; }
    [[nodiscard]] bool stopped() const { return is_stopped(watch_); }
    [[nodiscard]] bool abandoned() const { return abandoned_.load(std::memory_order_relaxed); }
    /// Allows work again after a stop, unless the context was abandoned.
    void forgive() {
        if (!abandoned_.load(std::memory_order_relaxed)) __atomic_store_n(&watch_.stop, 0u, __ATOMIC_RELAXED);
    }
    /// The result of this work is not needed any more: each piece gets at most pipe::kAbandonedLimit_ns from
    /// now on. May be called repeatedly. Thread: any.
    void abandon();

    // The two pieces of work that may run at the same time. Each begins and ends on one thread at a time.
    void begin_draw() { draw_began_ns_.store(kFresh, std::memory_order_relaxed); }
    void end_draw() { draw_began_ns_.store(kIdle, std::memory_order_relaxed); }
    void begin_tiles() { tiles_began_ns_.store(kFresh, std::memory_order_relaxed); }
    void end_tiles() { tiles_began_ns_.store(kIdle, std::memory_order_relaxed); }

  private:
    static constexpr uint64_t kIdle = UINT64_MAX, kFresh = 0;  // special values of the start times

    static void look(Watch* watch);
    [[nodiscard]] static bool is_over(std::atomic<uint64_t>& began_ns, uint64_t now_ns, uint64_t limit_ns);

    struct OwnWatch : Watch {
        TimeLimit* owner;
    };
    OwnWatch watch_{{}, this};
    std::atomic<uint64_t> limit_ns_, draw_began_ns_{kIdle}, tiles_began_ns_{kIdle};
    std::atomic<bool> abandoned_{false};
};

/// Checks a watch once per `work_per_look` units of work; the user defines the unit.
class Patience {
  public:
    explicit Patience(uint32_t work_per_look) : per_look_(work_per_look), left_(int64_t(work_per_look)) {}
    /// False: the work is to end.
    [[nodiscard]] bool goes_on(Watch& watch, uint32_t work) {
        left_ -= work;
        if (left_ <= 0) {
            left_ = int64_t(per_look_);
            watch.look(&watch);
        }
        return !is_stopped(watch);
    }

  private:
    uint32_t per_look_;
    int64_t left_;
};

}  // namespace terrazzo::soft
