// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What draws of a pass count, and for which queries.
#pragma once

#include <vector>

#include "drivers/adreno/passes/draw_state.h"
#include "drivers/common/context/queries.h"

namespace terrazzo::adreno {

class OpenCounts : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    [[nodiscard]] static contexts::CountLayout layout(const hw::Chip&, pipe::QueryKind kind);
    /// From now on the pass's draws count for these queries. Throws std::bad_alloc.
    void update(const contexts::OpenQueries& queries);
    /// From now on draws count for no query.
    void end_all() { end_but({}); }
    /// Called when a stream has ended: its counts do not continue in the next one.
    void forget_stream() { open_.clear(); }

  private:
    void end_but(std::span<contexts::Query* const> open);

    std::vector<Counting> open_;  // in the pass's stream
};

}  // namespace terrazzo::adreno
