// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::backend {

/// How many units may live at once when schedule.h orders code: the maximum of the original order, clamped to
/// `least` and `most`.
struct Budget {
    /// Applies if the original order needs more than `most`. Bounded: no place may need more than the
    /// original maximum. Free: it may, which can lead to fewer live units later.
    enum class Overrun : uint8_t { Free, Bounded };
    uint32_t least, most;
    Overrun overrun = Overrun::Free;
};

}  // namespace terrazzo::backend
