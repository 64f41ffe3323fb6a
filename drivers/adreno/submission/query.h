// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries, and the packets that count samples.
#pragma once

#include "drivers/adreno/submission/cs_builder.h"
#include "drivers/common/submission/sample_count.h"

namespace terrazzo::adreno {

/// What a query's memory holds: the sum, then the counter at the beginning and at the end of the draws that count.
struct SampleNumbers {
    static constexpr uint32_t kSum_B = 0, kBegin_B = 16, kEnd_B = 32, kSize_B = 48;
};
/// Around draws. The GPU adds what they counted to the sum by itself, in this place of the stream: a stream that runs once a
/// tile adds each tile's.
void begin_count(CsBuilder& cs, uint64_t va);
void end_count(CsBuilder& cs, uint64_t va);

class AdrenoQuery final : public pipe::Query {
  public:
    explicit AdrenoQuery(pipe::QueryKind k) : Query(k) {}
    submission::SampleCount samples;
    uint64_t begin = 0, value = 0;  // of the others
};

}  // namespace terrazzo::adreno
