// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers as the texture processor reads them.
#pragma once

#include <array>

#include "drivers/adreno/state/border_colors.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr unsigned kSampler_dw = 4;

class AdrenoSampler final : public pipe::SamplerState {
  public:
    AdrenoSampler(BorderColors& colors, const pipe::SamplerDesc& d);
    /// For textures of the format: `out` gets kSampler_dw words. Only integers' border colours need a look at the table.
    void write(BorderColors& colors, BorderForm form, uint32_t* out) const;

    const pipe::SamplerDesc desc;
    const bool has_border;

  private:
    std::array<uint32_t, kSampler_dw> words_{};  // of floats
};

}  // namespace terrazzo::adreno
