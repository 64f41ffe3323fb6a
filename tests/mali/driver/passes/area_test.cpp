// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/mali/driver/scene.h"

namespace terrazzo::test {

TEST_CASE("driver: a pass omits the tiles outside its area") {
    MaliScene s(256, 256);
    s.begin(0, 0, 1, 1);
    (void)s.pixels();
    s.pass.area = {0, 0, 8, 8};
    s.begin(1, 0, 0, 1);
    const std::vector<uint32_t> p = s.pixels();
    CHECK(p[7 * 256 + 7] == 0xff0000ff);
    CHECK(p[255 * 256 + 255] == 0xffff0000);
    CHECK(p[255] == 0xffff0000);
    CHECK(s.messages.empty());
}

}  // namespace terrazzo::test
