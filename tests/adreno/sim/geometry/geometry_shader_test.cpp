// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry shaders: which lane gets which vertex, and the primitives from the emitted vertices.
#include "drivers/adreno/sim/geometry/vertex_core.h"
#include "tests/adreno/sim/geometry/stages_fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

using hw::PrimType;
using hw::TessOutput;

std::vector<float> fan(unsigned n) {
    std::vector<float> v(size_t(n) * 4);
    for (unsigned i = 0; i < n; ++i) {
        const float a = float(i) * 6.2831853f / float(n);
        v[4 * i] = 0.9f * std::cos(a);
        v[4 * i + 1] = 0.9f * std::sin(a);
        v[4 * i + 3] = 1;
    }
    return v;
}

// r5.x: the address of the vertex' 16 bytes.
constexpr const char* kStore =
    "and.b r5.x, r0.x, c0.z\n"
    "shr.b r5.y, r0.x, 6\n"
    "(rpt2)nop\n"
    "and.b r5.y, r5.y, c0.w\n"
    "mul.u24 r5.x, r5.x, c0.x\n"
    "(rpt1)nop\n"
    "mul.u24 r5.y, r5.y, c0.y\n"
    "(rpt2)nop\n"
    "add.u r5.x, r5.x, r5.y\n"
    "(rpt5)nop\n"
    "stlw.f32 l[r5.x], r3.x, 4\n";
// Corner `thread` of the primitive. The first corner begins the strip.
constexpr const char* kPassOn =
    "(ss)(sy)and.b r5.x, r0.x, c0.z\n"
    "shr.b r5.y, r0.x, 16\n"
    "(rpt2)nop\n"
    "and.b r5.y, r5.y, c0.w\n"
    "mul.u24 r5.x, r5.x, c0.x\n"
    "(rpt1)nop\n"
    "cmps.u.eq r0.z, r5.y, 0\n"
    "mul.u24 r5.y, r5.y, c0.y\n"
    "(rpt2)nop\n"
    "add.u r5.x, r5.x, r5.y\n"
    "shl.b r0.z, r0.z, 2\n"
    "(rpt5)nop\n"
    "ldlw.f32 r1.x, l[r5.x], 4\n"
    "mov.u32u32 r2.x, r0.y\n"
    "(ss)nop\n"
    "end\n";

struct ProgramFixture : GeometryFixture {
    VertexCore core{machine};
    ProgramFixture() {
        vertices(fan(30));
        set(hw::SP_GS_CTRL_REG0{.fullregfootprint = 6});
        set(hw::SP_VS_CTRL_REG0{.fullregfootprint = 6, .mergedregs = true});
        machine.stages[size_t(Stage::Vertex)].constants = {3 * 16, 16, 63, 31};
        machine.stages[size_t(Stage::Geometry)].constants = {3 * 16, 16, 63, 1023};
    }
    bool run_core() { return run_geometry(machine, core, call, &out, &fault); }
};

}  // namespace

TEST_CASE("adreno geometry shader: a shader that copies triangles gives those of a draw without it") {
    Fixture plain;
    plain.vertices(fan(90));
    plain.must_run();
    GeometryFixture f;
    f.vertices(fan(90));
    f.geometry([&](Wave& w, unsigned lane, const Header& h) { f.pass_on(w, lane, h); });
    f.must_run();
    REQUIRE(f.out.primitives.size() == 30);
    REQUIRE(plain.out.primitives.size() == 30);
    for (unsigned i = 0; i < 30; ++i) {
        const DrawnPrimitive &p = f.out.primitives[i], &q = plain.out.primitives[i];
        CHECK(std::memcmp(p.shape.corner, q.shape.corner, sizeof(p.shape.corner)) == 0);
        CHECK(p.provoking == 2);
        CHECK(f.out.outputs.of(p.shape.varying[0])[0] == i);  // the primitive's id, which r0.y had
    }
    CHECK(f.machine.primitive_counters[5] == 30);
    CHECK(f.machine.primitive_counters[6] == 30);
    CHECK(f.machine.primitive_counters[2] == 90);
}

