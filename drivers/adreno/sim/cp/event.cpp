// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CP_EVENT_WRITE: an event's effect, and the value or time that it writes then.
#include <algorithm>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

// Of RBBM_PRIMCTR: the others count primitives.
constexpr unsigned kFragmentCounter = 9, kComputeCounter = 10;

}  // namespace

void Statistics::run(unsigned first, unsigned end, bool runs, const Machine& machine) {
    for (unsigned i = first; i < end; ++i) {
        if (runs == runs_[i]) continue;
        if (runs)
            began_[i] = machine.primitive_counters[i];
        else
            counted_[i] += machine.primitive_counters[i] - began_[i];
        runs_[i] = runs;
    }
}

CommandProcessor::Step CommandProcessor::event(Payload payload) {
    const auto p = unpacked<CpEventWrite>(payload);
    if (const Step step = event_effect(p.event); step != Step::Next) return step;
    if (payload.size() < CpEventWrite::kSize_dw) return Step::Next;
    const uint64_t value = p.timestamp ? machine_.host.timestamp() : p.value;
    const unsigned size_B = p.timestamp ? 8 : 4;
    return result(holds(machine_.caches->check_event_write(p.address, size_B)) &&
                  write_later(p.address, &value, size_B));
}

CommandProcessor::Step CommandProcessor::event_effect(EventType type) {
    switch (type) {
        case EventType::VS_DEALLOC:
        case EventType::PS_DEALLOC:
        case EventType::VS_DONE_TS:
        case EventType::PS_DONE_TS:
        case EventType::CONTEXT_DONE:
        case EventType::RB_DONE_TS:
        case EventType::VS_FETCH_DONE:
        case EventType::WT_DONE_TS:
        case EventType::CONTEXT_DONE_2D:
        case EventType::LABEL:
            return Step::Next;
        case EventType::CACHE_FLUSH_TS:
            machine_.caches->flush_uche();
            ++machine_.work.cache_flushes;
            ++machine_.texture_serial;
            return Step::Next;
        case EventType::PC_CCU_RESOLVE_TS:
            machine_.caches->flush_resolved();
            return Step::Next;
        case EventType::PC_CCU_INVALIDATE_DEPTH:
            machine_.caches->invalidate_depth();
            return Step::Next;
        case EventType::PC_CCU_INVALIDATE_COLOR:
            machine_.caches->invalidate_color();
            return Step::Next;
        case EventType::CACHE_INVALIDATE:
            machine_.caches->invalidate_uche();
            ++machine_.texture_serial;
            return Step::Next;
        case EventType::PC_CCU_FLUSH_DEPTH_TS:
            machine_.caches->flush_depth();
            return Step::Next;
        case EventType::PC_CCU_FLUSH_COLOR_TS:
            machine_.caches->flush_color();
            return Step::Next;
        case EventType::START_PRIMITIVE_CTRS:
        case EventType::STOP_PRIMITIVE_CTRS:
            statistics_.run(0, kFragmentCounter, type == EventType::START_PRIMITIVE_CTRS, machine_);
            return Step::Next;
        case EventType::START_FRAGMENT_CTRS:
        case EventType::STOP_FRAGMENT_CTRS:
            statistics_.run(kFragmentCounter, kFragmentCounter + 1, type == EventType::START_FRAGMENT_CTRS,
                            machine_);
            return Step::Next;
        case EventType::START_COMPUTE_CTRS:
        case EventType::STOP_COMPUTE_CTRS:
            statistics_.run(kComputeCounter, kComputeCounter + 1, type == EventType::START_COMPUTE_CTRS,
                            machine_);
            return Step::Next;
        case EventType::WRITE_PRIMITIVE_COUNTS:
            return write_primitive_counts();
        case EventType::ZPASS_DONE: {
            ++machine_.work.zpass_events;
            const auto control = machine_.registers.get<RB_SAMPLE_COUNT_CONTROL>();
            if (!control.copy) return Step::Next;
            if (!machine_.registers.is_set(RB_SAMPLE_COUNT_ADDR::kRegister))
                return fail(FaultKind::Hardware, "RB_SAMPLE_COUNT_ADDR was never written");
            const uint64_t va = machine_.registers.get<RB_SAMPLE_COUNT_ADDR>().value;
            return result(holds(machine_.caches->check_event_write(va, 8)) &&
                          write_later(va, &machine_.samples_passed, 8));
        }
        case EventType::FLUSH_SO_0:
        case EventType::FLUSH_SO_1:
        case EventType::FLUSH_SO_2:
        case EventType::FLUSH_SO_3:
            return flush_stream_output(unsigned(type) - unsigned(EventType::FLUSH_SO_0));
        case EventType::BLIT:
            if (!holds(machine_.caches->begin_blit_event(machine_))) return Step::Fault;
            if (!work_.blit_event(&fault_)) return passed_on();
            machine_.caches->end_blit_event(machine_);
            ++machine_.counters.tile_transfers;
            machine_.host.note_progress();
            return Step::Next;
        case EventType::LRZ_CLEAR:
        case EventType::LRZ_FLUSH:
        case EventType::UNK_2C:  // a binning pass begins ...
        case EventType::UNK_2D:  // ... and ends
            if (!work_.event(type, &fault_)) return passed_on();
            if (type == EventType::UNK_2D) wrote_visibility();
            return Step::Next;
        case EventType::BLIT_OP_FILL_2D:
        case EventType::BLIT_OP_COPY_2D:
        case EventType::BLIT_OP_SCALE_2D:
            return fail(FaultKind::Hardware, "the 2D engine starts with CP_BLIT");
    }
    return fail(FaultKind::Hardware, "there is no event %u", unsigned(type));
}

