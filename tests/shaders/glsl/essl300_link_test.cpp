// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which pairs of ESSL 3.00 shaders link (ESSL 3.00 4.3 and 9.2, GLES 3.0 2.11 and 2.12), and the locations of
// fragment outputs.
#include <doctest/doctest.h>

#include <random>

#include "shaders/ir/validate.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

const std::string kVertexHead = "#version 300 es\n";
const std::string kFragmentHead = "#version 300 es\nprecision highp float; precision highp int;\n";

struct Pair {
    const char *vertex, *fragment;
};
const Pair kLink[] = {
    {"out mediump vec4 a;void main(){a=vec4(1);gl_Position=a;}",
     "in highp vec4 a;out vec4 o;void main(){o=a;}"},
    {"out vec4 a;void main(){a=vec4(1);gl_Position=a;}", "smooth in vec4 a;out vec4 o;void main(){o=a;}"},
    {"centroid out vec4 a;void main(){a=vec4(1);gl_Position=a;}", "in vec4 a;out vec4 o;void main(){o=a;}"},
    {"invariant out vec4 a;void main(){a=vec4(1);gl_Position=a;}", "in vec4 a;out vec4 o;void main(){o=a;}"},
    {"void main(){gl_Position=vec4(1);}", "in vec4 a;out vec4 o;void main(){o=vec4(1);}"},
    {"out vec4 a;void main(){gl_Position=vec4(1);}", "in vec4 a;out vec4 o;void main(){o=a;}"},
    {"struct S{vec4 a;};out S s;void main(){s.a=vec4(1);gl_Position=s.a;}",
     "struct S{vec4 a;};in S s;out vec4 o;void main(){o=s.a;}"},
    {"struct S{highp vec4 a;};out S s;void main(){s.a=vec4(1);gl_Position=s.a;}",
     "struct S{mediump vec4 a;};in S s;out vec4 o;void main(){o=s.a;}"},
    {"struct S{vec4 a;float b;mat2 c;};out S s;void main(){s.a=vec4(1);s.b=1.0;s.c=mat2(1);gl_Position=s.a;}",
     "struct S{vec4 a;float b;mat2 c;};in S s;out vec4 o;void main(){o=s.a+s.b+s.c[0].xyxy;}"},
    {"out mat4x3 a[3];void main(){a[0]=a[1]=a[2]=mat4x3(1);gl_Position=vec4(1);}",
     "in mat4x3 a[3];out vec4 o;uniform int i;void main(){o=vec4(a[i][1],1);}"},
    {"flat out ivec4 a;flat out uvec2 b;flat out int c[2];void "
     "main(){a=ivec4(1);b=uvec2(1);c[0]=c[1]=1;gl_Position=vec4(1);}",
     "flat in ivec4 a;flat in uvec2 b;flat in int c[2];out vec4 o;void main(){o=vec4(a)+vec4(b,c[0],c[1]);}"},
    {"out vec4 a[15];void main(){for(int i=0;i<15;++i)a[i]=vec4(1);gl_Position=vec4(1);}",
     "in vec4 a[15];out vec4 o;uniform int i;void main(){o=a[i];}"},
    {"void main(){}", "out vec4 o;void main(){o=vec4(1);}"},
    {"uniform highp float u;out vec4 a;void main(){gl_Position=vec4(u);a=vec4(1);}",
     "in vec4 a;uniform highp float u;out vec4 o;void main(){o=a*u;}"},
};

