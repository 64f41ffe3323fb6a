// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Program binaries with right checksums, but with numbers that refer to missing things. Each is a valid
// program with one change.
#include <doctest/doctest.h>

#include <functional>

#include "shaders/ir/limits.h"
#include "shaders/ir/validate.h"
#include "shaders/link/check.h"
#include "shaders/passes/gather_info.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr unsigned kVs = unsigned(ir::Stage::Vertex), kFs = unsigned(ir::Stage::Fragment);

/// uniforms: m[2] (mat4), i, k[3], s[2] (samplers), t; attributes a at 0, b at 1.
std::shared_ptr<const LinkedProgram> program() {
    const auto r = test::link_pair(
        "attribute vec4 a; attribute mat2 b; uniform highp mat4 m[2]; uniform int i; varying vec2 v; void "
        "main() { "
        "gl_Position = m[i] * a; v = b * a.xy; }",
        "precision highp float; varying vec2 v; uniform sampler2D s[2]; uniform samplerCube t; uniform float "
        "k[3]; "
        "void main() { gl_FragColor = texture2D(s[0], v) * texture2D(s[1], v) * textureCube(t, v.xyy) * k[0] "
        "* k[2]; }");
    REQUIRE_MESSAGE(r.program, r.log);
    return r.program;
}

/// The error of deserialize() for the changed program.
std::string refused(const std::function<void(LinkedProgram&)>& change) {
    LinkedProgram p = *program();
    change(p);
    std::string why;
    const std::vector<uint8_t> bytes = serialize(p);
    const bool at_once = deserialize(bytes, Stages::AtOnce, {}, &why) != nullptr;
    // Code that reads stages later must not accept more.
    const auto later = deserialize(bytes, Stages::WhenNeeded);
    bool readable = later != nullptr;
    for (unsigned s = 0; readable && s < ir::kStageCount; ++s)
        readable &= !later->stages[s] || later->stages[s].get();
    CHECK(at_once == readable);
    return at_once ? "accepted" : why;
}

UniformInfo& uniform(LinkedProgram& p, std::string_view name) {
    for (UniformInfo& u : p.uniforms)
        if (u.name == name) return u;
    FAIL("no such uniform");
    return p.uniforms[0];
}

bool has(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

/// Changes every instruction with this operation, and the info with it.
void change_code(LinkedProgram& p, unsigned stage, ir::Op op, const std::function<void(ir::Instr&)>& change) {
    std::unique_ptr<ir::Shader> s = ir::clone(*p.stages[stage]);
    unsigned changed = 0;
    ir::for_each(s->body, [&](ir::Instr* i) {
        if (i->op == op) change(*i), ++changed;
    });
    REQUIRE(changed);
    bool fits = true;
    ir::for_each(s->body, [&](ir::Instr* i) {
        fits &= (i->op != ir::Op::LoadInput && i->op != ir::Op::StoreOutput) || i->u.io.slot < 64;
    });
    if (fits) ir::gather_info(*s);
    p.stages[stage] = LinkedStage(std::make_shared<ir::StoredShader>(std::move(s)));
}

}  // namespace

TEST_CASE("hostile: the program itself is accepted") {
    CHECK(refused([](LinkedProgram&) {}) == "accepted");
}

