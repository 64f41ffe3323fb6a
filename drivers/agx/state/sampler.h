// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers, as the texture unit's descriptors.
#pragma once

#include "drivers/agx/hw/records.h"
#include "drivers/agx/images/texture.h"
#include "pipe/state.h"

namespace terrazzo::agx {

class AgxSampler final : public pipe::SamplerState {
  public:
    explicit AgxSampler(const pipe::SamplerDesc& d);
    const pipe::SamplerDesc desc;
    uint32_t words[hw::Sampler::kSize_dw];
    /// The border's colour is none of the hardware's three: the sampler must be in an extended array
    /// (hw::Counts), with a border after it.
    bool custom_border = false;
    /// Writes the border of the sampler, which depends on the view that it is used with: four words.
    void write_border(const AgxSamplerView& view, uint32_t out[hw::Border::kSize_dw]) const;
};

}  // namespace terrazzo::agx
