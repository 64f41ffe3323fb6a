// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What readonly and writeonly forbid, and which names a layout may have: texts that must be refused, with the
// line and the name.
#include <doctest/doctest.h>

#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

/// Line 4 is the first line of a case.
std::string log_of(const std::string& declarations, const std::string& statements, int version = 310) {
    const std::string text = "#version " + std::to_string(version) + " es\nlayout(local_size_x = 1) in;\n" +
                             declarations + "\n" + statements + "\nvoid main() { f(); }\n";
    CompileOptions options = test::options(ir::Stage::Compute, version);
    const CompileResult r = compile(text, options);
    CHECK((r.shader != nullptr) == (r.log.find("ERROR") == std::string::npos));
    return r.shader ? "" : r.log;
}

bool refused(const std::string& log, const std::string& line, const std::string& name) {
    return log.find("0:" + line + ":") != std::string::npos &&
           log.find("'" + name + "'") != std::string::npos;
}

}  // namespace

TEST_CASE("access: a writeonly variable must not be read in any form") {
    const std::string kBlocks[] = {
        "layout(std430, binding = 0) writeonly buffer B { float b; float a[]; }; float x; int n; uint u; "
        "void take(float); "
        "void put(out float);",
        "layout(std430, binding = 0) buffer B { writeonly float b; writeonly float a[]; }; float x; int n; "
        "uint u; void "
        "take(float); void put(out float);"};
    for (const std::string& block : kBlocks) {
        for (const char* const allowed :
             {"void f() { b = 1.0; }", "void f() { a[n] = x; }", "void f() { n = a.length(); }",
              "void put(out float p) { p = x; } void f() { put(b); }", "void f() { x = modf(x, b); }"}) {
            CAPTURE(allowed);
            CHECK(log_of(block, allowed) == "");
        }
        const std::pair<const char*, const char*> kWrong[] = {
            {"void f() { b = mod(b, a[1]); }", "b"},
            {"void f() { x = a[1]; }", "a"},
            {"void f() { b += 1.0; }", "b"},
            {"void f() { ++b; }", "b"},
            {"void f() { a[n]--; }", "a"},
            {"void f() { x = b + 1.0; }", "b"},
            {"void f() { x = max(1.0, a[n]); }", "a"},
            {"void take(float p) { x = p; } void f() { take(a[2]); }", "a"},
            {"void f() { if (b > 1.0) x = 1.0; }", "b"},
            {"void f() { x = n > 1 ? b : x; }", "b"},
            {"void f() { for (; b < 1.0;) x = 1.0; }", "b"},
            {"void f() { vec2 v = vec2(b, 1.0); }", "b"},
            {"void f() { x = -b; }", "b"},
            {"float g() { return b; } void f() { }", "b"},  // the function is never called
            {"void f() { switch (int(b)) { case 0: x = 1.0; } }", "b"},
            {"void f() { a[int(b)] = 1.0; }", "b"},
        };
        for (const auto& [text, name] : kWrong) {
            CAPTURE(std::string(text));
            const std::string log = log_of(block, text);
            CAPTURE(log);
            CHECK(refused(log, "4", name));
        }
    }
    const std::string vectors =
        "layout(std430, binding = 0) writeonly buffer B { vec4 v; mat4 m; struct S { uint c; float d; } "
        "s[2]; int i; } b;";
    CHECK(log_of("struct S { uint c; float d; };layout(std430) writeonly buffer B { vec4 v; mat4 m; S s[2]; "
                 "int i; } b;",
                 "void f() { b.v.xy = vec2(1); b.m[1][2] = 1.0; b.s[1].d = 1.0; b.i = 1; }") == "");
    for (const auto& [text, name] : {std::pair{"void f() { b.v.xy = b.v.zw; }", "v"},
                                     {"void f() { b.m[1] = b.m[0]; }", "m"},
                                     {"void f() { b.s[0].d = b.s[1].d; }", "s"},
                                     {"void f() { atomicAdd(b.i, 1); }", "i"},
                                     {"void f() { atomicExchange(b.s[1].c, 1u); }", "s"},
                                     {"void f() { atomicCompSwap(b.i, 1, 2); }", "i"},
                                     {"void f() { b.m *= 2.0; }", "m"},
                                     {"void f() { b.v.x++; }", "v"}}) {
        CAPTURE(std::string(text));
        CHECK(refused(log_of("struct S { uint c; float d; };layout(std430) writeonly buffer B { vec4 v; mat4 "
                             "m; S s[2]; int i; } b;",
                             text),
                      "4", name));
    }
}

