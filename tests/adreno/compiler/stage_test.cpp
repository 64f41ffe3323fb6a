// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Geometry and tessellation stages run on the virtual GPU's core, in the waves that hardware forms for them:
// a vertex shader, and after it in the same wave a geometry or a control shader; then the points of patches.
// The test fills registers like the virtual GPU's geometry stages.
#include "drivers/adreno/compiler/passes.h"
#include "drivers/adreno/sim/core/core.h"
#include "shaders/ir/stage_buffers.h"
#include "shaders/ir/validate.h"
#include "tests/common/compiler/link.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::adreno::compiler;

namespace {

using Stage = ir::Stage;
using Texts = std::vector<std::pair<Stage, std::string>>;
constexpr unsigned kLanes = 16;
constexpr uint64_t kCode = 0x100000, kCodeStep = 0x10000, kPatches = 0x300000000;

std::shared_ptr<const shaders::LinkedProgram> link(const Texts& texts) {
    shaders::CompileOptions options;
    options.max_version = 320;
    std::vector<std::shared_ptr<const shaders::CompiledShader>> compiled;
    std::vector<const shaders::CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        options.stage = stage;
        auto one = shaders::compile("#version 320 es\nprecision highp float;\n" + text, options);
        CAPTURE(one.log);
        REQUIRE(one.shader);
        compiled.push_back(one.shader);
        stages.push_back(one.shader.get());
    }
    const auto linked = shaders::link(stages, {});
    CAPTURE(linked.log);
    REQUIRE(linked.program);
    return linked.program;
}

Binary build(const shaders::LinkedProgram& p, Stage stage, Options options = {}) {
    options.validate = true;
    const auto lowered = ir::clone(*p.stages[size_t(stage)]);
    lower_stage(*lowered, options);
    CHECK(ir::validate(*lowered, ir::Phase::AfterLink) == "");
    Binary b = compile(*p.stages[size_t(stage)], options);
    CAPTURE(unsigned(stage));
    REQUIRE(b.error == "");
    CHECK(find_hazard(b.code, b.info.prefetches) == "");
    if (std::getenv("TERRAZZO_SHADER_CODE")) MESSAGE(adreno::isa::disassemble(b.code));
    return b;
}
Binary build_before(const shaders::LinkedProgram& p, Stage stage, Stage next, Options options = {}) {
    const ir::StageRecords& r = p.stages[size_t(next)]->info.records;
    options.next = {next, r.slots_in, r.vertices_in};
    return build(p, stage, options);
}

/// Code, and memory of patches.
class Memory : public window::Space {
  public:
    std::vector<std::vector<uint64_t>> code;
    std::vector<uint32_t> patches;
    window::Mapping find(uint64_t va) override {
        for (size_t n = 0; n < code.size(); n++) {
            const uint64_t first = kCode + n * kCodeStep, end = first + code[n].size() * 8;
            if (va >= first && va < end)
                return {first, end, reinterpret_cast<uint8_t*>(code[n].data()), false, true};
        }
        const uint64_t end = kPatches + patches.size() * 4;
        if (va >= kPatches && va < end)
            return {kPatches, end, reinterpret_cast<uint8_t*>(patches.data()), true, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }
};

struct NoUnits : sim::Units {
    bool varying(sim::UnitCall&, std::string* why) override { return refuse(why); }
    bool uniform_buffer(sim::UnitCall&, std::string* why) override { return refuse(why); }
    bool image(sim::UnitCall&, std::string* why) override { return refuse(why); }
    bool texture(sim::UnitCall&, std::string* why) override { return refuse(why); }
    static bool refuse(std::string* why) {
        *why = "not in this test";
        return false;
    }
};

/// A wave with 16 lanes, and the programs that run in it.
class WaveRun {
  public:
    WaveRun() : core_(memory, units_) { wave->groups = 1, wave->shared = local; }
    void constant(Param p, uint32_t v) { params_[p] = v; }
    template <class F>
    void fill(RegisterId id, const F& f) {
        REQUIRE(id != kNoRegister);
        for (unsigned lane = 0; lane < kLanes; lane++)
            CHECK(wave->set({id}, false, lane, f(lane)));
    }
    /// `lanes` run it. `chained`: after the earlier programs, with their registers.
    void run(const Binary& b, unsigned lanes, bool chained = false) {
        memory.code.push_back(b.code);
        const uint64_t va = kCode + (memory.code.size() - 1) * kCodeStep;
        const ConstLayout& c = b.info.constants;
        std::vector<uint32_t> constants(c.vec4s * 4);
        for (size_t k = 0; k < c.params.size(); k++)
            constants[c.params_at_dw + k] = params_[c.params[k]];
        std::copy(c.immediates.begin(), c.immediates.end(), constants.begin() + c.immediates_at_dw);
        wave->constants = wave->writable_constants = constants;
        wave->full_registers = std::max<unsigned>(b.info.full_registers, 1);
        wave->branch_stack = b.info.branch_stack;
        wave->preamble_done = false;
        if (chained)
            sim::Core::chain(*wave, va, sim::LaneMask::first(lanes));
        else
            sim::Core::start(*wave, va, sim::LaneMask::first(lanes));
        sim::CoreFault fault;
        const bool done = core_.run(*wave, &fault) == sim::Outcome::Done;
        CAPTURE(to_string(fault, va));
        CHECK(done);
    }
    [[nodiscard]] uint32_t word(RegisterId id, unsigned lane) const {
        uint32_t v = 0;
        CHECK(wave->arrived({id}, false));
        CHECK(wave->get({id}, false, lane, &v));
        return v;
    }
    [[nodiscard]] float number(RegisterId id, unsigned lane) const {
        return std::bit_cast<float>(word(id, lane));
    }
    [[nodiscard]] bool killed(unsigned lane) const { return wave->killed.has(lane); }
    Memory memory;
    std::vector<uint8_t> local = std::vector<uint8_t>(4096);
    std::unique_ptr<sim::Wave> wave = std::make_unique<sim::Wave>();

