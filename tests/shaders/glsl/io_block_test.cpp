// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks of outputs and inputs between two stages. The vertex shader's outputs become the fragment shader's
// inputs, both in the interpreter. And the program interfaces of single stages.
#include <doctest/doctest.h>

#include <bit>
#include <functional>

#include "shaders/ir/interp.h"
#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr unsigned kLanes = 4;

CompileResult compiled(ir::Stage stage, const std::string& text) {
    return compile("#version 320 es\nprecision highp float;\n" + text, test::options(stage, 320));
}

LinkResult linked(const std::string& vertex, const std::string& fragment, LinkOptions options = {}) {
    const CompileResult v = vertex.empty() ? CompileResult() : compiled(ir::Stage::Vertex, vertex);
    const CompileResult f = fragment.empty() ? CompileResult() : compiled(ir::Stage::Fragment, fragment);
    if ((!v.shader && !vertex.empty()) || (!f.shader && !fragment.empty()))
        return {nullptr, "COMPILE: " + v.log + f.log};
    const CompiledShader* const stages[] = {v.shader.get(), f.shader.get()};
    return link(stages, options);
}

/// Attribute 0 is (1, 2, 3, 4).
class Env final : public ir::InterpEnv {
  public:
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> in, out;
    bool vertex = true;
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* o) override {
        const uint32_t given =
            vertex ? std::bit_cast<uint32_t>(float(io.component + 1)) : in.at({io.slot, io.component});
        std::fill_n(o, kLanes, given);
    }
    void load_sysval(ir::Sysval, unsigned, ir::Type, uint32_t* o) override { std::fill_n(o, kLanes, 0u); }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask, const uint32_t* v) override {
        out[{io.slot, io.component}] = v[0];
    }
    void tex(ir::InterpTex&) override {}
};

void run(const ir::Shader& s, Env& env) {
    const auto program = ir::InterpProgram::create(s, kLanes);
    ir::InterpState state(*program);
    REQUIRE(ir::run(*program, state, env, 1, 1000) == ir::InterpStatus::Done);
}

/// The colour, as integers.
std::string drawn(const std::string& vertex, const std::string& fragment) {
    const LinkResult r = linked(vertex, fragment);
    if (!r.program) return r.log;
    std::string why;
    const auto p = deserialize(serialize(*r.program), Stages::AtOnce, {}, &why);
    if (!p) return why;
    Env v, f;
    run(*p->stages[unsigned(ir::Stage::Vertex)], v);
    f.vertex = false;
    f.in = v.out;
    run(*p->stages[unsigned(ir::Stage::Fragment)], f);
    std::string text;
    for (uint32_t c = 0; c < 4; ++c)
        text += (c ? " " : "") + std::to_string(int(std::bit_cast<float>(f.out[{0, c}])));
    return text;
}

const std::string kIn = "layout(location = 0) in vec4 a; ", kOut = "out vec4 o; ";

std::string names(const auto& list) {
    std::string s;
    for (const auto& v : list)
        s += (s.empty() ? "" : ", ") + v.name + " " + std::to_string(v.location);
    return s;
}

}  // namespace

TEST_CASE("io block: members are matched by the block's name, with any names of instances") {
    const std::string block = " B { vec4 x; flat ivec2 n; mat2 m; } ";
    const std::string vertex = "x = a; b.n = ivec2(7, 8); b.m = mat2(a); gl_Position = a; }";
    CHECK(drawn(kIn + "out" + block + "b; void main() { b." + vertex,
                kOut + "in" + block + "c; void main() { o = c.x + vec4(c.n, c.m[1]); }") == "8 10 6 8");
    CHECK(
        drawn(kIn + "out" + block + "; void main() { x = a; n = ivec2(1); m = mat2(2.0); gl_Position = a; }",
              kOut + "in" + block + "c; void main() { o = c.x + vec4(c.n, c.m[1]); }") == "2 3 3 6");
}

TEST_CASE("io block: arrays of blocks, with indices that are not constant") {
    CHECK(
        drawn(
            kIn +
                "out B { vec4 x; float y[2]; } b[3]; void main() { for (int i = 0; i < 3; ++i) { b[i].x = a "
                "* float(i); b[i].y[1] = float(10 + i); b[i].y[0] = 0.0; } gl_Position = a; }",
            kOut + "in B { vec4 x; float y[2]; } b[3]; uniform int i; void main() { o = b[2].x + "
                   "vec4(b[0].y[1], b[1].y[1], b[2].y[i], b[i].x.w); }") == "12 15 6 8");
}

