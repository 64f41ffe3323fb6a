// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hardware's numbers in packets of draws, and draws whose parameters the CP reads from memory. Source:
// Mesa 25.0.7, fd6_draw.cc.
#include <algorithm>

#include "drivers/adreno/passes/draw_context.h"
#include "drivers/common/context/vertex_list.h"
#include "pipe/state_facts.h"

namespace terrazzo::adreno {

namespace {

hw::PrimType prim_type(pipe::Primitive p) {
    using enum hw::PrimType;
    // By Primitive. That of patches depends on their size.
    static constexpr hw::PrimType kTypes[] = {DI_PT_POINTLIST, DI_PT_LINELIST,     DI_PT_LINELOOP,
                                              DI_PT_LINESTRIP, DI_PT_TRILIST,      DI_PT_TRISTRIP,
                                              DI_PT_TRIFAN,    DI_PT_LINE_ADJ,     DI_PT_LINESTRIP_ADJ,
                                              DI_PT_TRI_ADJ,   DI_PT_TRISTRIP_ADJ, DI_PT_NONE};
    static_assert(std::size(kTypes) == unsigned(pipe::Primitive::Patches) + 1);
    return kTypes[unsigned(p)];
}

// By IndexType.
constexpr hw::IndexSize kIndexSizes[] = {hw::IndexSize::INDEX4_SIZE_8_BIT, hw::IndexSize::INDEX4_SIZE_8_BIT,
                                         hw::IndexSize::INDEX4_SIZE_16_BIT,
                                         hw::IndexSize::INDEX4_SIZE_32_BIT};
static_assert(unsigned(pipe::IndexType::None) == 0 && unsigned(pipe::IndexType::U8) == 1 &&
              unsigned(pipe::IndexType::U16) == 2 && unsigned(pipe::IndexType::U32) == 3);

}  // namespace

hw::DrawInitiator plain_initiator(pipe::Primitive mode, pipe::IndexType type) {
    const bool indexed = type != pipe::IndexType::None;
    return {
        .prim_type = prim_type(mode),
        .source_select = indexed ? hw::SourceSelect::DI_SRC_SEL_DMA : hw::SourceSelect::DI_SRC_SEL_AUTO_INDEX,
        .vis_cull = hw::VisCull::USE_VISIBILITY,
        .index_size = kIndexSizes[unsigned(type)]};
}

hw::DrawInitiator draw_initiator(const AdrenoProgram& program, const pipe::DrawInfo& info) {
    hw::DrawInitiator d = plain_initiator(info.mode, info.index_type);
    d.gs_enable = program.has(pipe::Stage::Geometry);
    d.tess_enable = program.tessellates();
    if (!d.tess_enable) return d;
    d.prim_type = hw::PrimType(unsigned(hw::PrimType::DI_PT_PATCHES0) + info.patch_vertices);
    const ir::Shape domain = program.domain.in;
    d.patch_type = domain == ir::Shape::Quads      ? hw::PatchType::TESS_QUADS
                   : domain == ir::Shape::Isolines ? hw::PatchType::TESS_ISOLINES
                                                   : hw::PatchType::TESS_TRIANGLES;
    return d;
}

/// The CP reads parameters without the UCHE, which may have what the pass captured. The UCHE is flushed
/// between passes.
void DrawContext::flush_captured(const pipe::Resource& parameters) {
    if (stream_output_.was_captured(parameters)) restart_pass();
}

void DrawContext::emit_indirect_draw(const pipe::DrawInfo& info) {
    CsBuilder& cs = pass_.draws;
    const bool indexed = info.index_type != pipe::IndexType::None;
    AdrenoResource& parameters = adreno(*info.indirect.resource);
    const uint32_t size_B = contexts::parameters_B(info);
    if (info.indirect.offset_B + size_B > parameters.desc.width) return;
    const uint64_t va = recorder_.read_by_processor(parameters, info.indirect.offset_B);
    hw::CpDrawIndirectMulti d{.initiator = draw_initiator(*state_.program, info), .draw_count = 1};
    if (state_.program->tessellates() && state_.program->has_params) pack_params(0, 0, 0);
    const IndexMemory indices = indexed ? index_memory(info) : IndexMemory{};
    if (registers_.restart != indices.restart) cs.write(hw::PC_RESTART_INDEX{indices.restart});
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
    if (!indices.most) return;
    d.opcode = hw::DrawIndirectOp::INDIRECT_OP_INDEXED;
    d.index = indices.va;
    d.max_indices = indices.most;
    d.indexed_indirect = va;
    d.indexed_stride = size_B;
    cs.packet(d, kIndexed_dw);
}

}  // namespace terrazzo::adreno
