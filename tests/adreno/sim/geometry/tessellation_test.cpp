// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Hull shaders, the tessellator and domain shaders.
#include <map>

#include "drivers/adreno/sim/geometry/vertex_core.h"
#include "tests/adreno/sim/geometry/stages_fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

using hw::PatchType;
using hw::PrimType;
using hw::TessOutput;

// Patches with `vertices` vertices and `invocations` of the hull shader each. The header is in r0.x, the
// patch in r0.y, the primitive id in r0.z. The domain shader has its patch in r4.z, the primitive id in r4.w,
// u and v in r4.x and r4.y.
struct PatchFixture : Fixture {
    static constexpr uint64_t kLevels = kOther + 0x10000;
    unsigned vertices_of_patch, invocations;
    unsigned hull_waves = 0, hull_lanes = 0;
    std::vector<float> outer{1, 1, 1, 1}, inner{1, 1};
    std::function<void(uint32_t patch, uint32_t id)> on_patch = [](uint32_t, uint32_t) {};

    PatchFixture(unsigned vertices_count, unsigned invocation_count, const char* chip = "adreno-630")
        : Fixture(chip), vertices_of_patch(vertices_count), invocations(invocation_count) {
        using namespace hw;
        set(VFD_DEST_CNTL_INSTR{.writemask = 15, .regid = 12});
        set(VFD_CONTROL_1{.regid4vtx = 0xfc, .regid4inst = 0xfc, .regid4primid = 2, .regid4viewid = 0xfc});
        set(VFD_CONTROL_2{.regid_hsrelpatchid = 1, .regid_invocationid = 0});
        set(VFD_CONTROL_3{
            .regid_dsprimid = 19, .regid_dsrelpatchid = 18, .regid_tessx = 16, .regid_tessy = 17});
        set(SP_HS_CTRL_REG0{.fullregfootprint = 4});
        set(SP_HS_OBJ_START{.value = kOther + 0x1000});
        set(SP_HS_OBJ_FIRST_EXEC_OFFSET{});
        set(SP_HS_INSTRLEN{.value = 1});
        set(SP_HS_CONFIG{.value = {.enabled = true}});
        set(HLSQ_HS_CNTL{.value = {.constlen = 4, .enabled = true}});
        set(SP_DS_CTRL_REG0{.fullregfootprint = 5});
        set(SP_DS_OBJ_START{.value = kOther + 0x2000});
        set(SP_DS_OBJ_FIRST_EXEC_OFFSET{});
        set(SP_DS_INSTRLEN{.value = 1});
        set(HLSQ_DS_CNTL{.value = {.constlen = 4, .enabled = true}});
        set(SP_DS_PRIMITIVE_CNTL{.value = {.out = 2}});
        set(SP_DS_OUT{.a_regid = 8, .a_compmask = 15, .b_regid = 4, .b_compmask = 15});
        set(SP_DS_VPC_DST{.outloc0 = 0, .outloc1 = 4});
        set(VPC_DS_PACK{.value = {.stride_in_vpc = 8, .positionloc = 4, .psizeloc = 255}});
        set(PC_DS_OUT_CNTL{.value = {.stride_in_vpc = 8}});
        set(VPC_DS_LAYER_CNTL{.value = {.layerloc = 255, .viewloc = 255, .shadingrateloc = 255}});
        set(VPC_DS_CLIP_CNTL{.value = {.clip_dist_03_loc = 255, .clip_dist_47_loc = 255}});
        set(GRAS_DS_CL_CNTL{});
        set(PC_TESSFACTOR_ADDR{.value = kLevels});
        set(PC_TESS_NUM_VERTEX{.value = invocations});
        set(PC_HS_INPUT_SIZE{.size = vertices_of_patch});
        set(SP_HS_WAVE_INPUT_SIZE{.value = 64});
        type(PatchType::TESS_TRIANGLES, TessOutput::TESS_CCW_TRIS);
        call.initiator.tess_enable = true;
        call.initiator.prim_type = PrimType(unsigned(PrimType::DI_PT_PATCHES0) + vertices_of_patch);
        call.subdraw_size = 1000 * vertices_of_patch;
        runner.programs[size_t(Stage::Vertex)] = [this](Wave& w) { vertex(w); };
        runner.programs[size_t(Stage::Hull)] = [this](Wave& w) { hull(w); };
        runner.programs[size_t(Stage::Domain)] = [this](Wave& w) { domain(w); };
    }
    void type(PatchType t, TessOutput output) {
        call.initiator.patch_type = t;
        set(hw::PC_TESS_CNTL{.spacing = hw::TessSpacing::TESS_EQUAL, .output = output});
    }
    // Vertex i of the draw has x = i.
    void patches(unsigned n) {
        std::vector<float> v(size_t(n) * vertices_of_patch * 4);
        for (unsigned i = 0; i < n * vertices_of_patch; ++i) {
            v[4 * i] = float(i);
            v[4 * i + 3] = 1;
        }
        vertices(v);
    }
    void vertex(Wave& w) {
        each_lane(w, [&](unsigned lane) {
            const Header h(word_of(w, 0, 0, lane));
            const uint32_t v = word_of(w, 3, 0, lane);
            const size_t at = (h.primitive * vertices_of_patch + h.vertex) * 16;
            REQUIRE(at + 16 <= w.shared.size());
            std::memcpy(&w.shared[at], &v, 4);
        });
    }
    // Invocation 0 of each patch writes the levels. Each invocation reads all of the patch's vertices.
    void hull(Wave& w) {
        ++hull_waves;
        const bool shared = machine.chip.generation.tess_use_shared;
        each_lane(w, [&](unsigned lane) {
            const uint32_t header = word_of(w, 0, 0, lane);
            const Header h(header);
            const uint32_t place = shared ? header >> 16 & 63 : h.primitive;
            const uint32_t patch = word_of(w, 0, 1, lane), id = word_of(w, 0, 2, lane);
            if (h.invocation >= invocations) return;
            ++hull_lanes;
            for (unsigned k = 0; k < vertices_of_patch; ++k) {
                float x;
                std::memcpy(&x, &w.shared[(place * vertices_of_patch + k) * 16], 4);
                CHECK(x == float(id * vertices_of_patch + k));
            }
            if (h.invocation) return;
            on_patch(patch, id);
            const unsigned o = call.initiator.patch_type == PatchType::TESS_QUADS       ? 4
                               : call.initiator.patch_type == PatchType::TESS_TRIANGLES ? 3
                                                                                        : 2;
            std::vector<uint32_t> words{id};
            for (unsigned k = 0; k < o; ++k)
                words.push_back(bits(outer[k]));
            for (unsigned k = 0; k + 2 < o; ++k)
                words.push_back(bits(inner[k]));
            write_words(kLevels + patch * words.size() * 4, words);
        });
    }
    // The domain covers the window: u to the right, v upwards.
    void domain(Wave& w) {
        each_lane(w, [&](unsigned lane) {
            const float u = std::bit_cast<float>(word_of(w, 4, 0, lane)),
                        v = std::bit_cast<float>(word_of(w, 4, 1, lane));
            put(w, 1, 0, lane, bits(2 * u - 1));
            put(w, 1, 1, lane, bits(2 * v - 1));
            put(w, 1, 2, lane, 0);
            put(w, 1, 3, lane, bits(1));
            put(w, 2, 0, lane, word_of(w, 4, 2, lane));
            put(w, 2, 1, lane, word_of(w, 4, 3, lane));
        });
    }
};

