// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Passes and draws of a context. A draw writes the state that changed into the pass' VDM stream: the vertex
// program (VdmState), the parts of PPP state that changed, then the draw. A pass stays open after
// end_render_pass until something needs its pixels or another pass begins.
#pragma once

#include "drivers/agx/passes/draw_state.h"
#include "drivers/agx/program/usc_words.h"
#include "drivers/common/context/converted_vertices.h"
#include "drivers/common/context/state_context.h"
#include "pipe/raster/edge.h"

namespace terrazzo::agx {

using pipe::raster::PixelRect;

class DrawContext : public contexts::StateContext<DrawContext, StateTypes> {
  public:
    void bind_program(pipe::Program*) final;
    void draw(const pipe::DrawInfo&, std::span<const pipe::DrawRange>) final;
    void dispatch(const pipe::DispatchInfo&) final;
    void memory_barrier() final {}  // shaders do not store

  protected:
    using StateContext::StateContext;

    friend StateContext;
    using Stage = pipe::Stage;
    using Group = contexts::Group;
    using enum DrawDirty::Bits;

    // --- contexts::StateContext
    static constexpr contexts::DirtyBits kDepthStencilDirty = kDepthStencil;
    static constexpr contexts::DirtyBits kVertexLayoutDirty = kVertices;
    static constexpr contexts::DirtyBits kVertexBuffersDirty = kVertices;
    static constexpr contexts::DirtyBits kPassDirty = contexts::kAllDirty;
    static constexpr contexts::DirtyBits kRasterDirty = kRaster | kScissor;
    static constexpr contexts::DirtyBits kClipZDirty = kVertexUniforms;
    static constexpr contexts::DirtyBits kScissorDirty = kScissor;
    static constexpr contexts::DirtyBits kStencilRefDirty = kDepthStencil;
    static constexpr contexts::DirtyBits kSampleMaskDirty = 0;  // passes have one sample
    static constexpr contexts::DirtyBits kViewportDirty = kScissor;
    static constexpr contexts::DirtyBits kBlendColorDirty = kBlendColor;
    [[nodiscard]] contexts::DirtyBits blend_changes(const AgxBlend&) const { return kBlend; }
    void finish_pass(bool) { pass_.end(screen_.tile_programs()); }
    void counting_changes(const contexts::Query&) override { state_.dirty |= kQuery; }

    // --- pipeline.cpp: programs with what is bound
    /// False: a piece could not be compiled (logged).
    [[nodiscard]] bool choose_vertex_code();
    [[nodiscard]] bool choose_fragment_code();
    void write_vertex_pipeline(hw::VdmState* vdm);
    void write_fragment_pipeline();
    /// Binds the shader's uniforms, and its textures and samplers. `first_word`: of the uniforms.
    void bind_resources(const ShaderPart& part, Stage stage, unsigned first_word, UscWords* words,
                        hw::Counts* counts);
    void bind_textures(const ShaderPart& part, Stage stage, UscWords* words, hw::Counts* counts);
    void write_fetch_words(uint32_t* out);
    void find_sysvals(const ShaderPart& part, Stage stage);

    // --- draw.cpp
    /// Packs dirty state. False: the draw is invisible.
    [[nodiscard]] bool prepare(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void pack_area();
    void pack_raster();
    void pack_depth_stencil();
    void pack_outputs();
    void write_ppp();
    void draw_now(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    void emit(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges);
    [[nodiscard]] PixelRect clip() const;

    contexts::ConvertedVertices converted_{*this};
    FetchKey fetch_key_;
    const LinkedCode *vertex_code_ = nullptr, *fragment_code_ = nullptr;
    BlendPlan blend_plan_;
    SysvalValues sysvals_;
    hw::PppState ppp_;  // the state; its header says what the next record updates
    pipe::Primitive mode_ = pipe::Primitive::Triangles;
    uint32_t first_instance_ = 0;  // of the fetch words
};

}  // namespace terrazzo::agx
