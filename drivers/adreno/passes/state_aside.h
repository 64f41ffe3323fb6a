// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of draws stands aside while the driver draws for itself. Nothing counts or captures meanwhile.
#pragma once

#include <tuple>
#include <utility>

#include "drivers/adreno/context.h"

namespace terrazzo::adreno {

class AdrenoContext::StateAside {
  private:
    /// In the order of values_.
    auto values() {
        AdrenoContext& c = context_;
        return std::tie(c.raster_, c.blend_, c.depth_stencil_, c.layout_, c.program_, c.packing_, c.viewport_,
                        c.scissor_, c.stencil_ref_front_, c.stencil_ref_back_, c.coverage_,
                        c.invert_coverage_, c.sample_mask_);
    }

  public:
    explicit StateAside(AdrenoContext& c)
        : context_(c),
          values_(values()),
          vertex_buffers_(std::move(c.vertex_buffers_)),
          fragment_(std::exchange(fragment(), {})),
          queries_(std::exchange(c.queries_, {})) {
        c.touch_all();
    }
    StateAside(const StateAside&) = delete;
    StateAside& operator=(const StateAside&) = delete;
    ~StateAside() {
        values() = values_;
        context_.vertex_buffers_ = std::move(vertex_buffers_);
        fragment() = std::move(fragment_);
        context_.queries_ = std::move(queries_);
        context_.touch_all();
    }

  private:
    StageState& fragment() { return context_.stages_[size_t(ShaderStage::Fragment)]; }
    AdrenoContext& context_;
    std::tuple<AdrenoRaster*, AdrenoBlend*, AdrenoDepthStencil*, AdrenoVertexLayout*, AdrenoProgram*,
               StatePacking, pipe::Viewport, pipe::Scissor, uint8_t, uint8_t, float, bool, uint32_t>
        values_;
    std::vector<pipe::VertexBuffer> vertex_buffers_;
    StageState fragment_;
    contexts::OpenQueries queries_;
};

}  // namespace terrazzo::adreno
