// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/shaders/glsl/harness.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "shaders/ir/interp.h"
#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"

namespace terrazzo::test {

using namespace shaders;

namespace {

constexpr unsigned kLanes = 4;
constexpr uint64_t kBudget = 100'000;
constexpr std::string_view kExtensions[] = {"GL_OES_standard_derivatives",
                                            "GL_EXT_shader_texture_lod",
                                            "GL_EXT_shader_integer_mix",
                                            "GL_OES_EGL_image_external_essl3",
                                            "GL_EXT_shader_framebuffer_fetch",
                                            "GL_EXT_shader_framebuffer_fetch_non_coherent",
                                            "GL_OES_EGL_image_external",
                                            "GL_EXT_frag_depth",
                                            "GL_EXT_blend_func_extended",
                                            "GL_EXT_shader_implicit_conversions",
                                            "GL_OES_texture_3D",
                                            "GL_EXT_texture_query_lod",
                                            "GL_EXT_texture_shadow_lod"};

float as_float(uint32_t w) {
    return std::bit_cast<float>(w);
}
uint32_t as_word(float f) {
    return std::bit_cast<uint32_t>(f);
}

class Env final : public ir::InterpEnv {
  public:
    /// `units`: the units of sampler variables by id, before linking. Null: the linker's numbers.
    Env(Outcome& o, const std::map<int, int>* units) : o_(o), units_(units) {}
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* out) override {
        for (unsigned l = 0; l < kLanes; ++l)
            out[l] = as_word(float(100 * io.slot + io.component + l));
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* out) override {
        for (unsigned l = 0; l < kLanes; ++l) {
            const float coord[4] = {float(l % 2) + 0.5f, float(l / 2) + 0.5f, 0.25f, 1.0f};
            out[l] =
                s == ir::Sysval::FragCoord || s == ir::Sysval::PointCoord ? as_word(coord[component]) : 1;
        }
    }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask mask, const uint32_t* value) override {
        if (mask & 1) o_.out[io.slot][io.component] = as_float(value[0]);
    }
    void tex(ir::InterpTex& call) override {
        const ir::TexInfo& t = *call.info;
        const bool fetch = t.op == ir::TexOp::Fetch, size = t.op == ir::TexOp::Size;
        const auto number = [&](uint32_t word) {
            return fetch || size ? float(int32_t(word)) : as_float(word);
        };
        for (unsigned l = 0; l < kLanes; ++l) {
            float r[4] = {100.0f, 200.0f, 300.0f, 0.0f};
            if (!size) {
                r[0] = number(call.coord[0][l]) + 100.0f * float(t.offset[0]);
                r[1] = number(call.coord[1][l]) + 100.0f * float(t.offset[1]);
                r[2] = -1.0f;
            }
            const int first = units_ ? units_->at(t.binding) : t.binding;
            r[0] += 10.0f * float(first + int(call.index ? call.index[l] : 0));
            if (call.lod && size) r[1] += number(call.lod[l]);
            if (call.lod && !size) r[2] = number(call.lod[l]);
            if (call.ddx[0]) r[2] = as_float(call.ddx[0][l]) + as_float(call.ddy[1][l]);
            if (!size && t.coord_count > 2) r[3] = number(call.coord[2][l]) + 100.0f * float(t.offset[2]);
            if (call.ref) r[0] = as_float(call.ref[l]) + 100.0f * float(t.offset[0]);
            for (unsigned k = 0; k < call.result_count; ++k)
                call.out[k][l] = t.result == ir::Type::F32 ? as_word(r[k]) : uint32_t(int32_t(r[k]));
        }
    }

  private:
    Outcome& o_;
    const std::map<int, int>* units_;
};

Outcome blank() {
    Outcome o;
    for (auto& slot : o.out)
        for (float& c : slot)
            c = -1000.0f;
    return o;
}

std::string full_name(const InterfaceVar& v) {
    return v.name + (v.array_size ? "[0]" : "");
}

/// The slot of an output variable, as the linker assigns it.
unsigned output_slot(const ir::Var& v) {
    if (v.name == "gl_PointSize") return 1;
    if (v.name.compare(0, 12, "gl_FragDepth") == 0) return 8;
    const bool first = v.name.compare(0, 3, "gl_") == 0 || v.name == "color";
    return first ? 0 : unsigned(ir::VaryingSlot::Varying0);
}

