// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries.
#pragma once

#include "drivers/mali/device.h"
#include "pipe/context.h"

namespace terrazzo::mali {

/// Where the GPU counts samples: 64 bits a core. Work that counts holds it.
class QueryMemory final : public pipe::RefCounted {
  public:
    Block block;
};

class MaliQuery final : public pipe::Query {
  public:
    explicit MaliQuery(pipe::QueryKind k) : Query(k) {}
    pipe::Ref<QueryMemory> memory;  // of samples
    uint64_t point = 0;  // of the context's timeline: when the count is complete; ~0: not submitted yet
    uint64_t begin = 0, value = 0;  // of the others
    [[nodiscard]] bool counts_samples() const {
        return kind == pipe::QueryKind::Samples || kind == pipe::QueryKind::AnySamples ||
               kind == pipe::QueryKind::AnySamplesConservative;
    }
};

}  // namespace terrazzo::mali
