// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs last: doctest sorts by the names of files.
#include <doctest/doctest.h>

#include "tests/api/gbm/fake_card.h"

TEST_CASE("gbm handles: all handles of cards are closed, each once") {
    CHECK(gbm_test::card_counts().dumb > 10);
    CHECK(gbm_test::card_counts().handles == 0);
    CHECK(gbm_test::card_counts().bad_handles == 0);
}