TEST_CASE("adreno geometry shader: flags begin strips, and killed lanes emit no vertex") {
    GeometryFixture f;
    f.vertices({-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1});
    f.emits(9, 1, TessOutput::TESS_CW_TRIS);
    // Vertices 0 to 3 are a strip with two triangles. 4 and 5 form no triangle yet. 6 is not emitted. 7 and 8
    // continue after 5.
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        const float x[9] = {-1, 1, -1, 1, -1, 0, 0, 1, 0.5f}, y[9] = {-1, -1, 1, 1, 0, -1, 0, 0, 1};
        put(w, 1, 0, lane, bits(x[h.thread]));
        put(w, 1, 1, lane, bits(y[h.thread]));
        put(w, 1, 2, lane, 0);
        put(w, 1, 3, lane, bits(1));
        put(w, 2, 0, lane, h.thread);
        put(w, 0, 2, lane, h.thread == 0 || h.thread == 4 ? 4 : 0);
        if (h.thread == 6) w.killed.set(lane);
    });
    f.must_run();
    REQUIRE(f.out.primitives.size() == 4);
    const unsigned expected[4][3] = {{0, 1, 2}, {2, 1, 3}, {4, 5, 7}, {7, 5, 8}};
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 3; ++k)
            CHECK(f.out.outputs.of(f.out.primitives[i].shape.varying[k])[0] == expected[i][k]);
}

TEST_CASE("adreno geometry shader: more vertices and invocations than a wave has lanes") {
    GeometryFixture f;
    f.vertices(fan(2));
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    f.inputs(1);
    f.emits(100, 3, TessOutput::TESS_POINTS);
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        for (unsigned c = 0; c < 4; ++c)
            put(w, 1, c, lane, f.stored(w, h, 0, c));
        put(w, 2, 0, lane, h.thread);
        put(w, 2, 1, lane, h.invocation);
        put(w, 2, 2, lane, word_of(w, 0, 1, lane));
        put(w, 0, 2, lane, 4);
    });
    f.must_run();
    REQUIRE(f.out.primitives.size() == 600);
    for (unsigned i = 0; i < 600; ++i) {
        const uint32_t* v = f.out.outputs.of(f.out.primitives[i].shape.varying[0]);
        CHECK(v[0] == i % 100);
        CHECK(v[1] == i / 100 % 3);
        CHECK(v[2] == i / 300);
        CHECK(f.out.primitives[i].primitive_id == i / 300);
    }
    CHECK(f.machine.primitive_counters[5] == 6);
}

TEST_CASE("adreno geometry shader: a strip continues over the end of a wave") {
    GeometryFixture f;
    f.vertices(fan(1));
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    f.inputs(1);
    f.emits(200, 1, TessOutput::TESS_LINES);
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        put(w, 1, 0, lane, bits(-0.9f + 0.009f * float(h.thread)));
        put(w, 1, 1, lane, bits(h.thread & 1 ? 0.5f : -0.5f));
        put(w, 1, 2, lane, 0);
        put(w, 1, 3, lane, bits(1));
        put(w, 0, 2, lane, h.thread ? 0 : 4);
    });
    f.must_run();
    CHECK(f.out.primitives.size() == 199);
}

