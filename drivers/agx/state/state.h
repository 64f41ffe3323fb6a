// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects of draws, as parts of the PPP's state.
#pragma once

#include <array>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/program/pieces.h"
#include "drivers/common/blend/equation.h"
#include "pipe/state.h"

namespace terrazzo::agx {

class AgxRaster final : public pipe::RasterState {
  public:
    explicit AgxRaster(const pipe::RasterDesc& d);
    const pipe::RasterDesc desc;
    hw::Cull cull;
    uint32_t line_width = 16;  // FragmentFace::line_width
};

class AgxDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit AgxDepthStencil(const pipe::DepthStencilDesc& d);
    const pipe::DepthStencilDesc desc;
    /// The depth test, without stencil reference and line width.
    hw::FragmentFace face;
    hw::FragmentStencil front, back;
    bool writes_depth = false, writes_stencil = false;  // draws may change them
};

class AgxBlend final : public pipe::BlendState {
  public:
    explicit AgxBlend(const pipe::BlendDesc& d);
    const pipe::BlendDesc desc;
    std::array<std::array<blend::Equation, 2>, pipe::kMaxColorTargets> equations;  // [target][has alpha]
};

/// What the blending of a pass' targets needs.
struct BlendPlan {
    StoreKeys stores;
    bool reads_tiles = false;  // a fragment's result depends on earlier ones of its pixel
    bool takes_color = false;  // the blend colour: words of compiler::kBlendUniformWord
};
/// `formats`: of the pass' colour targets (None: no target).
[[nodiscard]] BlendPlan plan_blending(const AgxBlend& blend, std::span<const pipe::Format> formats,
                                      const TileLayout& tiles, const compiler::Info& fragment);

}  // namespace terrazzo::agx