TEST_CASE("hostile: uniforms with wrong numbers") {
    struct Case {
        const char* name;
        void (*change)(UniformInfo&);
        const char* why;
    };
    static constexpr Case kCases[] = {
        {"i", [](UniformInfo& u) { u.type.rows = 0; }, "a type that uniforms do not have"},
        {"m[0]", [](UniformInfo& u) { u.type.columns = 0; }, "a type that uniforms do not have"},
        {"i", [](UniformInfo& u) { u.type.columns = 2; }, "a type that uniforms do not have"},
        {"i", [](UniformInfo& u) { u.type.base = BaseType::Image; }, "a place that uniforms of its type"},
        {"i", [](UniformInfo& u) { u.type.base = BaseType::AtomicCounter; }, "is an atomic counter, or none"},
        {"i", [](UniformInfo& u) { u.binding = -2; }, "a unit that there is not"},
        {"t", [](UniformInfo& u) { u.type.rows = 4; }, "a type that uniforms do not have"},
        {"t", [](UniformInfo& u) { u.type.sampled = BaseType::Bool; }, "a type that uniforms do not have"},
        {"k[0]", [](UniformInfo& u) { u.array_size = 0; }, "a wrong number of elements"},
        {"i", [](UniformInfo& u) { u.array_size = 2; }, "a wrong number of elements"},
        {"k[0]", [](UniformInfo& u) { u.array_size = 0x40000001; }, "does not follow the one before it"},
        {"k[0]", [](UniformInfo& u) { u.storage_dw += 1; }, "does not follow the one before it"},
        {"k[0]", [](UniformInfo& u) { u.storage_dw = 0xffffffff; }, "does not follow the one before it"},
        {"k[0]", [](UniformInfo& u) { u.location = 0x7ffffffe; }, "no locations of its own"},
        {"k[0]", [](UniformInfo& u) { u.location = -1; }, "no locations of its own"},
        {"i", [](UniformInfo& u) { u.location = 0; }, "no locations of its own"},
        {"k[0]", [](UniformInfo& u) { u.offset_dw[kFs] = 1; }, "lies beyond the fragment stage's uniforms"},
        {"k[0]", [](UniformInfo& u) { u.offset_dw[kFs] = INT32_MAX; },
         "lies beyond the fragment stage's uniforms"},
        {"k[0]", [](UniformInfo& u) { u.offset_dw[kFs] = INT32_MIN; }, "a place that uniforms of its type"},
        {"k[0]", [](UniformInfo& u) { u.offset_dw[kFs] = -1; }, "is in no stage"},
        {"k[0]", [](UniformInfo& u) { u.offset_dw[2] = 0; }, "lies beyond the tessellation evaluation"},
        {"i", [](UniformInfo& u) { u.offset_dw[kVs] = 3; }, "or on another"},
        {"k[0]", [](UniformInfo& u) { u.sampler_slot[kFs] = 0; }, "a place that uniforms of its type"},
        {"t", [](UniformInfo& u) { u.sampler_slot[kFs] = 3; }, "lies beyond the fragment stage's uniforms"},
        {"t", [](UniformInfo& u) { u.sampler_slot[kFs] = 0; }, "uniform"},
        {"t", [](UniformInfo& u) { u.type.dim = ir::TexDim::D2; }, "is not what its sampler slots say"},
        {"i", [](UniformInfo& u) { u.name = "t"; }, "has no name of its own"},
        {"i", [](UniformInfo& u) { u.name = std::string("x\0y", 3); }, "has no name of its own"},
        {"i", [](UniformInfo& u) { u.name = "x[0]"; }, "is an array, or is called like one"},
        {"i", [](UniformInfo& u) { u.name = "gl_DepthRange.near"; }, "is no built-in uniform"},
        {"i", [](UniformInfo& u) { u.name = "gl_DepthRange.near", u.block = 0; }, "is no built-in uniform"},
    };
    for (const Case& c : kCases) {
        const std::string why = refused([&](LinkedProgram& p) { c.change(uniform(p, c.name)); });
        CAPTURE(&c - kCases);
        CHECK(has(why, c.why));
    }
}

