// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From window coordinates to primitives in the bins: culling, edge functions, planes, polygon offset. Rules:
// pipe/raster/edge.h and pipe/raster/clip.h.
#pragma once

#include "drivers/soft/passes/pass.h"
#include "drivers/soft/programs/program.h"

namespace terrazzo::soft {

/// A vertex in the window. x and y in 1/256 px, within the guard band.
struct SetupVertex {
    int32_t x, y;
    float z;
    float inv_w;
    const float* out;  // component c of the vertex shader's outputs at out[c * SetupState::stride]
};

/// What all primitives of a draw share.
struct SetupState {
    const Pass* pass;
    Bins* bins;  // of the pass, or of one thread's part of a draw
    const DrawState* draw;
    const SoftProgram* program;
    const pipe::RasterDesc* raster;
    uint32_t stride = 0;  // floats between a vertex's outputs
};

/// Triangles[0, count) of the list, which FrontKernels::reject let pass: either all small, with records of
/// their vertices, or none.
void setup_triangles(const SetupState& s, const FrontKernels& kernels, const VertexColumns& vertices,
                     const VertexRecords& records, const TriangleList& list, const Survivor* triangles,
                     uint32_t count);
/// `flat`: outputs of the provoking vertex.
void setup_line(const SetupState& s, const SetupVertex& v0, const SetupVertex& v1, const float* flat);
void setup_point(const SetupState& s, const SetupVertex& v, float size_px);

}  // namespace terrazzo::soft
