// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clears inside of a pass, for any device: which attachments they change, and a rectangle that is drawn if
// the device has no other method. It only uses the pipe interface, with programs that the device compiles.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "pipe/context.h"
#include "shaders/ir/ir.h"

namespace terrazzo::clears {

/// Attachments (pipe::attachment_bit) of a pass that a clear changes.
struct Plan {
    uint32_t whole = 0;   // all that the format stores
    uint32_t masked = 0;  // some components, or some bits of stencil
};
[[nodiscard]] Plan plan(const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc);
/// Whether the clear covers every pixel of the pass.
[[nodiscard]] bool covers(const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc);

// The rectangle of clears, built directly as IR: no GLSL is parsed.

/// Passes attribute 0 on as the position.
[[nodiscard]] std::unique_ptr<ir::Shader> vertex_shader();
/// Writes uniforms 0 to 3 to each target of the mask `colors`.
[[nodiscard]] std::unique_ptr<ir::Shader> fragment_shader(uint8_t colors);

/// Covers clip space: a triangle strip of four vec4.
inline constexpr float kRectangle[16] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};

/// Belongs to a screen. Any thread may call it.
class DrawClears {
  public:
    /// The screen must outlive it, and can already create resources and state. Throws std::bad_alloc.
    explicit DrawClears(pipe::Screen& screen);

    /// Clears these attachments in the context's pass, which `desc` describes. Replaces the state that
    /// DrawBlits::run() replaces, except textures. The caller saves that state before, and sees to it that no
    /// query counts and no output is captured meanwhile. Throws std::bad_alloc; some attachments may be
    /// cleared then.
    void run(pipe::Context& context, const pipe::ClearInfo& info, const pipe::RenderPassDesc& desc,
             uint32_t attachments, const pipe::Log& log);

    /// The rectangle of vertex_shader(): a triangle strip of four vertices.
    [[nodiscard]] pipe::Resource& rectangle() const { return *rectangle_; }
    [[nodiscard]] pipe::VertexLayout* layout() const { return layout_.get(); }

  private:
    struct States {
        pipe::Ref<pipe::RasterState> raster;
        pipe::Ref<pipe::BlendState> blend;
        pipe::Ref<pipe::DepthStencilState> depth_stencil;
    };
    [[nodiscard]] pipe::Program* program(uint8_t colors, const pipe::Log& log);
    /// The result is what is bound. It must live until other state is bound, or the caller's is restored.
    [[nodiscard]] States draw(pipe::Context& context, const pipe::ClearInfo& info, uint32_t attachments,
                              const pipe::ClearColor& color, const pipe::Log& log);

    pipe::Screen& screen_;
    pipe::Ref<pipe::Resource> rectangle_;
    pipe::Ref<pipe::VertexLayout> layout_;
    std::mutex mutex_;
    std::vector<std::pair<uint8_t, pipe::Ref<pipe::Program>>> programs_;
};

}  // namespace terrazzo::clears
