// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Samplers, as the texture processor's descriptors.
#pragma once

#include <array>

#include "drivers/adreno/images/border_colors.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

inline constexpr unsigned kSampler_dw = 4;

class AdrenoSampler final : public pipe::SamplerState {
  public:
    AdrenoSampler(BorderColors& colors, const pipe::SamplerDesc& d);
    /// Writes kSampler_dw words, for textures of that form. Only border colors of integers are looked up in
    /// the table.
    void write(BorderColors& colors, BorderForm form, uint32_t* out) const;

    const pipe::SamplerDesc desc;
    const bool has_border;

  private:
    std::array<uint32_t, kSampler_dw> words_{};  // for BorderForm::Float
};

}  // namespace terrazzo::adreno