TEST_CASE("hostile: attributes, samplers and sizes that do not exist") {
    struct Case {
        void (*change)(LinkedProgram&);
        const char* why;
    };
    static constexpr Case kCases[] = {
        {[](LinkedProgram& p) { p.attributes[0].array_size = 0xffffffff; }, "the limit is 16"},
        {[](LinkedProgram& p) { p.attributes[0].location = 16; }, "the limit is 16"},
        {[](LinkedProgram& p) { p.attributes[0].location = INT32_MAX; }, "the limit is 16"},
        {[](LinkedProgram& p) { p.attributes[0].location = -1; }, "an attribute has no location"},
        {[](LinkedProgram& p) { p.attributes[0].type.base = BaseType::Sampler; }, "a type that attributes"},
        {[](LinkedProgram& p) { p.attributes[0].type.rows = 0; }, "a type that attributes"},
        {[](LinkedProgram& p) { p.attributes[1].name = p.attributes[0].name; }, "no name of its own"},
        {[](LinkedProgram& p) { p.attributes.pop_back(); }, "other inputs and outputs than the program"},
        {[](LinkedProgram& p) { p.storage_dw++; }, "more than its uniforms'"},
        {[](LinkedProgram& p) { p.storage_dw = 0xffffffff; }, "more than its uniforms'"},
        {[](LinkedProgram& p) { p.storage_dw = 1; }, "does not follow the one before it"},
        {[](LinkedProgram& p) { p.uniform_dw[kVs] = 0xffffffff; }, "the limit is 65536"},
        {[](LinkedProgram& p) { p.uniform_dw[kVs]++; }, "other uniforms than the program"},
        {[](LinkedProgram& p) { p.varying_slots = 0; }, "other inputs and outputs than the program"},
        {[](LinkedProgram& p) { p.varying_slots = 0xffffffff; }, "the limit is 16"},
        {[](LinkedProgram& p) { p.samplers[kFs][0].uniform = 0xffffffff; },
         "is not what its sampler slots say"},
        {[](LinkedProgram& p) { p.samplers[kFs][1].element = 2; }, "is not what its sampler slots say"},
        {[](LinkedProgram& p) { p.samplers[kFs].push_back(p.samplers[kFs][0]); }, "belongs to no uniform"},
        {[](LinkedProgram& p) { p.samplers[kFs].resize(17, p.samplers[kFs][0]); }, "the limit is 16"},
        {[](LinkedProgram& p) { p.stages[kFs] = {}; }, "uniform"},
        {[](LinkedProgram& p) { std::swap(p.stages[kVs], p.stages[kFs]); }, "the code is of another stage"},
    };
    for (const Case& c : kCases) {
        const std::string why = refused(c.change);
        CAPTURE(&c - kCases);
        CHECK(has(why, c.why));
    }
}

TEST_CASE("hostile: code that accesses more than its program has") {
    struct Case {
        unsigned stage;
        ir::Op op;
        void (*change)(ir::Instr&);
        const char* why;
    };
    static constexpr Case kCases[] = {
        {kVs, ir::Op::LoadUniform, [](ir::Instr& i) { i.u.io.slot = 0xffffffff, i.u.io.count = 2; },
         "uniform"},
        {kVs, ir::Op::LoadUniform, [](ir::Instr& i) { i.u.io.slot = 1 << 30; }, "uniform"},
        {kVs, ir::Op::LoadInput, [](ir::Instr& i) { i.u.io.slot += 16; }, "inputs"},
        {kVs, ir::Op::LoadInput, [](ir::Instr& i) { i.u.io.slot = 63; }, "inputs"},
        {kVs, ir::Op::LoadInput, [](ir::Instr& i) { i.u.io.component = 4; }, "a component is 0 to 3"},
        {kVs, ir::Op::StoreOutput, [](ir::Instr& i) { i.u.io.slot += 30; }, "outputs"},
        {kVs, ir::Op::LoadInput,
         [](ir::Instr& i) {
             i.op = ir::Op::LoadSysval;
             i.u.io.slot = unsigned(ir::Sysval::FragCoord);
         },
         "the stage has the system value"},
        {kFs, ir::Op::LoadInput,
         [](ir::Instr& i) {
             i.op = ir::Op::LoadSysval;
             i.u.io.slot = unsigned(ir::Sysval::PrimitiveId);
         },
         "no such system value"},
        {kFs, ir::Op::LoadInput, [](ir::Instr& i) { i.u.io.slot = 0; }, "inputs"},
        {kFs, ir::Op::StoreOutput, [](ir::Instr& i) { i.u.io.slot = unsigned(ir::FragSlot::SampleMask); },
         "a sample mask is one i32"},
        {kFs, ir::Op::StoreOutput, [](ir::Instr& i) { i.u.io.slot = unsigned(ir::FragSlot::Stencil); },
         "outputs"},
        {kFs, ir::Op::Tex, [](ir::Instr& i) { i.u.tex->binding = 100; }, "uniforms"},
        {kFs, ir::Op::Tex, [](ir::Instr& i) { i.u.tex->binding = INT32_MAX; }, "uniforms"},
        {kFs, ir::Op::Tex, [](ir::Instr& i) { i.u.tex->binding = 0; }, "declared"},
        {kFs, ir::Op::Tex, [](ir::Instr& i) { i.u.tex->count = 0xffffffff; }, "stays within its array"},
        {kFs, ir::Op::Tex, [](ir::Instr& i) { i.u.tex->offset[0] = 127; }, "a texel offset is -8 to 7"},
        {kFs, ir::Op::FMul, [](ir::Instr& i) { i.flags = 4; }, "unknown flag"},
        {kFs, ir::Op::FMul, [](ir::Instr& i) { i.op = ir::Op::IAdd; }, "one integer type"},
    };
    for (const Case& c : kCases) {
        const std::string why = refused([&](LinkedProgram& p) {
            change_code(p, c.stage, c.op, c.change);
            p.uniform_dw[c.stage] = p.stages[c.stage].stored()->info().uniform_dw;
            if (p.uniform_dw[c.stage] > kMaxDefaultBlock_dw) p.uniform_dw[c.stage] = kMaxDefaultBlock_dw;
        });
        CAPTURE(&c - kCases);
        CHECK(has(why, c.why));
    }
}

