// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <functional>

#include "shaders/ir/interp.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

using Names = std::vector<std::string>;

constexpr const char* kVertex =
    "#version 300 es\n"
    "layout(location = 0) in vec4 a; out vec4 seen; out vec2 alone[3]; flat out ivec3 n; out mat2 m; out "
    "float unwritten;\n"
    "void main() { gl_Position = a; seen = a * 2.0; for (int i = 0; i < 3; ++i) alone[i] = a.xy + float(i * "
    "10);\n"
    "n = ivec3(7, 8, 9); m = mat2(1.0, 2.0, 3.0, 4.0); }";
constexpr const char* kFragment =
    "#version 300 es\nprecision highp float; in vec4 seen; out vec4 c; void main() { c = vec4(seen.z, "
    "seen.x, 0.0, 0.0); }";

LinkResult linked(const Names& names, bool separate = false) {
    const CompileResult v = test::compile_vertex(kVertex, 300), f = test::compile_fragment(kFragment, 300);
    REQUIRE_MESSAGE(v.shader, v.log);
    REQUIRE_MESSAGE(f.shader, f.log);
    const CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    LinkOptions o;
    o.capture = names;
    o.capture_separate = separate;
    return link(stages, o);
}

/// Attribute 0 is (1, 2, 3, 4).
class Env final : public ir::InterpEnv {
  public:
    uint32_t out[64][4] = {};
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* o) override {
        std::fill_n(o, 4, std::bit_cast<uint32_t>(float(io.component + 1)));
    }
    void load_sysval(ir::Sysval, unsigned, ir::Type, uint32_t* o) override { std::fill_n(o, 4, 0u); }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask, const uint32_t* v) override {
        out[io.slot][io.component] = v[0];
    }
    void tex(ir::InterpTex&) override {}
};

/// The captured values of a vertex: the buffers' records, floats as floats, n's components as integers.
std::string record(const LinkedProgram& p, bool integers = false) {
    const ir::Shader& s = *p.stages[unsigned(ir::Stage::Vertex)];
    const auto program = ir::InterpProgram::create(s, 4);
    ir::InterpState state(*program);
    Env env;
    REQUIRE(ir::run(*program, state, env, 1, 1000) == ir::InterpStatus::Done);
    std::string text;
    for (unsigned b = 0; b < ir::kMaxStreamBuffers; ++b) {
        std::vector<uint32_t> dwords(p.stream_output.stride_dw[b], 0xdead);
        for (const auto& o : p.stream_output.outputs)
            for (unsigned c = 0; c < o.count && o.buffer == b; ++c)
                dwords.at(o.offset_dw + c) = env.out[o.slot][o.component + c];
        if (b && !dwords.empty()) text += "; ";
        for (size_t n = 0; n < dwords.size(); ++n) {
            const int v = integers ? int(dwords[n]) : int(std::bit_cast<float>(dwords[n]));
            text += (n ? " " : "") + std::to_string(v);
        }
    }
    return text;
}

std::string captured(const Names& names, bool separate = false, bool integers = false) {
    const LinkResult r = linked(names, separate);
    if (!r.program) return r.log;
    std::string why;
    const auto back = deserialize(serialize(*r.program), Stages::AtOnce, {}, &why);
    REQUIRE_MESSAGE(back, why);
    CHECK(back->stream_output == r.program->stream_output);
    CHECK(back->captures.size() == names.size());
    CHECK(back->capture_separate == separate);
    return record(*back, integers);
}

