// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Called buffers, groups of draw state, modes, and skipped packets.
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim {

using namespace hw;

struct CommandProcessor::Flow : Family {
    // ---- Buffers ----

    Step run(const CpIndirectBuffer& p) { return call(p.address, p.size_dw); }
    Step run(const CpIndirectBufferPfd& p) { return call(p.address, p.size_dw); }
    Step call(uint64_t va, uint32_t size_dw) {
        if (c.top().level != Level::Ib1) return c.bad("only an IB1 can call buffers");
        return result(c.enter(va, size_dw, Level::Ib2));
    }
    Step run(const CpIndirectBufferChain& p) {
        const Frame& frame = c.top();
        if (frame.level == Level::Group) return c.bad("a group of draw state cannot be chained");
        if (frame.at_dw != frame.size_dw) return c.bad("a chain must be the last packet of its buffer");
        if (c.bins_.count && frame.level == Level::Ib1)
            return c.bad("a chain between CP_START_BIN and CP_END_BIN");
        const Level level = frame.level;
        --c.depth_;
        return result(c.enter(p.address, p.size_dw, level));
    }
    Step run(const CpStartBin& p) {
        const Frame& frame = c.top();
        if (frame.level != Level::Ib1) return c.bad("only an IB1 can repeat itself for bins");
        if (c.bins_.count) return c.bad("it is in the loop of another");
        if (p.body_dwords > frame.size_dw - frame.at_dw)
            return c.bad("a loop of %u dwords reaches beyond its buffer", p.body_dwords);
        if (!p.bin_count) return skip(true, p.body_dwords);
        c.bins_ = {p.bin_count, 0, frame.at_dw, p.prefix_dwords, p.prefix_address};
        return result(c.enter(p.prefix_address, p.prefix_dwords, Level::Ib2));
    }
    Step end_bin() {
        Frame& frame = c.top();
        BinLoop& bins = c.bins_;
        if (frame.level != Level::Ib1 || !bins.count) return c.bad("no CP_START_BIN began a loop");
        if (++bins.index == bins.count) {
            bins = {};
            return Step::Next;
        }
        frame.at_dw = bins.body_at_dw;
        return result(
            c.enter(bins.prefix_va + uint64_t(bins.index) * bins.prefix_dw * 4, bins.prefix_dw, Level::Ib2));
    }
    Step run(const CpSetAmble& p) {  // buffers for context switches, which lose nothing here
        if (p.type == AmbleType::KMD_AMBLE_TYPE)
            return c.fail(FaultKind::Protection, "only the kernel may set the amble of its own");
        return Step::Next;
    }
    // They allow to skip buffers without a visible draw, which run here.
    Step run(const CpSkipIb2EnableGlobal&) { return Step::Next; }
    Step run(const CpSkipIb2EnableLocal&) { return Step::Next; }

    // ---- Groups of draw state ----

    Step run(const CpSetDrawState&) {
        if (c.top().level == Level::Group) return c.bad("a group of draw state sets no other");
        if (payload.size() % CpSetDrawState::kSize_dw) return c.bad("the last of its groups lacks something");
        for (; !payload.empty(); payload = payload.subspan(CpSetDrawState::kSize_dw))
            set_group(unpacked<CpSetDrawState>(payload));
        return Step::Next;
    }
    void set_group(const CpSetDrawState& p) {
        if (p.disable_all_groups) {
            c.pending_ = c.immediate_ = 0;
            return;
        }
        const uint32_t bit = 1u << p.group_id;
        c.pending_ &= ~bit;
        c.immediate_ &= ~bit;
        if (p.disable || !p.count_dw) return;
        const uint8_t modes = mask(p.binning, p.gmem, p.sysmem);
        c.groups_[p.group_id] = {p.address, p.count_dw, modes};
        const bool loads = p.load_immed || (c.load_when_set_ && (p.gmem || p.sysmem));
        if (modes & c.mode_bit() && loads)
            c.immediate_ |= bit;
        else if (!p.load_immed)
            c.pending_ |= bit;
    }
    static uint8_t mask(bool binning, bool gmem, bool sysmem) {
        return uint8_t((binning ? kBinning : 0) | (gmem ? kGmem : 0) | (sysmem ? kSysmem : 0));
    }

    // ---- Modes ----

    Step run(const CpSetMode& p) {
        c.load_when_set_ = p.mode & 1;
        return Step::Next;
    }
    Step run(const CpSetMarker& p) {
        if (p.marker_mode != MarkerMode::SET_RENDER_MODE) return Step::Next;
        switch (p.mode) {
            case Marker::RM6_DIRECT_RENDER:
                return set_mode(RenderMode::Bypass);
            case Marker::RM6_BIN_VISIBILITY:
                c.has_bin_data_ = false;
                c.visibility_index_ = 0;
                return set_mode(RenderMode::Binning);
            case Marker::RM6_BIN_DIRECT:
            case Marker::RM6_BIN_RENDER_START:
                return set_mode(RenderMode::Gmem);
            case Marker::RM6_BIN_RESOLVE:
                return set_mode(RenderMode::Resolve);
            case Marker::RM6_BIN_END_OF_DRAWS:
            case Marker::RM6_BIN_RENDER_END:
                return set_mode(RenderMode::Other);
            case Marker::RM6_COMPUTE:
                return set_mode(RenderMode::Compute);
            case Marker::RM6_BLIT2DSCALE:
                return set_mode(RenderMode::Blit2d);
            case Marker::RM6_IB1LIST_START:
            case Marker::RM6_IB1LIST_END:
                return c.fail(FaultKind::Protection, "only the kernel may set this mode");
        }
        return c.bad("there is no mode %u", unsigned(p.mode));
    }
    Step set_mode(RenderMode mode) {
        m.work.mode_switches += m.mode != mode;
        m.mode = mode;
        return update_visibility();
    }
    Step update_visibility() {
        m.visibility.enabled = c.has_bin_data_ && !c.visibility_override_ && m.mode == RenderMode::Gmem;
        return Step::Next;
    }
    Step run(const CpSetVisibilityOverride& p) {
        c.visibility_override_ = p.enable;
        return update_visibility();
    }
    Step run(const CpSetBinData5& p) {
        return bin_data(p.vsc_n, p.bin_data_address, p.bin_size_address, p.bin_prim_strm);
    }
    Step run(const CpSetBinData5Offset& p) {
        const Registers& r = m.registers;
        return bin_data(p.vsc_n, r.address(VSC_DRAW_STRM_ADDRESS::kRegister) + p.bin_data_offset,
                        r.address(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister) + p.bin_size_offset,
                        r.address(VSC_PRIM_STRM_ADDRESS::kRegister) + p.bin_data2_offset);
    }
    Step bin_data(unsigned slot, uint64_t draw_va, uint64_t size_va, uint64_t prim_va) {
        // The sizes of the pipes' streams follow each other.
        const uint64_t size_offset_B = size_va - m.registers.address(VSC_DRAW_STRM_SIZE_ADDRESS::kRegister);
        if (size_offset_B % 4 || size_offset_B / 4 >= Chip::kVscPipes)
            return c.fail(
                FaultKind::Hardware,
                "the size of its stream, at 0x%llx, is none of the %u at VSC_DRAW_STRM_SIZE_ADDRESS",
                static_cast<unsigned long long>(size_va), Chip::kVscPipes);
        for (const uint64_t va : {draw_va, size_va, prim_va})
            if (!c.holds(caches.check(Reader::EarlyProcessor, va, 4, "a visibility stream")))
                return Step::Fault;
        VisibilityUse& v = m.visibility;
        v.pipe = unsigned(size_offset_B / 4);
        v.slot = slot;
        v.draw_stream_va = draw_va;
        v.prim_stream_va = prim_va;
        v.size_va = size_va;
        c.has_bin_data_ = true;
        c.visibility_index_ = 0;
        return update_visibility();
    }
    Step run(const CpSetSubdrawSize& p) {
        c.subdraw_size_ = p.size;
        return Step::Next;
    }

    // ---- Conditions ----

    Step run(const CpRegTest& p) {
        uint32_t value = 0;
        if (!c.read_register(p.reg, &value)) return Step::Fault;
        c.predicate_ = (c.predicate_ & ~1u) | (value >> p.bit & 1);
        return Step::Next;
    }
    Step skip(bool skips, uint32_t size_dw) {
        Frame& frame = c.top();
        if (size_dw > frame.size_dw - frame.at_dw)
            return c.bad("its %u dwords reach beyond the buffer", size_dw);
        if (skips) frame.at_dw += size_dw;
        return Step::Next;
    }
    Step run(const CpCondExec& p) {
        uint32_t value0 = 0, value1 = 0;
        if (!c.read(p.address0, &value0, 4) || !c.read(p.address1, &value1, 4)) return Step::Fault;
        return skip(!(value0 && int32_t(value1) < int32_t(p.ref)), p.dwords);
    }
    Step run(const CpCondRegExec& p) {
        switch (p.mode) {
            case CondMode::PRED_TEST:
                return skip(!(c.predicate_ >> p.pred_bit & 1), p.dwords);
            case CondMode::REG_COMPARE: {
                uint32_t value0 = 0, value1 = 0;
                if (payload.size() < 3) return c.bad("it has 2 of 3 dwords");
                if (!c.read_register(p.reg0, &value0) || !c.read_register(p.reg1, &value1))
                    return Step::Fault;
                return skip(value0 != value1, p.compare_dwords);
            }
            case CondMode::RENDER_MODE:
                return skip(!(mask(p.binning, p.gmem, p.sysmem) & c.mode_bit()), p.dwords);
        }
        return c.bad("there is no condition %u", unsigned(p.mode));
    }
};

void CommandProcessor::add_flow(Handlers* handlers) {
    add<Flow, CpIndirectBuffer, CpIndirectBufferPfd, CpIndirectBufferChain, CpStartBin, CpSetAmble,
        CpSkipIb2EnableGlobal, CpSkipIb2EnableLocal, CpSetDrawState, CpSetMode, CpSetMarker,
        CpSetVisibilityOverride, CpSetBinData5, CpSetBinData5Offset, CpSetSubdrawSize, CpRegTest, CpCondExec,
        CpCondRegExec>(handlers);
    handlers->at(unsigned(Pm4Opcode::CP_END_BIN)) = &CommandProcessor::end_bin;
}

CommandProcessor::Step CommandProcessor::end_bin(Payload payload) {
    return Flow{{*this, payload}}.end_bin();
}

}  // namespace terrazzo::adreno::sim