// Twice the area of all triangles, in pixels.
double area(const DrawnPrimitives& out) {
    double sum = 0;
    for (const DrawnPrimitive& p : out.primitives) {
        const auto c = [&](unsigned i, unsigned k) { return p.shape.corner[i][k] / 256.0; };
        sum += (c(1, 0) - c(0, 0)) * (c(2, 1) - c(0, 1)) - (c(2, 0) - c(0, 0)) * (c(1, 1) - c(0, 1));
    }
    return sum;
}

constexpr const char* kVertexProgram =
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
    "stlw.f32 l[r5.x], r3.x, 4\n"
    "chmask\n"
    "chsh\n";
// The patch' id, then four levels from its first vertex, in 5 words for each patch.
constexpr const char* kHullProgram =
    "(ss)(sy)and.b r5.x, r0.x, c0.z\n"
    "mul.u24 r5.z, r0.y, c1.z\n"
    "mov.u32u32 r4.x, c1.x\n"
    "mov.u32u32 r4.y, c1.y\n"
    "mul.u24 r5.x, r5.x, c0.x\n"
    "add.u r5.w, r5.z, 4\n"
    "mov.u32u32 r1.x, r0.z\n"
    "(rpt5)nop\n"
    "ldlw.f32 r1.y, l[r5.x], 1\n"
    "(ss)mov.u32u32 r1.z, r1.y\n"
    "mov.u32u32 r1.w, r1.y\n"
    "mov.u32u32 r2.x, r1.y\n"
    "(rpt5)nop\n"
    "stg.a.u32 g[r4.x+(r5.z)<<2], r1.x, 4\n"
    "stg.a.u32 g[r4.x+(r5.w)<<2], r2.x, 1\n"
    "end\n";
