// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures, as the texture unit's descriptors.
#pragma once

#include "drivers/agx/hw/records.h"
#include "drivers/agx/images/resource.h"
#include "drivers/common/images/sampler_view.h"

namespace terrazzo::agx {

inline constexpr unsigned kTexture_dw = hw::Texture::kSize_dw;

/// An unbound texture unit reads create_null().
class AgxSamplerView final : public images::StoredView<AgxSamplerView, AgxResource> {
  public:
    /// Required by images::StoredView.
    [[nodiscard]] static const char* refuse(const AgxResource& r, const pipe::SamplerViewDesc& desc);
    /// Writes the descriptor for the image's current memory: to be called inside of
    /// Recording::read_as_packed(). `skip_srgb_decode`: of the sampler, which has no such bit.
    void write(uint32_t out[kTexture_dw], bool skip_srgb_decode = false) const;
    /// The format of the texels that the hardware reads: of depth with stencil, that of the one that is read.
    /// Border colours are encoded for it.
    const pipe::Format texels;

  private:
    friend StoredView;
    AgxSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);

    hw::Texture texture_;  // its address is an offset in the image
};

/// The part of an image that a descriptor shows.
struct ImageSlice {
    hw::TextureDimension dimension = hw::TextureDimension::N2d;
    uint32_t first_layer = 0, layers = 1;  // of a 3D image: all slices if the dimension is 3D, otherwise one
};
/// A descriptor of all levels of the slice. The caller sets the levels that are read. The address is an
/// offset in the image's memory. `format`: as texels.
[[nodiscard]] hw::Texture describe_texture(const AgxResource& r, pipe::Format format, const ImageSlice& slice,
                                           const pipe::Swizzle swizzle[4]);

}  // namespace terrazzo::agx