TEST_CASE("io block: locations of members, and of variables that match them") {
    CHECK(
        drawn(
            kIn +
                "layout(location = 2) out B { vec4 x; layout(location = 5) vec4 y; vec4 z; } b; void main() "
                "{ b.x = a; b.y = a * 2.0; b.z = a * 3.0; gl_Position = a; }",
            kOut +
                "layout(location = 2) in B { vec4 x; layout(location = 5) vec4 y; vec4 z; } c; void main() "
                "{ o = vec4(c.x.x, c.y.x, c.z.x, 0.0); }") == "1 2 3 0");
}

TEST_CASE("io block: gl_PerVertex may be redeclared with the members that the shader uses") {
    const std::string fragment = kOut + "void main() { o = vec4(1.0); }";
    const LinkResult r =
        linked(kIn +
                   "out gl_PerVertex { float gl_PointSize; vec4 gl_Position; }; void main() { "
                   "gl_PointSize = 2.0; gl_Position = a; }",
               fragment);
    REQUIRE_MESSAGE(r.program, r.log);
    Env v;
    run(*r.program->stages[unsigned(ir::Stage::Vertex)], v);
    CHECK(std::bit_cast<float>(v.out.at({unsigned(ir::VaryingSlot::PointSize), 0})) == 2.0f);
    CHECK(std::bit_cast<float>(v.out.at({unsigned(ir::VaryingSlot::Position), 3})) == 4.0f);
    const LinkResult only =
        linked(kIn + "out gl_PerVertex { vec4 gl_Position; }; void main() { gl_Position = a; }", fragment);
    REQUIRE_MESSAGE(only.program, only.log);
    CHECK(only.program->stages[unsigned(ir::Stage::Vertex)]->info.outputs_written ==
          uint64_t(1) << unsigned(ir::VaryingSlot::Position));
    CHECK(
        linked(kIn + "out gl_PerVertex { vec4 gl_Position; }; void main() { gl_PointSize = 1.0; }", fragment)
            .log.find("COMPILE") == 0);
}

TEST_CASE("io block: an invariant position makes all arithmetic exact, inside and outside the block") {
    for (const char* const declare :
         {"invariant gl_Position;", "out gl_PerVertex { invariant vec4 gl_Position; };"}) {
        const CompileResult r =
            compiled(ir::Stage::Vertex, kIn + declare + " void main() { gl_Position = a * a + a; }");
        REQUIRE_MESSAGE(r.shader, r.log);
        unsigned exact = 0, all = 0;
        for (const ir::Instr* i = r.shader->ir->body->first; i; i = i->next)
            if (i->op == ir::Op::FMul || i->op == ir::Op::FAdd)
                ++all, exact += (i->flags & ir::instr_flag::kExact) != 0;
        CHECK(all == 8);
        CHECK(exact == all);
        REQUIRE(!r.shader->outputs.empty());
        CHECK(r.shader->outputs[0].name == "gl_Position");
        CHECK(r.shader->outputs[0].invariant);
    }
}

TEST_CASE("io block: integers that a fragment shader reads must be flat") {
    const auto log = [](const char* block) {
        return compiled(ir::Stage::Fragment,
                        std::string(block) + " out vec4 c; void main() { c = vec4(b.n); }")
            .log;
    };
    CHECK(log("in B { float n; } b;").empty());
    CHECK(log("in B { flat uint n; } b;").empty());
    CHECK(log("in B { uint n; } b;").find("must be qualified as flat in") != std::string::npos);
    CHECK(log("in B { float f; smooth int n; } b;").find("must be qualified as flat in") !=
          std::string::npos);
}

TEST_CASE("io block: a mismatch is a link error") {
    const auto log = [](const std::string& out, const std::string& in) {
        return linked(kIn + out + " b; void main() { b.x = a; gl_Position = a; }",
                      kOut + in + " c; void main() { o = c.x; }")
            .log;
    };
    CHECK(log("out B { vec4 x; }", "in B { vec4 x; }") == "");
    CHECK(log("out B { vec4 x; }", "in B { vec4 x; vec4 y; }").find("has different types") !=
          std::string::npos);
    CHECK(log("out B { vec4 x; }", "in C { vec4 x; }").find("not declared by the vertex shader") !=
          std::string::npos);
    CHECK(log("out B { vec4 x; }", "in B { flat vec4 x; }").find("has different types") != std::string::npos);
}

TEST_CASE("io block: members are captured by the block's name and theirs") {
    LinkOptions o;
    const std::vector<std::string> capture = {"B.y[1]", "C[1].z"};
    o.capture = capture;
    const LinkResult r =
        linked(kIn +
                   "out B { vec4 x; float y[2]; } b; out C { vec2 z; } c[2]; void main() { b.x = a; "
                   "b.y[0] = 5.0; b.y[1] = 6.0; c[0].z = a.xy; c[1].z = a.zw; gl_Position = a; }",
               kOut + "void main() { o = vec4(1.0); }", o);
    REQUIRE_MESSAGE(r.program, r.log);
    Env v;
    run(*r.program->stages[unsigned(ir::Stage::Vertex)], v);
    std::string text;
    for (const auto& out : r.program->stream_output.outputs)
        for (uint32_t c = 0; c < out.count; ++c)
            text += std::to_string(int(std::bit_cast<float>(v.out.at({out.slot, out.component + c})))) + " ";
    CHECK(text == "6 3 4 ");
}

