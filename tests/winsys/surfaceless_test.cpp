// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "winsys/platform.h"

using namespace terrazzo::winsys;

TEST_CASE("the surfaceless platform has no windows and reports it") {
    auto p = create_surfaceless_platform();
    std::string why;
    REQUIRE(p->initialize(&why));
    CHECK_FALSE(p->has_windows());
    CHECK_FALSE(p->can_present(0x34325241));
    int native = 0;
    CHECK(p->create_window(&native, 0x34325241, &why) == nullptr);
    CHECK(why == "the surfaceless platform has no windows");
}
