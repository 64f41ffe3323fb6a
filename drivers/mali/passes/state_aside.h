// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of draws stands aside while the driver draws for itself. Nothing counts meanwhile.
#pragma once

#include <tuple>
#include <utility>

#include "drivers/mali/context.h"

namespace terrazzo::mali {

class MaliContext::StateAside {
  private:
    /// In the order of values_.
    auto values() {
        MaliContext& c = context_;
        return std::tie(c.raster_, c.blend_, c.depth_stencil_, c.layout_, c.program_, c.viewport_, c.scissor_,
                        c.stencil_ref_front_, c.stencil_ref_back_, c.primitives_);
    }

  public:
    explicit StateAside(MaliContext& c)
        : context_(c),
          values_(values()),
          vertex_buffers_(std::move(c.vertex_buffers_)),
          uniforms_(std::move(c.uniforms_[1])),
          textures_(c.textures_[1]),
          queries_(std::exchange(c.queries_, {})) {
        c.dirty_ = kAll;
    }
    StateAside(const StateAside&) = delete;
    StateAside& operator=(const StateAside&) = delete;
    ~StateAside() {
        values() = values_;
        context_.vertex_buffers_ = std::move(vertex_buffers_);
        context_.uniforms_[1] = std::move(uniforms_);
        context_.textures_[1] = textures_;
        context_.queries_ = std::move(queries_);
        context_.dirty_ = kAll;
    }

  private:
    MaliContext& context_;
    std::tuple<MaliRaster*, MaliBlend*, MaliDepthStencil*, MaliVertexLayout*, MaliProgram*, pipe::Viewport,
               pipe::Scissor, uint8_t, uint8_t, uint64_t>
        values_;
    std::vector<pipe::VertexBuffer> vertex_buffers_;
    std::vector<uint32_t> uniforms_;
    Textures textures_;
    contexts::OpenQueries queries_;
};

}  // namespace terrazzo::mali
