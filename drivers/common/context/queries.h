// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The queries of a context: those that the device counts, and those whose results the CPU knows. Time queries
// wait until the GPU is idle.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/submission/sample_count.h"
#include "pipe/context.h"

namespace terrazzo::contexts {

class RecordingContext;

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

/// Of a device whose queries of samples have `numbers` values, and that counts nothing else.
[[nodiscard]] constexpr CountLayout sample_layout(pipe::QueryKind kind, uint32_t numbers) {
    return submission::counts_samples(kind) ? CountLayout{numbers * uint32_t(sizeof(uint64_t)), numbers}
                                            : CountLayout{};
}

/// What draws count at present.
struct OpenQueries {
    Query *samples = nullptr, *generated = nullptr;  // QueryKind::PrimitivesGenerated
    std::vector<Query*> written;                     // QueryKind::PrimitivesWritten
    // Drawn and captured so far, if the CPU counts them: plain draws count while there is `generated`.
    uint64_t primitives = 0, captured = 0;
};

class Queries {
  public:
    /// A reference to the context that owns this object.
    explicit Queries(RecordingContext& context) : context_(context) {}

    /// Those that draws count for. The driver's own draws count for none.
    OpenQueries open;

    // --- as the functions of pipe::Context
    [[nodiscard]] pipe::Ref<pipe::Query> create(pipe::QueryKind kind) const;
    void begin(Query& q);
    void end(Query& q);
    [[nodiscard]] bool result(Query& q, bool wait, uint64_t* out);

  private:
    void add(Query& q);
    void remove(Query& q);

    RecordingContext& context_;
};

}  // namespace terrazzo::contexts