const char* const kVertex100 = "void main() { gl_Position = vec4(0.0); }";
const char* const kVertex300 = "#version 300 es\nvoid main() { gl_Position = vec4(0.0); }";
const char* const kFragment100 = "void main() {}";

}  // namespace

Words floats(std::initializer_list<float> v) {
    Words w;
    for (float f : v)
        w.push_back(as_word(f));
    return w;
}
Words ints(std::initializer_list<int> v) {
    return {v.begin(), v.end()};
}

CompileOptions options(ir::Stage stage, int version) {
    CompileOptions o;
    o.stage = stage;
    o.max_version = version;
    o.extensions = kExtensions;
    return o;
}
CompileResult compile_fragment(const std::string& s, int version) {
    return compile(s, options(ir::Stage::Fragment, version));
}
CompileResult compile_vertex(const std::string& s, int version) {
    return compile(s, options(ir::Stage::Vertex, version));
}

LinkResult link_pair(const std::string& vertex, const std::string& fragment, int version,
                     std::span<const AttributeBinding> attributes) {
    const CompileResult v = compile_vertex(vertex, version), f = compile_fragment(fragment, version);
    if (!v.shader || !f.shader) return {nullptr, "COMPILE: " + v.log + f.log};
    const CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    LinkOptions o;
    o.attributes = attributes;
    return link(stages, o);
}

std::string Outcome::text() const {
    std::string s;
    for (float f : out[0]) {
        char b[32];
        std::snprintf(b, sizeof b, "%s%.6g", s.empty() ? "" : " ", double(f) == 0.0 ? 0.0 : double(f));
        s += b;
    }
    return s;
}

Outcome run_unlinked(const std::string& source, ir::Stage stage, const UniformValues& values, int version) {
    Outcome o = blank();
    const CompileResult c = compile(source, options(stage, version));
    if (!c.shader) return o.error = c.log, o;
    o.error = ir::validate(*c.shader->ir, ir::Phase::BeforeLink);
    if (!o.error.empty()) return o;
    const auto program = ir::InterpProgram::create(*c.shader->ir, kLanes);
    ir::InterpState state(*program);
    for (const InterfaceVar& v : c.shader->uniforms) {
        const auto it = values.find(full_name(v));
        if (it == values.end() || v.type.base == BaseType::Sampler) continue;
        for (uint32_t i = 0; i < it->second.size(); ++i)
            for (uint32_t& w : state.var_row(v.var->id, v.first_component + i))
                w = it->second[i];
    }
    // The linker numbers used variables in the order of their declarations.
    std::map<int, int> units;
    int next_unit = 0;
    for (const InterfaceVar& v : c.shader->uniforms) {
        if (v.type.base != BaseType::Sampler || !v.statically_used || units.contains(int(v.var->id)))
            continue;
        units[int(v.var->id)] = next_unit;
        next_unit += int(v.var->count);
    }
    Env env(o, &units);
    if (ir::run(*program, state, env, stage == ir::Stage::Fragment ? 0xf : 1, kBudget) !=
        ir::InterpStatus::Done)
        o.error = "out of budget";
    for (const ir::Var* v : c.shader->ir->vars()) {
        if (v->storage != ir::Storage::Output) continue;
        for (uint32_t i = 0; i < v->count && output_slot(*v) + i / 4 < 16; ++i)
            o.out[output_slot(*v) + i / 4][i % 4] = as_float(state.var_row(v->id, i)[0]);
    }
    o.discarded = state.discarded() & 1;
    return o;
}

Outcome run_linked(const std::string& source, ir::Stage stage, const UniformValues& values, int version) {
    Outcome o = blank();
    const bool fragment = stage == ir::Stage::Fragment;
    const LinkResult l = link_pair(fragment ? (version >= 300 ? kVertex300 : kVertex100) : source,
                                   fragment ? source : kFragment100, version);
    if (!l.program) return o.error = l.log, o;
    const ir::Shader& sh = *l.program->stages[unsigned(stage)];
    o.error = ir::validate(sh, ir::Phase::AfterLink);
    if (!o.error.empty()) return o;
    Words block(l.program->uniform_dw[unsigned(stage)]);
    for (const UniformInfo& u : l.program->uniforms) {
        const auto it = values.find(u.name);
        const int32_t at = u.offset_dw[unsigned(stage)];
        if (it == values.end() || at < 0) continue;
        for (size_t i = 0; i < it->second.size(); ++i)
            block[size_t(at) + i] = it->second[i];
    }
    const auto program = ir::InterpProgram::create(sh, kLanes);
    ir::InterpState state(*program);
    Env env(o, nullptr);
    env.uniforms = block;
    if (ir::run(*program, state, env, fragment ? 0xf : 1, kBudget) != ir::InterpStatus::Done)
        o.error = "out of budget";
    o.discarded = state.discarded() & 1;
    return o;
}

