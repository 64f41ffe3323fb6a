// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Indexed viewports, depth ranges and scissors (OES_viewport_array). Clip planes (EXT_clip_cull_distance).
#include <doctest/doctest.h>

#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

st::ContextConfig version32() {
    st::ContextConfig c;
    c.version = 32;
    return c;
}

}  // namespace

TEST_CASE("viewports of all primitives, and of one index") {
    test::Harness h(version32());
    Context& c = h.ctx;
    Viewport(c, 1, 2, 30, 40);
    Scissor(c, -3, 4, 50, 60);
    DepthRangef(c, 0.25f, 2);
    ViewportIndexedf(c, 3, 0.5f, -40000, 2.5f, 9999);
    ScissorIndexed(c, 15, 5, 6, 7, 8);
    const GLfloat ranges[] = {0, 0.5f, 0.5f, 1};
    DepthRangeArrayfv(c, 1, 2, ranges);
    GLfloat v[4] = {};
    GetFloati_v(c, GL_VIEWPORT, 2, v);
    CHECK((v[0] == 1 && v[1] == 2 && v[2] == 30 && v[3] == 40));
    GetFloati_v(c, GL_VIEWPORT, 3, v);
    CHECK((v[0] == 0.5f && v[1] == -32768 && v[2] == 2.5f && v[3] == float(c.limits.max_viewport)));
    GetFloatv(c, GL_VIEWPORT, v);
    CHECK(v[0] == 1);
    GetFloati_v(c, GL_DEPTH_RANGE, 2, v);
    CHECK((v[0] == 0.5f && v[1] == 1));
    GetFloati_v(c, GL_DEPTH_RANGE, 0, v);
    CHECK((v[0] == 0.25f && v[1] == 1));
    GLint n[4] = {};
    GetIntegeri_v(c, GL_SCISSOR_BOX, 14, n);
    CHECK((n[0] == -3 && n[3] == 60));
    GetIntegeri_v(c, GL_SCISSOR_BOX, 15, n);
    CHECK((n[0] == 5 && n[3] == 8));
    GetIntegerv(c, GL_MAX_VIEWPORTS_OES, n);
    CHECK(n[0] == 16);
    Enablei(c, GL_SCISSOR_TEST, 2);
    CHECK(IsEnabledi(c, GL_SCISSOR_TEST, 2));
    CHECK(!IsEnabled(c, GL_SCISSOR_TEST));
    Enable(c, GL_SCISSOR_TEST);
    CHECK(IsEnabledi(c, GL_SCISSOR_TEST, 7));
    Viewport(c, 9, 9, 9, 9);
    GetFloati_v(c, GL_VIEWPORT, 3, v);
    CHECK(v[0] == 9);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("errors of indexed viewports change nothing") {
    test::Harness h(version32());
    Context& c = h.ctx;
    const GLfloat two[8] = {1, 2, 3, 4, 5, 6, 7, -1};
    const GLint scissors[8] = {1, 2, 3, 4, 5, 6, -7, 1};
    ViewportArrayv(c, 0, 2, two);
    CHECK(h.error() == GL_INVALID_VALUE);
    ScissorArrayv(c, 0, 2, scissors);
    CHECK(h.error() == GL_INVALID_VALUE);
    GLint n[4] = {7, 7, 7, 7};
    GetIntegeri_v(c, GL_SCISSOR_BOX, 0, n);
    CHECK(n[2] != 3);
    ViewportArrayv(c, 15, 2, two);
    CHECK(h.error() == GL_INVALID_VALUE);
    ViewportArrayv(c, 0, -1, two);
    CHECK(h.error() == GL_INVALID_VALUE);
    DepthRangeIndexedf(c, 16, 0, 1);
    CHECK(h.error() == GL_INVALID_VALUE);
    ScissorIndexedv(c, ~0u, scissors);
    CHECK(h.error() == GL_INVALID_VALUE);
    Enablei(c, GL_SCISSOR_TEST, 16);
    CHECK(h.error() == GL_INVALID_VALUE);
    Enablei(c, GL_DEPTH_TEST, 0);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetIntegeri_v(c, GL_VIEWPORT, 16, n);
    CHECK(h.error() == GL_INVALID_VALUE);
}

TEST_CASE("the device gets all viewports once they may differ") {
    test::DrawHarness h(version32());
    h.buffer_vertices();
    Context& c = h.ctx;
    DrawArrays(c, GL_TRIANGLES, 0, 3);
    CHECK(h.pipe().viewports.empty());
    ScissorIndexed(c, 4, 1, 2, 3, 4);
    Enablei(c, GL_SCISSOR_TEST, 4);
    ViewportIndexedf(c, 4, 0, 0, 6, 8);
    DrawArrays(c, GL_TRIANGLES, 0, 3);
    REQUIRE(h.pipe().viewports.size() == 16);
    CHECK(h.pipe().viewports[4].translate[1] == 4);
    CHECK(h.pipe().viewports[5] == h.pipe().viewport);
    CHECK(h.pipe().scissors[4] == pipe::Scissor{1, 2, 4, 6});
    CHECK(h.pipe().scissors[0].x0 == INT32_MIN);  // the scissor test is disabled
}

TEST_CASE("EXT_clip_cull_distance: planes are enabled one by one") {
    test::DrawHarness h(version32());
    for (const GLenum limit :
         {GL_MAX_CLIP_DISTANCES_EXT, GL_MAX_CULL_DISTANCES_EXT, GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT})
        CHECK(h.integer(limit) == 8);
    for (GLenum plane = GL_CLIP_DISTANCE0_EXT; plane <= GL_CLIP_DISTANCE7_EXT; ++plane)
        CHECK_FALSE(IsEnabled(h.ctx, plane));
    Enable(h.ctx, GL_CLIP_DISTANCE0_EXT);
    Enable(h.ctx, GL_CLIP_DISTANCE7_EXT);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(IsEnabled(h.ctx, GL_CLIP_DISTANCE7_EXT));
    CHECK_FALSE(IsEnabled(h.ctx, GL_CLIP_DISTANCE6_EXT));
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.pipe().raster_desc().clip_planes == 0x81);
    Disable(h.ctx, GL_CLIP_DISTANCE0_EXT);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.pipe().raster_desc().clip_planes == 0x80);
    Enable(h.ctx, GL_CLIP_DISTANCE7_EXT + 1);
    CHECK(h.error() == GL_INVALID_ENUM);
    test::Harness old;  // OpenGL ES 2.0
    Enable(old.ctx, GL_CLIP_DISTANCE0_EXT);
    CHECK(old.error() == GL_INVALID_ENUM);
    CHECK_FALSE(IsEnabled(old.ctx, GL_CLIP_DISTANCE0_EXT));
    CHECK(old.error() == GL_INVALID_ENUM);
}
