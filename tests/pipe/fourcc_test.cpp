// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/fourcc.h"

#include <doctest/doctest.h>

#include <set>

namespace terrazzo::pipe {

TEST_CASE("fourcc: codes are drm_fourcc.h's") {
    CHECK(fourcc('A', 'R', '2', '4') == 0x34325241);
    CHECK(fourcc('N', 'V', '1', '2') == 0x3231564e);
    CHECK(fourcc('R', '8', ' ', ' ') == 0x20203852);
}

TEST_CASE("fourcc: formats with one plane convert to their code and back") {
    CHECK(fourcc_of(Format::B8G8R8A8_UNORM) == fourcc('A', 'R', '2', '4'));
    CHECK(fourcc_of(Format::R8G8B8A8_SRGB) == fourcc('A', 'B', '2', '4'));
    CHECK(fourcc_of(Format::None) == 0);
    CHECK(fourcc_of(Format::D16_UNORM) == 0);
    std::set<uint32_t> codes;
    std::set<Format> formats;
    for (const FourccRow& r : all_fourccs()) {
        CAPTURE(r.code);
        CHECK(codes.insert(r.code).second);
        CHECK(find_fourcc(r.code) == &r);
        REQUIRE(r.planes <= kMaxPlanes);
        if (r.is_yuv()) continue;
        CHECK(formats.insert(r.format).second);
        CHECK(r.plane[0].format == r.format);
        CHECK(fourcc_of(r.format) == r.code);
    }
    CHECK(find_fourcc(0) == nullptr);
}

TEST_CASE("fourcc: planes of pictures of odd size are rounded up") {
    const FourccRow* const nv12 = find_fourcc(fourcc('N', 'V', '1', '2'));
    REQUIRE(nv12);
    CHECK(nv12->is_yuv());
    CHECK(nv12->planes == 2);
    CHECK(nv12->plane[0].width(5) == 5);
    CHECK(nv12->plane[1].width(5) == 3);
    CHECK(nv12->plane[1].height(4) == 2);
    const FourccRow* const nv16 = find_fourcc(fourcc('N', 'V', '1', '6'));
    REQUIRE(nv16);
    CHECK(nv16->plane[1].height(5) == 5);
}

}  // namespace terrazzo::pipe
