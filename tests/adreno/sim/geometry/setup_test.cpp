// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GRAS: viewports, clipping, culling, sizes, polygon modes, layers, scissors.
#include <cmath>

#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

using hw::PrimType;

const std::vector<float> kTriangle = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1};

// The drawn area in px^2, if triangles do not overlap.
double area_px(const DrawnPrimitives& out) {
    double sum = 0;
    for (const DrawnPrimitive& p : out.primitives) {
        const auto& c = p.shape.corner;
        sum += std::fabs(double(c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) -
                         double(c[2][0] - c[0][0]) * (c[1][1] - c[0][1])) /
               (2 * 65536);
    }
    return sum;
}

// Distance i of vertex v is values[v][i], in the locations from 8 on.
void give_distances(Fixture& f, std::vector<std::vector<float>> values) {
    f.pack_stride(16);
    f.set(hw::SP_VS_PRIMITIVE_CNTL{.value = {.out = 3}});
    f.set(hw::SP_VS_OUT{.a_regid = 12, .a_compmask = 15}, 1);
    f.set(hw::SP_VS_VPC_DST{.outloc0 = 0, .outloc1 = 4, .outloc2 = 8});
    f.set(hw::VPC_VS_CLIP_CNTL{.value = {.clip_mask = 15, .clip_dist_03_loc = 8, .clip_dist_47_loc = 255}});
    f.runner.shader = [values](Wave& w) {
        for (unsigned v = 0; v < values.size(); ++v)
            for (unsigned i = 0; i < values[v].size(); ++i)
                CHECK(w.set(isa::reg(3, i), false, v, bits(values[v][i])));
    };
}

}  // namespace

TEST_CASE("adreno GRAS: faces") {
    // Row 0 is the top row: these are clockwise there, because y grows downwards.
    struct Case {
        bool cw, cull_front, cull_back;
        int drawn;  // 1 front, 0 back, -1 culled
    };
    for (const Case& c :
         {Case{true, false, false, 1}, Case{false, false, false, 0}, Case{true, true, false, -1},
          Case{false, true, false, 0}, Case{true, false, true, 1}, Case{false, false, true, -1}}) {
        Fixture f;
        f.vertices(kTriangle);
        f.set(hw::GRAS_SU_CNTL{.cull_front = c.cull_front, .cull_back = c.cull_back, .front_cw = c.cw});
        f.must_run();
        REQUIRE(f.out.primitives.size() == unsigned(c.drawn >= 0));
        if (c.drawn >= 0) CHECK(int(f.out.primitives[0].shape.back_facing) == 1 - c.drawn);
    }
}

TEST_CASE("adreno GRAS: a triangle's values have the corners of its edges") {
    Fixture f;
    f.vertices({-0.777f, 0.111f, 0, 1, 0.331f, 0.113f, 0, 1, 0.117f, 0.771f, 0, 1});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    const units::Primitive& shape = f.out.primitives[0].shape;
    for (unsigned i = 0; i < 3; ++i) {
        CHECK(shape.vertex[i].x * 256 == float(shape.corner[i][0]));
        CHECK(shape.vertex[i].y * 256 == float(shape.corner[i][1]));
    }
}

TEST_CASE("adreno GRAS: with and without depth clipping") {
    // Half of the triangle is beyond the far plane.
    const std::vector<float> deep = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 2, 1};
    Fixture f;
    f.vertices(deep);
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.75).epsilon(0.01));
    f.set(hw::GRAS_CL_CNTL{.zfar_clip_disable = true});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048).epsilon(0.01));
    // The near plane is at -w, or at 0 with zero_gb_scale_z.
    f.vertices({-1, -1, -0.5f, 1, 1, -1, -0.5f, 1, -1, 1, -0.5f, 1});
    f.set(hw::GRAS_CL_CNTL{});
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
    f.set(hw::GRAS_CL_CNTL{.zero_gb_scale_z = true});
    f.must_run();
    CHECK(f.out.primitives.empty());
    f.set(hw::GRAS_CL_CNTL{.znear_clip_disable = true, .zero_gb_scale_z = true});
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
}

TEST_CASE("adreno GRAS: if the viewport makes all depths equal, clip coordinates are clipped") {
    Fixture f;
    f.set(hw::GRAS_CL_VPORT_ZSCALE{.value = 0});
    f.vertices({-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 2, 1});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.75).epsilon(0.01));
    f.set(hw::GRAS_CL_CNTL{.zfar_clip_disable = true});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048).epsilon(0.01));
}