TEST_CASE("access: a readonly variable must not be written in any form") {
    const std::string block =
        "layout(std430, binding = 0) buffer B { readonly float r; readonly int i; readonly uvec4 v; float "
        "w[]; }; float x; "
        "int n; uint u;";
    CHECK(log_of(block, "void f() { x = r + w[i]; w[0] = r; w[1] += 1.0; n = w.length(); }") == "");
    for (const auto& [text, name] : {std::pair{"void f() { r = 1.0; }", "r"},
                                     {"void f() { r += 1.0; }", "r"},
                                     {"void f() { v.x = 1u; }", "v"},
                                     {"void f() { --i; }", "i"},
                                     {"void f() { atomicAdd(i, 1); }", "i"},
                                     {"void f() { atomicMax(v.y, 1u); }", "v"},
                                     {"void f() { x = modf(x, r); }", "r"},
                                     {"void put(out float p) { p = 1.0; } void f() { put(r); }", "r"},
                                     {"void put(inout float p) { p = 1.0; } void f() { put(r); }", "r"},
                                     {"void f() { x = frexp(x, i); }", "i"},
                                     {"void f() { u = uaddCarry(1u, 1u, v.x); }", "v"},
                                     {"void f() { umulExtended(1u, 1u, v.x, u); }", "v"}}) {
        CAPTURE(std::string(text));
        const std::string log = log_of(block, text);
        CHECK(log.find("0:4:") != std::string::npos);
        CHECK(log.find(std::string(name)) != std::string::npos);
        CHECK(log.find("readonly") != std::string::npos);
    }
    // With both qualifiers neither is allowed, but the length is.
    const std::string neither =
        "layout(std430, binding = 0) readonly writeonly buffer B { float a[]; }; float x; int n;";
    CHECK(log_of(neither, "void f() { n = a.length(); }") == "");
    CHECK(refused(log_of(neither, "void f() { x = a[0]; }"), "4", "a"));
    CHECK(log_of(neither, "void f() { a[0] = x; }").find("readonly") != std::string::npos);
}

TEST_CASE("access: images") {
    const std::string images =
        "layout(r32ui, binding = 0) writeonly uniform highp uimage2D w; layout(r32ui, binding = 1) readonly "
        "uniform highp "
        "uimage2D r; layout(r32ui, binding = 2) uniform highp uimage2D b; ivec2 p; uvec4 x;";
    CHECK(log_of(images,
                 "void f() { imageStore(w, p, x); x = imageLoad(r, p); p = imageSize(w) + imageSize(r); "
                 "x.x = imageAtomicAdd(b, p, 1u); }",
                 320) == "");
    for (const char* const text :
         {"void f() { x = imageLoad(w, p); }", "void f() { imageStore(r, p, x); }",
          "void f() { imageAtomicAdd(w, p, 1u); }", "void f() { imageAtomicOr(r, p, 1u); }",
          "void g(writeonly highp uimage2D q) { x = imageLoad(q, p); } void f() { }",
          "void g(highp uimage2D q) { } void f() { g(w); }"}) {
        CAPTURE(std::string(text));
        const std::string log = log_of(images, text, 320);
        CHECK(log.find("0:4:") != std::string::npos);
        CHECK(log.find("only") != std::string::npos);
    }
}

