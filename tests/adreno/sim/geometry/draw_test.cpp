// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Indices, invocations of the vertex shader and its outputs.
#include <random>

#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {
using hw::PrimType;

namespace {

// A triangle over the lower left half of the window.
const std::vector<float> kTriangle = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1};

// Vertex i is at angle i on a circle: no three are on one line.
std::vector<float> circle(unsigned n) {
    std::vector<float> v;
    for (unsigned i = 0; i < n; ++i) {
        const float angle = float(i) * 6.2831853f / float(n);
        v.insert(v.end(), {0.9f * std::cos(angle), 0.9f * std::sin(angle), 0, 1});
    }
    return v;
}

// Vertex ids of the drawn primitives, which the shader wrote to location 0. '|' separates primitives, '*'
// follows the provoking vertex.
std::string ids(const DrawnPrimitives& out) {
    std::string text;
    for (const DrawnPrimitive& p : out.primitives) {
        const unsigned n = p.shape.kind == units::PrimitiveKind::Point  ? 1
                           : p.shape.kind == units::PrimitiveKind::Line ? 2
                                                                        : 3;
        if (!text.empty()) text += "|";
        for (unsigned i = 0; i < n; ++i) {
            if (i) text += " ";
            text += std::to_string(out.outputs.of(p.shape.varying[i])[0]);
            if (i == p.provoking) text += "*";
        }
    }
    return text;
}

void pass_ids(Wave& wave) {
    for (unsigned g = 0; g < wave.groups; ++g) {
        U32 v{};
        CHECK(wave.get_group(isa::reg(1, 0), false, g, &v));
        CHECK(wave.set_group(isa::reg(2, 0), false, g, v));
        CHECK(wave.get_group(isa::reg(1, 1), false, g, &v));
        CHECK(wave.set_group(isa::reg(2, 1), false, g, v));
    }
}

}  // namespace

TEST_CASE("adreno geometry: a triangle reaches the window") {
    Fixture f;
    f.vertices(kTriangle);
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    const units::Primitive& p = f.out.primitives[0].shape;
    CHECK(p.corner[0][0] == 0);
    CHECK(p.corner[1][0] == 64 * 256);
    CHECK(p.corner[2][1] == 64 * 256);
    CHECK(p.vertex[0].z == 0.5f);
    CHECK(f.out.outputs.words == 8);
    CHECK(f.out.outputs.of(p.varying[1])[4] == bits(1));  // position, at location 4
    CHECK(f.out.outputs.of(p.varying[1])[5] == bits(-1));
    CHECK(f.runner.waves == 1);
    CHECK(f.runner.lanes == 3);
}

TEST_CASE("adreno geometry: draws share one wave object, but not its memory") {
    Fixture f;
    f.vertices(kTriangle);
    Wave* first = nullptr;
    uint8_t local[4] = {};
    f.runner.shader = [&](Wave& wave) {
        CHECK(wave.shared.empty());
        first = &wave;
        wave.shared = local;  // the state after a hull shader's fault
        pass_ids(wave);
    };
    f.must_run();
    Wave* const before = first;
    f.must_run();
    CHECK(before != nullptr);
    CHECK(first == before);
}

TEST_CASE("adreno geometry: primitive types, provoking vertices and restart") {
    Fixture f;
    f.vertices(circle(8));
    f.runner.shader = pass_ids;
    struct Case {
        PrimType type;
        bool last, restart;
        std::vector<uint16_t> indices;
        const char* drawn;
    };
    const Case cases[] = {
        {PrimType::DI_PT_TRILIST, true, false, {0, 1, 2, 3, 4}, "0 1 2*"},
        {PrimType::DI_PT_TRILIST, false, false, {0, 1, 2}, "0* 1 2"},
        {PrimType::DI_PT_TRISTRIP, true, false, {0, 1, 2, 3}, "0 1 2*|2 1 3*"},
        {PrimType::DI_PT_TRISTRIP, false, false, {0, 1, 2, 3}, "0* 1 2|1* 3 2"},
        {PrimType::DI_PT_TRISTRIP, true, true, {0, 1, 2, 0xffff, 3, 4, 5}, "0 1 2*|3 4 5*"},
        {PrimType::DI_PT_TRIFAN, true, false, {0, 1, 2, 3}, "0 1 2*|0 2 3*"},
        {PrimType::DI_PT_LINELIST, true, false, {0, 1, 2}, "0 1*"},
        {PrimType::DI_PT_LINESTRIP, true, true, {0, 1, 2, 0xffff, 3, 4}, "0 1*|1 2*|3 4*"},
        {PrimType::DI_PT_LINELOOP, true, false, {0, 1, 2}, "0 1*|1 2*|2 0*"},
        {PrimType::DI_PT_POINTLIST, true, false, {5, 0}, "5*|0*"},
    };
    for (const Case& c : cases) {
        CAPTURE(c.drawn);
        f.set(
            hw::PC_PRIMITIVE_CNTL_0{.value = {.primitive_restart = c.restart, .provoking_vtx_last = c.last}});
        f.call.initiator.prim_type = c.type;
        f.indices(c.indices);
        f.must_run();
        CHECK(ids(f.out) == c.drawn);
    }
}

