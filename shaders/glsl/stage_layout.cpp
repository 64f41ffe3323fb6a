// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/stage_layout.h"

#include "shaders/ir/stage_buffers.h"

namespace terrazzo::shaders::glsl {

namespace {

using namespace glslang;
using ir::Shape;

Shape shape_of(TLayoutGeometry g) {
    switch (g) {
        case ElgPoints:
            return Shape::Points;
        case ElgLines:
        case ElgLineStrip:
            return Shape::Lines;
        case ElgLinesAdjacency:
            return Shape::LinesAdjacency;
        case ElgTriangles:
        case ElgTriangleStrip:
            return Shape::Triangles;
        case ElgTrianglesAdjacency:
            return Shape::TrianglesAdjacency;
        case ElgQuads:
            return Shape::Quads;
        case ElgIsolines:
            return Shape::Isolines;
        default:
            return Shape::None;
    }
}

bool within(const char* what, int64_t n, int64_t limit, std::string& log) {
    if (n >= 0 && n <= limit) return true;
    log += "ERROR: 0:0: '" + std::string(what) + "' : " + std::to_string(n) + " is beyond the limit of " +
           std::to_string(limit) + "\n";
    return false;
}

bool set_geometry(const TIntermediate& tree, const Limits& limits, CompiledShader& out, std::string& log) {
    ir::StageRecords& r = out.ir->info.records;
    r.in = shape_of(tree.getInputPrimitive());
    r.out = shape_of(tree.getOutputPrimitive());
    r.vertices_in = ir::vertices_of(r.in);
    const int vertices = tree.getVertices(), invocations = tree.getInvocations();
    r.invocations = invocations > 0 ? uint32_t(invocations) : 1;
    out.has_layout = r.in != Shape::None && r.out != Shape::None && vertices != TQualifier::layoutNotSet;
    r.vertices_out = out.has_layout ? uint32_t(vertices) : 0;
    return within("max_vertices", r.vertices_out, limits.geometry_vertices, log) &&
           within("invocations", r.invocations, limits.geometry_invocations, log);
}

bool set_control(const TIntermediate& tree, const Limits& limits, CompiledShader& out, std::string& log) {
    ir::StageRecords& r = out.ir->info.records;
    const int vertices = tree.getVertices();
    out.has_layout = vertices != TQualifier::layoutNotSet && vertices > 0;
    r.vertices_out = out.has_layout ? uint32_t(vertices) : 0;
    return within("vertices", r.vertices_out, limits.patch_vertices, log);
}

void set_evaluation(const TIntermediate& tree, CompiledShader& out) {
    ir::StageRecords& r = out.ir->info.records;
    r.in = shape_of(tree.getInputPrimitive());
    out.has_layout = r.in != Shape::None;
    r.out = tree.getPointMode() ? Shape::Points : r.in == Shape::Isolines ? Shape::Lines : Shape::Triangles;
    const TVertexSpacing s = tree.getVertexSpacing();
    r.spacing = s == EvsFractionalEven  ? ir::Spacing::FractionalEven
                : s == EvsFractionalOdd ? ir::Spacing::FractionalOdd
                                        : ir::Spacing::Equal;
    r.clockwise = tree.getVertexOrder() == EvoCw;
}

}  // namespace

bool set_stage_layout(const TIntermediate& tree, const Limits& limits, CompiledShader& out,
                      std::string& log) {
    switch (out.ir->stage) {
        case ir::Stage::Geometry:
            return set_geometry(tree, limits, out, log);
        case ir::Stage::TessControl:
            return set_control(tree, limits, out, log);
        case ir::Stage::TessEval:
            set_evaluation(tree, out);
            break;
        case ir::Stage::Vertex:
        case ir::Stage::Fragment:
        case ir::Stage::Compute:
            break;
    }
    return true;
}

}  // namespace terrazzo::shaders::glsl
