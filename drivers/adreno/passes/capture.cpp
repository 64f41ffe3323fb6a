// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output (transform feedback). VPC_SO_BUFFER_OFFSET moves on from draw to draw; from one pass to the next the offsets lie in memory (FLUSH_SO). Source: Mesa
// 25.0.7, fd6_emit.cc (fd6_emit_streamout), fd6_draw.cc (flush_streamout), tu_cmd_buffer.cc (tu_CmdBeginTransformFeedbackEXT).
#include <algorithm>
#include <new>

#include "drivers/adreno/passes/draw_context.h"

namespace terrazzo::adreno {
namespace {

struct CapturedRange {
    uint64_t base = 0;
    uint32_t first_B = 0, end_B = 0;  // from `base` on; nothing fits into an empty one
};

CapturedRange captured_range(const pipe::BufferRange& range) {
    CapturedRange c;
    if (!range.resource) return c;
    const AdrenoResource& r = adreno(*range.resource);
    if (range.offset_B >= r.layout.size_B) return c;
    const uint64_t end_B = range.offset_B + std::min(range.size_B, r.layout.size_B - range.offset_B);
    c.base = r.va();
    c.first_B = uint32_t(range.offset_B) & ~3u;
    c.end_B = uint32_t(std::min<uint64_t>(end_B, UINT32_MAX)) & ~3u;
    return c;
}

}  // namespace

void DrawContext::pack_stream_output() {
    StreamOutputs& s = stream_outputs_;
    if (s.any && state_.program->stream_output.valid()) {
        groups_.set(Group::StreamOut, state_.program->stream_output.segment());
        s.enabled = true;
        if (!s.in_stream) load_stream_outputs();
        return;
    }
    end_capture();
    if (s.enabled) groups_.set(Group::StreamOut, screen_.no_stream_output());
    s.enabled = false;
}

void DrawContext::load_stream_outputs() {
    StreamOutputs& s = stream_outputs_;
    if (!s.offsets) {
        auto memory = pipe::Ref<submission::CountMemory>::adopt(new submission::CountMemory);
        memory->block = screen_.device().create_block(pipe::kMaxStreamOutputs * StreamOutputs::kOffset_B, 64);
        if (!memory->block) throw std::bad_alloc();
        s.offsets = std::move(memory);
    }
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(s.offsets.get()));
    CsBuilder& cs = pass_.draws;
    cs.wait_for_idle();
    for (unsigned i = 0; i < pipe::kMaxStreamOutputs; ++i) {
        if (!state_.program->captured_stride_dw[i]) continue;
        s.in_stream |= 1u << i;
        if (s.ranges[i].resource) {
            recorder_.write(adreno(*s.ranges[i].resource));
            s.captured.push_back(s.ranges[i].resource);
        }
        const CapturedRange range = captured_range(s.ranges[i]);
        const uint64_t offset_va = s.offsets->block.va + i * StreamOutputs::kOffset_B;
        cs.write(Element{i, hw::VPC_SO_BUFFER_BASE{range.base}},
                 Element{i, hw::VPC_SO_BUFFER_SIZE{range.end_B}},
                 Element{i, hw::VPC_SO_FLUSH_BASE{offset_va}});
        if (!s.begun)
            cs.write(Element{i, hw::VPC_SO_BUFFER_OFFSET{range.first_B}});
        else
            cs.packet(hw::CpMemToReg{
                .reg = hw::VPC_SO_BUFFER_OFFSET::at(i), .shift_by_2 = true, .unk31 = true, .src = offset_va});
    }
    s.begun = true;
}

void DrawContext::end_capture() {
    StreamOutputs& s = stream_outputs_;
    if (!s.in_stream) return;
    CsBuilder& cs = pass_.draws;
    using hw::EventType;
    for (const EventType flush :
         {EventType::FLUSH_SO_0, EventType::FLUSH_SO_1, EventType::FLUSH_SO_2, EventType::FLUSH_SO_3})
        if (s.in_stream >> (unsigned(flush) - unsigned(EventType::FLUSH_SO_0)) & 1) cs.event(flush);
    s.in_stream = 0;
    // Later draws read what was captured, by way of the UCHE, too.
    cs.wait_for_idle();
}

}  // namespace terrazzo::adreno