constexpr const char* kDomainProgram =
    "mul.u24 r3.z, r4.z, c1.z\n"
    "mov.u32u32 r3.x, c1.x\n"
    "mov.u32u32 r3.y, c1.y\n"
    "add.f r1.x, r4.x, r4.x\n"
    "add.f r1.y, r4.y, r4.y\n"
    "mov.u32u32 r1.z, c0.y\n"
    "mov.u32u32 r1.w, c0.z\n"
    "add.f r1.x, r1.x, c0.x\n"
    "add.f r1.y, r1.y, c0.x\n"
    "mov.u32u32 r2.x, r4.w\n"
    "ldg.a.u32 r2.y, g[r3.x+(r3.z)<<2], 1\n"
    "(sy)nop\n"
    "end\n";

// Patches whose vertices have level 2 as x.
struct PatchProgramFixture : PatchFixture {
    VertexCore core{machine};
    explicit PatchProgramFixture(const char* chip = "adreno-630") : PatchFixture(3, 3, chip) {
        vertices(std::vector<float>(30 * 3 * 4, 2.0f));
        set(hw::SP_VS_CTRL_REG0{.fullregfootprint = 6, .mergedregs = true});
        set(hw::SP_HS_CTRL_REG0{.fullregfootprint = 6});
        machine.stages[size_t(Stage::Vertex)].constants = {3 * 16, 16, 63, 31};
        machine.stages[size_t(Stage::Hull)].constants = {3 * 16, 16, 63, 31, uint32_t(kLevels), 0, 5, 4};
        machine.stages[size_t(Stage::Domain)].constants = {bits(-1),          bits(0), bits(1), 0,
                                                           uint32_t(kLevels), 0,       5,       0};
        load_program(*this, kOther, kVertexProgram);
        load_program(*this, kOther + 0x1000, kHullProgram);
        load_program(*this, kOther + 0x2000, kDomainProgram);
    }
    bool run_core() { return run_geometry(machine, core, call, &out, &fault); }
};

}  // namespace

TEST_CASE(
    "adreno tessellation: patches fill waves with their vertices or invocations, the larger number of both") {
    struct Case {
        unsigned vertices, invocations, waves;
    };
    for (const Case c : {Case{3, 3, 2}, Case{1, 5, 4}, Case{16, 4, 10}, Case{32, 1, 20}, Case{4, 32, 20}}) {
        PatchFixture f(c.vertices, c.invocations);
        f.set(hw::SP_HS_WAVE_INPUT_SIZE{.value = 63});
        f.patches(40);
        f.must_run();
        CHECK(f.hull_waves == c.waves);
        CHECK(f.hull_lanes == 40 * c.invocations);
        CHECK(f.out.primitives.size() == 40);
        CHECK(f.machine.primitive_counters[2] == 40 * c.vertices);
        CHECK(f.machine.primitive_counters[3] == 40);
        CHECK(f.machine.primitive_counters[4] == 120);
        CHECK(f.machine.primitive_counters[7] == 40);
    }
}

TEST_CASE("adreno tessellation: local memory limits the patches of a wave") {
    PatchFixture f(4, 4);
    f.set(hw::SP_HS_WAVE_INPUT_SIZE{.value = 1});  // 256 bytes: four patches of 64
    f.patches(9);
    f.must_run();
    CHECK(f.hull_waves == 3);
    f.set(hw::PC_HS_INPUT_SIZE{.size = 17});
    CHECK(f.report() == "draw 0: SP_HS_WAVE_INPUT_SIZE has 256 bytes, and a patch 272 by PC_HS_INPUT_SIZE");
}

TEST_CASE("adreno tessellation: if hull shaders use shared memory, vertices have separate waves") {
    PatchFixture f(20, 2, "adreno-660");
    f.set(hw::SP_HS_WAVE_INPUT_SIZE{.value = 64});
    f.patches(64);
    f.must_run();
    CHECK(f.hull_waves == 2);  // 32 patches of two invocations; 640 vertices are ten waves
    CHECK(f.runner.waves == 2 * 10 + 2 + 3);
    CHECK(f.out.primitives.size() == 64);
}

