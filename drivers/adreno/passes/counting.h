// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What draws of a pass count, and for which queries.
#pragma once

#include <vector>

#include "drivers/adreno/passes/pass.h"
#include "drivers/common/context/query.h"

namespace terrazzo::adreno {

class OpenCounts {
  public:
    /// Objects of the context, which outlives this.
    OpenCounts(Recorder& recorder, Pass& pass) : recorder_(recorder), pass_(pass) {}

    /// From here on the pass' draws count for these. Throws std::bad_alloc.
    void update(const contexts::OpenQueries& queries);
    /// From here on for none.
    void end_all() { end_but({}); }
    /// Nothing of the last stream holds in the next one.
    void forget_stream() { open_.clear(); }

  private:
    void end_but(std::span<contexts::Query* const> open);

    Recorder& recorder_;
    Pass& pass_;
    std::vector<Counting> open_;  // in the pass' stream
};

}  // namespace terrazzo::adreno
