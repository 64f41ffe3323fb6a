// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VPC_SO_BUFFER_OFFSET advances from draw to draw. Between passes the offsets are kept in memory (FLUSH_SO).
// Source: Mesa 25.0.7, fd6_emit.cc (fd6_emit_streamout), fd6_draw.cc (flush_streamout), tu_cmd_buffer.cc
// (tu_CmdBeginTransformFeedbackEXT).
#include "drivers/adreno/passes/stream_output.h"

#include <algorithm>
#include <new>

namespace terrazzo::adreno {
namespace {

struct CapturedRange {
    uint64_t base = 0;
    uint32_t first_B = 0, end_B = 0;  // offsets from `base`; nothing is captured to an empty range
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

void StreamOutput::set(std::span<const pipe::BufferRange> ranges) {
    end_capture();
    ranges_ = {};
    std::copy_n(ranges.begin(), std::min(ranges.size(), ranges_.size()), ranges_.begin());
    set_ = !ranges.empty();
    begun_ = false;
    offsets_ = {};
}

void StreamOutput::pack(const AdrenoProgram& program, const Segment& none, GroupList& groups) {
    if (set_ && program.stream_output.valid()) {
        groups.set(Group::StreamOut, program.stream_output.segment());
        enabled_ = true;
        if (!in_stream_) load(program);
        return;
    }
    end_capture();
    if (enabled_) groups.set(Group::StreamOut, none);
    enabled_ = false;
}

void StreamOutput::load(const AdrenoProgram& program) {
    if (!offsets_) {
        auto memory = pipe::Ref<submission::CountMemory>::adopt(new submission::CountMemory);
        memory->block = recorder_.device().create_block(pipe::kMaxStreamOutputs * kOffset_B, 64);
        if (!memory->block) throw std::bad_alloc();
        offsets_ = std::move(memory);
    }
    recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(offsets_.get()));
    CsBuilder& cs = pass_.draws;
    cs.wait_for_idle();
    for (unsigned i = 0; i < pipe::kMaxStreamOutputs; ++i) {
        if (!program.captured_stride_dw[i]) continue;
        in_stream_ |= 1u << i;
        if (ranges_[i].resource) {
            recorder_.write(adreno(*ranges_[i].resource));
            captured_.push_back(ranges_[i].resource);
        }
        const CapturedRange range = captured_range(ranges_[i]);
        const uint64_t offset_va = offsets_->block.va + i * kOffset_B;
        cs.write(Element{i, hw::VPC_SO_BUFFER_BASE{range.base}},
                 Element{i, hw::VPC_SO_BUFFER_SIZE{range.end_B}},
                 Element{i, hw::VPC_SO_FLUSH_BASE{offset_va}});
        if (!begun_)
            cs.write(Element{i, hw::VPC_SO_BUFFER_OFFSET{range.first_B}});
        else
            cs.packet(hw::CpMemToReg{
                .reg = hw::VPC_SO_BUFFER_OFFSET::at(i), .shift_by_2 = true, .unk31 = true, .src = offset_va});
    }
    begun_ = true;
}

void StreamOutput::end_capture() {
    if (!in_stream_) return;
    CsBuilder& cs = pass_.draws;
    using hw::EventType;
    for (const EventType flush :
         {EventType::FLUSH_SO_0, EventType::FLUSH_SO_1, EventType::FLUSH_SO_2, EventType::FLUSH_SO_3})
        if (in_stream_ >> (unsigned(flush) - unsigned(EventType::FLUSH_SO_0)) & 1) cs.event(flush);
    in_stream_ = 0;
    // Later draws may read what was captured, also through the UCHE.
    cs.wait_for_idle();
}

void StreamOutput::end_pass() {
    end_capture();
    if (enabled_) pass_.draws.write(hw::VPC_SO_CNTL{}, hw::VPC_SO_STREAM_CNTL{});
}

bool StreamOutput::was_captured(const pipe::Resource& buffer) const {
    return std::find(captured_.begin(), captured_.end(), &buffer) != captured_.end();
}

}  // namespace terrazzo::adreno