TEST_CASE("adreno GRAS: a reversed depth range") {
    Fixture f;
    f.set(hw::GRAS_CL_VPORT_ZSCALE{.value = -0.5f});
    f.vertices({-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 2, 1});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.75).epsilon(0.01));
    f.set(hw::GRAS_CL_CNTL{.zfar_clip_disable = true});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048).epsilon(0.01));
    f.set(hw::GRAS_CL_CNTL{.znear_clip_disable = true});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.75).epsilon(0.01));
}

TEST_CASE("adreno GRAS: clip distances cut triangles, lines and points") {
    Fixture f;
    f.vertices(kTriangle);
    give_distances(f, {{1, 1}, {-1, 1}, {1, 1}});
    f.must_run();  // distances that no mask selects
    CHECK(area_px(f.out) == doctest::Approx(2048).epsilon(0.01));
    f.set(hw::GRAS_VS_CL_CNTL{.value = {.clip_mask = 1}});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.75).epsilon(0.01));
    REQUIRE(!f.out.primitives.empty());
    CHECK(f.out.primitives[0].shape.vertex[1].x == 64);  // vertices are those of the complete triangle
    give_distances(f, {{1, 1}, {-1, 1}, {1, -1}});
    f.set(hw::GRAS_VS_CL_CNTL{.value = {.clip_mask = 3}});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048 * 0.5).epsilon(0.01));
    give_distances(f, {{-1}, {-1}, {-1}});
    f.set(hw::GRAS_VS_CL_CNTL{.value = {.clip_mask = 1}});
    f.must_run();
    CHECK(f.out.primitives.empty());

    f.call.initiator.prim_type = PrimType::DI_PT_LINELIST;
    give_distances(f, {{-1}, {1}});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].shape.corner[0][0] == 32 * 256);
    CHECK(f.out.primitives[0].shape.corner[1][0] == 64 * 256);
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    give_distances(f, {{-1}, {1}, {2}});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 2);
    CHECK(f.out.outputs.of(f.out.primitives[0].shape.varying[0])[4] == bits(1));
}

TEST_CASE("adreno GRAS: cull distances drop primitives that are completely outside") {
    Fixture f;
    f.vertices(kTriangle);
    f.set(hw::GRAS_VS_CL_CNTL{.value = {.cull_mask = 3}});
    give_distances(f, {{-1, 1}, {-1, -1}, {1, -1}});
    f.must_run();
    CHECK(area_px(f.out) == doctest::Approx(2048).epsilon(0.01));
    give_distances(f, {{-1, 1}, {-1, -1}, {-1, -1}});
    f.must_run();
    CHECK(f.out.primitives.empty());
}

TEST_CASE("adreno GRAS: sizes of points and lines") {
    Fixture f;
    f.vertices({0, 0, 0, 1, 0.5f, 0.5f, 0, 1});
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    f.must_run();
    REQUIRE(f.out.primitives.size() == 2);
    CHECK(f.out.primitives[0].shape.size_px == 3);
    f.pack_stride(12, 8);
    f.set(hw::SP_VS_PRIMITIVE_CNTL{.value = {.out = 3}});
    f.set(hw::SP_VS_OUT{.a_regid = 12, .a_compmask = 1}, 1);
    f.set(hw::SP_VS_VPC_DST{.outloc0 = 0, .outloc1 = 4, .outloc2 = 8});
    f.runner.shader = [](Wave& w) {
        CHECK(w.set(isa::reg(3, 0), false, 0, bits(7.5f)));
        CHECK(w.set(isa::reg(3, 0), false, 1, bits(500)));
    };
    f.must_run();
    CHECK(f.out.primitives[0].shape.size_px == 7.5f);
    CHECK(f.out.primitives[1].shape.size_px == 100);
    f.call.initiator.prim_type = PrimType::DI_PT_LINELIST;
    f.set(hw::GRAS_SU_CNTL{.linehalfwidth = 2.5f});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].shape.size_px == 5);
    f.set(hw::GRAS_SU_CNTL{.linehalfwidth = 63.5f});  // all bits are magnitude: there is no sign
    f.must_run();
    CHECK(f.out.primitives[0].shape.size_px == 127);
}

TEST_CASE("adreno GRAS: polygon modes draw edges and corners of triangles that are not culled") {
    Fixture f;
    f.vertices(kTriangle);
    f.set(hw::PC_POLYGON_MODE{.mode = hw::PolygonMode::POLYMODE6_LINES});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 3);
    CHECK(f.out.primitives[2].shape.kind == units::PrimitiveKind::Line);
    CHECK(f.out.primitives[2].shape.varying[0] == 2);
    CHECK(f.out.primitives[2].shape.varying[1] == 0);
    f.set(hw::PC_POLYGON_MODE{.mode = hw::PolygonMode::POLYMODE6_POINTS});
    f.must_run();
    CHECK(f.out.primitives.size() == 3);
    f.set(hw::GRAS_SU_CNTL{.cull_back = true});
    f.must_run();
    CHECK(f.out.primitives.empty());
}

