// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stencil and depth tests: every function, every operation, masks, faces, and when values are written.
#include <doctest/doctest.h>

#include <cmath>

#include "pipe/raster/depth_stencil.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::raster;

TEST_CASE("compare: the eight functions") {
    const char* expected[8] = {"000", "100", "010", "110",
                               "001", "101", "011", "111"};  // less, equal, greater
    for (int f = 0; f < 8; ++f) {
        CAPTURE(f);
        CHECK(compare(Compare(f), 1, 2) == (expected[f][0] == '1'));
        CHECK(compare(Compare(f), 2, 2) == (expected[f][1] == '1'));
        CHECK(compare(Compare(f), 3, 2) == (expected[f][2] == '1'));
        CHECK(compare(Compare(f), std::nanf(""), 2.0f) == (f == 5 || f == 7));
    }
}

TEST_CASE("stencil: the eight operations at the limits of the range") {
    CHECK(stencil_op(StencilOp::Keep, 7, 3) == 7);
    CHECK(stencil_op(StencilOp::Zero, 7, 3) == 0);
    CHECK(stencil_op(StencilOp::Replace, 7, 3) == 3);
    CHECK(stencil_op(StencilOp::IncrClamp, 255, 3) == 255);
    CHECK(stencil_op(StencilOp::IncrClamp, 254, 3) == 255);
    CHECK(stencil_op(StencilOp::DecrClamp, 0, 3) == 0);
    CHECK(stencil_op(StencilOp::DecrClamp, 1, 3) == 0);
    CHECK(stencil_op(StencilOp::Invert, 0x5a, 3) == 0xa5);
    CHECK(stencil_op(StencilOp::IncrWrap, 255, 3) == 0);
    CHECK(stencil_op(StencilOp::DecrWrap, 0, 3) == 255);
}

TEST_CASE("stencil: masks for reading and writing") {
    StencilFaceDesc f;
    f.compare = Compare::Equal;
    f.read_mask = 0x0f;
    CHECK(stencil_passes(f, 0xa5, 0x15));
    CHECK_FALSE(stencil_passes(f, 0xa5, 0xa4));
    f.write_mask = 0xf0;
    CHECK(stencil_write(f, StencilOp::Replace, 0xa5, 0x5a) == 0x55);
    f.compare = Compare::Less;  // the reference is the left operand
    f.read_mask = 0xff;
    CHECK(stencil_passes(f, 5, 4));
    CHECK_FALSE(stencil_passes(f, 4, 5));
}

TEST_CASE("depth and stencil: three outcomes, two faces") {
    DepthStencilDesc d;
    d.stencil_test = d.depth_test = d.depth_write = true;
    d.front = {Compare::Equal, StencilOp::Zero, StencilOp::IncrWrap, StencilOp::Replace, 0xff, 0xff};
    d.back = {Compare::Always, StencilOp::Keep, StencilOp::DecrWrap, StencilOp::Invert, 0xff, 0xff};
    float depth = 0.5f;
    uint8_t stencil = 9;
    CHECK_FALSE(test_depth_stencil(d, true, 8, 0.25f, depth, stencil));  // stencil fails
    CHECK(stencil == 0);
    CHECK(depth == 0.5f);
    stencil = 8;
    CHECK_FALSE(test_depth_stencil(d, true, 8, 0.75f, depth, stencil));  // depth fails
    CHECK(stencil == 9);
    CHECK(depth == 0.5f);
    stencil = 8;
    CHECK(test_depth_stencil(d, true, 8, 0.25f, depth, stencil));
    CHECK(stencil == 8);
    CHECK(depth == 0.25f);
    CHECK(test_depth_stencil(d, false, 8, 0.125f, depth, stencil));
    CHECK(stencil == 0xf7);
    d.depth_write = false;
    CHECK(test_depth_stencil(d, false, 8, 0.0f, depth, stencil));
    CHECK(depth == 0.125f);
    d.depth_test = false;  // without a test all fragments pass, and depth is not written
    d.depth_write = true;
    CHECK(test_depth_stencil(d, false, 8, 1.0f, depth, stencil));
    CHECK(depth == 0.125f);
    d.stencil_test = false;
    const uint8_t before = stencil;
    CHECK(test_depth_stencil(d, true, 1, 1.0f, depth, stencil));
    CHECK(stencil == before);
}