  private:
    NoUnits units_;
    sim::Core core_;
    std::map<Param, uint32_t> params_;
};

const Output& output(const Binary& b, ir::VaryingSlot slot) {
    static const Output kNone;
    for (const Output& o : b.info.outputs)
        if (o.slot == uint8_t(slot)) return o;
    FAIL("no such output");
    return kNone;
}
uint32_t bits(float v) {
    return std::bit_cast<uint32_t>(v);
}

constexpr const char* kVertex = "in vec4 p; out float v; void main() { gl_Position = p; v = p.x * 2.0; }";
constexpr const char* kFragment = "in float w; out vec4 c; void main() { c = vec4(w); }";

}  // namespace

TEST_CASE("adreno compiler: a geometry shader keeps in each lane the vertex with the lane's number") {
    // Two invocations for each line. The second invocation of lines that begin with an odd vertex emits fewer
    // vertices, in two strips.
    const auto program = link(
        {{Stage::Vertex, kVertex},
         {Stage::Geometry,
          "layout(lines, invocations = 2) in; layout(points, max_vertices = 3) out; in float v[]; out float "
          "w;"
          "void main() { int n = v[0] > 4.0 && gl_InvocationID == 1 ? 1 : 3;"
          "  for (int i = 0; i < n; ++i) { gl_Position = gl_in[i & 1].gl_Position + float(gl_InvocationID);"
          "    w = v[1] + float(i * 10) + float(gl_PrimitiveIDIn * 1000); EmitVertex(); EndPrimitive(); } }"},
         {Stage::Fragment, kFragment}});
    const Binary vs = build_before(*program, Stage::Vertex, Stage::Geometry),
                 gs = build(*program, Stage::Geometry);
    CHECK(vs.info.system.header == gs.info.system.header);
    CHECK(vs.info.system.primitive_id == gs.info.system.primitive_id);
    CHECK(vs.info.outputs.empty());
    WaveRun run;
    // Two lines, each with six lanes; two of these emit vertices.
    constexpr unsigned kLanesEach = 6, kAll = 12;
    run.fill(vs.info.system.header, [](unsigned lane) {
        const unsigned line = lane / kLanesEach, k = lane % kLanesEach;
        return line | (k < 2 ? k : 0) << 6 | k / 3 << 11 | k % 3 << 16;
    });
    run.fill(vs.info.system.primitive_id, [](unsigned lane) { return 5 + lane / kLanesEach; });
    REQUIRE(vs.info.attributes.size() == 1);
    for (unsigned c = 0; c < 4; c++)
        run.fill(RegisterId(vs.info.attributes[0].reg + c), [&](unsigned lane) {
            const unsigned line = lane / kLanesEach, k = lane % kLanesEach;
            return bits(float(line * 2 + (k < 2 ? k : 0) + 1) + float(c) * 100);
        });
    // Lanes that emit vertices run first, because the hardware masks the others.
    WaveRun& r = run;
    r.run(vs, kAll);
    r.run(gs, kAll, true);
    const Output& position = output(gs, ir::VaryingSlot::Position);
    const Output& w = output(gs, ir::VaryingSlot::Varying0);
    for (unsigned lane = 0; lane < kAll; lane++) {
        CAPTURE(lane);
        const unsigned line = lane / kLanesEach, invocation = lane % kLanesEach / 3, i = lane % 3;
        const bool few = line == 1 && invocation == 1;
        CHECK(r.killed(lane) == (few && i > 0));
        if (r.killed(lane)) continue;
        const float x = float(line * 2 + (i & 1) + 1);
        CHECK(r.number(position.reg, lane) == x + float(invocation));
        CHECK(r.number(RegisterId(position.reg + 3), lane) == x + 300 + float(invocation));
        CHECK(r.number(w.reg, lane) == float(line * 2 + 2) * 2 + float(i * 10) + float((5 + line) * 1000));
        CHECK(r.word(gs.info.system.vertex_flags, lane) == 4);
    }
}

