// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits by draws, for any device: what its other engines cannot. Everything goes through the pipe interface, with programs that the device compiles.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "drivers/common/blit/shader.h"
#include "pipe/context.h"

namespace terrazzo::blits {

/// Of a screen. Thread: any.
class DrawBlits {
  public:
    /// The screen outlives it.
    explicit DrawBlits(pipe::Screen& screen) : screen_(screen) {}

    /// Whether run() does all of it, as pipe/blit/blit.h says. Not: several samples, compressed targets, formats that the device does not draw into, bits that a
    /// draw might change (of SNORM), and what copy_region does.
    [[nodiscard]] bool can(const pipe::BlitInfo& info) const;
    /// Outside render passes. Replaces raster, blending, depth and stencil, program, vertex layout and buffers, viewport, scissor, sample mask and the
    /// fragment stage's uniforms and textures: the caller has saved them, and nothing may count or capture meanwhile. `rectangle` and `layout` are
    /// those of clears::vertex_shader(). False: out of memory, or no such program (said in the log); nothing was drawn.
    /// Throws std::bad_alloc; some layers may be drawn then.
    [[nodiscard]] bool run(pipe::Context& context, const pipe::BlitInfo& info, pipe::Resource& rectangle,
                           pipe::VertexLayout* layout, const pipe::Log& log);

  private:
    struct States {
        pipe::Ref<pipe::RasterState> raster;
        pipe::Ref<pipe::BlendState> blend;
        pipe::Ref<pipe::SamplerState> sampler;
        pipe::Ref<pipe::DepthStencilState> depth_stencil[4];  // bit 0: writes depth, 1: stencil
    };
    [[nodiscard]] bool make_states();
    [[nodiscard]] pipe::Program* program(const ShaderKey& key, const pipe::Log& log);

    pipe::Screen& screen_;
    std::mutex mutex_;
    States states_;
    std::vector<std::pair<ShaderKey, pipe::Ref<pipe::Program>>> programs_;
};

}  // namespace terrazzo::blits