TEST_CASE("adreno geometry: a vertex is shaded once for each instance") {
    Fixture f;
    f.vertices(circle(8));
    f.runner.shader = pass_ids;
    f.indices({0, 1, 2, 2, 1, 3, 0, 2, 3});
    f.call.instances = 3;
    f.must_run();
    CHECK(f.runner.lanes == 12);
    CHECK(f.runner.waves == 1);
    REQUIRE(f.out.primitives.size() == 9);
    for (unsigned i = 0; i < 9; ++i) {
        CHECK(f.out.primitives[i].primitive_id == i % 3);
        CHECK(f.out.outputs.of(f.out.primitives[i].shape.varying[0])[1] == i / 3);
    }
}

TEST_CASE("adreno geometry: offsets of indices and instances, and the shader's ids") {
    Fixture f;
    f.vertices(circle(8));
    f.runner.shader = pass_ids;
    f.set(hw::VFD_INDEX_OFFSET{.value = 2});
    f.set(hw::VFD_INSTANCE_START_OFFSET{.value = 7});
    f.call.count = 3;
    f.must_run();
    CHECK(ids(f.out) == "2 3 4*");
    const uint32_t* vertex = f.out.outputs.of(f.out.primitives[0].shape.varying[0]);
    CHECK(vertex[1] == 0);  // the instance, without its start
    CHECK(std::memcmp(vertex + 4, f.at(Fixture::kVertices + 2 * 16), 16) == 0);
    f.set(hw::VFD_ADD_OFFSET{.instance = true});
    f.must_run();
    CHECK(ids(f.out) == "0 1 2*");
    CHECK(f.out.outputs.of(0)[1] == 7);
    CHECK(std::memcmp(f.out.outputs.of(0) + 4, f.at(Fixture::kVertices + 2 * 16), 16) == 0);
}

TEST_CASE("adreno geometry: indices beyond the index buffer are 0, sizes of 1 and 4 bytes") {
    Fixture f;
    f.vertices(circle(8));
    f.runner.shader = pass_ids;
    f.indices({1, 2, 3, 4, 5, 6});
    f.call.max_indices = 5;
    f.must_run();
    CHECK(ids(f.out) == "1 2 3*|4 5 0*");
    f.call.first_index = 3;
    f.call.count = 3;
    f.must_run();
    CHECK(ids(f.out) == "4 5 0*");
    f.call.initiator.index_size = hw::IndexSize::INDEX4_SIZE_8_BIT;
    f.call.first_index = 0;
    std::memcpy(f.at(Fixture::kIndices), "\3\4\5", 3);
    f.must_run();
    CHECK(ids(f.out) == "3 4 5*");
    f.call.initiator.index_size = hw::IndexSize::INDEX4_SIZE_32_BIT;
    f.write_words(Fixture::kIndices, {5, 6, 7});
    f.must_run();
    CHECK(ids(f.out) == "5 6 7*");
}

TEST_CASE("adreno geometry: a large draw gives the same result in batches") {
    Fixture f;
    f.runner.shader = pass_ids;
    f.vertices(circle(8));
    std::vector<uint16_t> list(3 * 5000);
    std::mt19937 random(1);
    for (size_t i = 0; i < list.size(); i += 3)
        for (size_t k = 0, first = random() % 8; k < 3; ++k)
            list[i + k] = uint16_t((first + k) % 8);
    f.indices(list);
    f.call.instances = 2;
    f.must_run();
    REQUIRE(f.out.primitives.size() == 10000);
    bool same = true;
    for (size_t i = 0; i < 10000; ++i) {
        const DrawnPrimitive& p = f.out.primitives[i];
        for (unsigned k = 0; k < 3; ++k) {
            const uint32_t* v = f.out.outputs.of(p.shape.varying[k]);
            same &= v[0] == list[i % 5000 * 3 + k] && v[1] == i / 5000;
        }
        same &= p.primitive_id == i % 5000;
    }
    CHECK(same);
    CHECK(f.runner.lanes <= 4 * 8);
}

