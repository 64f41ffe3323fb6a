// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <functional>

#include "shaders/passes/gather_info.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr unsigned kVs = unsigned(ir::Stage::Vertex), kFs = unsigned(ir::Stage::Fragment);

LinkResult pair(const std::string& vertex, const std::string& fragment) {
    return test::link_pair("#version 300 es\n" + vertex,
                           "#version 300 es\nprecision highp float;\n" + fragment, 300);
}

/// Blocks: A in both stages, B[0] and B[1] in the fragment stage, C in the vertex stage.
LinkResult example() {
    return pair(
        "uniform A { mat4 m; vec3 v[2]; } a; layout(std140, row_major) uniform C { mat2x3 r; int used; };\n"
        "uniform float plain; void main() { gl_Position = a.m * vec4(plain, r[0]); }",
        "uniform B { vec4 colour; } b[2]; uniform A { mat4 m; vec3 v[2]; } other; uniform int n; out vec4 "
        "c;\n"
        "void main() { c = b[1].colour + vec4(other.v[n], 0.0); }");
}

const UniformInfo& uniform(const LinkedProgram& p, std::string_view name) {
    for (const UniformInfo& u : p.uniforms)
        if (u.name == name) return u;
    FAIL("no such uniform");
    return p.uniforms[0];
}

std::string refused(const std::function<void(LinkedProgram&)>& change) {
    LinkedProgram p = *example().program;
    change(p);
    std::string why;
    return deserialize(serialize(p), Stages::AtOnce, {}, &why) ? "accepted" : why;
}

/// Changes the payload of each load of a block in the fragment stage.
std::string refused_code(const std::function<void(ir::MemInfo&)>& change) {
    return refused([&](LinkedProgram& p) {
        std::unique_ptr<ir::Shader> s = ir::clone(*p.stages[kFs]);
        ir::for_each(s->body, [&](ir::Instr* i) {
            if (i->op == ir::Op::LoadBuffer) change(*i->u.mem);
        });
        ir::gather_info(*s);
        p.stages[kFs] = LinkedStage(std::make_shared<ir::StoredShader>(std::move(s)));
    });
}

