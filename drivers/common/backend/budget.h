// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace terrazzo::backend {

/// How many units may live at once when schedule.h orders code: the maximum of the original order, clamped to
/// `least` and `most`.
struct Budget {
    /// Applies if the original order needs more than `most`. Bounded: no place may need more than the
    /// original maximum. Free: it may, which can lead to fewer live units later.
    enum class Overrun : uint8_t { Free, Bounded };
    static constexpr uint32_t kUnlimited = uint32_t(std::numeric_limits<int32_t>::max());

    uint32_t least, most;
    Overrun overrun = Overrun::Free;
    /// An instruction after which more units than this would live is placed only if all other instructions
    /// must wait for their operands.
    uint32_t eager = kUnlimited;
    /// While more units than this live, waits of `long_wait_clk` and more do not count as waits for `eager`:
    /// the GPU runs other threads meanwhile.
    uint32_t impatient = kUnlimited;
    uint32_t long_wait_clk = 0;
};

}  // namespace terrazzo::backend
