// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments in the form that RB, BLIT events and the 2D engine need.
#pragma once

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/stream/cs_builder.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// A level of one or several layers of an image, in a format.
struct Surface {
    pipe::Format pipe_format = pipe::Format::None;
    hw::Format format = hw::Format::FMT6_NONE;  // as a target
    hw::DepthFormat depth_format = hw::DepthFormat::DEPTH6_NONE;
    hw::TileMode tile_mode = hw::TileMode::TILE6_LINEAR;
    hw::ColorSwap swap = hw::ColorSwap::WZYX;
    uint64_t va = 0;
    uint32_t pitch_B = 0, array_pitch_B = 0;
    uint64_t flags_va = 0;  // 0: not compressed
    uint32_t flags_pitch_B = 0, flags_array_pitch_dw = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t samples = 1, layers = 1;
    bool is_stencil = false;    // a stencil plane: its pixels are R8_UINT
    uint32_t pass_samples = 1;  // of the pass; if the image has fewer, they are resolved
    [[nodiscard]] bool is_resolved() const { return pass_samples > samples; }
};
/// False: the format cannot be drawn into. `format` None: use the resource's format.
[[nodiscard]] bool describe_surface(const AdrenoResource& r, pipe::Format format, uint32_t level,
                                    uint32_t layer, Surface* out, Plane plane = Plane::Main);

/// The addresses of a pass's attachments in GMEM; 0 in sysmem passes.
struct GmemPlaces {
    uint32_t color_B[pipe::kMaxColorTargets] = {};
    uint32_t depth_B = 0, stencil_B = 0;
};
/// The attachments of a pass, in the form of registers.
struct Targets {
    Surface color[pipe::kMaxColorTargets];  // format FMT6_NONE: no attachment
    uint32_t color_count = 0;
    Surface depth;    // depth_format DEPTH6_NONE: no attachment
    Surface stencil;  // format FMT6_NONE: stencil is in depth's pixels
    bool has_stencil = false;
    /// A bit for each compressed colour target.
    [[nodiscard]] uint32_t compressed() const {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < color_count; ++i)
            mask |= uint32_t(color[i].flags_va != 0) << i;
        return mask;
    }
    [[nodiscard]] bool has_stencil_plane() const { return stencil.format != hw::Format::FMT6_NONE; }
    uint32_t samples = 1;
    /// The layers of every attachment. Shaders that write no layer draw into the first one.
    uint32_t layers = 1;
    /// A bit for each target whose format has no alpha.
    uint32_t without_alpha = 0;
    /// Four bits for each target: the components that the format stores.
    uint32_t components = 0;
};
/// False: an attachment cannot be drawn into (`*why`).
[[nodiscard]] bool describe_targets(const pipe::RenderPassDesc& desc, Targets* out, const char** why);
/// Writes the registers that a pass sets for its attachments: RB_MRT_*, RB_DEPTH_*, SP_FS_MRT, samples.
void write_targets(CsBuilder& cs, const Targets& targets, const GmemPlaces& gmem);

}  // namespace terrazzo::adreno
