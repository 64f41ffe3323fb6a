// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries.
#pragma once

#include "drivers/common/submission/sample_count.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

class MaliQuery final : public pipe::Query {
  public:
    explicit MaliQuery(pipe::QueryKind k) : Query(k) {}
    submission::SampleCount samples;  // 64 bits a core
    uint64_t begin = 0, value = 0;    // of the others
    [[nodiscard]] bool counts_samples() const { return submission::counts_samples(kind); }
};

}  // namespace terrazzo::mali
