// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What linked code may refer to: each rule with code that keeps it up to the last number, and with code that
// breaks it.
#include <doctest/doctest.h>

#include "shaders/ir/limits.h"
#include "shaders/ir/parse.h"
#include "shaders/ir/validate_linked.h"

using namespace terrazzo::ir;

namespace {

/// Four dwords of uniforms; samplers: a 2D array of three, a cube; attributes 0 and 2, one varying.
StageInterface reach(Stage stage) {
    StageInterface r;
    r.uniform_dw = 4;
    r.samplers = {{TexDim::D2, false, false, Type::F32, 3},
                  {TexDim::D2, false, false, Type::F32, 2},
                  {TexDim::D2, false, false, Type::F32, 1},
                  {TexDim::Cube, false, false, Type::F32, 1}};
    r.inputs = stage == Stage::Vertex ? 0b101 : varying_mask(1);
    r.outputs = fixed_outputs(stage) | (stage == Stage::Vertex ? varying_mask(1) : 0);
    return r;
}

/// The message up to the instruction.
std::string rule_of(std::string_view stage, const std::string& body) {
    const ParseResult r =
        parse(std::string(stage) + " {\n  %0: f32 = const 1.0\n  %1: i32 = const 1\n" + body + "\n}\n");
    REQUIRE_MESSAGE(r.shader, r.error);
    const std::string rule = validate_linked(*r.shader, reach(r.shader->stage));
    return rule.substr(0, rule.find(": "));
}
std::string vertex(const std::string& body) {
    return rule_of("vertex", body);
}
std::string fragment(const std::string& body) {
    return rule_of("fragment", body);
}

}  // namespace

TEST_CASE("validate_linked: uniforms must be inside the block, also if sums overflow") {
    CHECK(vertex("%2: f32 = load_uniform 3") == "");
    CHECK(vertex("%2: f32 = load_uniform 1 + %1 of 3") == "");
    const std::string rule = "a uniform lies within the default block";
    CHECK(vertex("%2: f32 = load_uniform 4") == rule);
    CHECK(vertex("%2: f32 = load_uniform 1 + %1 of 4") == rule);
    CHECK(vertex("%2: f32 = load_uniform 4294967295") == rule);
    CHECK(vertex("%2: f32 = load_uniform 2 + %1 of 4294967295") == rule);
    CHECK(vertex("%2: bool = load_uniform 0") == "a linked uniform is an i32 or an f32");
}

TEST_CASE("validate_linked: inputs and outputs must be the program's") {
    CHECK(vertex("%2: f32 = load_input 2.w") == "");
    for (const char* slot : {"1", "3", "16", "31", "38"})
        CHECK(vertex("%2: f32 = load_input " + std::string(slot) + ".x") ==
              "the program has the attribute or varying");
    CHECK(fragment("%2: f32 = load_input 7.x") == "");
    CHECK(fragment("%2: f32 = load_input 8.x") == "the program has the attribute or varying");
    CHECK(fragment("%2: f32 = load_input 0.x") == "the program has the attribute or varying");
    CHECK(vertex("%2: f32 = load_input 0.x at %1") == "a linked input has no index");
    CHECK(vertex("store_output 7.w, %0") == "");
    CHECK(vertex("store_output 8.x, %0") == "the program has the output");
    CHECK(vertex("store_output 4.x, %1") == "the program has the output");
    CHECK(vertex("store_output 1.y, %0") == "point size and depth are scalars");
    CHECK(vertex("store_output 0.x, %1") == "position, point size and depth are f32");
    CHECK(fragment("store_output 7.w, %0") == "");
    CHECK(fragment("store_output 9.x, %1") == "the program has the output");
}

TEST_CASE("validate_linked: a slot has one type and one interpolation") {
    CHECK(vertex("store_output 7.x, %0\n  store_output 7.x, %1") ==
          "an output has one type wherever it is written");
    CHECK(vertex("%2: f32 = load_input 0.x\n  %3: i32 = load_input 0.x") ==
          "an input has one type wherever it is read");
    CHECK(fragment("%2: f32 = load_input 7.x\n  %3: f32 = load_input 7.y flat") ==
          "a varying slot is interpolated in one way");
}

TEST_CASE("validate_linked: system values must be the stage's, with its types") {
    CHECK(vertex("%2: i32 = load_sysval vertex_id.x") == "");
    CHECK(fragment("%2: f32 = load_sysval point_coord.y") == "");
    CHECK(fragment("%2: bool = load_sysval front_facing.x") == "");
    CHECK(fragment("%2: f32 = load_sysval last_color7.w") == "");
    CHECK(fragment("%2: i32 = load_sysval sample_id.x") == "");
    CHECK(fragment("%2: f32 = load_sysval sample_pos.y") == "");
    CHECK(vertex("%2: i32 = load_sysval num_samples.x") == "the stage has the system value");
    // A device's own one, which is added after the linker.
    CHECK(fragment("%2: i32 = load_sysval sample_positions.x") == "linked stages have no such system value");
    CHECK(vertex("%2: bool = load_sysval front_facing.x") == "the stage has the system value");
    CHECK(vertex("%2: f32 = load_sysval frag_coord.x") == "the stage has the system value");
    CHECK(fragment("%2: i32 = load_sysval vertex_id.x") == "the stage has the system value");
    CHECK(fragment("%2: f32 = load_sysval front_facing.x") == "a system value has its type and components");
    CHECK(fragment("%2: f32 = load_sysval point_coord.z") == "a system value has its type and components");
    CHECK(fragment("%2: i32 = load_sysval num_work_groups.x") == "the stage has the system value");
    CHECK(fragment("%2: i32 = load_sysval primitive_id.x") == "linked stages have no such system value");
    CHECK(vertex("%2: f32 = load_sysval last_color0.x") ==
          "what a colour buffer holds is an f32 or an i32 of the fragment stage");
    CHECK(fragment("%2: bool = load_sysval last_color0.x") ==
          "what a colour buffer holds is an f32 or an i32 of the fragment stage");
}

