// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries: numbers that the device counts, and those that the CPU knows.
#pragma once

#include <vector>

#include "drivers/common/submission/sample_count.h"

namespace terrazzo::contexts {

class Query final : public pipe::Query {
  public:
    Query(pipe::QueryKind kind, bool on_device) : pipe::Query(kind), on_device(on_device) {}
    [[nodiscard]] bool counts_samples() const { return submission::counts_samples(kind); }

    const bool on_device;
    submission::SampleCount count;  // where the device counts
    uint64_t begin = 0, value = 0;  // else
};

/// What a device writes for a query: so many numbers of 64 bits, of which the result is the sum.
struct CountLayout {
    uint32_t size_B = 0;  // 0: the CPU counts
    uint32_t numbers = 1;
};

/// Those that the device counts between their begin and their end.
struct OpenQueries {
    Query *samples = nullptr, *generated = nullptr;  // QueryKind::PrimitivesGenerated
    std::vector<Query*> written;                     // QueryKind::PrimitivesWritten

    void open(Query& q);
    void close(Query& q);
};

}  // namespace terrazzo::contexts