TEST_CASE("adreno geometry shader: adjacent vertices have OpenGL's order") {
    GeometryFixture f;
    f.vertices(fan(8));
    f.call.initiator.prim_type = PrimType::DI_PT_TRISTRIP_ADJ;
    f.inputs(6);
    f.emits(1, 1, TessOutput::TESS_POINTS);
    std::vector<uint32_t> seen;
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        for (unsigned k = 0; k < 6; ++k)
            seen.push_back(f.stored(w, h, k, 0));
        w.killed.set(lane);
    });
    f.must_run();
    CHECK(f.out.primitives.empty());
    const unsigned expected[12] = {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 7};
    REQUIRE(seen.size() == 12);
    for (unsigned i = 0; i < 12; ++i)
        CHECK(seen[i] == bits(fan(8)[expected[i] * 4]));
    // Without the shader only the corners are used.
    Fixture plain;
    plain.vertices(fan(8));
    plain.call.initiator.prim_type = PrimType::DI_PT_TRISTRIP_ADJ;
    plain.must_run();
    CHECK(plain.out.primitives.size() == 2);
}

TEST_CASE("adreno geometry shader: streams have their own buffers, and one stream is drawn") {
    GeometryFixture f;
    f.vertices(fan(3));
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    f.inputs(1);
    f.emits(2, 1, TessOutput::TESS_POINTS);
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        for (unsigned c = 0; c < 4; ++c)
            put(w, 1, c, lane, f.stored(w, h, 0, c));
        put(w, 2, 0, lane, 100 * h.thread + word_of(w, 0, 1, lane));
        put(w, 0, 2, lane, 4 | h.thread);
    });
    f.set(hw::PC_RASTER_CNTL{.stream = 1});
    f.set(hw::VPC_SO_DISABLE{});
    f.set(hw::VPC_SO_STREAM_CNTL{.buf0_stream = 1, .buf2_stream = 2, .stream_enable = 3});
    f.set(hw::VPC_SO_CNTL{.addr = 0, .reset = true});
    f.set(hw::VPC_SO_PROG{.a_buf = 0, .a_off = 0, .a_en = true});
    f.set(hw::VPC_SO_CNTL{.addr = 64});
    f.set(hw::VPC_SO_PROG{.a_buf = 2, .a_off = 4, .a_en = true});
    for (const unsigned b : {0u, 2u}) {
        f.set(hw::VPC_SO_BUFFER_BASE{.value = Fixture::kStreams + 0x1000 * b}, b);
        f.set(hw::VPC_SO_BUFFER_SIZE{.value = 0x100}, b);
        f.set(hw::VPC_SO_BUFFER_STRIDE{.value = b ? 8u : 4u}, b);
        f.set(hw::VPC_SO_BUFFER_OFFSET{.value = 0}, b);
    }
    f.must_run();
    for (unsigned i = 0; i < 3; ++i) {
        CHECK(f.word(Fixture::kStreams + 4 * i) == i);
        CHECK(f.word(Fixture::kStreams + 0x2000 + 8 * i + 4) == 100 + i);
    }
    CHECK(f.machine.stream_output_primitives[0][0] == 3);
    CHECK(f.machine.stream_output_primitives[0][1] == 3);
    REQUIRE(f.out.primitives.size() == 3);
    CHECK(f.out.outputs.of(f.out.primitives[0].shape.varying[0])[0] == 100);
}

TEST_CASE("adreno geometry shader: layer, viewport and primitive id are its outputs") {
    GeometryFixture f;
    f.vertices(fan(3));
    f.set_view(1, 32, 32);
    f.set(hw::VPC_GS_LAYER_CNTL{.value = {.layerloc = 0, .viewloc = 1, .shadingrateloc = 255}});
    f.set(hw::VPC_CNTL_0{.primidloc = 2, .viewidloc = 255});
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        f.pass_on(w, lane, h);
        put(w, 2, 0, lane, 5);
        put(w, 2, 1, lane, 1);
        put(w, 2, 2, lane, 77);
    });
    f.set(hw::GRAS_MAX_LAYER_INDEX{5});
    f.must_run();
    REQUIRE(f.out.primitives.size() == 1);
    CHECK(f.out.primitives[0].layer == 5);
    CHECK(f.out.primitives[0].view == 1);
    CHECK(f.out.primitives[0].primitive_id == 77);
}

