// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries of a context. Those of time wait until the GPU is idle. Source: Mesa 25.0.7, fd6_query.cc (occlusion_resume, occlusion_pause).
#include "drivers/adreno/submission/query.h"

#include <new>

#include "drivers/adreno/context.h"

namespace terrazzo::adreno {
namespace {

void write_counter(CsBuilder& cs, uint64_t va) {
    cs.write(hw::RB_SAMPLE_COUNT_CONTROL{.copy = true});
    cs.write(hw::RB_SAMPLE_COUNT_ADDR{va});
    cs.event(hw::EventType::ZPASS_DONE);
}

}  // namespace

void begin_count(CsBuilder& cs, uint64_t va) {
    write_counter(cs, va + SampleNumbers::kBegin_B);
}

void end_count(CsBuilder& cs, uint64_t va) {
    // No counter gets there, so that the CP sees when the number has come.
    constexpr uint32_t kNotYet = 0xffffffff;
    const uint64_t end_va = va + SampleNumbers::kEnd_B;
    constexpr uint32_t size_dw = hw::CpMemWrite::kSize_dw + 2;
    uint32_t* out = cs.begin(1 + size_dw);
    *out++ = hw::pack_type7(hw::Pm4Opcode::CP_MEM_WRITE, size_dw);
    pack(hw::CpMemWrite{.address = end_va}, out);
    out += hw::CpMemWrite::kSize_dw;
    *out++ = kNotYet;
    *out++ = kNotYet;
    cs.end(out);
    cs.opcode(hw::Pm4Opcode::CP_WAIT_MEM_WRITES);
    write_counter(cs, end_va);
    cs.packet(hw::CpWaitRegMem{.function = hw::CondFunction::WRITE_NE,
                               .poll = hw::PollSource::POLL_MEMORY,
                               .poll_address = end_va,
                               .ref = kNotYet,
                               .mask = 0xffffffff,
                               .delay_loop_cycles = 16});
    cs.packet(hw::CpMemToMem{.neg_c = true,
                             .double_ = true,
                             .wait_for_mem_writes = true,
                             .dst = va + SampleNumbers::kSum_B,
                             .src_a = va + SampleNumbers::kSum_B,
                             .src_b = end_va,
                             .src_c = va + SampleNumbers::kBegin_B});
}

void AdrenoContext::count_samples(const pipe::Ref<submission::CountMemory>& memory) {
    if (memory.get() == counting_.get()) return;
    if (counting_) end_count(pass_.draws, counting_->block.va);
    counting_ = memory;
    if (!counting_) return;
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(counting_.get()));
    begin_count(pass_.draws, counting_->block.va);
}

pipe::Ref<pipe::Query> AdrenoContext::create_query(pipe::QueryKind kind) {
    return pipe::Ref<pipe::Query>::adopt(new (std::nothrow) AdrenoQuery(kind));
}

void AdrenoContext::begin_query(pipe::Query& query) {
    auto& q = static_cast<AdrenoQuery&>(query);
    switch (q.kind) {
        case pipe::QueryKind::AnySamples:
        case pipe::QueryKind::AnySamplesConservative:
        case pipe::QueryKind::Samples:
            q.samples.begin(screen_.device(), SampleNumbers::kSize_B);
            samples_query_ = &q;
            dirty_ |= kDepthPlane;
            break;
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.begin = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.begin = primitives_;
            break;
        case pipe::QueryKind::PrimitivesWritten:
            unsupported("transform feedback");
            break;
        case pipe::QueryKind::Timestamp:
            break;
    }
}

void AdrenoContext::end_query(pipe::Query& query) {
    auto& q = static_cast<AdrenoQuery&>(query);
    switch (q.kind) {
        // The stream's count ends before the next draw, or with the pass.
        case pipe::QueryKind::AnySamples:
        case pipe::QueryKind::AnySamplesConservative:
        case pipe::QueryKind::Samples:
            if (samples_query_ == &q) samples_query_ = nullptr;
            dirty_ |= kDepthPlane;
            break;
        case pipe::QueryKind::TimeElapsed:
            finish();
            q.value = screen_.timestamp_ns() - q.begin;
            break;
        case pipe::QueryKind::Timestamp:
            finish();
            q.value = screen_.timestamp_ns();
            break;
        case pipe::QueryKind::PrimitivesGenerated:
            q.value = primitives_ - q.begin;
            break;
        case pipe::QueryKind::PrimitivesWritten:
            break;
    }
}

bool AdrenoContext::query_result(pipe::Query& query, bool wait, uint64_t* out) {
    auto& q = static_cast<AdrenoQuery&>(query);
    if (!submission::counts_samples(q.kind)) return *out = q.value, true;
    if (!q.samples.memory()) return *out = 0, true;
    // Counted by work that is recorded, or open: this submission's end is late enough.
    if (q.samples.is_open()) {
        (void)submit();
        q.samples.close(recorder_.last_point());
    }
    return q.samples.result(*recorder_.queue().timeline(), wait, 1, q.kind, out);
}

}  // namespace terrazzo::adreno
