// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context waits for that is not its own: other processes' uses of shared images, and their sync files.
// Other processes must not block a frame. A piece of work waits for all of them together no longer than the
// draw limit; then it continues, and a message names the process. This does not cause the loss of a robust
// context, which has done nothing wrong.
#pragma once

#include "drivers/soft/resources/resource.h"
#include "drivers/soft/screen/time_limit.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

class ForeignUses {
  public:
    /// `limit`: the context's; must outlive this. `most_ns`: TERRAZZO_DRAW_LIMIT; clamped to
    /// pipe::kDrawLimit_ns.
    ForeignUses(const TimeLimit& limit, uint64_t most_ns, const pipe::Log& log);

    /// The waits of one piece of work.
    class Wait {
      public:
        explicit Wait(const ForeignUses& uses) : uses_(uses) {}
        /// Waits until the image may be accessed or this piece's time is up. Throws std::bad_alloc.
        void for_image(const SoftResource& r, bool write);
        /// The same for a fence of another process.
        void for_fence(pipe::Fence& fence);

      private:
        [[nodiscard]] uint64_t left_ns();
        const ForeignUses& uses_;
        uint64_t end_ns_ = 0;  // 0: no wait so far
    };

  private:
    [[nodiscard]] uint64_t limit_ns() const;

    const TimeLimit& limit_;
    const uint64_t most_ns_;
    const pipe::Log log_;
};

}  // namespace terrazzo::soft
