// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures as the texture processor reads them.
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
    /// As images::StoredView asks for.
    [[nodiscard]] static const char* refuse(const AdrenoResource& r, const pipe::SamplerViewDesc& desc);
    /// The descriptor (kTexture_dw words) of the memory that the image has now.
    void write(uint32_t* out) const;
    /// What of the image textures read.
    const ImagePart part;
    /// Whether it can read the image where that is compressed.
    const bool reads_ubwc;
    /// What border colours of its samplers are.
    const BorderForm border;
    mutable std::atomic<uint64_t> held_by{0};

  private:
    friend StoredView;
    AdrenoSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);
    void write_flags(uint32_t* out) const;

    std::array<uint32_t, kTexture_dw> words_{};  // with an offset in the image as its base
    uint64_t offset_B_ = 0;
};

/// A colour target of a pass of w_px x h_px, as it lies in GMEM at `va` in rows of a tile's pixels: fetches are at places in the pass (SP_TP_WINDOW_OFFSET).
void write_tile_texture(const Surface& s, uint32_t w_px, uint32_t h_px, uint32_t tile_w_px, uint64_t va,
                        uint32_t* out);

/// The same, as it lies in memory: its level and first layer. `image`: what it is of. `format`: has the channels that are read.
void write_target_texture(const Surface& s, const AdrenoResource& image, pipe::Format format, uint32_t* out);

/// What an unbound unit reads: (0, 0, 0, 1). `va`: 64 bytes that may be read, whatever they hold.
void write_null_texture(pipe::ResourceKind kind, uint64_t va, uint32_t* out);

}  // namespace terrazzo::adreno