bool has(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("capture: outputs that the fragment stage does not read") {
    CHECK(captured({"gl_Position"}) == "1 2 3 4");
    CHECK(captured({"seen"}) == "2 4 6 8");
    CHECK(captured({"alone"}) == "1 2 11 12 21 22");
    CHECK(captured({"alone[1]"}) == "11 12");
    CHECK(captured({"m", "seen", "gl_Position"}) == "1 2 3 4 2 4 6 8 1 2 3 4");
    CHECK(captured({"n"}, false, true) == "7 8 9");
    CHECK(captured({"alone[2]", "alone[0]"}) == "21 22 1 2");
    CHECK(captured({"seen", "alone[1]", "m"}, true) == "2 4 6 8; 11 12; 1 2 3 4");
}

TEST_CASE("capture: outputs that are never written are 0") {
    CHECK(captured({"unwritten", "gl_PointSize", "seen"}) == "0 0 2 4 6 8");
}

TEST_CASE("capture: the fragment shader's varyings are unchanged") {
    const LinkResult plain = linked({}), with = linked({"alone", "seen"});
    REQUIRE(plain.program);
    REQUIRE(with.program);
    CHECK(plain.program->varying_slots == 1);
    CHECK(plain.program->stream_output.empty());
    CHECK(with.program->varying_slots == 3);  // the varyings that are read, then eight components
}

TEST_CASE("capture: queries") {
    const LinkResult r = linked({"alone", "alone[1]"});
    CHECK_FALSE(r.program);
    const LinkResult s = linked({"alone", "n", "m"});
    REQUIRE_MESSAGE(s.program, s.log);
    CHECK(s.program->captures[0].name == "alone");
    CHECK(s.program->captures[0].array_size == 3);
    CHECK(s.program->captures[0].type.rows == 2);
    CHECK(s.program->captures[1].type.base == BaseType::Int);
    CHECK(s.program->captures[2].type.columns == 2);
    CHECK(s.program->stream_output.stride_dw[0] == 13);
}

TEST_CASE("capture: errors") {
    CHECK(has(linked({"none"}).log, "'none' is captured, but is no output of the vertex shader"));
    CHECK(has(linked({"alone[3]"}).log, "'alone[3]' is captured, but is no output"));
    CHECK(has(linked({"alone[]"}).log, "'alone[]' is captured, but is no output"));
    CHECK(has(linked({"alone[99999999999]"}).log, "is captured, but is no output"));
    CHECK(has(linked({"seen[0]"}).log, "'seen[0]' is captured, but is no output"));
    CHECK(has(linked({"seen", "seen"}).log, "'seen' is captured more than once"));
    CHECK(has(linked({"alone", "alone[1]"}).log, "'alone[1]' is captured more than once"));
    CHECK(has(linked({"alone"}, true).log, "too many components are captured"));
    CHECK(has(linked({"seen", "n", "m", "gl_Position", "gl_PointSize"}, true).log,
              "too many outputs are captured"));
}

TEST_CASE("capture: binaries with wrong numbers") {
    struct Case {
        std::function<void(LinkedProgram&)> change;
        const char* why;
    };
    const Case cases[] = {
        {[](LinkedProgram&) {}, "accepted"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].slot = 63; }, "lies in no output"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].slot = 200; }, "lies in no output"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].slot = 1; }, "a captured output is never written"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].component = 200; }, "lies in no output"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].count = 0; }, "lies in no output"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].buffer = 9; }, "lies beyond its record"},
        {[](LinkedProgram& p) { p.stream_output.outputs[0].offset_dw = 0xffffffff; },
         "lies beyond its record"},
        {[](LinkedProgram& p) { p.stream_output.outputs.pop_back(); }, "a captured record has gaps"},
        {[](LinkedProgram& p) { p.stream_output.stride_dw[0] = 1u << 30; },
         "a captured record is not its outputs"},
        {[](LinkedProgram& p) { p.stream_output.stride_dw[3] = 4; }, "a captured record is not its outputs"},
        {[](LinkedProgram& p) { p.captures[0].array_size = 0xffffffff; },
         "a captured record is not its outputs"},
        {[](LinkedProgram& p) { p.captures[0].array_size = 0; }, "no name and type"},
        {[](LinkedProgram& p) { p.capture_separate = true; }, "a captured record is not its outputs"},
    };
    for (const Case& c : cases) {
        LinkedProgram p = *linked({"seen", "alone"}).program;
        c.change(p);
        std::string why;
        if (deserialize(serialize(p), Stages::AtOnce, {}, &why)) why = "accepted";
        CHECK_MESSAGE(why.find(c.why) != std::string::npos, c.why, ", found: ", why);
    }
}
