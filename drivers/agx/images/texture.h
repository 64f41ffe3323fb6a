// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures, as the texture unit's descriptors.
#pragma once

#include <array>

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
    /// Recording::read_as_packed().
    void write(uint32_t out[kTexture_dw]) const;
    /// The format of the texels that the hardware reads: not that of depth with stencil, but one of the two.
    /// Border colours are encoded for it.
    const pipe::Format texels;
    /// By c: the channel of a texel in memory that is component c of what shaders read.
    const std::array<hw::Channel, 4> swizzle;

  private:
    friend StoredView;
    AgxSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);
};

}  // namespace terrazzo::agx
