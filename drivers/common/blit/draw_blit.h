// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blits by draws, for blits that a device's other engines cannot do. Uses only the pipe interface; the device
// compiles the programs.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "drivers/common/blit/shader.h"
#include "pipe/context.h"

namespace terrazzo::blits {

/// Belongs to a screen. Thread: any.
class DrawBlits {
  public:
    /// The screen must outlive it.
    explicit DrawBlits(pipe::Screen& screen) : screen_(screen) {}

    /// Whether run() can do the whole blit with the result of pipe/blit/blit.h. False for several samples,
    /// compressed targets, formats that the device cannot draw to, bits that a draw might change (SNORM), and
    /// blits that copy_region can do.
    [[nodiscard]] bool can(const pipe::BlitInfo& info) const;
    /// Called outside render passes. Replaces raster, blending, depth and stencil, program, vertex layout and
    /// buffers, viewport, scissor, sample mask and the fragment stage's uniforms and textures: the caller
    /// saves and restores them and pauses queries and stream output. `rectangle` and `layout` are those of
    /// clears::vertex_shader(). False: out of memory, or the program cannot be compiled (logged); nothing was
    /// drawn. Throws std::bad_alloc; then some layers may have been drawn.
    [[nodiscard]] bool run(pipe::Context& context, const pipe::BlitInfo& info, pipe::Resource& rectangle,
                           pipe::VertexLayout* layout, const pipe::Log& log);

  private:
    struct States {
        pipe::Ref<pipe::RasterState> raster;
        pipe::Ref<pipe::BlendState> blend;
        pipe::Ref<pipe::SamplerState> sampler;
        pipe::Ref<pipe::DepthStencilState> depth_stencil[4];  // bit 0: writes depth, bit 1: writes stencil
    };
    [[nodiscard]] bool make_states();
    [[nodiscard]] pipe::Program* program(const ShaderKey& key, const pipe::Log& log);

    pipe::Screen& screen_;
    std::mutex mutex_;
    States states_;
    std::vector<std::pair<ShaderKey, pipe::Ref<pipe::Program>>> programs_;
};

}  // namespace terrazzo::blits
