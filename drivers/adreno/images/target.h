// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments as RB, the BLIT events and the 2D engine see them.
#pragma once

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/stream/cs_builder.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// One level of one layer (or several from one on) of an image, in a format.
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
    bool is_stencil = false;  // a plane of stencil: pixels are R8_UINT
    uint32_t pass_samples =
        1;  // of the pass that draws into it; the image may have fewer, which are resolved
    [[nodiscard]] bool is_resolved() const { return pass_samples > samples; }
};
/// False: the format cannot be drawn into. `format` None: the resource's.
[[nodiscard]] bool describe_surface(const AdrenoResource& r, pipe::Format format, uint32_t level,
                                    uint32_t layer, Surface* out, Plane plane = Plane::Main);

/// Where the attachments of a pass lie in GMEM; in sysmem passes 0.
struct GmemPlaces {
    uint32_t color_B[pipe::kMaxColorTargets] = {};
    uint32_t depth_B = 0, stencil_B = 0;
};
/// A pass' attachments, as registers.
struct Targets {
    Surface color[pipe::kMaxColorTargets];  // format FMT6_NONE: none
    uint32_t color_count = 0;
    Surface depth;    // depth_format DEPTH6_NONE: none
    Surface stencil;  // format FMT6_NONE: it lies in depth's bytes
    bool has_stencil = false;
    /// Bit a compressed colour target.
    [[nodiscard]] uint32_t compressed() const {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < color_count; ++i)
            mask |= uint32_t(color[i].flags_va != 0) << i;
        return mask;
    }
    [[nodiscard]] bool has_stencil_plane() const { return stencil.format != hw::Format::FMT6_NONE; }
    uint32_t samples = 1;
    /// That all attachments have; shaders that choose none of them draw into the first.
    uint32_t layers = 1;
    /// Bit a target whose format has no alpha.
    uint32_t without_alpha = 0;
    /// Four bits a target: the components that there are to write.
    uint32_t components = 0;
};
/// False: an attachment cannot be drawn into (`*why`).
[[nodiscard]] bool describe_targets(const pipe::RenderPassDesc& desc, Targets* out, const char** why);
/// RB_MRT_*, RB_DEPTH_*, SP_FS_MRT, samples: what a pass is told about them.
void write_targets(CsBuilder& cs, const Targets& targets, const GmemPlaces& gmem);

}  // namespace terrazzo::adreno