// The VSC writes through the UCHE; the CP reads the streams from memory.
void CommandProcessor::wrote_visibility() {
    const Registers& r = machine_.registers;
    const auto wrote = [&](uint16_t reg, uint64_t pitch_B) {
        if (r.is_set(reg))
            machine_.caches->write_by_uche(r.address(reg), pitch_B * hw::Chip::kVscPipes, machine_.draws);
    };
    wrote(VSC_DRAW_STRM_ADDRESS::kRegister, r.get<VSC_DRAW_STRM_PITCH>().value);
    wrote(VSC_PRIM_STRM_ADDRESS::kRegister, r.get<VSC_PRIM_STRM_PITCH>().value);
    wrote(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister, 4);
}

CommandProcessor::Step CommandProcessor::write_primitive_counts() {
    if (!machine_.registers.is_set(VPC_SO_STREAM_COUNTS::kRegister))
        return fail(FaultKind::Hardware, "VPC_SO_STREAM_COUNTS was never written");
    const uint64_t va = machine_.registers.get<VPC_SO_STREAM_COUNTS>().value;
    if (va % 32)
        return fail(FaultKind::Hardware, "VPC_SO_STREAM_COUNTS is no multiple of 32: 0x%llx",
                    static_cast<unsigned long long>(va));
    uint64_t counts[4][2];  // of each stream: written, generated
    for (unsigned stream = 0; stream < 4; ++stream)
        for (unsigned k = 0; k < 2; ++k)
            counts[stream][k] = machine_.stream_output_primitives[k][stream];
    return result(write_later(va, counts, sizeof counts, Writer::Uche));
}

CommandProcessor::Step CommandProcessor::flush_stream_output(unsigned buffer) {
    if (!machine_.registers.is_set(VPC_SO_FLUSH_BASE::at(buffer)))
        return fail(FaultKind::Hardware, "VPC_SO_FLUSH_BASE[%u] was never written", buffer);
    // No check: draws have run since the CP wrote there, if it did, and freedreno does not wait for that
    // write. The register counts bytes, memory words: CP_MEM_TO_REG shifts by two when it loads the register
    // again.
    const uint32_t offset_dw = machine_.registers.get<VPC_SO_BUFFER_OFFSET>(buffer).value / 4;
    return result(write_later(machine_.registers.get<VPC_SO_FLUSH_BASE>(buffer).value, &offset_dw, 4));
}

}  // namespace terrazzo::adreno::sim
