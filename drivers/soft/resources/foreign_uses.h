// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context waits for that is not its own: others' uses of shared images, and their sync files. Nobody else's fault may stop a
// frame: a piece of work waits as long for all of them together as the draw limit allows, then it goes on and a message says who was in
// the way. A robust context is not lost by that: it has done nothing wrong.
#pragma once

#include "drivers/soft/resources/resource.h"
#include "drivers/soft/screen/time_limit.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

class ForeignUses {
  public:
    /// `limit`: of the context, and outlives this. `most_ns`: TERRAZZO_DRAW_LIMIT; more than pipe::kDrawLimit_ns is as much as that.
    ForeignUses(const TimeLimit& limit, uint64_t most_ns, const pipe::Log& log);

    /// The waits of one piece of work.
    class Wait {
      public:
        explicit Wait(const ForeignUses& uses) : uses_(uses) {}
        /// Returns when the image may be accessed, or the time for this piece is up. Throws std::bad_alloc.
        void for_image(const SoftResource& r, bool write);
        /// The same for a fence of another process.
        void for_fence(pipe::Fence& fence);

      private:
        [[nodiscard]] uint64_t left_ns();
        const ForeignUses& uses_;
        uint64_t end_ns_ = 0;  // 0: nothing was waited for yet
    };

  private:
    [[nodiscard]] uint64_t limit_ns() const;

    const TimeLimit& limit_;
    const uint64_t most_ns_;
    const pipe::Log log_;
};

}  // namespace terrazzo::soft
