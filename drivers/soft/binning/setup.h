// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Converts primitives in window coordinates to records in the bins: culling, edge functions, planes, polygon
// offset. Rules: pipe/raster/edge.h and pipe/raster/clip.h.
#pragma once

#include "drivers/soft/passes/pass.h"
#include "drivers/soft/programs/program.h"

namespace terrazzo::soft {

/// A vertex in window coordinates. x and y in 1/256 px, within the guard band.
struct SetupVertex {
    int32_t x, y;
    float z;
    float inv_w;
    const float* out;  // component c of the vertex shader's outputs at out[c * SetupState::stride]
};

/// The common state of a draw's primitives.
struct SetupState {
    const Pass* pass;
    Bins* bins;  // the pass's, or those of a thread's part of a draw
    const DrawState* draw;
    const SoftProgram* program;
    const pipe::RasterDesc* raster;
    uint32_t stride = 0;  // floats from one output component to the next
};

/// Bins triangles [0, count), which FrontKernels::reject accepted: either all are small and have vertex
/// records, or none is small.
void setup_triangles(const SetupState& s, const FrontKernels& kernels, const VertexColumns& vertices,
                     const VertexRecords& records, const TriangleList& list, const Survivor* triangles,
                     uint32_t count);
/// `flat`: the provoking vertex's outputs.
void setup_line(const SetupState& s, const SetupVertex& v0, const SetupVertex& v1, const float* flat);
void setup_point(const SetupState& s, const SetupVertex& v, float size_px);

}  // namespace terrazzo::soft
