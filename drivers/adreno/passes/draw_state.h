// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The bound state of draws and dispatches, and what of it must be packed again. The objects of a context that
// pack it (Tables, Patches) have references to it.
#pragma once

#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/screen.h"
#include "drivers/common/context/bound_state.h"

namespace terrazzo::adreno {

class OpenCounts;

struct StateTypes : ScreenTypes {
    using Screen = AdrenoScreen;
    using Recorder = adreno::Recorder;
    using Pass = adreno::Pass;
    using Counts = OpenCounts;
    static constexpr bool kContinuesPasses = false;
    struct Values {
        StatePacking packing;  // of the last program for draws; differences are dirty
        // Of the program; null: its own code.
        const FragmentVariant* variant = nullptr;
    };
};

using DrawState = contexts::BoundState<StateTypes>;

/// The code of a stage that runs next: for the fragment stage it may be a variant's.
[[nodiscard]] inline const StageCode& stage_code(const DrawState& state, pipe::Stage s) {
    return s == pipe::Stage::Fragment && state.variant ? state.variant->fragment : state.program->stage(s);
}

/// What the next draw must pack again.
struct DrawDirty {
    enum Bits : contexts::DirtyBits {
        kProgram = 1,  // the program, or what its fragment variant depends on
        kRaster = 2,
        kDepthStencil = 4,
        kBlend = 8,
        kBlendColor = 16,
        kViewport = 32,
        kScissor = 64,
        kVertexBuffers = 128,
        kOutputs = 256,  // targets, program, raster discard, second colour
        kStencilRef = 512,
        kDepthPlane = 1024,
        kSampleLocations = 2048,
        kStreamOutput = 4096,    // program, buffers
        kQueries = 8192,         // the set of open queries
        kPass = 32768,           // a pass has ended: the next draw checks whether another one is open
        kPatches = 65536,        // the number of a patch's vertices
        kVertexLayout = 131072,  // layout, which buffers are bound, the attributes that the program reads
        kDiscard = kRaster | kOutputs | kScissor,  // what depends on discards()
    };
};

}  // namespace terrazzo::adreno
