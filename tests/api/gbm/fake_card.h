// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The requests that the fake cards received.
#pragma once

namespace gbm_test {

struct CardCounts {
    int handles = 0;      // open handles
    int dumb = 0;         // created dumb buffers
    int bad_handles = 0;  // requests with unknown handles
};
[[nodiscard]] CardCounts card_counts();

}  // namespace gbm_test
