// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::backend {

/// How many units may live at once while schedule.h orders code: as many as did in the order that the code
/// had, but at least `least` and at most `most`.
struct Budget {
    /// Where the code's own order takes more than `most`: whether no place may take more than its worst did.
    /// To go over that for a while may lead to less in the end.
    enum class Overrun : uint8_t { Free, Bounded };
    uint32_t least, most;
    Overrun overrun = Overrun::Free;
};

}  // namespace terrazzo::backend
