// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OVR_multiview and OVR_multiview2: where num_views may be declared, the value of gl_ViewID_OVR, and both in
// a linked program.
#include <doctest/doctest.h>

#include <algorithm>

#include "shaders/ir/print.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using ir::Stage;

namespace {

constexpr std::string_view kExtensions[] = {"GL_OVR_multiview", "GL_OVR_multiview2", "GL_EXT_geometry_shader",
                                            "GL_EXT_shader_io_blocks"};

CompileResult compiled(Stage stage, const std::string& text, const char* extension = "GL_OVR_multiview2") {
    CompileOptions o = test::options(stage, 320);
    o.extensions = kExtensions;
    return compile("#version 310 es\n#extension GL_EXT_geometry_shader : enable\n#extension " +
                       std::string(extension) + " : require\nprecision highp float;\n" + text,
                   o);
}

LinkResult linked(const std::vector<std::pair<Stage, std::string>>& texts) {
    std::vector<CompileResult> results;
    std::vector<const CompiledShader*> stages;
    for (const auto& [stage, text] : texts) {
        results.push_back(compiled(stage, text));
        if (!results.back().shader) return {nullptr, "COMPILE: " + results.back().log};
    }
    for (const CompileResult& r : results)
        stages.push_back(r.shader.get());
    return link(stages, {});
}

const std::string kPlain = "out vec4 o; void main() { o = vec4(1.0); }";
const std::string kAsks =
    "flat in uint v; out vec4 o; void main() { o = vec4(v, gl_ViewID_OVR, gl_ViewID_OVR + 1u, 1); }";
const std::string kViews =
    "in vec4 p; flat out uint v; void main() { v = gl_ViewID_OVR + uint(gl_InstanceID); gl_Position = p; }";

bool mentions(const LinkResult& r, Stage s, const char* what) {
    return ir::print(*r.program->stages[unsigned(s)]).find(what) != std::string::npos;
}

bool has_attribute(const LinkedProgram& p, const std::string& name) {
    return std::any_of(p.attributes.begin(), p.attributes.end(),
                       [&](const AttributeInfo& a) { return a.name == name; });
}

}  // namespace

TEST_CASE("multiview: only vertex shaders declare the number of views, once, from 1 to 6") {
    struct Case {
        Stage stage;
        const char *text, *error;  // null if it compiles
    };
    const std::string deep =
        "layout(num_views = 1) in; layout(num_views = 1) in; void main() { gl_Position = vec4(1); }";
    const Case cases[] = {
        {Stage::Vertex, "layout(num_views = 1) in;", nullptr},
        {Stage::Vertex, "layout(num_views = 6) in;", nullptr},
        {Stage::Vertex, "layout(num_views = 4) in; layout(num_views = 4) in;", nullptr},
        {Stage::Vertex, "layout(num_views = 0x2) in;", nullptr},
        {Stage::Vertex, "layout(num_views = 0) in;", "num_views"},
        {Stage::Vertex, "layout(num_views = 7) in;", "which is 6"},
        {Stage::Vertex, "layout(num_views = 2) in; layout(num_views = 3) in;", "which is 2"},
        {Stage::Vertex, "layout(num_views = 2, num_views = 3) in;", "which is 2"},
        {Stage::Vertex, "layout(num_views = 2) out;", "can only apply to 'in'"},
        {Stage::Vertex, "layout(num_views = 2) uniform;", "num_views"},
        {Stage::Vertex, "layout(num_views = 2) in vec4 a;", "num_views"},
        {Stage::Vertex, "const int n = 2; layout(num_views = n) in;", "non-literal"},
        {Stage::Vertex, "layout(num_views) in;", "num_views"},
        {Stage::Fragment, "layout(num_views = 2) in;", "only vertex shaders"},
        {Stage::Geometry,
         "layout(points) in; layout(points, max_vertices = 1) out; layout(num_views = 2) in;",
         "only vertex shaders"},
    };
    for (const Case& c : cases) {
        const CompileResult r = compiled(c.stage, std::string(c.text) + " void main() {}");
        CAPTURE(c.text);
        CHECK_MESSAGE(bool(r.shader) == !c.error, r.log);
        if (c.error) CHECK_MESSAGE(r.log.find(c.error) != std::string::npos, r.log);
    }
    CHECK(compiled(Stage::Vertex, deep).shader);
    // At any place in the text.
    const CompileResult late = compiled(
        Stage::Vertex, "void main() { gl_Position = vec4(gl_ViewID_OVR); } layout(num_views = 3) in;");
    REQUIRE(late.shader);
    CHECK(late.shader->views == 3);
    // A declaration in one text does not affect the next one.
    CHECK(compiled(Stage::Vertex, "void main() {}").shader->views == 1);
}

