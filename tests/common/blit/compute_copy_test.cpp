// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What compute jobs copy, in elements.
#include "drivers/common/blit/compute_copy.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::blits;
using pipe::Format;

TEST_CASE("compute copies: elements are blocks, or parts of blocks whose size is no power of two") {
    CHECK((element_of(Format::R8G8B8A8_UNORM).size_B == 4 &&
           element_of(Format::R8G8B8A8_UNORM).per_block == 1));
    CHECK((element_of(Format::R32G32B32_FLOAT).size_B == 4 &&
           element_of(Format::R32G32B32_FLOAT).per_block == 3));
    const CopyRegion r =
        copy_region_of(Format::R8G8B8_UNORM, {2, 3, 0, 4, 5, 1}, Format::R8G8B8_UNORM, {1, 0, 0, 4, 5, 1});
    CHECK((r.from_x == 6 && r.from_y == 3 && r.to_x == 3 && r.to_y == 0 && r.width == 12 && r.height == 5));
    const CopyUniforms u = r.uniforms(64);
    CHECK((u.from_x == 6 && u.last_x == 11 && u.last_y == 4 && u.row_stride_B == 64 && u.halve_x == 0));
    // Blocks of 4x4 pixels; the last ones are cut.
    const CopyRegion c = copy_region_of(Format::ETC2_RGB8_UNORM, {4, 8, 0, 6, 3, 1}, Format::ETC2_RGB8_UNORM,
                                        {0, 4, 0, 6, 3, 1});
    CHECK((c.from_x == 1 && c.from_y == 2 && c.to_x == 0 && c.to_y == 1 && c.width == 2 && c.height == 1));
}

TEST_CASE("compute copies: bytes are rows of the largest aligned elements") {
    const ByteCopy whole = first_bytes(0x1000, 0x2000, 0x40000, 64, 1 << 16);
    CHECK((whole.element_B == 16 && whole.region.width == 4096 && whole.region.height == 4));
    CHECK((whole.before_B == 0 && whole.stride_B == 0x10000 && whole.size_B == 0x40000));
    const ByteCopy odd = first_bytes(0x1003, 0x2001, 100, 64, 1 << 16);
    CHECK((odd.element_B == 1 && odd.before_B == 3 && odd.region.from_x == 3 && odd.region.width == 100));
    CHECK(odd.region.height == 1);
    // No element is larger than the rest.
    const ByteCopy few = first_bytes(0x1000, 0x2000, 3, 64, 1 << 16);
    CHECK((few.element_B == 2 && few.size_B == 2));
}

TEST_CASE("compute copies: floats are packed as formats of normalised integers") {
    CopyKey key;
    CHECK(pack_as(Format::B5G6R5_UNORM, &key));
    CHECK((key.element_B == 2 && key.unorm_bits == std::array<uint8_t, 4>{5, 6, 5, 0}));
    CHECK(key.component[0] == 2);
    CHECK(!is_bytes(Format::B5G6R5_UNORM));
    CHECK(is_bytes(Format::R8G8_UNORM));
    CHECK(!pack_as(Format::R8G8B8A8_SRGB, &key));
    CHECK(!pack_as(Format::R16_FLOAT, &key));
    Format a = Format::R8G8B8A8_SRGB, b = Format::R8G8B8A8_UNORM;
    drop_srgb(&a, &b);
    CHECK(a == Format::R8G8B8A8_SRGB);
    b = Format::B8G8R8A8_SRGB;
    drop_srgb(&a, &b);
    CHECK((a == Format::R8G8B8A8_UNORM && b == Format::B8G8R8A8_UNORM));
}