namespace {

/// Runs a fragment shader before and after the passes; `source` has the declarations of run() or run300().
std::string run_both(const std::string& source, int version) {
    static const UniformValues kValues = {
        {"u1", floats({1})},
        {"u2", floats({2})},
        {"uh", floats({0.5f})},
        {"un", floats({-3.5f})},
        {"v", floats({1, 2, 3, 4})},
        {"w", floats({5, 6, 7, 8})},
        {"iv", ints({1, -2, 3, 7})},
        {"i0", ints({0})},
        {"i1", ints({1})},
        {"i2", ints({2})},
        {"i3", ints({3})},
        {"t", ints({1})},
        {"f", ints({0})},
        {"m2", floats({1, 2, 3, 4})},
        {"m3", floats({1, 2, 3, 4, 5, 6, 7, 8, 9})},
        {"m4", floats({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})},
        {"arr[0]", floats({10, 20, 30, 40})},
        {"s.a", floats({1})},
        {"s.b", floats({2, 3})},
        {"s.c[0]", floats({4, 5, 6})},
        {"ss[0].a", floats({1})},
        {"ss[0].b", floats({2, 3})},
        {"ss[0].c[0]", floats({4, 5, 6})},
        {"ss[1].a", floats({11})},
        {"ss[1].b", floats({12, 13})},
        {"ss[1].c[0]", floats({14, 15, 16})},
        {"uv", {1, 2, 0x80000000, 0xffffffff}},
    };
    const Outcome a = run_unlinked(source, ir::Stage::Fragment, kValues, version);
    if (!a.error.empty()) return "FAILED: " + a.error;
    const Outcome b = run_linked(source, ir::Stage::Fragment, kValues, version);
    if (!b.error.empty()) return "FAILED: " + b.error;
    if (a.discarded != b.discarded) return "unlinked and linked differ in discard";
    if (a.discarded) return "discarded";
    return a.text() == b.text() ? a.text() : "unlinked " + a.text() + ", linked " + b.text();
}

const char* const kDeclarations =
    "precision highp float; precision highp int;\n"
    "uniform float u1, u2, uh, un; uniform vec4 v, w; uniform ivec4 iv; uniform int i0, i1, i2, i3;\n"
    "uniform bool t, f; uniform mat2 m2; uniform mat3 m3; uniform mat4 m4; uniform float arr[4];\n"
    "struct S { float a; vec2 b; float c[3]; }; uniform S s; uniform S ss[2];\n"
    "uniform sampler2D tex; uniform sampler2D texs[2]; uniform samplerCube cube;\n";

}  // namespace

std::string run(const std::string& statements, const std::string& globals) {
    return run_both(
        "#extension GL_OES_standard_derivatives : enable\n#extension GL_EXT_shader_texture_lod : enable\n"
        "#extension GL_EXT_frag_depth : enable\n" +
            (kDeclarations + globals) + "\nvoid main() {\n" + statements + "\n}\n",
        100);
}

std::string run300(const std::string& statements, const std::string& globals) {
    return run_both(
        "#version 300 es\nout highp vec4 color;\n" + std::string(kDeclarations) +
            "uniform uvec4 uv; uniform highp sampler3D vol; uniform highp sampler2DArray layers;\n"
            "uniform highp sampler2DShadow shadow; uniform highp samplerCubeShadow cube_shadow;\n"
            "uniform highp sampler2DArrayShadow layers_shadow; uniform highp isampler2D itex;\n"
            "uniform highp usampler3D uvol;\n" +
            globals + "\nvoid main() {\n" + statements + "\n}\n",
        300);
}

}  // namespace terrazzo::test
