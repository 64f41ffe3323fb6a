// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attachments: their places in the tilebuffer, the images that end-of-tile programs store to, the textures
// that background programs load from, and the depth and stencil buffers of a render command.
#pragma once

#include "drivers/agx/images/texture.h"
#include "drivers/agx/isa/isa.h"
#include "pipe/state.h"
#include "winsys/uapi/asahi.h"

namespace terrazzo::agx {

/// The place of a colour target in a sample of the tilebuffer.
struct TileTarget {
    isa::Format format = isa::Format::kU8Norm;  // of ld_tile, st_tile and image_write_block
    uint8_t components = 0;                     // that the tilebuffer has; 0: there is no target
    uint32_t offset_B = 0;
    bool operator==(const TileTarget&) const = default;
};
/// The tilebuffer of a pass.
struct TileLayout {
    TileTarget target[pipe::kMaxColorTargets];
    uint32_t sample_B = 8;  // a multiple of 8
    uint32_t width_px = 32, height_px = 32, samples = 1;
    [[nodiscard]] hw::UscShared shared() const;
};
/// How the tilebuffer has pixels of the format: `format` and `components`, at offset 0. Components 0: it
/// cannot be drawn into.
[[nodiscard]] TileTarget tile_target(pipe::Format f);
/// All attachments must have formats that can be drawn into. Eight targets of 16 bytes a sample do not fit
/// into the tilebuffer (Caps must not allow them): targets that do not fit have no components.
[[nodiscard]] TileLayout lay_out_tiles(const pipe::RenderPassDesc& pass);

/// The image of an attachment's level and layers, to which the end-of-tile program stores. A 2D image if the
/// attachment has one layer, otherwise an array.
[[nodiscard]] hw::Pbe store_target(const pipe::Attachment& a);
/// The texture with the same pixels, from which a background program loads. Its components are those of the
/// tilebuffer. The program loads level 0.
[[nodiscard]] hw::Texture load_target(const pipe::Attachment& a);

struct DepthStencilOps {
    bool load_depth = false, load_stencil = false, store_depth = false, store_stencil = false;
};
/// Sets the command's buffers of depth and stencil, zls_ctrl, isp_zls_pixels, and the clear values. `a` may
/// have no resource.
void set_depth_stencil(const pipe::Attachment& a, const DepthStencilOps& ops,
                       const pipe::RenderPassDesc& pass, uapi::drm_asahi_cmd_render* render);

}  // namespace terrazzo::agx