TEST_CASE("link: the interfaces of a single stage") {
    LinkOptions alone;
    alone.separable = true;
    const LinkResult v =
        linked(kIn +
                   "struct S { mat2 m; vec4 v; }; layout(location = 3) out S s; out float t[2]; out B { vec4 "
                   "x; }; out C { float y[2]; } c[2]; void "
                   "main() { c[0].y[0] = 1.0; gl_Position = a; s.v = a; s.m = mat2(1.0); t[0] = t[1] = 1.0; "
                   "x = a; }",
               "", alone);
    REQUIRE_MESSAGE(v.program, v.log);
    CHECK(names(v.program->outputs) == "s.m 3, s.v 5, t -1, x -1, C.y -1, gl_Position -1");
    CHECK(names(v.program->attributes) == "a 0");
    const LinkResult f = linked("",
                                "in vec4 v[2]; layout(location = 1) in mat2 m; in B { vec4 x; } b; " + kOut +
                                    "void main() { o = v[0] + m[0].xyxy + b.x + gl_FragCoord; gl_FragDepth = "
                                    "gl_FrontFacing ? 0.5 : 0.0; }",
                                alone);
    REQUIRE_MESSAGE(f.program, f.log);
    CHECK(names(f.program->attributes) == "v[0] -1, m 1, B.x -1, gl_FragCoord -1, gl_FrontFacing -1");
    CHECK(names(f.program->outputs) == "o 0, gl_FragDepth -1");
    std::string why;
    REQUIRE_MESSAGE(deserialize(serialize(*f.program), Stages::AtOnce, {}, &why), why);
    REQUIRE_MESSAGE(deserialize(serialize(*v.program), Stages::AtOnce, {}, &why), why);
}

TEST_CASE("link: stages of two programs must match exactly") {
    LinkOptions o;
    o.pipeline = true;
    const auto log = [&](const char* out, const char* in) {
        return linked(kIn + out + "void main() { gl_Position = a; }",
                      kOut + in + "void main() { o = vec4(1.0); }", o)
            .log;
    };
    CHECK(log("out vec4 v;", "in vec4 v;") == "");
    CHECK(log("layout(location = 1) out vec4 v;", "layout(location = 1) in vec4 w;") == "");
    CHECK(log("out vec4 v;", "").find("output 'v' has no input in the next stage") != std::string::npos);
    CHECK(log("", "in vec4 v;").find("input 'v' has no output in the stage before") != std::string::npos);
    CHECK(log("out mediump vec4 v;", "in vec4 v;").find("has different precisions") != std::string::npos);
    CHECK(log("layout(location = 1) out vec4 v;", "in vec4 v;").find("has no ") != std::string::npos);
    CHECK(linked(kIn + "out mediump vec4 v; void main() { gl_Position = a; }",
                 kOut + "void main() { o = vec4(1.0); }")
              .log == "");
}

TEST_CASE("glsl: bindings must be below the limits, also of an array's last element") {
    const auto compiles = [](const std::string& declaration) {
        return bool(compiled(ir::Stage::Fragment, declaration + " out vec4 o; void main() { o = vec4(1.0); }")
                        .shader);
    };
    CHECK(compiles("layout(binding = 34) uniform U { vec4 a; } u[2];"));
    CHECK(!compiles("layout(binding = 35) uniform U { vec4 a; } u[2];"));
    CHECK(compiles("layout(binding = 15) buffer U { vec4 a; } u;"));
    CHECK(!compiles("layout(binding = 16) buffer U { vec4 a; } u;"));
    CHECK(compiles("layout(binding = 6, r32f) uniform highp readonly image2D i[2];"));
    CHECK(!compiles("layout(binding = 7, r32f) uniform highp readonly image2D i[2];"));
}

TEST_CASE("glsl: unsized arrays of a built-in block do not become variables") {
    // glslang's gl_PerVertex has an array of an extension that is not supported: gl_PositionPerViewNV[].
    const CompileResult r =
        compiled(ir::Stage::TessControl,
                 "layout(vertices = 3) out;"
                 "void main() { gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position; }");
    REQUIRE_MESSAGE(r.shader, r.log);
    CHECK(ir::validate(*r.shader->ir, ir::Phase::BeforeLink) == "");
}