TEST_CASE("adreno GRAS: the provoking vertex selects layer and viewport") {
    Fixture f;
    f.vertices(kTriangle);
    f.pack_stride(12);
    f.set(hw::SP_VS_PRIMITIVE_CNTL{.value = {.out = 3}});
    f.set(hw::SP_VS_OUT{.a_regid = 12, .a_compmask = 3}, 1);
    f.set(hw::SP_VS_VPC_DST{.outloc0 = 0, .outloc1 = 4, .outloc2 = 8});
    f.set(hw::VPC_VS_LAYER_CNTL{.value = {.layerloc = 8, .viewloc = 9, .shadingrateloc = 255}});
    f.set_view(1, 32, 16);
    unsigned view = 1;
    f.runner.shader = [&view](Wave& w) {
        CHECK(w.set(isa::reg(3, 0), false, 2, 5));
        CHECK(w.set(isa::reg(3, 1), false, 2, view));
    };
    f.set(hw::GRAS_MAX_LAYER_INDEX{4});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].layer == 0);  // 5 is beyond the last layer
    f.set(hw::GRAS_MAX_LAYER_INDEX{5});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].layer == 5);
    CHECK(f.out.primitives[0].view == 1);
    CHECK(f.out.primitives[0].shape.corner[1][0] == 32 * 256);
    CHECK(f.out.primitives[0].shape.corner[2][1] == 16 * 256);
    view = 2;  // that viewport was not written: nothing is drawn
    f.must_run();
    CHECK(f.out.primitives.empty());
    f.set_view(15, 8, 4);
    view = 15;
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].view == 15);
    for (const unsigned none :
         {16u, 17u, 0xffffu, 0x10001u, 0xffffffffu}) {  // undefined, but drawn without a fault
        view = none;
        f.must_run();
        REQUIRE(f.out.primitives.size() == 1);
        CHECK(f.out.primitives[0].view == 0);
    }
}

TEST_CASE("adreno GRAS: a triangle outside one of the scissors is dropped") {
    Fixture f;
    f.vertices(kTriangle);
    f.set(hw::GRAS_SC_SCREEN_SCISSOR_TL{.value = {.x = 10, .y = 10}});
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
    f.set(hw::GRAS_SC_WINDOW_SCISSOR_BR{.value = {.x = 9, .y = 63}});
    f.must_run();
    CHECK(f.out.primitives.empty());
}

TEST_CASE("adreno GRAS: positions may already be window coordinates") {
    Fixture f;
    f.vertices({8, 8, 0.25f, 1, 24, 8, 0.25f, 1, 8, 40, 0.25f, 1});
    f.set(hw::GRAS_CL_CNTL{.clip_disable = true, .vp_xform_disable = true, .persp_division_disable = true});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].shape.corner[2][1] == 40 * 256);
    CHECK(f.out.primitives[0].shape.vertex[0].z == 0.25f);
}

TEST_CASE("adreno GRAS: a rectangle has two opposite corners") {
    Fixture f;
    f.call.initiator.prim_type = PrimType::DI_PT_RECTLIST;
    f.vertices({-0.5f, -0.5f, 0, 1, 0.5f, 0, 0, 1});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 2);
    CHECK(area_px(f.out) == 32 * 16);
    for (const DrawnPrimitive& p : f.out.primitives)
        CHECK(p.shape.kind == units::PrimitiveKind::Triangle);
    CHECK(f.out.primitives[0].shape.varying[2] == 1);
    CHECK(f.out.primitives[1].shape.varying[1] == 1);
}

TEST_CASE("adreno GRAS: without a position nothing is drawn") {
    Fixture f;
    f.vertices(kTriangle);
    f.set(hw::VPC_VS_PACK{.value = {.stride_in_vpc = 8, .positionloc = 255, .psizeloc = 255}});
    f.must_run();
    CHECK(f.out.primitives.empty());
}

TEST_CASE("adreno PC: discarded primitives are not drawn") {
    Fixture f;
    f.vertices(kTriangle);
    f.set(hw::PC_RASTER_CNTL{.discard = true});
    f.must_run();
    CHECK(f.out.primitives.empty());
    CHECK(f.runner.lanes == 3);
}

}  // namespace terrazzo::adreno::sim::testing
