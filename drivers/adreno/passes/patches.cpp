// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with tessellation stages. The patches of a subdraw share memory (PatchMemory), to which the control
// stage writes vertices, rows and levels for the tessellator and the evaluation stage. Source: Mesa 25.0.7,
// fd6_draw.cc, fd6_gmem.cc (set_tessfactor_bo).
#include <new>

#include "drivers/adreno/passes/draw_call.h"
#include "drivers/adreno/passes/draw_context.h"
#include "drivers/adreno/program/pack.h"

namespace terrazzo::adreno {

hw::DrawInitiator plain_initiator(pipe::Primitive mode, pipe::IndexType type) {
    const bool indexed = type != pipe::IndexType::None;
    return {
        .prim_type = prim_type(mode),
        .source_select = indexed ? hw::SourceSelect::DI_SRC_SEL_DMA : hw::SourceSelect::DI_SRC_SEL_AUTO_INDEX,
        .vis_cull = hw::VisCull::USE_VISIBILITY,
        .index_size = indexed ? index_size(type) : hw::IndexSize::INDEX4_SIZE_8_BIT};
}
hw::DrawInitiator DrawContext::draw_initiator(const pipe::DrawInfo& info) const {
    hw::DrawInitiator d = plain_initiator(info.mode, info.index_type);
    d.gs_enable = state_.program->has(pipe::Stage::Geometry);
    d.tess_enable = state_.program->tessellates();
    if (!d.tess_enable) return d;
    d.prim_type = hw::PrimType(unsigned(hw::PrimType::DI_PT_PATCHES0) + info.patch_vertices);
    const ir::Shape domain = state_.program->domain.in;
    d.patch_type = domain == ir::Shape::Quads      ? hw::PatchType::TESS_QUADS
                   : domain == ir::Shape::Isolines ? hw::PatchType::TESS_ISOLINES
                                                   : hw::PatchType::TESS_TRIANGLES;
    return d;
}

/// The memory of patches belongs to the context. Its address is not part of a draw's state, so no draw may be
/// under way when it changes.
bool DrawContext::begin_patches(uint32_t vertices) {
    if (!can_draw() || !state_.program->tessellates()) return false;
    if (vertices != patch_vertices_) state_.dirty |= kPatches;
    patch_vertices_ = vertices;
    if (!patch_memory_) patch_memory_ = screen_.device().create_bo(PatchMemory::kSize_B, 0);
    if (!patch_memory_) throw std::bad_alloc();
    CsBuilder& cs = pass_.draws;
    if (!has_patch_memory_) {
        recorder_.hold_always(pipe::Ref<const pipe::RefCounted>(patch_memory_.get()));
        cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        cs.write(hw::PC_TESSFACTOR_ADDR{patch_memory_->va});
        cs.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        has_patch_memory_ = true;
    }
    cs.packet(
        hw::CpSetSubdrawSize{divide_patch_memory(*state_.program, patch_memory_->va).patches * vertices});
    return true;
}

/// A wave has as many patches as fit.
void DrawContext::pack_patches() {
    if (!state_.program->tessellates()) return groups_.set(Group::Patches, {});
    set_group(Group::Patches, kMostPatchWords, [&](uint32_t* out) {
        return put_patch_size(out, *state_.program, patch_vertices_, screen_.device().chip());
    });
    for (const pipe::Stage stage : {pipe::Stage::TessControl, pipe::Stage::TessEval})
        state_.touch(stage, StageGroup::Uniforms);
}

}  // namespace terrazzo::adreno
