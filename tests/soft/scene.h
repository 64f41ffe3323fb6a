// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A CPU device with a render target, and shaders written in C++ against shader_abi.h, so that the rasterizer
// is tested without a compiler. Attributes 0 to 2 are position, colour and point size; the colour is
// Varying0.
#pragma once

#include <string>
#include <vector>

#include "drivers/soft/screen/screen.h"
#include "pipe/context.h"
#include "shaders/ir/ir.h"
#include "tests/common/messages.h"

namespace terrazzo::soft::test {

struct Vertex {
    float position[4] = {0, 0, 0, 1};
    float color[4] = {1, 1, 1, 1};
    float size = 1;
};

/// What the fragment shader writes.
enum class Paint {
    Varying,  // the interpolated colour
    Flat,     // the provoking vertex's colour
    NoPerspective,
    PointCoord,  // (s, t, 0, 1)
    FragCoord,   // (x, y, z, 1/w)
    DiscardOdd,  // the colour, discarding pixels whose x + y is odd
    WriteDepth,  // the colour; depth is its alpha
    Texel,       // texture 0 (R8G8B8A8) at the pixel's position, repeated
    Invert,      // one minus the buffer's value
    Solid,       // solid()'s colour; the pipeline knows that it is uniform
};

struct SceneOptions {
    uint32_t width = 64, height = 64;
    uint32_t samples = 1;  // bytes() has a pixel's samples next to each other
    pipe::Format color = pipe::Format::R8G8B8A8_UNORM;
    pipe::Format depth = pipe::Format::None;
    unsigned threads = 1;
    bool robust = false;         // for the context
    bool bound_depth = true;     // for SoftScreen
    RunTileFn kernel = nullptr;  // null: the one for this CPU
    Executor executor;
};

class Scene {
  public:
    explicit Scene(const SceneOptions& options = {});
    ~Scene();

    /// Begins a pass that clears colour to `rgba`, depth to 1 and stencil to 0. The viewport covers the
    /// target.
    void begin(const float rgba[4]);
    void begin() {
        const float black[4] = {0, 0, 0, 0};
        begin(black);
    }
    pipe::Ref<pipe::Program> paint(Paint p);
    /// A fragment shader in IR, which the interpreter executes.
    pipe::Ref<pipe::Program> shade(const ir::Shader& fs);
    void solid(const float rgba[4]);
    void raster(const pipe::RasterDesc& d);
    void depth_stencil(const pipe::DepthStencilDesc& d);
    void blend(const pipe::BlendDesc& d);
    void draw(pipe::Primitive mode, const std::vector<Vertex>& v, pipe::DrawInfo info = {});
    void draw_indexed(pipe::Primitive mode, const std::vector<Vertex>& v,
                      const std::vector<uint32_t>& indices, pipe::IndexType type, bool restart = false);
    /// Draws two triangles that cover the rectangle (in px) at a window depth.
    void rectangle(float x0, float y0, float x1, float y1, float depth, const float rgba[4]);

    /// Converts a vertex from window coordinates.
    [[nodiscard]] Vertex at(float x, float y, float depth = 0.5f, float w = 1) const;

    /// Ends the pass and reads the target.
    [[nodiscard]] std::vector<uint8_t> bytes(bool depth = false);
    /// The red byte of each pixel of an R8G8B8A8 target, row by row.
    [[nodiscard]] std::vector<uint8_t> red();
    [[nodiscard]] std::vector<float> floats();
    /// Rows of '#' and '.', from the red bytes.
    [[nodiscard]] std::string picture();
    void upload(const void* data, bool depth = false);

    const SceneOptions options;
    terrazzo::test::Messages messages;
    SoftScreen screen;
    std::unique_ptr<pipe::Context> context;
    pipe::Ref<pipe::Resource> color, depth;
    pipe::RenderPassDesc pass;

  private:
    pipe::Ref<pipe::Resource> buffer(const void* data, size_t size_B, uint32_t bind);
    std::vector<pipe::Ref<pipe::StateObject>> states_;
};

}  // namespace terrazzo::soft::test