bool has(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("blocks: queries of blocks") {
    const LinkResult r = example();
    REQUIRE_MESSAGE(r.program, r.log);
    const LinkedProgram& p = *r.program;
    REQUIRE(p.blocks.size() == 4);
    const auto check = [&](size_t n, const char* name, uint32_t size_B, int32_t vs, int32_t fs,
                           uint32_t left) {
        CHECK(p.blocks[n].name == name);
        CHECK(p.blocks[n].size_B == size_B);
        CHECK(p.blocks[n].slot[kVs] == vs);
        CHECK(p.blocks[n].slot[kFs] == fs);
        CHECK(p.blocks[n].array_left == left);
        CHECK(p.blocks[n].binding == -1);
    };
    check(0, "A", 96, 0, 2, 1);
    check(1, "C", 64, 1, -1, 1);
    check(2, "B[0]", 16, -1, 0, 2);
    check(3, "B[1]", 16, -1, 1, 1);
    CHECK(p.block_slots[kVs] == 2);
    CHECK(p.block_slots[kFs] == 3);
    CHECK(p.blocks[2].members == p.blocks[3].members);
    CHECK(p.blocks[0].members.size() == 2);

    const UniformInfo& v = uniform(p, "A.v[0]");
    CHECK(v.block == 0);
    CHECK(v.block_offset_B == 64);
    CHECK(v.array_stride_B == 16);
    CHECK(v.array_size == 2);
    CHECK(v.location == -1);
    const UniformInfo& rows = uniform(p, "r");
    CHECK(rows.block == 1);
    CHECK(rows.row_major);
    CHECK(rows.matrix_stride_B == 16);
    CHECK(uniform(p, "used").block_offset_B == 48);
    CHECK(uniform(p, "B.colour").block == 2);
    CHECK(uniform(p, "plain").block == -1);
    CHECK(uniform(p, "plain").location == 0);
    CHECK(uniform(p, "n").location == 1);
    CHECK(p.stages[kVs]->info.uniform_blocks_read == 3);
    CHECK(p.stages[kFs]->info.uniform_blocks_read == 6);
}

TEST_CASE("blocks: stages with different declarations") {
    const std::string main = "\nvoid main() { gl_Position = vec4(0.0); }", out = "\nvoid main() {}";
    const auto log = [&](const char* vertex, const char* fragment) {
        const LinkResult r = pair(vertex + main, fragment + out);
        return r.program ? std::string("linked") : r.log;
    };
    CHECK(log("uniform A { float x; };", "uniform A { float x; };") == "linked");
    CHECK(log("uniform A { float x; } a;", "uniform A { float x; } b;") == "linked");
    CHECK(log("uniform A { highp float x; };", "uniform A { mediump float x; };") == "linked");
    CHECK(has(log("uniform A { float x; };", "uniform A { int x; };"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("uniform A { float x; };", "uniform A { float y; };"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("uniform A { float x; };", "uniform A { float x; } a;"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("layout(std140) uniform A { float x; };", "uniform A { float x; };"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("layout(row_major) uniform A { mat2 x; };", "uniform A { mat2 x; };"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("uniform A { float x; } a[2];", "uniform A { float x; } a[3];"),
              "uniform block 'A' is declared differently"));
    CHECK(has(log("uniform A { float x; };", "uniform float x;"), "uniform 'x' is in different blocks"));
    CHECK(
        has(log("uniform A { float x; };", "uniform B { float x; };"), "uniform 'x' is in different blocks"));
}

TEST_CASE("blocks: limits") {
    const auto log = [](const std::string& vertex, const std::string& fragment) {
        const LinkResult r =
            pair(vertex + "\nvoid main() { gl_Position = vec4(0.0); }", fragment + "\nvoid main() {}");
        return r.program ? std::string("linked") : r.log;
    };
    CHECK(log("uniform A { float x; } a[12];", "uniform B { float x; } b[12];") == "linked");
    CHECK(has(log("uniform A { float x; } a[13];", ""), "too many uniform blocks in the vertex shader"));
    CHECK(log("uniform A { vec4 x[4096]; };", "") == "linked");
    CHECK(has(log("uniform A { vec4 x[4097]; };", ""),
              "uniform block 'A' has 65552 bytes, 65536 are supported"));
}

TEST_CASE("blocks: a program's bytes contain them") {
    const LinkResult r = example();
    REQUIRE(r.program);
    std::string why;
    const auto back = deserialize(serialize(*r.program), Stages::AtOnce, {}, &why);
    REQUIRE_MESSAGE(back, why);
    REQUIRE(back->blocks.size() == 4);
    CHECK(back->blocks[3].name == "B[1]");
    CHECK(back->blocks[3].slot == r.program->blocks[3].slot);
    CHECK(back->blocks[0].members == r.program->blocks[0].members);
    CHECK(back->block_slots == r.program->block_slots);
    CHECK(uniform(*back, "r").row_major);
    CHECK(uniform(*back, "A.v[0]").block_offset_B == 64);
    CHECK(serialize(*back) == serialize(*r.program));
}

TEST_CASE("blocks: binaries with wrong numbers") {
    struct Case {
        std::function<void(LinkedProgram&)> change;
        const char* why;
    };
    const auto of = [](const char* name, std::function<void(UniformInfo&)> f) {
        return [name, f](LinkedProgram& p) { f(const_cast<UniformInfo&>(uniform(p, name))); };
    };
    const Case cases[] = {
        {[](LinkedProgram&) {}, "accepted"},
        {[](LinkedProgram& p) { p.blocks[0].name = "C"; }, "has no name of its own"},
        {[](LinkedProgram& p) { p.blocks[0].size_B = 1u << 30; }, "has a wrong size"},
        {[](LinkedProgram& p) { p.blocks[0].size_B = 80; }, "does not lie in its block"},
        {[](LinkedProgram& p) { p.blocks[0].slot[kVs] = 1; }, "has a slot that there is not"},
        {[](LinkedProgram& p) { p.blocks[0].slot[kVs] = INT32_MIN; }, "has a slot that there is not"},
        {[](LinkedProgram& p) { p.blocks[3].slot[kFs] = 2; }, "does not follow the one before it"},
        {[](LinkedProgram& p) { p.blocks[3].array_left = 2; }, "is damaged"},
        {[](LinkedProgram& p) { p.blocks[2].array_left = 3; }, "is damaged"},
        {[](LinkedProgram& p) { p.blocks[0].array_left = 3; }, "is not like the one before it"},
        {[](LinkedProgram& p) { p.blocks[3].members.clear(); }, "is not like the one before it"},
        {[](LinkedProgram& p) { p.blocks[0].members.push_back(77); }, "has members that are not its own"},
        {[](LinkedProgram& p) { p.blocks[0].members.push_back(p.blocks[0].members[0]); },
         "has members that are not its own"},
        {[](LinkedProgram& p) { p.blocks[0].members.pop_back(); }, "a member is not in its block's list"},
        {[](LinkedProgram& p) { p.blocks[1].slot[kVs] = -1; }, "is in no stage"},
        {[](LinkedProgram& p) { p.block_slots[kVs] = 3; }, "a slot for uniform blocks belongs to none"},
        {[](LinkedProgram& p) { p.block_slots[kVs] = 4000000000u; }, "uniform blocks in the vertex stage"},
        {of("r", [](UniformInfo& u) { u.block = 9; }), "is in no block of the program"},
        {of("r", [](UniformInfo& u) { u.block = -2; }), "is in no block of the program"},
        {of("r", [](UniformInfo& u) { u.block_offset_B = 0xfffffffc; }), "does not lie in its block"},
        {of("r", [](UniformInfo& u) { u.block_offset_B = 2; }), "does not lie in its block"},
        {of("r", [](UniformInfo& u) { u.matrix_stride_B = 0; }), "has strides that its type does not have"},
        {of("r", [](UniformInfo& u) { u.matrix_stride_B = 0xfffffffc; }), "does not lie in its block"},
        {of("A.v[0]", [](UniformInfo& u) { u.array_size = 0xffffffff; }), "does not lie in its block"},
        {of("r", [](UniformInfo& u) { u.location = 5; }), "is not what members of blocks are"},
        {of("r", [](UniformInfo& u) { u.offset_dw[kFs] = 0; }), "is not what members of blocks are"},
    };
    for (const Case& c : cases) {
        const std::string why = refused(c.change);
        CHECK_MESSAGE(why.find(c.why) != std::string::npos, c.why, ", found: ", why);
    }
}

TEST_CASE("blocks: code that accesses blocks beyond its program's") {
    CHECK(refused_code([](ir::MemInfo&) {}) == "accepted");
    CHECK(has(refused_code([](ir::MemInfo& m) { m.binding = 3; }),
              "the code has other blocks than the program"));
    CHECK(has(refused_code([](ir::MemInfo& m) { m.binding = 500; }),
              "the code has other blocks than the program"));
    CHECK(has(refused_code([](ir::MemInfo& m) { m.space = ir::Storage::Buffer; }),
              "the code has other blocks than the program"));
    CHECK(has(refused_code([](ir::MemInfo& m) { m.words = 0; }), "a memory operation has the operands"));
    CHECK(refused_code([](ir::MemInfo& m) { m.offset_B = 0xfffffff3; }) == "accepted");  // this reads 0
}