const Pair kFail[] = {
    {"out vec4 a;void main(){a=vec4(1);gl_Position=a;}", "in vec3 a;out vec4 o;void main(){o=vec4(a,1);}"},
    {"flat out vec4 a;void main(){a=vec4(1);gl_Position=a;}", "in vec4 a;out vec4 o;void main(){o=a;}"},
    {"void main(){gl_Position=vec4(1);}", "in vec4 a;out vec4 o;void main(){o=a;}"},
    {"struct S{vec4 a;};out S s;void main(){s.a=vec4(1);gl_Position=s.a;}",
     "struct T{vec4 a;};in T s;out vec4 o;void main(){o=s.a;}"},
    {"struct S{vec4 a;};out S s;void main(){s.a=vec4(1);gl_Position=s.a;}",
     "struct S{vec4 b;};in S s;out vec4 o;void main(){o=s.b;}"},
    {"out vec4 a[3];void main(){a[0]=a[1]=a[2]=vec4(1);gl_Position=a[0];}",
     "in vec4 a[2];out vec4 o;void main(){o=a[1];}"},
    {"flat out ivec4 a;void main(){a=ivec4(1);gl_Position=vec4(1);}",
     "flat in uvec4 a;out vec4 o;void main(){o=vec4(a);}"},
    {"uniform vec4 u;void main(){gl_Position=u;}", "uniform vec3 u;out vec4 o;void main(){o=vec4(u,1);}"},
    {"uniform highp vec4 u;void main(){gl_Position=u;}",
     "uniform mediump vec4 u;out vec4 o;void main(){o=vec4(u);}"},
    {"uniform vec4 u[2];void main(){gl_Position=u[0];}", "uniform vec4 u[3];out vec4 o;void main(){o=u[0];}"},
    {"struct S{vec4 a;};uniform S u;void main(){gl_Position=u.a;}",
     "struct S{vec4 b;};uniform S u;out vec4 o;void main(){o=u.b;}"},
    {"layout(location=15) in mat2 a;void main(){gl_Position=a[0].xyxy;}",
     "out vec4 o;void main(){o=vec4(1);}"},
    {"layout(location=16) in vec2 a;void main(){gl_Position=a.xyxy;}", "out vec4 o;void main(){o=vec4(1);}"},
    {"out vec4 a[17];void main(){for(int i=0;i<17;++i)a[i]=vec4(1);gl_Position=vec4(1);}",
     "in vec4 a[17];out vec4 o;uniform int i;void main(){o=a[i];}"},
    {"uniform vec4 u[1025];uniform int i;void main(){gl_Position=u[i];}",
     "out vec4 o;void main(){o=vec4(1);}"},
    {"uniform sampler2D u[17];void main(){vec4 "
     "s=vec4(0);s+=texture(u[0],vec2(0));s+=texture(u[1],vec2(0));s+=texture(u[2],vec2(0));s+=texture(u[3],"
     "vec2(0));s+=texture(u[4],vec2(0));s+=texture(u[5],vec2(0));s+=texture(u[6],vec2(0));s+=texture(u[7],"
     "vec2(0));s+=texture(u[8],vec2(0));s+=texture(u[9],vec2(0));s+=texture(u[10],vec2(0));s+=texture(u[11],"
     "vec2(0));s+=texture(u[12],vec2(0));s+=texture(u[13],vec2(0));s+=texture(u[14],vec2(0));s+=texture(u[15]"
     ",vec2(0));s+=texture(u[16],vec2(0));gl_Position=s;}",
     "out vec4 o;void main(){o=vec4(1);}"},
    {"void main(){gl_Position=vec4(1);}", "out vec4 o;"},
    {"void f(){}", "out vec4 o;void main(){o=vec4(1);}"},
};

LinkResult link_them(const Pair& p) {
    return test::link_pair(kVertexHead + p.vertex, kFragmentHead + p.fragment, 300);
}

}  // namespace

TEST_CASE("essl 3.00: interfaces that match") {
    for (const Pair& p : kLink) {
        const LinkResult r = link_them(p);
        CAPTURE(p.vertex);
        CAPTURE(p.fragment);
        CAPTURE(r.log);
        CHECK(r.program);
    }
}

TEST_CASE("essl 3.00: interfaces that do not match") {
    for (const Pair& p : kFail) {
        const LinkResult r = link_them(p);
        CAPTURE(p.vertex);
        CAPTURE(p.fragment);
        CAPTURE(r.log);
        CHECK(!r.program);
        CHECK(r.log.find("COMPILE") == std::string::npos);
    }
}

namespace {

const char* const kPlainVertex = "void main() { gl_Position = vec4(1.0); }";

LinkResult link_outputs(const std::string& declarations, std::span<const OutputBinding> bindings = {}) {
    const CompileResult v = test::compile_vertex(kVertexHead + kPlainVertex, 300);
    const CompileResult f = test::compile_fragment(
        "#version 300 es\n#extension GL_EXT_blend_func_extended : enable\nprecision highp float;\n" +
            declarations,
        300);
    CAPTURE(f.log);
    REQUIRE(v.shader);
    REQUIRE(f.shader);
    const CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    LinkOptions o;
    o.outputs = bindings;
    return link(stages, o);
}

}  // namespace

TEST_CASE("essl 3.00: fragment outputs need locations, except a single one") {
    const LinkResult one = link_outputs("out vec3 o; void main() { o = vec3(1.0); }");
    REQUIRE(one.program);
    REQUIRE(one.program->outputs.size() == 1);
    CHECK(one.program->outputs[0].name == "o");
    CHECK(one.program->outputs[0].location == 0);
    CHECK_FALSE(one.program->outputs[0].is_array);
    const LinkResult many = link_outputs(
        "layout(location = 2) out highp uvec2 a; layout(location = 5) out vec4 b[3]; void main() { a = "
        "uvec2(1u); b[1] = vec4(1.0); }");
    REQUIRE(many.program);
    REQUIRE(many.program->outputs.size() == 2);
    CHECK(many.program->outputs[0].location == 2);
    CHECK(many.program->outputs[0].type.base == BaseType::Uint);
    CHECK(many.program->outputs[1].location == 5);
    CHECK(many.program->outputs[1].array_size == 3);
    // Elements that are not written do not change their buffers.
    CHECK(many.program->stages[unsigned(ir::Stage::Fragment)]->info.outputs_written == (1u << 2 | 1u << 6));
    const auto restored = deserialize(serialize(*many.program));
    REQUIRE(restored);
    CHECK(restored->outputs.size() == 2);
    CHECK(restored->outputs[1].name == "b");
}