TEST_CASE("hostile: the linker keeps the limits that binaries must keep") {
    // Only one element of each array is read: GL's own limit accepts it.
    std::string uniforms, sum = "0.0";
    for (char c = 'a'; c <= 'd'; ++c) {
        const std::string name(1, c);
        uniforms += "struct S" + name + " { vec4 used; }; uniform S" + name + " " + name + "[5000];";
        sum += " + " + name + "[1].used.x";
    }
    const auto r = test::link_pair(
        "attribute vec4 p; void main() { gl_Position = p; }",
        "precision mediump float; " + uniforms + "void main() { gl_FragColor = vec4(" + sum + "); }");
    CHECK(!r.program);
    CHECK(has(r.log, "the limit is " + std::to_string(kMaxDefaultBlock_dw)));
    CHECK(has(r.log, "too many uniforms in the fragment shader"));
}

TEST_CASE("hostile: fragment outputs with wrong numbers") {
    const auto r = test::link_pair("#version 300 es\nvoid main() { gl_Position = vec4(1.0); }",
                                   "#version 300 es\nprecision highp float; layout(location = 1) out vec4 "
                                   "a[2]; layout(location = 4) out highp uvec2 b;"
                                   "void main() { a[0] = a[1] = vec4(1.0); b = uvec2(1u); }",
                                   300);
    REQUIRE_MESSAGE(r.program, r.log);
    struct Case {
        void (*change)(std::vector<OutputInfo>&);
        const char* why;
    };
    static constexpr Case kCases[] = {
        {[](std::vector<OutputInfo>& o) { o[1].name = "a"; }, "no name of its own"},
        {[](std::vector<OutputInfo>& o) { o[1].name = ""; }, "no name of its own"},
        {[](std::vector<OutputInfo>& o) { o[0].type.base = BaseType::Bool; },
         "a type that outputs do not have"},
        {[](std::vector<OutputInfo>& o) { o[0].type.columns = 4; }, "a type that outputs do not have"},
        {[](std::vector<OutputInfo>& o) { o[0].type.rows = 0; }, "a type that outputs do not have"},
        {[](std::vector<OutputInfo>& o) { o[0].array_size = 0; }, "a type that outputs do not have"},
        {[](std::vector<OutputInfo>& o) { o[1].array_size = 2; }, "a type that outputs do not have"},
        {[](std::vector<OutputInfo>& o) { o[0].array_size = 0xffffffff; },
         "locations up to those of fragment output a"},
        {[](std::vector<OutputInfo>& o) { o[0].location = 7; }, "locations up to those of fragment output a"},
        {[](std::vector<OutputInfo>& o) { o[0].location = -1; }, "has no location"},
        {[](std::vector<OutputInfo>& o) { o[1].location = INT32_MAX; },
         "locations up to those of fragment output b"},
        {[](std::vector<OutputInfo>& o) { o[1].index = 1; }, "locations up to those of fragment output b"},
    };
    CHECK(deserialize(serialize(*r.program)));
    for (const Case& c : kCases) {
        LinkedProgram p = *r.program;
        c.change(p.outputs);
        std::string why;
        CHECK_FALSE(deserialize(serialize(p), Stages::AtOnce, {}, &why));
        CHECK_MESSAGE(has(why, c.why), why);
    }
}