// Four tiles of 32x32 in one row. The shader emits two points for each input: one in tile n, and one in the
// last tile.
TEST_CASE("adreno geometry shader: a tile runs the shader only for inputs whose outputs it needs") {
    GeometryFixture f;
    constexpr uint32_t kPitch = 0x1000;
    f.vertices(fan(3));
    f.call.initiator.prim_type = PrimType::DI_PT_POINTLIST;
    f.call.initiator.vis_cull = hw::VisCull::USE_VISIBILITY;
    f.inputs(1);
    f.emits(2, 1, TessOutput::TESS_POINTS);
    unsigned ran = 0;
    f.geometry([&](Wave& w, unsigned lane, const Header& h) {
        const uint32_t id = word_of(w, 0, 1, lane), tile = h.thread ? 3 : id;
        ran |= 1u << id;
        put(w, 1, 0, lane, bits((float(tile) * 32 + 16) / 64 - 1));
        put(w, 1, 1, lane, 0);
        put(w, 1, 2, lane, 0);
        put(w, 1, 3, lane, bits(1));
        put(w, 2, 0, lane, id);
        put(w, 0, 2, lane, 4);
        if (id == 2 && h.thread) w.killed.set(lane);
    });
    f.set_view(0, 128, 32);
    f.set(hw::GRAS_SC_WINDOW_SCISSOR_BR{.value = {.x = 127, .y = 31}});
    f.set(hw::VSC_BIN_SIZE{.width = 32, .height = 32});
    f.set(hw::VSC_BIN_COUNT{.nx = 4, .ny = 1});
    for (unsigned p = 0; p < 32; ++p)
        f.set(hw::VSC_PIPE_CONFIG{}, p);
    f.set(hw::VSC_PIPE_CONFIG{.x = 0, .y = 0, .w = 4, .h = 1}, 0);
    f.set(hw::VSC_DRAW_STRM_SIZE_ADDRESS{.value = Fixture::kStreams + 0x8000});
    f.set(hw::VSC_DRAW_STRM_ADDRESS{.value = Fixture::kStreams});
    f.set(hw::VSC_PRIM_STRM_ADDRESS{.value = Fixture::kStreams + 0x40000});
    f.set(hw::VSC_DRAW_STRM_PITCH{.value = kPitch});
    f.set(hw::VSC_PRIM_STRM_PITCH{.value = kPitch});
    f.set(hw::VSC_DRAW_STRM_LIMIT{.value = kPitch - 64});
    f.set(hw::VSC_PRIM_STRM_LIMIT{.value = kPitch - 64});
    f.machine.mode = RenderMode::Binning;
    REQUIRE(geometry_event(f.machine, hw::EventType::UNK_2C, &f.fault));
    f.must_run();
    CHECK(ran == 7);
    CHECK(f.out.primitives.empty());
    REQUIRE(geometry_event(f.machine, hw::EventType::UNK_2D, &f.fault));
    CHECK(f.machine.registers.value(hw::VSC_STATE::at(0)) == 15);
    // The scissor does not discard points here.
    const unsigned needed[4] = {1, 2, 4, 3}, drawn[4] = {2, 2, 1, 4};
    for (uint32_t tile = 0; tile < 4; ++tile) {
        f.machine.mode = RenderMode::Gmem;
        f.machine.visibility = {
            true, 0, tile, Fixture::kStreams, Fixture::kStreams + 0x40000, Fixture::kStreams + 0x8000};
        f.set(hw::GRAS_SC_WINDOW_SCISSOR_TL{.value = {.x = tile * 32}});
        f.set(hw::GRAS_SC_WINDOW_SCISSOR_BR{.value = {.x = tile * 32 + 31, .y = 31}});
        ran = 0;
        f.must_run();
        CHECK(ran == needed[tile]);
        CHECK(f.out.primitives.size() == drawn[tile]);
    }
}