TEST_CASE("adreno compiler: strips begin where a geometry shader ends the last one") {
    const auto program =
        link({{Stage::Vertex, kVertex},
              {Stage::Geometry,
               "layout(points) in; layout(triangle_strip, max_vertices = 6) out; in float v[]; out float w;"
               "void emit(float x) { gl_Position = vec4(x); w = v[0]; EmitVertex(); }"
               "void main() { emit(1.0); emit(2.0); emit(3.0); EndPrimitive(); EndPrimitive(); emit(4.0); "
               "emit(5.0); }"},
              {Stage::Fragment, kFragment}});
    const Binary vs = build_before(*program, Stage::Vertex, Stage::Geometry),
                 gs = build(*program, Stage::Geometry);
    WaveRun r;
    r.fill(vs.info.system.header, [](unsigned lane) { return lane << 16; });
    for (unsigned c = 0; c < 4; c++)
        r.fill(RegisterId(vs.info.attributes[0].reg + c), [](unsigned) { return bits(7); });
    r.run(vs, 1);
    r.run(gs, 6, true);
    const unsigned begins[] = {4, 0, 0, 4, 0};
    for (unsigned lane = 0; lane < 5; lane++) {
        CHECK(!r.killed(lane));
        CHECK(r.word(gs.info.system.vertex_flags, lane) == begins[lane]);
        CHECK(r.number(output(gs, ir::VaryingSlot::Position).reg, lane) == float(lane + 1));
        CHECK(r.number(output(gs, ir::VaryingSlot::Varying0).reg, lane) == 14);
    }
    CHECK(r.killed(5));
}

