// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws whose parameters the CP reads from memory. Source: Mesa 25.0.7, fd6_draw.cc.
#include <algorithm>

#include "drivers/adreno/passes/draw_call.h"
#include "drivers/adreno/passes/draw_context.h"
#include "pipe/state_facts.h"

namespace terrazzo::adreno {

/// The CP reads parameters without the UCHE, which may have what the pass captured. The UCHE is flushed
/// between passes.
void DrawContext::flush_captured(const pipe::Resource& parameters) {
    if (stream_output_.was_captured(parameters)) restart_pass();
}

void DrawContext::emit_indirect_draw(const pipe::DrawInfo& info) {
    CsBuilder& cs = pass_.draws;
    const bool indexed = info.index_type != pipe::IndexType::None;
    AdrenoResource& parameters = adreno(*info.indirect.resource);
    // Count, instances, first index, base vertex, first instance; without indices there is no first index.
    const uint32_t size_B = indexed ? 20 : 16;
    if (info.indirect.offset_B + size_B > parameters.desc.width) return;
    const uint64_t va = recorder_.read_by_processor(parameters, info.indirect.offset_B);
    hw::CpDrawIndirectMulti d{.initiator = draw_initiator(*state_.program, info), .draw_count = 1};
    if (state_.program->tessellates() && state_.program->has_params) pack_params(0, 0, 0);
    const uint32_t restart = restart_ ? pipe::restart_index(info.index_type) : kNoRestart;
    if (registers_.restart != restart) cs.write(hw::PC_RESTART_INDEX{restart});
    // The CP writes the registers of index and instance offsets.
    registers_ = {};
    if (screen_.device().chip().generation.indirect_draw_wfm_quirk) cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_ME);
    if (syncs_colors_read_) sync_colors_read();
    constexpr uint32_t kPlain_dw = 6, kIndexed_dw = 9;
    if (!indexed) {
        d.opcode = hw::DrawIndirectOp::INDIRECT_OP_NORMAL;
        d.indirect = va;
        d.stride = size_B;
        return cs.packet(d, kPlain_dw);
    }
    AdrenoResource& r = adreno(*info.index_buffer);
    if (info.index_offset_B >= r.layout.size_B) return;
    d.opcode = hw::DrawIndirectOp::INDIRECT_OP_INDEXED;
    recorder_.read_as_packed(r, [&] { d.index = r.va() + info.index_offset_B; });
    d.max_indices = uint32_t(std::min<uint64_t>(
        (r.layout.size_B - info.index_offset_B) / pipe::index_size_B(info.index_type), UINT32_MAX));
    d.indexed_indirect = va;
    d.indexed_stride = size_B;
    cs.packet(d, kIndexed_dw);
}

}  // namespace terrazzo::adreno
