// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Transforms primitives from clip space or window coordinates to what the rasterizer draws. It applies
// viewports, clip and cull distances, polygon modes, sizes and faces. It also clips by depth in clip space if
// depth in window coordinates does not show what to clip. setup.h clips and culls by depth, w and scissor.
// A vendor decodes its registers into WindowState once a draw.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "drivers/common/units/setup.h"

namespace terrazzo::units {

/// The outputs of the last stage before the rasterizer: a vertex is `words` words at values[vertex * words].
struct VertexOutputs {
    uint32_t words = 0;
    std::vector<uint32_t> values;
    const uint32_t* of(uint32_t vertex) const { return values.data() + size_t(vertex) * words; }
};

/// A primitive for the rasterizer. `shape.varying` are vertices of VertexOutputs. Triangles that touch no
/// pixel of the scissors are omitted. The rasterizer must omit pixels of the others outside the scissors.
struct DrawnPrimitive {
    Primitive shape;
    uint32_t provoking = 0;  // the vertex of `shape` whose values flat varyings have
    uint32_t primitive_id = 0;
    uint16_t layer = 0, view = 0;
};

/// Some of a batch's primitives, in order, and what they have in common: make it when they are complete.
struct DrawnList : std::span<const DrawnPrimitive> {
    unsigned views = 1;            // the highest view's number, plus one
    bool has_first_layer = false;  // a primitive is in the first view and layer

    explicit DrawnList(std::span<const DrawnPrimitive> primitives)
        : std::span<const DrawnPrimitive>(primitives) {
        for (const DrawnPrimitive& d : primitives) {
            views = std::max(views, unsigned(d.view) + 1);
            has_first_layer |= !d.view && !d.layer;
        }
    }
};

struct WindowState {
    static constexpr unsigned kViewports = 16;
    static constexpr uint8_t kNoWord = 0xff;  // the shader does not write this output
    struct View {
        pipe::Viewport viewport;
        SetupState setup;
        bool clip_near = false, clip_far = false;  // clips in clip space
    };
    enum class Fill : uint8_t { Faces, Lines, Points };

    PrimitiveKind kind = PrimitiveKind::Triangle;
    unsigned corners = 3;          // of a primitive
    bool rectangles = false;       // primitives are rectangles of two corners
    bool line_rectangles = false;  // lines cover samples as two triangles do
    Fill fill = Fill::Faces;
    bool transform = true, divide = true;  // positions are in clip space; are divided by w
    bool depth_from_zero = false;          // the near plane is z = 0, not z = -w
    std::array<View, kViewports> views;
    /// The words of a vertex that the units read.
    uint8_t position = kNoWord, point_size = kNoWord, layer = kNoWord, view = kNoWord;
    uint8_t clip_mask = 0, cull_mask = 0, distance[8] = {};
    uint16_t last_layer = 0;  // higher layers become layer 0
    float point_min_px = 1, point_max_px = 1, point_px = 1, line_px = 1;
};

class WindowSetup {
  public:
    /// The caller decodes it before a draw.
    WindowState state;

    /// Begins a batch of vertices with `words` words each.
    void begin_batch(uint32_t words, size_t vertices);
    /// Sets up vertices [first, first + count) of the batch, once for all primitives that use them. Thread:
    /// any, if simultaneous calls have different vertices.
    void set_up_vertices(const VertexOutputs& vertices, size_t first, size_t count);
    using Shapes = std::vector<Primitive>;
    /// Appends the visible parts of the primitive with vertices corner[0 ..] of `vertices` to *out, without
    /// the primitive's id. All vertices of the batch must be set up. `shapes`: temporary memory of the
    /// calling thread. Thread: any.
    void set_up(const VertexOutputs& vertices, const uint32_t* corner, unsigned provoking, Shapes& shapes,
                std::vector<DrawnPrimitive>* out) const;

  private:
    // Eight clip distances, and the near and far planes if depth in window coordinates does not show them.
    static constexpr unsigned kMaxPlanes = 10;
    using View = WindowState::View;
    using Fill = WindowState::Fill;
    struct ClipVertex {
        double position[4];
        double distance[kMaxPlanes];
    };

    WindowVertex vertex_at(const View& view, const uint32_t* outputs) const;
    WindowVertex snapped(WindowVertex v) const;
    WindowVertex window_vertex(const View& view, const float clip[4]) const;
    bool outside(const VertexOutputs& vertices, const uint32_t* corner, unsigned n) const;
    float size_of(const VertexOutputs& vertices, uint32_t vertex) const;
    // These methods append to `shapes`, or change them; they are the shapes of one primitive.
    void clip_by_distances(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                           Shapes& shapes) const;
    void emit(const View& view, const ClipVertex* v, const WindowVertex* whole, float size_px,
              Shapes& shapes) const;
    void set_up_rectangle(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                          Shapes& shapes) const;
    void make_rectangles(const View& view, Shapes& shapes) const;
    void fill_as_asked(const View& view, const VertexOutputs& vertices, const uint32_t* corner,
                       Shapes& shapes) const;
    float distance(const uint32_t* outputs, unsigned i) const;

    bool shared_ = false;  // vertices_ are set
    std::vector<SetupVertex> vertices_;
};

}  // namespace terrazzo::units