TEST_CASE("essl 3.00: fragment outputs get locations that do not overlap") {
    // Outputs without a location get the first free ones.
    const LinkResult r = link_outputs(
        "out vec4 a; out vec4 b[2]; layout(location = 1) out vec4 c; void main() { a = b[1] = c = vec4(1.0); "
        "}");
    REQUIRE_MESSAGE(r.program, r.log);
    const std::vector<OutputInfo>& o = r.program->outputs;
    REQUIRE(o.size() == 3);
    CHECK((o[0].name == "a" && o[0].location == 0));
    CHECK((o[1].name == "b" && o[1].location == 2));
    CHECK((o[2].name == "c" && o[2].location == 1));
    CHECK(r.program->stages[unsigned(ir::Stage::Fragment)]->info.outputs_written == (1u | 1u << 1 | 1u << 3));
    CHECK(link_outputs("out vec4 a[5]; out vec4 b[4]; void main() { a[0] = b[0] = vec4(1.0); }")
              .log.find("beyond the draw buffers") != std::string::npos);
    CHECK(link_outputs("layout(location = 7) out vec4 a[2]; void main() { a[0] = vec4(1.0); }")
              .log.find("beyond the draw buffers") != std::string::npos);
    const OutputBinding same[] = {{"a", 1, 0}, {"b", 1, 0}};
    CHECK(link_outputs("out vec4 a; out vec4 b; void main() { a = b = vec4(1.0); }", same)
              .log.find("'b' shares location 1") != std::string::npos);
}

TEST_CASE("essl 3.00: a second colour by layout or by binding") {
    const auto written = [](const LinkResult& r) {
        CAPTURE(r.log);
        REQUIRE(r.program);
        return r.program->stages[unsigned(ir::Stage::Fragment)]->info.outputs_written;
    };
    constexpr uint64_t kBoth = 1 | uint64_t(1) << unsigned(ir::FragSlot::Second);
    CHECK(written(link_outputs("layout(location = 0) out vec4 a; layout(location = 0, index = 1) out vec4 b;"
                               "void main() { a = b = vec4(1.0); }")) == kBoth);
    const OutputBinding bindings[] = {{"a", 0, 0}, {"b", 0, 1}};
    CHECK(written(link_outputs("out vec4 a; out vec4 b; void main() { a = b = vec4(1.0); }", bindings)) ==
          kBoth);
    const OutputBinding beyond[] = {{"a", 0, 0}, {"b", 1, 1}};
    CHECK_FALSE(link_outputs("out vec4 a; out vec4 b; void main() { a = b = vec4(1.0); }", beyond).program);
}

TEST_CASE("essl 3.00: varyings of all types and interpolations share the available slots") {
    struct Kind {
        const char* type;
        uint32_t rows;  // slots of an array's element
    };
    static constexpr Kind kKinds[] = {{"float", 1}, {"vec2", 1},  {"vec3", 1},  {"vec4", 1}, {"int", 1},
                                      {"ivec3", 1}, {"uvec2", 1}, {"uvec4", 1}, {"mat2", 2}, {"mat4x3", 4}};
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        std::string vertex = kVertexHead, fragment = kFragmentHead, writes, reads;
        for (uint32_t used = 0, n = 0;; ++n) {
            const Kind& k = kKinds[random() % std::size(kKinds)];
            const uint32_t elements = random() % 2 ? 0 : 1 + random() % 3;
            used += k.rows * std::max(1u, elements);
            if (used > 16) break;
            static constexpr const char* kHow[] = {"flat ", "", "smooth ", "centroid "};
            const std::string type = k.type, name = "v" + std::to_string(n);
            const std::string how = kHow[type[0] == 'i' || type[0] == 'u' ? 0 : random() % 4];
            const std::string size = elements ? "[" + std::to_string(elements) + "]" : "";
            vertex += how + "out " + type + " " + name + size + ";\n";
            fragment += how + "in " + type + " " + name + size + ";\n";
            for (uint32_t e = 0; e < std::max(1u, elements); ++e) {
                const std::string element = elements ? name + "[" + std::to_string(e) + "]" : name;
                writes += element + " = " + type + "(gl_VertexID);\n";
                reads += "ok = ok && " + element + " == " + type + "(7);\n";
            }
        }
        const LinkResult r = test::link_pair(
            vertex + "void main() { gl_Position = vec4(0.0);\n" + writes + "}",
            fragment + "out vec4 o; void main() { bool ok = true;\n" + reads + "o = vec4(ok); }", 300);
        CAPTURE(vertex);
        CAPTURE(r.log);
        REQUIRE(r.program);
        for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
            CHECK(ir::validate(*r.program->stages[unsigned(s)], ir::Phase::AfterLink) == "");
    }
}
