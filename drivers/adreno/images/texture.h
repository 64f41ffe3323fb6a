// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures in the form that the texture processor reads.
#pragma once

#include <array>

#include "drivers/adreno/images/border_colors.h"
#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/images/target.h"
#include "drivers/common/images/sampler_view.h"

namespace terrazzo::adreno {

inline constexpr unsigned kTexture_dw = 16;

class AdrenoSamplerView final : public images::StoredView<AdrenoSamplerView, AdrenoResource> {
  public:
    /// Required by images::StoredView.
    [[nodiscard]] static const char* refuse(const AdrenoResource& r, const pipe::SamplerViewDesc& desc);
    /// Writes the descriptor (kTexture_dw words) for the image's current memory.
    void write(uint32_t* out) const;
    /// The part of the image that textures read.
    const ImagePart part;
    /// The encoding of its samplers' border colours.
    const BorderForm border;

  private:
    friend StoredView;
    AdrenoSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);
    void write_flags(uint32_t* out) const;

    std::array<uint32_t, kTexture_dw> words_{};  // the base is an offset in the image
    uint64_t offset_B_ = 0;
};

/// A texture of a colour target in GMEM, for framebuffer fetch. The pass has w_px x h_px pixels; GMEM has
/// rows of a tile's pixels at `va`. Shaders fetch at positions of the pass (SP_TP_WINDOW_OFFSET).
void write_tile_texture(const Surface& s, uint32_t w_px, uint32_t h_px, uint32_t tile_w_px, uint64_t va,
                        uint32_t* out);

/// As write_tile_texture(), for the target in memory: its level and first layer. `image`: the target's
/// resource. `format`: has the channels that shaders read.
void write_target_texture(const Surface& s, const AdrenoResource& image, pipe::Format format, uint32_t* out);

/// The texture of an unbound unit: texels are (0, 0, 0, 1). `va`: 64 readable bytes with any contents.
void write_null_texture(pipe::ResourceKind kind, uint64_t va, uint32_t* out);

}  // namespace terrazzo::adreno
