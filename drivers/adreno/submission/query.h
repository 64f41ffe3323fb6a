// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries, and the packets that count samples.
#pragma once

#include "drivers/adreno/submission/cs_builder.h"
#include "drivers/common/submission/sample_count.h"

namespace terrazzo::adreno {

/// What draws count: samples that pass, or primitives that stream output writes.
enum class Counter : uint8_t { Samples, Primitives };
/// What a query's memory holds: the sum, then the counter (of primitives: two of each of four streams) at the beginning and at the end of the draws that count.
struct CountLayout {
    static constexpr uint32_t kSum_B = 0, kBegin_B = 32, kEnd_B = 96, kSize_B = 160;
};
/// Around draws. The GPU adds what they counted to the sum by itself, in this place of the stream: a stream that runs once a
/// tile adds each tile's.
void begin_count(CsBuilder& cs, Counter counter, uint64_t va);
void end_count(CsBuilder& cs, Counter counter, uint64_t va);

/// A count that is open in a stream.
struct Counting {
    Counter counter;
    pipe::Ref<submission::CountMemory> memory;
};

class AdrenoQuery final : public pipe::Query {
  public:
    explicit AdrenoQuery(pipe::QueryKind k) : Query(k) {}
    [[nodiscard]] bool counts_on_device() const { return submission::counts_on_device(kind); }
    [[nodiscard]] Counter counter() const {
        return submission::counts_samples(kind) ? Counter::Samples : Counter::Primitives;
    }
    submission::SampleCount count;
    uint64_t begin = 0, value = 0;  // of the others
};

}  // namespace terrazzo::adreno
