// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What happened on the fake cards.
#pragma once

namespace gbm_test {

struct CardCounts {
    int handles = 0;      // that are open
    int dumb = 0;         // buffers that were created
    int bad_handles = 0;  // requests with handles that there are not
};
[[nodiscard]] CardCounts card_counts();

}  // namespace gbm_test