TEST_CASE("validate_linked: samplers must exist, with that kind, and indices must stay in their array") {
    const auto tex = [](const std::string& what) {
        return fragment("%2: f32, %3: f32, %4: f32, %5: f32 = tex " + what);
    };
    CHECK(tex("sample 2d coords=2 binding=2 (%0, %0)") == "");
    CHECK(tex("sample 2d indexed coords=2 binding=1 slots=2 (%0, %0, %1)") == "");
    CHECK(tex("sample 2d coords=2 binding=4 (%0, %0)") == "the program has the sampler");
    CHECK(tex("sample 2d coords=2 binding=2147483647 (%0, %0)") == "the program has the sampler");
    CHECK(tex("sample 2d indexed coords=2 binding=1 slots=3 (%0, %0, %1)") ==
          "a sampler's index stays within its array");
    CHECK(tex("sample 2d indexed coords=2 binding=1 slots=0 (%0, %0, %1)") ==
          "a sampler's index stays within its array");
    CHECK(tex("sample 2d coords=2 binding=1 slots=2 (%0, %0)") == "a sampler's index stays within its array");
    const std::string declared = "a texture is read as its sampler is declared";
    CHECK(tex("sample 2d coords=2 binding=3 (%0, %0)") == declared);
    CHECK(tex("sample cube coords=3 binding=0 (%0, %0, %0)") == declared);
    CHECK(tex("sample 2d array coords=3 binding=0 (%0, %0, %0)") == declared);
    CHECK(tex("sample 2d coords=2 offset=8,0,0 binding=0 (%0, %0)") == "a texel offset is -8 to 7");
    CHECK(fragment(
              "%2: i32, %3: i32, %4: i32, %5: i32 = tex sample 2d coords=2 result=i32 binding=0 (%0, %0)") ==
          "texels have the sampler's type");
}

TEST_CASE("validate_linked: types, operations and variables must be those of linked stages") {
    CHECK(vertex("%2: f16 = f2f %0") == "linked stages have bools, i32 and f32");
    CHECK(vertex("%2: i64 = const 1") == "linked stages have bools, i32 and f32");
    CHECK(vertex("barrier execution=workgroup memory=none ()") ==
          "invocations of workgroups wait for each other");
    CHECK(vertex("barrier execution=none memory=device buffers ()") == "");
    CHECK(rule_of("compute", "") == "");
    CHECK(rule_of("geometry", "") == "records of vertices are what the stage may have");
    const auto with_var = [](const char* var) {
        const ParseResult r = parse(std::string("vertex {\n  var v0 \"x\" ") + var + "\n}\n");
        REQUIRE_MESSAGE(r.shader, r.error);
        return validate_linked(*r.shader, reach(Stage::Vertex));
    };
    CHECK(with_var(("f32[" + std::to_string(kMaxPrivateScalars) + "] local").c_str()) == "");
    CHECK(with_var(("f32[" + std::to_string(kMaxPrivateScalars + 1) + "] local").c_str()) ==
          "the scalars of a stage's variables exceed the limit of " + std::to_string(kMaxPrivateScalars));
    CHECK(with_var("f32[4] uniform") == "a linked stage's variables are its own");
}

TEST_CASE("validate_linked: the number of operands is limited, not only that of values") {
    Shader s(Stage::Vertex);
    constexpr unsigned kArgs = 60000;
    const Type type = Type::I32;
    Instr* const zero = s.create(Op::Const, {}, {&type, 1});
    append(s.body, zero);
    const std::vector<Value*> values(kArgs, zero->result());
    Instr* const loop = s.create(Op::Loop, values, {}, 1);
    append(s.body, loop);
    for (unsigned n = 0; n < kArgs; n++)
        s.add_region_arg(loop->regions[0], Type::I32);
    for (unsigned n = 0; n < kMaxStageOperands / kArgs; n++) {
        const Type boolean = Type::Bool;
        Instr* const c = s.create(Op::Const, {}, {&boolean, 1});
        append(loop->regions[0], c);
        Value* const condition = c->result();
        Instr* const branch = s.create(Op::If, {&condition, 1}, {}, 2);
        append(loop->regions[0], branch);
        append(branch->regions[0], s.create(Op::Continue, values, {}));
    }
    append(loop->regions[0], s.create(Op::Break, {}, {}));
    const std::string rule = validate_linked(s, reach(Stage::Vertex));
    CHECK(
        rule.starts_with("the operands of a stage exceed the limit of " + std::to_string(kMaxStageOperands)));
}