TEST_CASE("layouts: names that ESSL does not have, and names in wrong places") {
    const std::string kRefused[][2] = {
        {"layout(set = 0) uniform float a;", "set"},
        {"layout(set = 0, binding = 1) uniform B { float a; };", "set"},
        {"layout(std140) uniform B { layout(offset = 16) vec4 a; };", "offset"},
        {"layout(std430) buffer B { layout(offset = 16) vec4 a; };", "offset"},
        {"layout(std140) uniform B { layout(align = 16) vec4 a; };", "align"},
        {"layout(std140, align = 16) uniform B { vec4 a; };", "align"},
        {"layout(offset = 16) uniform B { vec4 a; };", "offset"},
        {"layout(offset = 16) uniform float a;", "offset"},
        {"layout(offset = 16) uniform highp sampler2D a;", "offset"},
        {"layout(binding = 0, set = 0) uniform highp sampler2D a;", "set"},
        {"layout(STD140) uniform B { vec4 a; };", "STD140"},
        {"layout(Binding = 1) uniform B { vec4 a; };", "Binding"},
        {"layout(push_constant) uniform B { vec4 a; };", "push_constant"},
        {"layout(scalar) uniform B { vec4 a; };", "scalar"},
        {"layout(std430) uniform B { vec4 a; };", "std430"},
        {"layout(constant_id = 1) const int a = 1;", "constant_id"},
        {"layout(component = 1) uniform vec2 a;", "component"},
        {"layout(input_attachment_index = 0) uniform float a;", "input_attachment_index"},
        {"layout(xfb_buffer = 0) uniform float a;", "xfb_buffer"},
        {"layout(buffer_reference) buffer B { float a; };", "buffer_reference"},
        {"layout(bindless_sampler) uniform highp sampler2D a;", "bindless_sampler"},
        {"layout(rg32f) readonly uniform highp image2D a;", "rg32f"},
        {"layout(r8) readonly uniform highp image2D a;", "r8"},
        {"layout(std140) uniform B { layout(binding = 1) vec4 a; };", "binding"},
        {"layout(std140) uniform B { layout(std140) vec4 a; };", "packing"},
        {"layout(std140) uniform B { layout(location = 1) vec4 a; };", "location"},
        {"layout(local_size_x_id = 1) in;", "local_size_x_id"},
    };
    for (const int version : {310, 320})
        for (const auto& [text, name] : kRefused) {
            const std::string log = log_of("", text + " void f() { }", version);
            CAPTURE(std::string(text));
            CAPTURE(version);
            CAPTURE(log);
            CHECK(log.find("0:4:") != std::string::npos);
            CHECK(log.find(name) != std::string::npos);
        }
    for (const char* const text :
         {"layout(std140, binding = 1, row_major) uniform B { layout(column_major) mat4 a; };",
          "layout(binding = 0, offset = 16) uniform highp atomic_uint a;",
          "layout(location = 3) uniform float a; layout(binding = 2) uniform highp sampler2D b;",
          "layout(packed) uniform B { vec4 a; }; layout(shared) uniform C { vec4 b; };",
          "layout(rgba8ui, binding = 1) readonly uniform highp uimage2D a;",
          "layout(std430) buffer; layout(std140) uniform;"})
        for (const int version : {310, 320}) {
            CAPTURE(std::string(text));
            CHECK(log_of("", std::string(text) + " void f() { }", version) == "");
        }
}

TEST_CASE("layouts: fragment shaders") {
    const auto log = [](const std::string& text, int version) {
        return test::compile_fragment("#version " + std::to_string(version) +
                                          " es\nprecision highp float;\n" + text + "\nvoid main() { }\n",
                                      version)
            .log;
    };
    for (const int version : {310, 320}) {
        CHECK(log("layout(early_and_late_fragment_tests_amd) in;", version).find("0:3:") !=
              std::string::npos);
        CHECK(
            log("layout(location = 0, index = 1) out vec4 a;", version).find("GL_EXT_blend_func_extended") !=
            std::string::npos);
        CHECK(log("layout(early_fragment_tests) in;", version) == "");
        CHECK(log("layout(Early_fragment_tests) in;", version).find("0:3:") != std::string::npos);
    }
    CHECK(log("layout(Location = 0) out vec4 a;", 300).find("0:3:") != std::string::npos);
    CHECK(log("layout(location = 0) out vec4 a;", 300) == "");
}
