// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// CP_EVENT_WRITE: an event's effect, and the value or time that it writes then. The 2D engine; predicates.
#include <algorithm>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

// Of RBBM_PRIMCTR: the others count primitives.
constexpr unsigned kFragmentCounter = 9, kComputeCounter = 10;

}  // namespace

struct CommandProcessor::Events : Family {
    Step run(const CpEventWrite& p) {
        if (const Step step = effect(p.event); step != Step::Next) return step;
        if (payload.size() < CpEventWrite::kSize_dw) return Step::Next;
        const uint64_t value = p.timestamp ? m.host.timestamp() : p.value;
        return write(p.address, &value, p.timestamp ? 8 : 4);
    }
    Step write(uint64_t va, const void* data, unsigned size_B) {
        return result(c.holds(caches.check_event_write(va, size_B)) && c.write_later(va, data, size_B));
    }
    Step effect(EventType type) {
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
                ++m.work.cache_flushes;
                ++m.texture_serial;
                return caches.flush_uche(), Step::Next;
            case EventType::CACHE_INVALIDATE:
                ++m.texture_serial;
                return caches.invalidate_uche(), Step::Next;
            case EventType::PC_CCU_RESOLVE_TS:
                return caches.flush_resolved(), Step::Next;
            case EventType::PC_CCU_INVALIDATE_DEPTH:
                return caches.invalidate_depth(), Step::Next;
            case EventType::PC_CCU_INVALIDATE_COLOR:
                return caches.invalidate_color(), Step::Next;
            case EventType::PC_CCU_FLUSH_DEPTH_TS:
                return caches.flush_depth(), Step::Next;
            case EventType::PC_CCU_FLUSH_COLOR_TS:
                return caches.flush_color(), Step::Next;
            case EventType::START_PRIMITIVE_CTRS:
            case EventType::STOP_PRIMITIVE_CTRS:
                return count(0, kFragmentCounter, type == EventType::START_PRIMITIVE_CTRS);
            case EventType::START_FRAGMENT_CTRS:
            case EventType::STOP_FRAGMENT_CTRS:
                return count(kFragmentCounter, kFragmentCounter + 1, type == EventType::START_FRAGMENT_CTRS);
            case EventType::START_COMPUTE_CTRS:
            case EventType::STOP_COMPUTE_CTRS:
                return count(kComputeCounter, kComputeCounter + 1, type == EventType::START_COMPUTE_CTRS);
            case EventType::WRITE_PRIMITIVE_COUNTS:
                return write_primitive_counts();
            case EventType::ZPASS_DONE:
                ++m.work.zpass_events;
                if (!m.registers.get<RB_SAMPLE_COUNT_CONTROL>().copy) return Step::Next;
                if (!is_set(RB_SAMPLE_COUNT_ADDR::kRegister)) return Step::Fault;
                return write(m.registers.get<RB_SAMPLE_COUNT_ADDR>().value, &m.samples_passed, 8);
            case EventType::FLUSH_SO_0:
            case EventType::FLUSH_SO_1:
            case EventType::FLUSH_SO_2:
            case EventType::FLUSH_SO_3:
                return flush_stream_output(unsigned(type) - unsigned(EventType::FLUSH_SO_0));
            case EventType::BLIT:
                if (!c.holds(caches.begin_blit_event(m))) return Step::Fault;
                if (!c.work_.blit_event(&c.fault_)) return c.passed_on();
                caches.end_blit_event(m);
                ++m.work.tile_transfers;
                m.host.note_progress();
                return Step::Next;
            case EventType::LRZ_CLEAR:
            case EventType::LRZ_FLUSH:
            case EventType::UNK_2C:  // a binning pass begins ...
            case EventType::UNK_2D:  // ... and ends
                if (!c.work_.event(type, &c.fault_)) return c.passed_on();
                if (type == EventType::UNK_2D) wrote_visibility();
                return Step::Next;
            case EventType::BLIT_OP_FILL_2D:
            case EventType::BLIT_OP_COPY_2D:
            case EventType::BLIT_OP_SCALE_2D:
                return c.bad("the 2D engine starts with CP_BLIT");
        }
        return c.bad("there is no event %u", unsigned(type));
    }
    Step count(unsigned first, unsigned end, bool runs) {
        for (unsigned i = first; i < end; ++i)
            c.primitive_counters_[i].run(runs, m.primitive_counters[i]);
        return Step::Next;
    }
    bool is_set(uint16_t reg) {
        if (m.registers.is_set(reg)) return true;
        return c.bad("%s was never written", hw::register_name(reg).c_str());
    }
    // The VSC writes through the UCHE; the CP reads the streams from memory.
    void wrote_visibility() {
        const Registers& r = m.registers;
        const auto wrote = [&](uint16_t reg, uint64_t pitch_B) {
            if (r.is_set(reg)) caches.write_by_uche(r.address(reg), pitch_B * hw::Chip::kVscPipes, m.draws);
        };
        wrote(VSC_DRAW_STRM_ADDRESS::kRegister, r.get<VSC_DRAW_STRM_PITCH>().value);
        wrote(VSC_PRIM_STRM_ADDRESS::kRegister, r.get<VSC_PRIM_STRM_PITCH>().value);
        wrote(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister, 4);
    }
    Step write_primitive_counts() {
        if (!is_set(VPC_SO_STREAM_COUNTS::kRegister)) return Step::Fault;
        const uint64_t va = m.registers.get<VPC_SO_STREAM_COUNTS>().value;
        if (va % 32)
            return c.bad("VPC_SO_STREAM_COUNTS is no multiple of 32: 0x%llx",
                         static_cast<unsigned long long>(va));
        uint64_t counts[4][2];  // of each stream: written, generated
        for (unsigned stream = 0; stream < 4; ++stream)
            for (unsigned k = 0; k < 2; ++k)
                counts[stream][k] = m.stream_output_primitives[k][stream];
        return result(c.write_later(va, counts, sizeof counts, Writer::Uche));
    }
    Step flush_stream_output(unsigned buffer) {
        if (!is_set(VPC_SO_FLUSH_BASE::at(buffer))) return Step::Fault;
        // No check: draws have run since the CP wrote there, if it did, and freedreno does not wait for that
        // write. The register counts bytes, memory words: CP_MEM_TO_REG shifts by two when it loads the
        // register again.
        const uint32_t offset_dw = m.registers.get<VPC_SO_BUFFER_OFFSET>(buffer).value / 4;
        return result(c.write_later(m.registers.get<VPC_SO_FLUSH_BASE>(buffer).value, &offset_dw, 4));
    }

    // ---- The 2D engine ----

    Step run(const CpBlit&) {
        c.update_caches();
        if (!c.holds(caches.begin_2d(m))) return Step::Fault;
        if (!c.work_.blit_2d(&c.fault_)) return c.passed_on();
        caches.end_2d(m);
        m.host.note_progress();
        ++m.work.blits;
        const RegXy tl = m.registers.get<GRAS_2D_DST_TL>().value,
                    br = m.registers.get<GRAS_2D_DST_BR>().value;
        if (br.x >= tl.x && br.y >= tl.y) m.work.pixels_2d += uint64_t(br.x - tl.x + 1) * (br.y - tl.y + 1);
        return Step::Next;
    }

    // ---- Predicates ----

    Step run(const CpDrawPredEnableGlobal& p) {
        c.predication_ = p.enable;
        if (c.predication_) c.predication_here_ = c.predicate_passes_ = true;
        return Step::Next;
    }
    Step run(const CpDrawPredEnableLocal& p) {
        c.predication_here_ = p.enable;
        return Step::Next;
    }
    Step run(const CpDrawPredSet& p) {
        uint64_t value = 0;
        if (p.source != PredSource::PRED_SRC_MEM)
            return c.bad("there is no source %u of a predicate", unsigned(p.source));
        if (!c.read(p.address, &value, sizeof value)) return Step::Fault;
        c.predicate_passes_ = (value != 0) == (p.test == PredTest::NE_0_PASS);
        return Step::Next;
    }
};

void CommandProcessor::add_events(Handlers* handlers) {
    add<Events, CpEventWrite, CpBlit, CpDrawPredEnableGlobal, CpDrawPredEnableLocal, CpDrawPredSet>(handlers);
}

}  // namespace terrazzo::adreno::sim
