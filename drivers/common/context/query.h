// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries that the device counts, and queries whose results the CPU knows.
#pragma once

#include <vector>

#include "drivers/common/submission/sample_count.h"

namespace terrazzo::contexts {

class Query final : public pipe::Query {
  public:
    Query(pipe::QueryKind kind, bool on_device) : pipe::Query(kind), on_device(on_device) {}
    [[nodiscard]] bool counts_samples() const { return submission::counts_samples(kind); }

    const bool on_device;
    submission::SampleCount count;  // if on_device
    uint64_t begin = 0, value = 0;  // otherwise
};

/// What a device writes for a query: `numbers` values of 64 bits, whose sum is the result.
struct CountLayout {
    uint32_t size_B = 0;  // 0: the CPU counts
    uint32_t numbers = 1;
};

/// The queries that the device counts at present.
struct OpenQueries {
    Query *samples = nullptr, *generated = nullptr;  // QueryKind::PrimitivesGenerated
    std::vector<Query*> written;                     // QueryKind::PrimitivesWritten

    void open(Query& q);
    void close(Query& q);
};

}  // namespace terrazzo::contexts
