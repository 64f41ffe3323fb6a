// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers, as the shader core's descriptors.
#pragma once

#include <array>

#include "pipe/state.h"

namespace terrazzo::mali {

inline constexpr unsigned kSampler_dw = 8;

class MaliSampler final : public pipe::SamplerState {
  public:
    explicit MaliSampler(const pipe::SamplerDesc& d);
    const pipe::SamplerDesc desc;
    const bool shows_border;
    /// The first word of the border color. It also depends on the sampler view; the code that binds both
    /// fills it in.
    static constexpr unsigned kBorder_dw = 4;
    std::array<uint32_t, kSampler_dw> words;
};

}  // namespace terrazzo::mali
