// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex shaders in ir3 code on the core.
#include "drivers/adreno/sim/geometry/vertex_core.h"
#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

struct CoreFixture : Fixture {
    VertexCore core{machine};
    void load(const std::string& text) {
        std::vector<uint64_t> words;
        isa::Error error;
        const bool good = isa::assemble(text, &words, &error);
        INFO(error.reason);
        REQUIRE(good);
        std::memcpy(at(kOther), words.data(), words.size() * 8);
    }
    bool run_core() { return run_geometry(machine, core, call, &out, &fault); }
};

}  // namespace

TEST_CASE("adreno geometry: an ir3 program moves and colours vertices") {
    CoreFixture f;
    std::vector<float> vertices;
    for (unsigned i = 0; i < 150; ++i)
        vertices.insert(vertices.end(), {float(i % 3 == 1), float(i % 3 == 2), 0, 1});
    f.vertices(vertices);
    f.call.instances = 2;
    f.machine.stages[size_t(Stage::Vertex)].constants = {bits(0.5f), bits(-0.25f)};
    f.load(
        "cov.u32f32 r2.x, r1.x\n"
        "mov.u32u32 r2.y, r1.y\n"
        "mov.u32u32 r2.z, c2.x\n"
        "mul.f r0.x, r0.x, c0.x\n"
        "mul.f r0.y, r0.y, c0.x\n"
        "(rpt2)nop\n"
        "add.f r0.x, r0.x, c0.y\n"
        "end\n");
    const bool good = f.run_core();
    INFO(f.fault.report);
    REQUIRE(good);
    REQUIRE(f.out.primitives.size() == 100);
    const DrawnPrimitive& p = f.out.primitives[70];
    CHECK(p.shape.corner[0][0] == 24 * 256);
    CHECK(p.shape.corner[1][0] == 40 * 256);
    CHECK(p.shape.corner[2][1] == 48 * 256);
    const uint32_t* v = f.out.outputs.of(p.shape.varying[1]);
    CHECK(v[0] == bits(61));
    CHECK(v[1] == 1);
    CHECK(v[2] == 0);
    CHECK(v[4] == bits(0.25f));
    CHECK(f.core.stats().waves == 5);  // 300 invocations: instances share waves
}

TEST_CASE("adreno geometry: vertices on several threads have the outputs and counters of one thread") {
    // The preamble makes c1.x from c0.x: it runs once.
    constexpr const char* kText =
        "shps #5\n"
        "(ss)mov.u32u32 r48.w, c0.x\n"
        "(ss)nop\n"
        "stc.u32 c[4], r48.w, 1\n"
        "shpe\n"
        "(ss)(jp)cov.u32f32 r2.x, r1.x\n"
        "mov.u32u32 r2.y, r1.y\n"
        "mov.u32u32 r2.z, c1.x\n"
        "(rpt5)nop\n"
        "end\n";
    // One wave, an odd number of vertices, and several batches.
    for (const unsigned count : {3u, 201u, 15000u}) {
        CAPTURE(count);
        std::vector<float> vertices;
        for (unsigned i = 0; i < count; ++i)
            vertices.insert(vertices.end(), {float(i % 3 == 1), float(i % 3 == 2), float(i % 100) / 100, 1});
        DrawnPrimitives wanted;
        CoreStats stats;
        for (unsigned pass = 0; pass < 6; ++pass) {
            CoreFixture f;
            f.machine.threads = pass ? 4 : 1;
            f.vertices(vertices);
            f.call.instances = 2;
            f.machine.stages[size_t(Stage::Vertex)].constants = {7, 0, 0, 0};
            f.load(kText);
            const bool good = f.run_core();
            INFO(f.fault.report);
            REQUIRE(good);
            if (!pass) {
                wanted = f.out;
                stats = f.core.stats();
                REQUIRE(wanted.primitives.size() == 2 * (count / 3));
                CHECK(wanted.outputs.of(wanted.primitives.back().shape.varying[2])[0] ==
                      bits(float(count - 1)));
                CHECK(wanted.outputs.of(wanted.primitives.back().shape.varying[2])[2] == 7);
            }
            if (count == 15000) CHECK((f.machine.pool != nullptr) == (pass != 0));
            CHECK(f.out.outputs.values == wanted.outputs.values);
            REQUIRE(f.out.primitives.size() == wanted.primitives.size());
            CHECK(std::memcmp(f.out.primitives.data(), wanted.primitives.data(),
                              wanted.primitives.size() * sizeof wanted.primitives[0]) == 0);
            CHECK(f.core.stats().waves == stats.waves);
            CHECK(f.core.stats().all() == stats.all());
            CHECK(f.core.stats().lane_instructions == stats.lane_instructions);
        }
    }
}

TEST_CASE("adreno geometry: what a vertex shader does wrong is the draw's fault") {
    CoreFixture f;
    f.vertices({0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1});
    f.call.number = 3;
    f.load("add.f r2.x, r0.x, r0.y\nadd.f r2.y, r2.x, r0.y\nend\n");
    CHECK(!f.run_core());
    CHECK(f.fault.report.starts_with("draw 3: vertex shader: shader 0x"));
    CHECK(f.fault.kind == FaultKind::Shader);
    f.load("rcp r2.x, r0.w\nend\n");
    CHECK(!f.run_core());
    CHECK(f.fault.report == "draw 3: vertex shader: it ends before r2.x, an output, has its result");
    f.load("(ss)rcp r2.x, r0.w\n(ss)nop\nend\n");
    CHECK(f.run_core());
    f.set(hw::SP_VS_OBJ_START{.value = 0x20});
    CHECK(!f.run_core());
}

}  // namespace terrazzo::adreno::sim::testing
