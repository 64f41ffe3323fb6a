// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GRAS' first half: from a primitive's vertices in clip space to primitives in the window. Clips by depth, by
// clip distances and where w is not positive; culls; applies polygon modes, sizes and scissors. Source of the
// registers' meaning: Mesa 25.0.7, fd6_rasterizer.cc, fd6_emit.cc, fd6_program.cc.
#pragma once

#include <array>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/stage_outputs.h"
#include "drivers/common/units/setup.h"

namespace terrazzo::adreno::sim {

class WindowSetup {
  public:
    static constexpr unsigned kViewports = 16;
    /// Decodes the registers once per draw. `views`: the shader chooses a viewport, so all are decoded.
    [[nodiscard]] bool init(Machine& machine, units::PrimitiveKind kind, bool rectangles,
                            const StageOutputs& outputs, Fault* fault);
    /// A batch of vertices begins, of `words` words each.
    void begin_batch(uint32_t words, size_t vertices);
    /// Computes what primitives share of vertices [first, first + count) of the batch. Thread: any, if the
    /// vertices of calls differ.
    void set_up_vertices(const VertexOutputs& vertices, size_t first, size_t count);
    using Shapes = std::vector<units::Primitive>;
    /// Appends the visible parts of the primitive with vertices corner[0 ..] of `vertices` to *out, without
    /// the primitive's id. All vertices of the batch are set up. `shapes`: the thread's. Thread: any.
    void set_up(const VertexOutputs& vertices, const uint32_t* corner, unsigned provoking, Shapes& shapes,
                std::vector<DrawnPrimitive>* out) const;

  private:
    static constexpr unsigned kMaxPlanes =
        10;  // eight distances; near and far, if depth in the window does not show them
    struct View {
        pipe::Viewport viewport;
        units::SetupState setup;
        bool clip_near = false, clip_far = false;  // in clip coordinates
    };
    struct ClipVertex {
        double position[4];
        double distance[kMaxPlanes];
    };
    enum class Fill : uint8_t { Faces, Lines, Points };

    bool decode_view(const Registers& r, unsigned i, View* out, Fault* fault) const;
    bool decode_sizes(const Registers& r, Fault* fault);
    units::WindowVertex vertex_at(const View& view, const uint32_t* outputs) const;
    units::WindowVertex snapped(units::WindowVertex v) const;
    units::WindowVertex window_vertex(const View& view, const float clip[4]) const;
    bool outside(const VertexOutputs& vertices, const uint32_t* corner, unsigned n) const;
    float size_of(const VertexOutputs& vertices, uint32_t vertex) const;
    // What these append to, or change, are the shapes of one primitive.
    void clip_by_distances(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                           Shapes& shapes) const;
    void emit(const View& view, const ClipVertex* v, const units::WindowVertex* whole, float size_px,
              Shapes& shapes) const;
    void set_up_rectangle(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                          Shapes& shapes) const;
    void make_rectangles(const View& view, Shapes& shapes) const;
    void fill_as_asked(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                       Shapes& shapes) const;
    float distance(const uint32_t* outputs, unsigned i) const;

    units::PrimitiveKind kind_ = units::PrimitiveKind::Triangle;
    unsigned corners_ = 3;
    bool rectangles_ = false;  // two corners each
    bool line_rectangles_ = false;
    Fill fill_ = Fill::Faces;
    bool transform_ = true, divide_ = true;
    bool depth_from_zero_ = false;  // the near plane is z = 0, not z = -w
    std::array<View, kViewports> views_;
    uint8_t position_ = 0, point_size_ = 0, layer_ = 0xff, view_ = 0xff;  // locations of outputs
    uint16_t last_layer_ = 0;                                             // higher ones become layer 0
    uint8_t clip_mask_ = 0, cull_mask_ = 0, distance_location_[8] = {};
    float point_min_px_ = 1, point_max_px_ = 1, point_px_ = 1, line_px_ = 1;
    bool shared_ = false;  // vertices_ are set
    std::vector<units::SetupVertex> vertices_;
};

}  // namespace terrazzo::adreno::sim
