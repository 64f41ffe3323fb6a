// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers, as the texture unit's descriptors.
#pragma once

#include "drivers/agx/hw/records.h"
#include "drivers/agx/images/texture.h"
#include "pipe/state.h"

namespace terrazzo::agx {

inline constexpr unsigned kSampler_dw = hw::Sampler::kSize_dw,
                          kExtendedSampler_dw = kSampler_dw + hw::Border::kSize_dw;

class AgxSampler final : public pipe::SamplerState {
  public:
    explicit AgxSampler(const pipe::SamplerDesc& d);
    const pipe::SamplerDesc desc;
    uint32_t words[kSampler_dw];
    /// The border has a color of its own: if a texture is read with the sampler, the samplers' array must be
    /// an extended one (hw::Counts).
    bool custom_border = false;
    /// Writes an element of an extended array: the sampler and its border, which is encoded for the view's
    /// format. `view` may be null.
    void write(const AgxSamplerView* view, uint32_t out[kExtendedSampler_dw]) const;
};

}  // namespace terrazzo::agx