TEST_CASE("adreno compiler: patches go from a control shader to an evaluation shader through memory") {
    const auto program = link(
        {{Stage::Vertex, kVertex},
         {Stage::TessControl,
          "layout(vertices = 3) out; in float v[]; out float t[]; patch out vec2 q;"
          "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID & 1].gl_Position; "
          "t[gl_InvocationID] = v[0] + float(gl_InvocationID);"
          "  barrier(); if (gl_InvocationID == 0) { q = vec2(t[2], float(gl_PrimitiveID)); "
          "  gl_TessLevelOuter[0] = 1.5; gl_TessLevelOuter[1] = 2.5; gl_TessLevelOuter[2] = "
          "float(gl_PatchVerticesIn); gl_TessLevelInner[0] = 4.5; } }"},
         {Stage::TessEval,
          "layout(triangles) in; in float t[]; patch in vec2 q; out float w;"
          "void main() { gl_Position = gl_in[1].gl_Position * gl_TessCoord.x + gl_in[2].gl_Position * "
          "gl_TessCoord.z;"
          "  w = t[1] + 100.0 * q.x + 10000.0 * q.y + 0.5 * gl_TessLevelOuter[1] + float(gl_PrimitiveID); }"},
         {Stage::Fragment, kFragment}});
    const ir::StageRecords& records = program->stages[size_t(Stage::TessControl)]->info.records;
    const uint32_t vertex_dw = ir::record_dw(records.slots_out), rows_dw = records.patch_rows * 4;
    for (const bool shared : {false, true}) {
        CAPTURE(shared);
        Options options{.domain = ir::Shape::Triangles, .tess_use_shared = shared};
        const Binary vs = build_before(*program, Stage::Vertex, Stage::TessControl, options);
        const Binary hs = build(*program, Stage::TessControl, options),
                     ds = build(*program, Stage::TessEval, options);
        for (const auto id :
             {&SystemValues::header, &SystemValues::relative_patch, &SystemValues::primitive_id})
            CHECK(vs.info.system.*id == hs.info.system.*id);
        WaveRun r;
        // Two patches of two vertices, three lanes each; they are patches 4 and 5 of the subdraw.
        constexpr unsigned kFirst = 4, kRows_dw = 1024, kFactors_dw = 2048;
        r.memory.patches.resize(4096);
        r.constant(Param::PatchVertices, 2);
        const auto address = [&](Param low, uint64_t at_dw) {
            r.constant(low, uint32_t(kPatches + at_dw * 4));
            r.constant(Param(unsigned(low) + 1), uint32_t((kPatches + at_dw * 4) >> 32));
        };
        address(Param::PatchRecordsLow, 0);
        address(Param::PatchRowsLow, kRows_dw);
        address(Param::TessFactorsLow, kFactors_dw);
        const auto header = [&](unsigned lane) {
            const unsigned patch = lane / 3, k = lane % 3;
            return patch | (k < 2 ? k : 0) << 6 | k << 11 | (shared ? patch << 16 : 0);
        };
        r.fill(vs.info.system.header, header);
        r.fill(vs.info.system.relative_patch, [](unsigned lane) { return kFirst + lane / 3; });
        r.fill(vs.info.system.primitive_id, [](unsigned lane) { return 20 + lane / 3; });
        for (unsigned c = 0; c < 4; c++)
            r.fill(RegisterId(vs.info.attributes[0].reg + c), [&](unsigned lane) {
                return bits(float(lane / 3 * 2 + (lane % 3 < 2 ? lane % 3 : 0)) + 1 + 10 * float(c));
            });
        r.run(vs, 6);
        r.run(hs, 6, true);
        const auto at = [&](uint32_t dw) { return std::bit_cast<float>(r.memory.patches[dw]); };
        for (unsigned patch = 0; patch < 2; patch++) {
            CAPTURE(patch);
            const float x = float(patch * 2 + 1);  // the patch' first vertex
            const uint32_t factors = kFactors_dw + (kFirst + patch) * 5;
            CHECK(r.memory.patches[factors] == 20 + patch);
            const float levels[] = {1.5f, 2.5f, 2, 4.5f};
            for (unsigned k = 0; k < 4; k++)
                CHECK(at(factors + 1 + k) == levels[k]);
            for (unsigned v = 0; v < 3; v++) {
                const uint32_t record = ((kFirst + patch) * 3 + v) * vertex_dw;
                CHECK(at(record + 1) == x + float(v & 1) + 10);
            }
            CHECK(at(kRows_dw + (kFirst + patch) * rows_dw + 1) == 2.5f);
        }
        // Points of both patches.
        r.wave->forget_registers();
        const SystemValues& s = ds.info.system;
        r.fill(s.relative_patch, [](unsigned lane) { return kFirst + lane % 2; });
        r.fill(s.primitive_id, [](unsigned lane) { return 20 + lane % 2; });
        r.fill(s.tess_coord, [](unsigned lane) { return bits(float(lane) / 32); });
        r.fill(RegisterId(s.tess_coord + 1), [](unsigned lane) { return bits(float(lane) / 64); });
        r.run(ds, kLanes);
        for (unsigned lane = 0; lane < kLanes; lane++) {
            CAPTURE(lane);
            const float first = float(lane % 2 * 2 + 1), u = float(lane) / 32, z = 1 - float(lane) / 64 - u;
            CHECK(r.number(output(ds, ir::VaryingSlot::Position).reg, lane) ==
                  doctest::Approx((first + 1) * u + first * z));
            const float t1 = first * 2 + 1, t2 = first * 2 + 2, id = float(20 + lane % 2);
            CHECK(r.number(output(ds, ir::VaryingSlot::Varying0).reg, lane) ==
                  doctest::Approx(t1 + 100 * t2 + 10000 * id + 1.25f + id));
        }
    }
}
