// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/passes/sample_queries.h"

#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

contexts::CountLayout SampleQueries::layout(const hw::Chip& chip, pipe::QueryKind kind) {
    const uint32_t cores = chip.core_id_range();
    return submission::counts_samples(kind) ? contexts::CountLayout{cores * 8, cores}
                                            : contexts::CountLayout{};
}

uint32_t SampleQueries::flags_0(const contexts::OpenQueries& open) {
    if (!open.samples) return 0;
    return word_of(hw::DcdFlags0{.occlusion_query = open.samples->kind == pipe::QueryKind::Samples
                                                        ? hw::OcclusionMode::Counter
                                                        : hw::OcclusionMode::Predicate});
}

void SampleQueries::pack(const contexts::OpenQueries& open, Recorder& recorder) {
    if (!open.samples) return;
    const auto& memory = open.samples->count.memory();
    recorder.hold_always(memory);
    recorder.vertex.set64(hw::IdvsRegisters::occlusion, memory->block.va);
}

}  // namespace terrazzo::mali