TEST_CASE("adreno geometry shader: ir3 programs run one after another in one wave") {
    ProgramFixture f;
    const auto load = [&](uint64_t va, const std::string& text) { load_program(f, va, text); };
    const auto run = [&] { return f.run_core(); };
    const std::string vertex = std::string(kStore) + "chmask\nchsh\n";
    load(Fixture::kOther, vertex);
    load(Fixture::kOther + 0x1000, kPassOn);
    bool good = run();
    INFO(f.fault.report);
    REQUIRE(good);
    REQUIRE(f.out.primitives.size() == 10);
    for (unsigned i = 0; i < 10; ++i)
        for (unsigned k = 0; k < 3; ++k) {
            const uint32_t* v = f.out.outputs.of(f.out.primitives[i].shape.varying[k]);
            CHECK(v[0] == i);
            CHECK(v[4] == bits(fan(30)[(3 * i + k) * 4]));
        }
    // The store may still read its registers when the next program begins. The geometry shader must wait
    // before it writes them.
    load(Fixture::kOther + 0x1000, "mov.u32u32 r3.x, 0\nend\n");
    CHECK(!run());
    CHECK(f.fault.report.find("geometry shader: ") != std::string::npos);
    CHECK(f.fault.report.find("r3.x is written without (ss)") != std::string::npos);
    load(Fixture::kOther, std::string(kStore) + "end\n");
    CHECK(!run());
    CHECK(f.fault.report.find("vertex shader: it does not end by chsh") != std::string::npos);
    load(Fixture::kOther, vertex);
    load(Fixture::kOther + 0x1000, "(ss)(sy)nop\nchsh\n");
    CHECK(!run());
    CHECK(f.fault.report.find("geometry shader: it ends by chsh") != std::string::npos);
}

TEST_CASE("adreno geometry shader: random registers and code end without a crash") {
    std::mt19937 random(5);
    const std::vector<uint16_t> written = written_registers(ProgramFixture().machine.registers);
    unsigned drawn = 0, refused = 0;
    for (unsigned n = 0; n < 400; ++n) {
        ProgramFixture f;
        f.machine.turn_limit = 500;
        load_program(f, Fixture::kOther, std::string(kStore) + "chmask\nchsh\n");
        load_program(f, Fixture::kOther + 0x1000, kPassOn);
        change_at_random(f, random, written, {Fixture::kOther, Fixture::kOther + 0x1000});
        const bool good = f.run_core();
        CHECK((good || f.fault.report.starts_with("draw 0: ")));
        (good ? drawn : refused) += 1;
    }
    CHECK(drawn > 50);
    CHECK(refused > 50);
}

TEST_CASE("adreno geometry shader: wrong registers are named") {
    GeometryFixture f;
    f.vertices(fan(3));
    f.geometry([&](Wave& w, unsigned lane, const Header& h) { f.pass_on(w, lane, h); });
    f.set(hw::SP_GS_CONFIG{});
    CHECK(f.report() == "draw 0: SP_GS_CONFIG: no geometry shader");
    f.set(hw::SP_GS_CONFIG{.value = {.enabled = true}});
    f.set(hw::HLSQ_GS_CNTL{});
    CHECK(f.report() == "draw 0: HLSQ_GS_CNTL: no geometry shader");
    f.set(hw::HLSQ_GS_CNTL{.value = {.constlen = 4, .enabled = true}});
    f.set(hw::SP_GS_PRIMITIVE_CNTL{.value = {.out = 2, .flags_regid = 0xfc}});
    CHECK(f.report() == "draw 0: SP_GS_PRIMITIVE_CNTL: no register has the vertices' flags");
    f.set(hw::VPC_GS_PACK{.value = {.stride_in_vpc = 4, .positionloc = 4, .psizeloc = 255}});
    CHECK(f.report() == "draw 0: PC_GS_OUT_CNTL and VPC_GS_PACK have strides of 8 and 4");
}

}  // namespace terrazzo::adreno::sim::testing
