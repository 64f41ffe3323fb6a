// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The bound state of draws, and what of it must be packed again. The objects of a context that pack it have
// references to it.
#pragma once

#include "drivers/common/context/bound_state.h"
#include "drivers/common/context/queries.h"
#include "drivers/mali/passes/pass.h"
#include "drivers/mali/screen.h"

namespace terrazzo::mali {

/// What tables and descriptors depend on in a program: for a program of the same shape they stay valid.
struct ProgramShape {
    uint32_t attributes = 0, colors = 0, colors_read = 0, half_colors = 0;
    StageTables vertex{}, fragment{};
    bool writes_depth = false, writes_stencil = false, second_color = false;
};

/// What queries of samples change in draws.
struct SampleQueries {
    /// Each core counts samples separately.
    [[nodiscard]] static contexts::CountLayout layout(const hw::Chip& chip, pipe::QueryKind kind);
    /// The DcdFlags0 bits of draws.
    [[nodiscard]] static uint32_t flags_0(const contexts::OpenQueries& open);
    /// Later draws count for the query of samples, if one is open.
    static void pack(const contexts::OpenQueries& open, Recorder& recorder);
};

struct StateTypes : ScreenTypes {
    using Screen = MaliScreen;
    using Recorder = mali::Recorder;
    using Pass = mali::Pass;
    using Counts = SampleQueries;
    static constexpr bool kContinuesPasses = true;
    struct Values {
        ProgramShape shape;  // of the last bound program
        /// The fragment stage runs for each sample, as this variant; null: as the program's.
        const SampleVariant* sample_variant = nullptr;
    };
};

using DrawState = contexts::BoundState<StateTypes>;

/// The fragment stage of the next draw.
[[nodiscard]] inline const ShaderPart& fragment_part(const DrawState& state) {
    return state.sample_variant ? state.sample_variant->fragment : state.program->fragment;
}
/// The tables of a stage of the next draw or dispatch.
[[nodiscard]] inline const StageTables& stage_tables(const DrawState& state, pipe::Stage s) {
    return s == pipe::Stage::Fragment && state.sample_variant ? state.sample_variant->tables
                                                              : state.program->stages[s];
}

/// What the next draw must pack again.
struct DrawDirty {
    enum Bits : contexts::DirtyBits {
        kScissor = 1,  // clip_: viewport, scissor, framebuffer
        kDepthStencil = 2,
        kBlend = 4,
        kProgram = 8,
        kFlags = 16,  // DcdFlags
        kQuery = 32,
        kPass = 64,          // tiler context
        kViewport = 128,     // viewport, framebuffer
        kBlendInputs = 256,  // inputs of blending outside of its state object: all packed blends are invalid
        kCapture = 512,      // stays set while draws are captured
        kPrimitive = 1024,   // primitive flags and sizes, the position shader
        // Uniforms and viewport, in the form that shaders read.
        kVertexFau = dirty_bit(pipe::Stage::Vertex, contexts::Group::Uniforms),
        kFragmentFau = dirty_bit(pipe::Stage::Fragment, contexts::Group::Uniforms),
        // Textures and uniform buffers; for the vertex stage also attributes and their buffers.
        kVertexTables = dirty_bit(pipe::Stage::Vertex, contexts::Group::Textures) |
                        dirty_bit(pipe::Stage::Vertex, contexts::Group::Blocks),
        kFragmentTables = dirty_bit(pipe::Stage::Fragment, contexts::Group::Textures) |
                          dirty_bit(pipe::Stage::Fragment, contexts::Group::Blocks) |
                          dirty_bit(pipe::Stage::Fragment, contexts::Group::Storage),
        // Textures may have been drawn into since their dependencies were recorded.
        kVertexReads = dirty_bit(pipe::Stage::Vertex, contexts::Group::Order),
        kFragmentReads = dirty_bit(pipe::Stage::Fragment, contexts::Group::Order),
    };
};

}  // namespace terrazzo::mali