TEST_CASE("adreno tessellation: each subdraw begins with patch 0") {
    PatchFixture f(3, 3);
    f.call.subdraw_size = 15;
    std::map<uint32_t, uint32_t> patch_of_id;
    f.on_patch = [&](uint32_t patch, uint32_t id) { patch_of_id[id] = patch; };
    f.patches(12);
    f.must_run();
    for (unsigned i = 0; i < 12; ++i)
        CHECK(patch_of_id[i] == i % 5);
    REQUIRE(f.out.primitives.size() == 12);
    for (unsigned i = 0; i < 12; ++i) {
        const DrawnPrimitive& p = f.out.primitives[i];
        CHECK(p.primitive_id == i);
        CHECK(f.out.outputs.of(p.shape.varying[0])[0] == i % 5);
        CHECK(f.out.outputs.of(p.shape.varying[0])[1] == i);
    }
    f.call.subdraw_size = 0;  // freedreno's value if hull shaders have no outputs
    f.must_run();
    for (unsigned i = 0; i < 12; ++i)
        CHECK(patch_of_id[i] == i);
}

TEST_CASE("adreno tessellation: domains, levels and outputs") {
    PatchFixture f(3, 3);
    f.patches(1);
    f.outer = {2, 3, 4, 5};
    f.inner = {3, 4};
    f.must_run();
    const double whole = 64.0 * 64.0;  // twice the area of one triangle, which is half of the window
    CHECK(area(f.out) == doctest::Approx(whole).epsilon(0.001));
    f.type(PatchType::TESS_TRIANGLES, TessOutput::TESS_CW_TRIS);
    f.must_run();
    CHECK(area(f.out) == doctest::Approx(-whole).epsilon(0.001));
    f.set(hw::PC_PRIMITIVE_CNTL_0{.value = {.provoking_vtx_last = true, .d3d_vertex_ordering = true}});
    f.must_run();
    CHECK(area(f.out) == doctest::Approx(whole).epsilon(0.001));
    f.set(hw::PC_PRIMITIVE_CNTL_0{.value = {.provoking_vtx_last = true}});
    f.type(PatchType::TESS_QUADS, TessOutput::TESS_CCW_TRIS);
    f.must_run();
    CHECK(area(f.out) == doctest::Approx(2 * whole).epsilon(0.001));
    f.type(PatchType::TESS_ISOLINES, TessOutput::TESS_LINES);
    f.must_run();
    CHECK(f.out.primitives.size() == 2 * 3);
    CHECK(f.out.primitives[0].shape.kind == units::PrimitiveKind::Line);
    f.type(PatchType::TESS_ISOLINES, TessOutput::TESS_POINTS);
    f.must_run();
    CHECK(f.out.primitives.size() == 2 * 4);
    f.outer[0] = 0;
    f.must_run();
    CHECK(f.out.primitives.empty());
    f.type(PatchType::TESS_QUADS, TessOutput::TESS_LINES);
    CHECK(f.report() == "draw 0: PC_TESS_CNTL: an output that patches of type 0 do not have");
}

