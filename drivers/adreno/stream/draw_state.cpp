// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/stream/draw_state.h"

#include <algorithm>

namespace terrazzo::adreno {

StaticState::StaticState(Device& device, std::span<const uint32_t> words) : size_dw_(uint32_t(words.size())) {
    constexpr uint32_t kAlign_B = 64;
    block_ = device.create_block(std::max(1u, size_dw_) * 4, kAlign_B);
    if (block_) std::copy(words.begin(), words.end(), reinterpret_cast<uint32_t*>(block_.cpu));
}

}  // namespace terrazzo::adreno
