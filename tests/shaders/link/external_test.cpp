// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// External samplers: the slots of their planes and their conversions, in tables, in binaries and in damaged
// binaries.
#include <doctest/doctest.h>

#include "shaders/passes/external_samplers.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;
using test::link_pair;

namespace {

constexpr unsigned kFs = unsigned(ir::Stage::Fragment);
constexpr auto kConversion = int32_t(ir::external_conversion::kCount);
const char* const kVertex = "void main() { gl_Position = vec4(0.0); }";
const std::string kHead =
    "#extension GL_OES_EGL_image_external : require\nprecision highp float; uniform float f; ";

LinkResult linked(const std::string& fragment) {
    return link_pair(kVertex, kHead + fragment);
}

/// "uniform.element plane @conversion" for each slot.
std::string slots(const LinkedProgram& p) {
    std::string s;
    for (const SamplerSlot& slot : p.samplers[kFs]) {
        s += p.uniforms[slot.uniform].name + "." + std::to_string(slot.element) + " " +
             std::to_string(slot.plane);
        if (slot.conversion_dw != -1) s += " @" + std::to_string(slot.conversion_dw);
        s += "; ";
    }
    return s;
}

const char* const kArray =
    "uniform samplerExternalOES e[2]; uniform sampler2D s; void main() { gl_FragColor = "
    "texture2D(e[1], vec2(f)) + texture2D(s, vec2(f)); }";

}  // namespace

TEST_CASE("link: programs without external samplers have no additions") {
    const LinkResult l = linked("uniform sampler2D s; void main() { gl_FragColor = texture2D(s, vec2(f)); }");
    REQUIRE_MESSAGE(l.program, l.log);
    CHECK(slots(*l.program) == "s.0 0; ");
    CHECK(l.program->uniform_dw[kFs] == 1);
    CHECK(linked("uniform samplerExternalOES e; void main() { gl_FragColor = vec4(f); }")
              .program->uniform_dw[kFs] == 1);
}

TEST_CASE("link: an external sampler's planes have slots after those of all samplers") {
    const LinkResult l = linked(kArray);
    REQUIRE_MESSAGE(l.program, l.log);
    CHECK(slots(*l.program) == "e[0].0 0 @1; e[0].1 0 @25; s.0 0; e[0].0 1; e[0].1 1; e[0].0 2; e[0].1 2; ");
    CHECK(l.program->uniform_dw[kFs] == uint32_t(1 + 2 * kConversion));
    CHECK(l.program->stages[kFs]->info.sampler_count == 7);
    CHECK(l.program->uniforms.size() == 3);  // there is no new uniform
    const auto again = deserialize(serialize(*l.program));
    REQUIRE(again);
    CHECK(slots(*again) == slots(*l.program));
    // In a structure each element is a uniform.
    const LinkResult s = linked(
        "struct S { samplerExternalOES e; float k; }; uniform S s[2]; void main() { gl_FragColor = "
        "texture2D(s[0].e, vec2(f)) * texture2D(s[1].e, vec2(s[1].k)); }");
    REQUIRE_MESSAGE(s.program, s.log);
    CHECK(slots(*s.program) ==
          "s[0].e.0 0 @3; s[1].e.0 0 @27; s[0].e.0 1; s[1].e.0 1; s[0].e.0 2; s[1].e.0 2; ");
}

TEST_CASE("link: the slots for planes limit the number of external samplers") {
    const auto of = [](int n) {
        std::string text = "uniform samplerExternalOES e[" + std::to_string(n) +
                           "]; void main() { gl_FragColor = texture2D(e[0], vec2(f)); }";
        return linked(text);
    };
    CHECK(of(10).program);
    CHECK(of(11).log ==
          "ERROR: too many samplers in the fragment shader: external ones count three times, and so there "
          "are 33; the limit is 32\n");
}

TEST_CASE("hostile: planes and conversions that do not exist") {
    const auto refused = [](void (*change)(LinkedProgram&)) {
        LinkedProgram p = *linked(kArray).program;
        change(p);
        std::string why;
        return deserialize(serialize(p), Stages::AtOnce, {}, &why) ? "accepted" : why;
    };
    const auto has = [](const std::string& text, const char* part) {
        CHECK_MESSAGE(text.find(part) != std::string::npos, text);
    };
    CHECK(refused([](LinkedProgram&) {}) == "accepted");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].plane = 3; }), "of no plane");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].plane = 0; }), "belongs to no uniform");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].element = 2; }), "of no plane");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].uniform = 99; }), "of no plane");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].uniform = p.samplers[kFs][2].uniform; }),
        "of no plane");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][3].conversion_dw = 1; }), "of no plane");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][0].plane = 1; }), "is not what its sampler slots say");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][2].conversion_dw = 1; }), "conversion is outside");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][0].conversion_dw = 26; }), "conversion is outside");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][0].conversion_dw = 0; }), "conversion is outside");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][0].conversion_dw = -2; }), "conversion is outside");
    has(refused([](LinkedProgram& p) { p.samplers[kFs][0].conversion_dw = INT32_MAX; }),
        "conversion is outside");
    has(refused([](LinkedProgram& p) { p.samplers[kFs].resize(33, p.samplers[kFs][3]); }), "the limit is 32");
}