TEST_CASE("adreno tessellation: a geometry shader after it") {
    PatchFixture f(3, 3);
    GeometryFixture g;  // has a geometry shader's registers
    for (unsigned r = hw::SP_GS_CTRL_REG0::kRegister; r <= hw::SP_GS_CONFIG::kRegister; ++r)
        if (g.machine.registers.is_set(uint16_t(r)))
            f.machine.registers.write(uint16_t(r), g.machine.registers.value(uint16_t(r)));
    for (const uint16_t r :
         {hw::SP_GS_INSTRLEN::kRegister, hw::HLSQ_GS_CNTL::kRegister, hw::VPC_GS_PACK::kRegister,
          hw::PC_GS_OUT_CNTL::kRegister, hw::VPC_GS_LAYER_CNTL::kRegister, hw::VPC_GS_CLIP_CNTL::kRegister,
          hw::GRAS_GS_CL_CNTL::kRegister, hw::VPC_CNTL_0::kRegister, hw::PC_PRIMITIVE_CNTL_5::kRegister,
          hw::PC_PRIMITIVE_CNTL_6::kRegister, hw::VFD_CONTROL_5::kRegister})
        f.machine.registers.write(r, g.machine.registers.value(r));
    f.set(hw::VFD_CONTROL_3{
        .regid_dsprimid = 1, .regid_dsrelpatchid = 18, .regid_tessx = 16, .regid_tessy = 17});
    f.call.initiator.gs_enable = true;
    f.patches(70);
    f.outer = {2, 2, 2, 1};
    f.inner = {2, 1};
    f.runner.programs[size_t(Stage::Domain)] = [](Wave& w) {
        each_lane(w, [&](unsigned lane) {
            const Header h(word_of(w, 0, 0, lane));
            for (unsigned c = 0; c < 2; ++c) {
                const uint32_t v = word_of(w, 4, c, lane);
                std::memcpy(&w.shared[(h.primitive * 3 + h.vertex) * 16 + 4 * c], &v, 4);
            }
        });
    };
    f.runner.programs[size_t(Stage::Geometry)] = [](Wave& w) {
        w.killed = {};
        each_lane(w, [&](unsigned lane) {
            const Header h(word_of(w, 0, 0, lane));
            for (unsigned c = 0; c < 2; ++c) {
                float v;
                std::memcpy(&v, &w.shared[(h.primitive * 3 + h.thread) * 16 + 4 * c], 4);
                put(w, 1, c, lane, bits(2 * v - 1));
            }
            put(w, 1, 2, lane, 0);
            put(w, 1, 3, lane, bits(1));
            put(w, 2, 0, lane, word_of(w, 0, 1, lane));
            put(w, 0, 2, lane, h.thread ? 0 : 4);
        });
    };
    f.must_run();
    CHECK(area(f.out) == doctest::Approx(70 * 64.0 * 64.0).epsilon(0.001));
    const size_t each = f.out.primitives.size() / 70;
    CHECK(each == 6);
    CHECK(f.out.outputs.of(f.out.primitives[each * 69].shape.varying[0])[0] == 69);
    CHECK(f.machine.primitive_counters[5] == 70 * each);
}

TEST_CASE("adreno tessellation: ir3 programs of all three shaders") {
    PatchProgramFixture f;
    const bool good = f.run_core();
    INFO(f.fault.report);
    REQUIRE(good);
    REQUIRE(f.out.primitives.size() == 30 * 6);
    CHECK(area(f.out) == doctest::Approx(30 * 64.0 * 64.0).epsilon(0.001));
    for (unsigned i = 0; i < 30 * 6; ++i) {
        const uint32_t* v = f.out.outputs.of(f.out.primitives[i].shape.varying[0]);
        CHECK(v[0] == i / 6);
        CHECK(v[1] == i / 6);
    }
}

TEST_CASE("adreno tessellation: random registers and code end without a crash") {
    std::mt19937 random(7);
    const std::vector<uint16_t> written = written_registers(PatchProgramFixture().machine.registers);
    unsigned drawn = 0, refused = 0;
    for (unsigned n = 0; n < 400; ++n) {
        PatchProgramFixture f(n % 2 ? "adreno-630" : "adreno-660");
        f.machine.turn_limit = 500;
        change_at_random(f, random, written,
                         {Fixture::kOther, Fixture::kOther + 0x1000, Fixture::kOther + 0x2000});
        f.call.subdraw_size = random() % 20;
        const bool good = f.run_core();
        CHECK((good || f.fault.report.starts_with("draw 0: ")));
        (good ? drawn : refused) += 1;
    }
    CHECK(drawn > 50);
    CHECK(refused > 50);
}

TEST_CASE("adreno tessellation: many patches of one subdraw, and many instances without vertices") {
    PatchFixture f(1, 1);
    f.call.subdraw_size = 0;
    f.patches(3000);
    uint32_t last = 0;
    f.on_patch = [&](uint32_t patch, uint32_t id) {
        last = std::max(last, patch);
        CHECK(patch == id);
    };
    f.must_run();
    CHECK(last == 2999);
    CHECK(f.out.primitives.size() == 3000);
    CHECK(f.out.primitives[2999].primitive_id == 2999);
    f.call.instances = 0xffffffff;  // without vertices
    f.call.count = 0;
    f.must_run();
    CHECK(f.out.primitives.empty());
}

TEST_CASE("adreno tessellation: patches need tessellation, and it needs patches") {
    PatchFixture f(3, 3);
    f.patches(1);
    f.call.initiator.tess_enable = false;
    CHECK(f.report() == "draw 0: patches without tessellation");
    f.call.initiator.tess_enable = true;
    f.call.initiator.prim_type = PrimType::DI_PT_TRILIST;
    CHECK(f.report() == "draw 0: tessellation of what is no patch");
}

}  // namespace terrazzo::adreno::sim::testing