TEST_CASE("multiview: gl_ViewID_OVR is an unsigned input of vertex and fragment shaders") {
    for (const char* const extension : {"GL_OVR_multiview", "GL_OVR_multiview2"}) {
        CAPTURE(extension);
        for (const Stage stage : {Stage::Vertex, Stage::Fragment}) {
            CHECK(compiled(stage, "void main() { uint v = gl_ViewID_OVR; }", extension).shader);
            CHECK(!compiled(stage, "void main() { int v = gl_ViewID_OVR; }", extension).shader);
            CHECK(!compiled(stage, "void main() { gl_ViewID_OVR = 1u; }", extension).shader);
        }
        CHECK(
            !compiled(Stage::Geometry,
                      "layout(points) in; layout(points, max_vertices = 1) out; void main() { gl_Position = "
                      "vec4(gl_ViewID_OVR); }",
                      extension)
                 .shader);
        CHECK(!compiled(Stage::Compute,
                        "layout(local_size_x = 1) in; void main() { uint v = gl_ViewID_OVR; }", extension)
                   .shader);
    }
    // It may be an array's index and a function's argument.
    CHECK(compiled(Stage::Vertex,
                   "layout(num_views = 2) in; uniform mat4 m[2]; in vec4 p; mat4 of(uint v) { return m[v]; } "
                   "void main() { gl_Position = of(gl_ViewID_OVR) * p; }")
              .shader);
}

TEST_CASE("multiview: with one view nothing is left") {
    for (const char* const views : {"", "layout(num_views = 1) in; "}) {
        const LinkResult r = linked({{Stage::Vertex, views + kViews}, {Stage::Fragment, kAsks}});
        REQUIRE_MESSAGE(r.program, r.log);
        CHECK(r.program->views == 1);
        CHECK(has_attribute(*r.program, "gl_ViewID_OVR"));
        CHECK(has_attribute(*r.program, "gl_InstanceID"));
        CHECK(!mentions(r, Stage::Vertex, "umod"));

        CHECK(!mentions(r, Stage::Vertex, "store_output 4."));
        CHECK(!mentions(r, Stage::Fragment, "load_input 4."));
    }
}

TEST_CASE("multiview: instances determine the view, and the layer that fragments read") {
    const LinkResult r =
        linked({{Stage::Vertex, "layout(num_views = 3) in; " + kViews}, {Stage::Fragment, kAsks}});
    REQUIRE_MESSAGE(r.program, r.log);
    CHECK(r.program->views == 3);
    CHECK(mentions(r, Stage::Vertex, "umod"));
    CHECK(mentions(r, Stage::Vertex, "udiv"));
    CHECK(mentions(r, Stage::Vertex, "store_output 4.x"));
    CHECK(mentions(r, Stage::Fragment, "load_input 4.x"));
    REQUIRE(r.program->attributes.size() == 3);
    CHECK(has_attribute(*r.program, "gl_InstanceID"));
    CHECK(has_attribute(*r.program, "gl_ViewID_OVR"));
    // A shader that does not read the view also chooses layers. Then the instance's number is not an input of
    // the program.
    const LinkResult plain =
        linked({{Stage::Vertex, "layout(num_views = 2) in; in vec4 p; void main() { gl_Position = p; }"},
                {Stage::Fragment, kPlain}});
    REQUIRE_MESSAGE(plain.program, plain.log);
    CHECK(mentions(plain, Stage::Vertex, "store_output 4.x"));
    CHECK(plain.program->attributes.size() == 1);
}

TEST_CASE("multiview: with a geometry stage the view is 0, and gl_Layer comes from that stage") {
    const LinkResult r =
        linked({{Stage::Vertex,
                 "layout(num_views = 2) in; in vec4 p; void main() { gl_Position = p * "
                 "float(gl_ViewID_OVR + 1u); }"},
                {Stage::Geometry,
                 "layout(points) in; layout(points, max_vertices = 1) out; void main() { gl_Position "
                 "= gl_in[0].gl_Position; gl_Layer = 1; EmitVertex(); }"},
                {Stage::Fragment, "out vec4 o; void main() { o = vec4(gl_ViewID_OVR); }"}});
    REQUIRE_MESSAGE(r.program, r.log);
    CHECK(r.program->views == 2);
    CHECK(!mentions(r, Stage::Vertex, "umod"));
    CHECK(!mentions(r, Stage::Fragment, "load_input"));
}

TEST_CASE("multiview: a binary keeps the views, and invalid numbers are refused") {
    const LinkResult r =
        linked({{Stage::Vertex, "layout(num_views = 5) in; " + kViews}, {Stage::Fragment, kAsks}});
    REQUIRE_MESSAGE(r.program, r.log);
    const auto back = deserialize(serialize(*r.program));
    REQUIRE(back);
    CHECK(back->views == 5);
    CHECK(serialize(*back) == serialize(*r.program));
    for (const uint32_t views : {0u, 7u, 255u}) {
        LinkedProgram changed = *r.program;
        changed.views = views;
        std::string why;
        CHECK(!deserialize(serialize(changed), Stages::AtOnce, {}, &why));
        CHECK_MESSAGE(why.find("views") != std::string::npos, why);
    }
    // Its vertex stage chooses layers, but that of one view does not.
    LinkedProgram changed = *r.program;
    changed.views = 1;
    CHECK(!deserialize(serialize(changed)));
}
