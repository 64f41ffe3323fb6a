// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The bound state of draws, and what of it must be packed again.
#pragma once

#include "drivers/agx/passes/pass.h"
#include "drivers/agx/screen.h"
#include "drivers/common/context/bound_state.h"
#include "drivers/common/context/queries.h"

namespace terrazzo::agx {

/// A render adds the samples of its draws to one number.
struct SampleQueries {
    [[nodiscard]] static contexts::CountLayout layout(const hw::Chip&, pipe::QueryKind kind) {
        return contexts::sample_layout(kind, 1);
    }
};

struct StateTypes : ScreenTypes {
    using Screen = AgxScreen;
    using Recorder = agx::Recorder;
    using Pass = agx::Pass;
    using Counts = SampleQueries;
    static constexpr bool kContinuesPasses = true;
    struct Values {};
};

using DrawState = contexts::BoundState<StateTypes>;

/// What the next draw must pack again.
struct DrawDirty {
    enum Bits : contexts::DirtyBits {
        kScissor = 1,       // viewport, scissor, depth bias
        kRaster = 2,        // culling, lines, depth bias
        kDepthStencil = 4,  // with its references
        kBlend = 8,
        kProgram = 16,
        kPass = 32,      // the stream begins without any state
        kVertices = 64,  // layout and buffers
        kBlendColor = 128,
        kPrimitive = 256,  // points, lines or triangles
        kQuery = 512,
        kVertexUniforms = dirty_bit(pipe::Stage::Vertex, contexts::Group::Uniforms),
        kFragmentUniforms = dirty_bit(pipe::Stage::Fragment, contexts::Group::Uniforms),
        kVertexPipeline = kProgram | kVertices | kPass | contexts::dirty_bits(pipe::Stage::Vertex),
        kFragmentPipeline =
            kProgram | kBlend | kPass | kBlendColor | contexts::dirty_bits(pipe::Stage::Fragment),
    };
};

}  // namespace terrazzo::agx