TEST_CASE("adreno geometry: outputs go to the locations of SP_VS_OUT and SP_VS_VPC_DST") {
    Fixture f;
    f.vertices(kTriangle);
    f.runner.shader = [](Wave& w) {
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned lane = 0; lane < 3; ++lane)
                CHECK(w.set(isa::reg(2, c), false, lane, 100 * c + lane));
    };
    f.pack_stride(12);
    f.set(hw::SP_VS_PRIMITIVE_CNTL{.value = {.out = 3}});
    f.set(hw::SP_VS_OUT{.a_regid = 8, .a_compmask = 0b1010, .b_regid = 0, .b_compmask = 15});
    f.set(hw::SP_VS_OUT{.a_regid = 8, .a_compmask = 1}, 1);
    f.set(hw::SP_VS_VPC_DST{.outloc0 = 8, .outloc1 = 4, .outloc2 = 2});
    f.must_run();
    const uint32_t* v = f.out.outputs.of(f.out.primitives[0].shape.varying[2]);
    CHECK(v[9] == 102);
    CHECK(v[11] == 302);
    CHECK(v[8] == 0);
    CHECK(v[10] == 0);
    CHECK(v[2] == 2);
}

TEST_CASE("adreno geometry: faults have a report that names the draw and the register") {
    const auto report = [](auto&& change) {
        Fixture f;
        f.vertices(kTriangle);
        f.call.number = 7;
        change(f);
        return f.report();
    };
    CHECK(report([](Fixture& f) { f.machine.registers.forget(); }).starts_with("draw 7: register "));
    CHECK(report([](Fixture& f) { f.call.initiator.gs_enable = true; }) ==
          "draw 7: register SP_GS_CTRL_REG0 was never written");
    CHECK(report([](Fixture& f) { f.pack_stride(6); }) ==
          "draw 7: VPC_VS_PACK: position or point size is beyond its stride");
    CHECK(report([](Fixture& f) { f.set(hw::PC_VS_OUT_CNTL{.value = {.stride_in_vpc = 9}}); }) ==
          "draw 7: PC_VS_OUT_CNTL and VPC_VS_PACK have strides of 9 and 8");
    CHECK(report([](Fixture& f) { f.set(hw::SP_VS_VPC_DST{.outloc0 = 6, .outloc1 = 4}); }) ==
          "draw 7: SP_VS_VPC_DST: location 8 is beyond VPC_VS_PACK's stride of 8");
    CHECK(report([](Fixture& f) { f.runner.error = "no such instruction"; }) ==
          "draw 7: vertex shader: no such instruction");
    CHECK(report([](Fixture& f) { f.call.initiator.prim_type = PrimType::DI_PT_NONE; }) ==
          "draw 7: primitives of type 0 are not executed");
    CHECK(report([](Fixture& f) {
              f.set(hw::GRAS_VS_CL_CNTL{.value = {.clip_mask = 2}});
          }).find("clip distance 1, of which VPC_VS_CLIP_CNTL has no location") != std::string::npos);
    CHECK(report([](Fixture& f) {
              f.indices({0, 1, 2});
              f.call.indices_va = 0x10;
          }).starts_with("draw 7: indices: "));
    CHECK(report([](Fixture& f) {
              f.set(hw::VFD_FETCH_BASE{.value = 0x10});
          }).starts_with("draw 7: VFD_FETCH[0]: "));
}

TEST_CASE("adreno geometry: random registers never crash") {
    std::mt19937 random(2);
    unsigned good = 0;
    for (unsigned round = 0; round < 3000; ++round) {
        Fixture f;
        f.vertices(circle(60));
        for (unsigned i = 0; i < 1 + round % 4; ++i) {
            static constexpr uint16_t kBanks[][2] = {{0x8000, 0x8100}, {0x9100, 0x9310}, {0x9800, 0x9b09},
                                                     {0xa000, 0xa0f0}, {0xa800, 0xa826}, {0xb800, 0xb804}};
            const auto& bank = kBanks[random() % 6];
            const uint16_t reg = uint16_t(bank[0] + random() % (bank[1] - bank[0]));
            // One bit, or all bits.
            const uint32_t old = f.machine.registers.value(reg);
            f.machine.registers.write(reg, random() % 2 ? old ^ 1u << random() % 32 : random());
        }
        f.call.initiator.prim_type = PrimType(random() % 10);
        f.call.instances = random() % 3;
        f.set(hw::VPC_SO_DISABLE{});
        good += f.run();
    }
    CHECK(good > 500);
    CHECK(good < 3000);
}

}  // namespace terrazzo::adreno::sim::testing
