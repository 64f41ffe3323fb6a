// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers as the shader core reads them.
#pragma once

#include <array>

#include "pipe/state.h"

namespace terrazzo::mali {

inline constexpr unsigned kSampler_dw = 8;

class MaliSampler final : public pipe::SamplerState {
  public:
    explicit MaliSampler(const pipe::SamplerDesc& d);
    const pipe::SamplerDesc desc;
    /// Border colours do not depend on the format here (GLES 2.0 has only what EXT_texture_border_clamp gives
    /// floats).
    std::array<uint32_t, kSampler_dw> words;
};

}  // namespace terrazzo::mali
