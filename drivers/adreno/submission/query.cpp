// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What queries count. Source: Mesa 25.0.7, fd6_query.cc (occlusion_resume, occlusion_pause,
// primitives_emitted_resume, primitives_emitted_pause), tu_query_pool.cc (emit_begin_prim_generated_query,
// emit_end_prim_generated_query).
#include "drivers/adreno/submission/query.h"

#include <algorithm>
#include <new>

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kNotYet = 0xffffffff;  // no counter reaches this value
constexpr uint32_t kBegin_B = 0, kEnd_B = 64, kFlushed_B = 128,
                   kNumbers_B = 136;  // values at begin and end; the unused value of a flush; the size

/// RBBM_PRIMCTR_7: the primitives that the last stage passes to the clipper. It does not count while
/// rasterization is discarded, and it counts in each tile.
void write_generated(CsBuilder& cs, uint64_t va, bool begins) {
    constexpr uint32_t kCondition_dw = 3, kEvent_dw = 2, kWait_dw = 1;
    constexpr uint32_t kSize_dw = kEvent_dw + kWait_dw + 1 + hw::CpRegToMem::kSize_dw;
    (void)cs.begin(kCondition_dw + kSize_dw);  // the condition covers contiguous words
    cs.packet(
        hw::CpCondRegExec{
            .binning = true, .sysmem = true, .mode = hw::CondMode::RENDER_MODE, .dwords = kSize_dw},
        kCondition_dw - 1);
    if (begins) cs.event(hw::EventType::START_PRIMITIVE_CTRS);
    cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
    cs.packet(hw::CpRegToMem{.reg = hw::RBBM_PRIMCTR_7_LO::kRegister, .cnt = 2, .n64b = true, .dest = va});
    if (!begins) cs.event(hw::EventType::STOP_PRIMITIVE_CTRS);
}

void write_counter(CsBuilder& cs, Counter counter, uint64_t numbers_va, uint32_t at_B) {
    const uint64_t va = numbers_va + at_B;
    switch (counter) {
        case Counter::Generated:
            return write_generated(cs, va, at_B == kBegin_B);
        case Counter::Samples:
            cs.write(hw::RB_SAMPLE_COUNT_CONTROL{.copy = true});
            cs.write(hw::RB_SAMPLE_COUNT_ADDR{va});
            return cs.event(hw::EventType::ZPASS_DONE);
        case Counter::Written:
            cs.wait_for_idle();
            cs.write(hw::VPC_SO_STREAM_COUNTS{va});
            cs.event(hw::EventType::WRITE_PRIMITIVE_COUNTS);
            // The event writes through the UCHE; the CP reads memory without it.
            cs.packet(hw::CpEventWrite{.event = hw::EventType::CACHE_FLUSH_TS,
                                       .timestamp = true,
                                       .address = numbers_va + kFlushed_B});
            return cs.wait_for_idle();
    }
}

}  // namespace

uint64_t Counts::begin(memory::Pool& pool, CsBuilder& draws, Counter counter) {
    const Pool::Piece p = pool.allocate(kNumbers_B, 64);
    write_counter(draws, counter, p.va, kBegin_B);
    return p.va;
}

void Counts::end(CsBuilder& draws, Counter counter, uint64_t numbers_va, uint64_t query_va) {
    write_counter(draws, counter, numbers_va, kEnd_B);
    counted_.push_back({counter, numbers_va, query_va});
}

/// The values of a counter are written in order: once the last one is in memory, all are. The CP itself
/// writes those of generated primitives, and needs no wait.
template <class F>
void Counts::for_each_last(F&& f) const {
    for (const Counter counter : {Counter::Samples, Counter::Written}) {
        const auto last = std::find_if(counted_.rbegin(), counted_.rend(),
                                       [&](const Counted& c) { return c.counter == counter; });
        if (last != counted_.rend()) f(last->numbers_va + kEnd_B);
    }
}

void Counts::write_before(CsBuilder& cs) const {
    if (counted_.empty()) return;
    for_each_last([&](uint64_t va) {
        constexpr uint32_t size_dw = hw::CpMemWrite::kSize_dw + 2;
        uint32_t* out = cs.begin(1 + size_dw);
        *out++ = hw::pack_type7(hw::Pm4Opcode::CP_MEM_WRITE, size_dw);
        pack(hw::CpMemWrite{.address = va}, out);
        out += hw::CpMemWrite::kSize_dw;
        *out++ = kNotYet;
        *out++ = kNotYet;
        cs.end(out);
    });
    cs.opcode(hw::Pm4Opcode::CP_WAIT_MEM_WRITES);
}

void Counts::write_sums(CsBuilder& cs) const {
    for_each_last([&](uint64_t va) {
        cs.packet(hw::CpWaitRegMem{.function = hw::CondFunction::WRITE_NE,
                                   .poll = hw::PollSource::POLL_MEMORY,
                                   .poll_address = va,
                                   .ref = kNotYet,
                                   .mask = 0xffffffff,
                                   .delay_loop_cycles = 16});
    });
    for (const Counted& c : counted_)
        if (c.counter != Counter::Generated) add_difference(cs, c);
}

void Counts::write_sums_of_pass(CsBuilder& cs) const {
    for (const Counted& c : counted_)
        if (c.counter == Counter::Generated) add_difference(cs, c);
}

void Counts::add_difference(CsBuilder& cs, const Counted& c) {
    cs.packet(hw::CpMemToMem{.neg_c = true,
                             .double_ = true,
                             .wait_for_mem_writes = true,
                             .dst = c.query_va + QueryMemory::kSum_B,
                             .src_a = c.query_va + QueryMemory::kSum_B,
                             .src_b = c.numbers_va + kEnd_B,
                             .src_c = c.numbers_va + kBegin_B});
}

bool Counts::counts_generated() const {
    return std::any_of(counted_.begin(), counted_.end(),
                       [](const Counted& c) { return c.counter == Counter::Generated; });
}

}  // namespace terrazzo::adreno
