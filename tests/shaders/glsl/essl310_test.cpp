// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// ESSL 3.10: compute shaders, storage blocks, atomic counters, images, explicit locations and bindings.
// Programs are linked, written to a binary and read back, and run in the interpreter with eight lanes of one
// workgroup.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>

#include "shaders/ir/interp.h"
#include "shaders/ir/print.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {

constexpr unsigned kLanes = 8;
using test::Words;

LinkResult link_compute(const std::string& source, const LinkOptions& options = {}) {
    const CompileResult r = compile(source, test::options(ir::Stage::Compute, 310));
    if (!r.shader) return {nullptr, r.log};
    const CompiledShader* const stages[] = {r.shader.get()};
    return link(stages, options);
}

/// Buffers of 64 words, with initial values of 100 * slot + n; shared memory; an image of 8x8 words.
class ComputeEnv final : public ir::InterpEnv {
  public:
    ComputeEnv() {
        for (uint32_t s = 0; s < kSlots; ++s) {
            for (uint32_t n = 0; n < 64; ++n)
                words[s][n] = 100 * s + n;
            ranges_[s] = {reinterpret_cast<uint8_t*>(words[s]), sizeof words[s]};
        }
        shared_ = {reinterpret_cast<uint8_t*>(shared_words_), sizeof shared_words_};
        image_ = {reinterpret_cast<uint8_t*>(texels), ir::ImageFormat::R32ui, 8, 8, 1, 32, 256};
    }
    static constexpr uint32_t kSlots = 4;
    uint32_t words[kSlots][64];
    uint32_t texels[64] = {};
    unsigned barriers = 0;

    void load_input(const ir::IoInfo&, ir::Type, const uint32_t*, uint32_t* o) override {
        std::fill_n(o, kLanes, 0u);
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* o) override {
        for (unsigned l = 0; l < kLanes; ++l)
            o[l] = s == ir::Sysval::WorkGroupId                                ? 2 + component
                   : s == ir::Sysval::NumWorkGroups                            ? 10 + component
                   : s == ir::Sysval::LocalInvocationIndex || (component == 0) ? l
                                                                               : 0;
    }
    void store_output(const ir::IoInfo&, ir::Type, ir::InterpMask, const uint32_t*) override {}
    void tex(ir::InterpTex&) override {}
    void barrier(const ir::MemInfo& m) override { barriers += m.execution == ir::MemScope::Workgroup; }
    std::span<const ir::MemoryRange> slots(ir::Storage space) override {
        if (space == ir::Storage::Buffer) return ranges_;
        if (space == ir::Storage::Shared) return {&shared_, 1};
        return {};
    }
    std::span<const ir::ImageRange> images() override { return {&image_, 1}; }

  private:
    uint32_t shared_words_[256] = {};
    ir::MemoryRange ranges_[kSlots], shared_;
    ir::ImageRange image_;
};

ComputeEnv run_compute(const std::string& globals, const std::string& body) {
    const LinkResult l = link_compute("#version 310 es\nlayout(local_size_x = 8) in;\n" + globals +
                                      "\nvoid main() {\n" + body + "\n}\n");
    REQUIRE_MESSAGE(l.program, l.log);
    std::string why;
    const auto again = deserialize(serialize(*l.program), Stages::AtOnce, {}, &why);
    REQUIRE_MESSAGE(again, why);
    CHECK(serialize(*again) == serialize(*l.program));
    const auto program = ir::InterpProgram::create(*again->stages[unsigned(ir::Stage::Compute)], kLanes);
    ir::InterpState state(*program);
    ComputeEnv env;
    REQUIRE(ir::run(*program, state, env, 0xff, 1000) == ir::InterpStatus::Done);
    return env;
}

Words first(const uint32_t* words, size_t n) {
    return Words(words, words + n);
}

const char* const kOut = "layout(std430, binding = 0) buffer Out { uint o[]; };";

}  // namespace

TEST_CASE("essl310: built-in ids of a compute shader") {
    ComputeEnv e =
        run_compute(kOut,
                    "o[gl_LocalInvocationIndex] = gl_GlobalInvocationID.x * 1000u + gl_NumWorkGroups.y "
                    "* 10u + gl_WorkGroupSize.x;");
    CHECK(first(e.words[0], 3) == Words{16 * 1000 + 110 + 8, 17 * 1000 + 118, 18 * 1000 + 118});
    CHECK(e.words[0][8] == 8);
    // Dimensions of one invocation need no number.
    const LinkResult l = link_compute("#version 310 es\nlayout(local_size_x = 8) in;\n" + std::string(kOut) +
                                      "void main() { o[gl_LocalInvocationID.x] = gl_LocalInvocationID.y + "
                                      "gl_GlobalInvocationID.z; }");
    REQUIRE_MESSAGE(l.program, l.log);
    const std::string text = ir::print(*l.program->stages[unsigned(ir::Stage::Compute)]);
    CHECK(text.find("local_invocation_id.x") != text.npos);
    CHECK(text.find("local_invocation_id.y") == text.npos);
    CHECK(text.find("local_invocation_id.z") == text.npos);
}

TEST_CASE("essl310: names that only glslang's extensions define can be used by shaders") {
    for (const char* version : {"310", "320"}) {
        const std::string text = std::string("#version ") + version +
                                 " es\nlayout(local_size_x = 1) in; layout(std430) buffer B { vec4 v; };\n"
                                 "vec4 average(float a, inout float b) { b = a; return vec4(a); }\n"
                                 "void main() { float f; v = average(1.0, f); }\n";
        const CompileResult r = compile(text, test::options(ir::Stage::Compute, 320));
        CHECK_MESSAGE(r.shader, r.log);
    }
}

TEST_CASE("essl310: implicit conversions of integers (EXT_shader_implicit_conversions)") {
    const std::string body =
        "uint i = gl_LocalInvocationIndex; int n = int(i) - 4; uint u = n; vec2 v = ivec2(n, 3); float f = u "
        "+ 0.5; "
        "o[i] = uint(twice(n) + 100.0) + (n + 2u) + uint(v.y * 2) + uint(n < 1.5);";
    const std::string functions = std::string(kOut) + "float twice(float x) { return x * 2; }\n";
    ComputeEnv e = run_compute("#extension GL_EXT_shader_implicit_conversions : require\n" + functions, body);
    CHECK(first(e.words[0], 3) == Words{97, 100, 103});
    const CompileResult r =
        compile("#version 310 es\nlayout(local_size_x = 8) in;\n" + functions + "void main() {" + body + "}",
                test::options(ir::Stage::Compute, 310));
    CHECK(!r.shader);
}

TEST_CASE("essl310: shared memory and barriers") {
    ComputeEnv e =
        run_compute(std::string(kOut) + "shared uint a[8]; shared struct { vec3 v; bool b; } s;",
                    "uint i = gl_LocalInvocationIndex; a[i] = i * i; if (i == 3u) { s.b = true; s.v.y = "
                    "2.5; } barrier(); memoryBarrierShared(); o[i] = a[7u - i] + (s.b ? 100u : 0u) + "
                    "uint(s.v.y * 2.0);");
    CHECK(e.barriers == 1);
    CHECK(first(e.words[0], 8) == Words{154, 141, 130, 121, 114, 109, 106, 105});
}

TEST_CASE("essl310: storage blocks") {
    // std430: f at 0, v at 4 (align 8: 8), m 2x2 at 16 with stride 8, then structures of 8 bytes.
    const std::string block =
        "struct S { uint a; int b; };\n"
        "layout(std430, binding = 1) buffer B { uint f; uvec2 v; mat2 m; S s[]; } b[2];\n" +
        std::string(kOut);
    ComputeEnv e =
        run_compute(block,
                    "if (gl_LocalInvocationIndex == 0u) { o[0] = b[1].s[1].a; o[1] = uint(b[0].s.length()); "
                    "b[0].v.yx = uvec2(7u, 8u); b[1].s[2].b = -5; S t = b[1].s[3]; b[0].s[0] = t; "
                    "b[0].v[gl_LocalInvocationIndex + 1u] += 1u; }");
    const LinkResult l = link_compute("#version 310 es\nlayout(local_size_x = 8) in;\n" + block +
                                      "void main() { o[0] = b[1].s[1].a + b[0].f; }");
    REQUIRE_MESSAGE(l.program, l.log);
    REQUIRE(l.program->storage_blocks.size() == 3);
    uint32_t slot[3] = {};
    for (const UniformBlockInfo& b : l.program->storage_blocks) {
        const auto n = b.name == "Out" ? 0 : b.name == "B[0]" ? 1 : 2;
        slot[n] = uint32_t(b.slot[unsigned(ir::Stage::Compute)]);
        CHECK(b.binding == n);
        CHECK(b.size_B == (n ? 48 : 16));
    }
    const uint32_t *out = e.words[slot[0]], *b0 = e.words[slot[1]], *b1 = e.words[slot[2]];
    CHECK(out[0] == 100 * slot[2] + 8 + 2);
    CHECK(out[1] == (256 - 32) / 8);
    CHECK(first(b0 + 2, 2) == Words{8, 8});
    CHECK(b1[8 + 5] == uint32_t(-5));
    CHECK(first(b0 + 8, 2) == Words{100 * slot[2] + 14, 100 * slot[2] + 15});
    CHECK(b0[4] == 100 * slot[1] + 4);
    const auto variable = [&](const std::string& name) -> const UniformInfo& {
        for (const UniformInfo& u : l.program->buffer_variables)
            if (u.name == name) return u;
        FAIL("no variable " << name);
        return l.program->buffer_variables[0];
    };
    CHECK(variable("B.s[0].b").block_offset_B == 36);
    CHECK(variable("B.s[0].b").top_array_size == 0);
    CHECK(variable("B.s[0].b").top_array_stride_B == 8);
    CHECK(variable("B.m").matrix_stride_B == 8);
    CHECK(variable("o[0]").array_size == 0);
    CHECK(variable("o[0]").top_array_size == 1);
    CHECK(variable("o[0]").array_stride_B == 4);
    CHECK(l.program->buffer_variables.size() == 6);
}

TEST_CASE("essl310: atomics on buffers and shared memory") {
    ComputeEnv e = run_compute(
        std::string(kOut) +
            "shared uint n; layout(std430, binding = 1) buffer I { int low; int high; uint x; };",
        "uint i = gl_LocalInvocationIndex; atomicAdd(n, i); barrier(); o[0] = n; atomicMin(low, -int(i)); "
        "atomicMax(high, int(i) + 1000); if (i == 0u) { o[1] = atomicCompSwap(x, x, 77u); o[2] = "
        "atomicExchange(x, "
        "78u); } else if (false && atomicAdd(x, 1u) == 0u) o[3] = 1u;");
    const uint32_t* i = e.words[1];
    CHECK(e.words[0][0] == 28);
    CHECK(int32_t(i[0]) == -7);
    CHECK(i[1] == 1007);
    CHECK(i[2] == 78);
    CHECK(e.words[0][1] == 102);
    CHECK(e.words[0][2] == 77);
    CHECK(e.words[0][3] == 3);
}

TEST_CASE("essl310: atomic counters") {
    const std::string globals =
        std::string(kOut) +
        "layout(binding = 2, offset = 8) uniform atomic_uint a; layout(binding = 2) uniform "
        "atomic_uint b[2]; layout(binding = 1) uniform atomic_uint unused;";
    const std::string body =
        "if (gl_LocalInvocationIndex < 4u) atomicCounterIncrement(a); "
        "if (gl_LocalInvocationIndex == 0u) { o[0] = atomicCounterDecrement(b[1]); o[1] = "
        "atomicCounter(b[0]); }";
    ComputeEnv e = run_compute(globals, body);
    CHECK(e.words[1][2] == 106);
    CHECK(e.words[0][0] == 103);
    CHECK(e.words[0][1] == 103);
    const LinkResult l = link_compute("#version 310 es\nlayout(local_size_x = 8) in;\n" + globals +
                                      "void main() {" + body + "}");
    REQUIRE_MESSAGE(l.program, l.log);
    REQUIRE(l.program->atomic_buffers.size() == 1);
    CHECK(l.program->atomic_buffers[0].binding == 2);
    CHECK(l.program->atomic_buffers[0].size_B == 20);
    CHECK(l.program->storage_slots[unsigned(ir::Stage::Compute)] == 2);
    REQUIRE(l.program->uniforms.size() == 2);
    CHECK(l.program->uniforms[1].name == "b[0]");
    CHECK(l.program->uniforms[1].block_offset_B == 12);
    CHECK(l.program->uniforms[1].array_stride_B == 4);
    CHECK(l.program->uniforms[1].atomic_buffer == 0);
    CHECK(l.program->uniforms[1].location == -1);
}

TEST_CASE("essl310: images") {
    ComputeEnv e = run_compute(
        std::string(kOut) + "layout(r32ui, binding = 5) uniform highp uimage2D im;",
        "int i = int(gl_LocalInvocationIndex); imageStore(im, ivec2(i, 2), uvec4(uint(i) + 50u)); o[i] = "
        "imageLoad(im, ivec2(i, 2)).x + uint(imageSize(im).y); imageStore(im, ivec2(i, -1), uvec4(1u));");
    CHECK(first(e.words[0], 3) == Words{58, 59, 60});
    CHECK(first(e.texels + 16, 3) == Words{50, 51, 52});
    CHECK(e.texels[0] == 0);
    const LinkResult l = link_compute(
        "#version 310 es\nlayout(local_size_x = 1) in; layout(rgba8, binding = 3) writeonly uniform highp "
        "image2D a[2]; "
        "uniform int n; void f(layout(rgba8) writeonly highp image2D p) { imageStore(p, ivec2(0), "
        "vec4(1.0)); } void "
        "main() { f(a[n]); }");
    // Parameters cannot have layouts.
    CHECK(!l.program);
    const LinkResult m = link_compute(
        "#version 310 es\nlayout(local_size_x = 1) in; layout(rgba8, binding = 3) writeonly uniform highp "
        "image2D a[2]; "
        "void f(writeonly highp image2D p) { imageStore(p, ivec2(0), vec4(1.0)); } void main() { f(a[1]); }");
    REQUIRE_MESSAGE(m.program, m.log);
    CHECK(m.program->uniforms[0].binding == 3);
    CHECK(m.program->uniforms[0].type.base == BaseType::Image);
    const auto& images = m.program->images[unsigned(ir::Stage::Compute)];
    REQUIRE(images.size() == 2);
    CHECK(images[1].element == 1);
    CHECK(images[1].format == ir::ImageFormat::Rgba8);
    CHECK(images[1].qualifiers == ir::mem_flag::kWriteonly);
}

TEST_CASE("essl310: locations and bindings of uniforms") {
    const LinkResult l = link_compute(
        "#version 310 es\nlayout(local_size_x = 1) in; layout(std430, binding = 0) buffer O { float o; };\n"
        "struct S { float a; float b[3]; }; layout(location = 4) uniform S s[2]; uniform float x; "
        "layout(location = 0) "
        "uniform float unused; layout(binding = 7) uniform highp sampler2D t;\n"
        "void main() { o = s[1].b[2] + s[1].a + x + textureLod(t, vec2(0.0), 0.0).x; }");
    REQUIRE_MESSAGE(l.program, l.log);
    const auto find = [&](const std::string& name) {
        for (const UniformInfo& u : l.program->uniforms)
            if (u.name == name) return u;
        return UniformInfo();
    };
    CHECK(find("s[1].a").location == 8);
    CHECK(find("s[1].b[0]").location == 9);
    CHECK(find("x").location == 1);
    CHECK(find("t").binding == 7);
    CHECK(find("t").stage_mask == 1u << unsigned(ir::Stage::Compute));
    // In two stages. In one stage the parser notices it.
    const CompileResult v = test::compile_vertex(
        "#version 310 es\nlayout(location = 2) uniform float a[2]; void main() { gl_Position = vec4(a[0]); }",
        310);
    const CompileResult f = test::compile_fragment(
        "#version 310 es\nprecision highp float; layout(location = 3) uniform float b; out vec4 c; void "
        "main() { c = "
        "vec4(b); }",
        310);
    REQUIRE_MESSAGE(v.shader, v.log);
    REQUIRE_MESSAGE(f.shader, f.log);
    const CompiledShader* const both[] = {v.shader.get(), f.shader.get()};
    CHECK(link(both, {}).log.find("both have location 3") != std::string::npos);
}

TEST_CASE("essl310: errors of linking and compiling") {
    const auto log = [](const std::string& s) { return link_compute("#version 310 es\n" + s).log; };
    CHECK(log("void main() {}").find("does not declare the size of its workgroups") != std::string::npos);
    CHECK(log("layout(local_size_x = 1024, local_size_y = 2) in; void main() {}").find("too large") !=
          std::string::npos);
    CHECK(log("layout(local_size_x = 1) in; shared float a[8193]; void main() { a[0] = 1.0; }")
              .find("too many shared variables") != std::string::npos);
    CHECK(log("layout(local_size_x = 1) in; buffer B { float x; } b[17]; void main() { b[0].x = 1.0; }")
              .find("too many storage blocks") != std::string::npos);
    CHECK(log("layout(local_size_x = 1) in; layout(std430) readonly buffer B { float x; }; void main() { x = "
              "1.0; }") != "");
    const std::string counts = "layout(local_size_x = 1) in; void main() { atomicCounterIncrement(c); }";
    CHECK(log("layout(binding = 0, offset = 16380) uniform atomic_uint c;" + counts) == "");
    CHECK(log("layout(binding = 0, offset = 16384) uniform atomic_uint c;" + counts)
              .find("beyond gl_MaxAtomicCounterBufferSize") != std::string::npos);
}

TEST_CASE("essl310: gl_WorkGroupSize is constant after the size is declared") {
    const auto log = [](const std::string& s) { return link_compute("#version 310 es\n" + s).log; };
    const std::string body = "buffer B { uint x; }; void main() { x = gl_WorkGroupSize.x; }";
    const std::string size = "layout(local_size_x = 2) in;";
    CHECK(log(size + body) == "");
    CHECK(log("#define SIZE layout(local_size_x = 2) in\nSIZE;" + body) == "");
    for (const std::string& s : {body, body + size})
        CHECK(log(s).find("the size of a workgroup must be declared before") != std::string::npos);
}

TEST_CASE("essl310: uniforms after explicit locations must be within the limit, too") {
    const auto log = [](const std::string& declared) {
        const CompileResult v = test::compile_vertex(
            "#version 310 es\nuniform float b; void main() { gl_Position = vec4(b); }", 310);
        const CompileResult f = test::compile_fragment("#version 310 es\nprecision highp float; " + declared +
                                                           "out vec4 c; void main() { c = vec4(a[1]); }",
                                                       310);
        REQUIRE_MESSAGE(v.shader, v.log);
        REQUIRE_MESSAGE(f.shader, f.log);
        const CompiledShader* const both[] = {v.shader.get(), f.shader.get()};
        return link(both, {}).log;
    };
    CHECK(log("layout(location = 0) uniform float a[1023];") == "");
    CHECK(log("layout(location = 0) uniform float a[1024];").find("more locations than the limit of 1024") !=
          std::string::npos);
}

TEST_CASE("essl310: stages that are linked separately and matched by location") {
    const CompileResult v = test::compile_vertex(
        "#version 310 es\nlayout(location = 0) in vec4 p; layout(location = 3) out vec2 a; out float b; void "
        "main() { "
        "gl_Position = p; a = p.xy; b = p.z; }",
        310);
    const CompileResult f = test::compile_fragment(
        "#version 310 es\nprecision highp float; layout(location = 3) in vec2 other; out vec4 c; void main() "
        "{ c = "
        "vec4(other, 0.0, 1.0); }",
        310);
    REQUIRE_MESSAGE(v.shader, v.log);
    REQUIRE_MESSAGE(f.shader, f.log);
    const CompiledShader* both[] = {v.shader.get(), f.shader.get()};
    const LinkResult pair = link(both, {});
    REQUIRE_MESSAGE(pair.program, pair.log);
    CHECK(pair.program->varying_slots == 1);
    LinkOptions separable;
    separable.separable = true;
    for (const CompiledShader*& s : both) {
        CHECK(!link(std::span(&s, 1), {}).program);
        const LinkResult alone = link(std::span(&s, 1), separable);
        REQUIRE_MESSAGE(alone.program, alone.log);
        CHECK(alone.program->varying_slots >= 1);
        std::string why;
        CHECK_MESSAGE(deserialize(serialize(*alone.program), Stages::AtOnce, {}, &why), why);
    }
}

TEST_CASE("essl310: damaged binaries of compute programs are refused or harmless") {
    const LinkResult l = link_compute(
        "#version 310 es\nlayout(local_size_x = 8) in; shared uint s[8]; layout(r32ui, binding = 1) uniform "
        "highp "
        "uimage2D im[2]; layout(binding = 0) uniform atomic_uint n; layout(std430) buffer B { uint a[4]; "
        "uint o[]; } "
        "b[2];\nvoid main() { uint i = gl_LocalInvocationIndex; s[i] = atomicCounterIncrement(n); barrier(); "
        "b[1].o[i] = s[7u - i] + imageLoad(im[1], ivec2(0)).x; }");
    REQUIRE_MESSAGE(l.program, l.log);
    LinkedProgram p = *l.program;
    const auto refused = [&](auto&& damage) {
        LinkedProgram d = *l.program;
        damage(d);
        return !deserialize(serialize(d));
    };
    const auto c = unsigned(ir::Stage::Compute);
    CHECK(!refused([](LinkedProgram&) {}));
    CHECK(refused([&](LinkedProgram& d) { d.storage_slots[c] = 2; }));
    CHECK(refused([&](LinkedProgram& d) { d.storage_slots[c] = 4; }));
    CHECK(refused([&](LinkedProgram& d) { d.images[c].pop_back(); }));
    CHECK(refused([&](LinkedProgram& d) { d.images[c][1].uniform = 9; }));
    CHECK(refused([&](LinkedProgram& d) { d.images[c][1].format = ir::ImageFormat::Rgba8; }));
    CHECK(refused([](LinkedProgram& d) { d.atomic_buffers[0].members[0] = 77; }));
    CHECK(refused([](LinkedProgram& d) { d.atomic_buffers[0].binding = -1; }));
    CHECK(refused([](LinkedProgram& d) { d.atomic_buffers[0].size_B = 0; }));
    CHECK(refused([](LinkedProgram& d) { d.storage_blocks[1].array_left = 5; }));
    CHECK(refused([](LinkedProgram& d) { d.storage_blocks[0].members[0] = 5; }));
    CHECK(refused([](LinkedProgram& d) { d.buffer_variables[0].block = 7; }));
    CHECK(refused([](LinkedProgram& d) { d.buffer_variables[0].block_offset_B = 1u << 30; }));
    CHECK(refused([](LinkedProgram& d) { d.buffer_variables[1].stage_mask = 1u << 9; }));
}

namespace {

std::string sample_shader(const std::string& globals, const std::string& body) {
    return "#version 310 es\n#extension GL_OES_sample_variables : require\n"
           "#extension GL_OES_shader_multisample_interpolation : require\n"
           "#extension GL_KHR_blend_equation_advanced : require\nprecision highp float;\n" +
           globals + "\nlayout(location = 0) out vec4 o;\nvoid main() {\n" + body + "\n}\n";
}

/// The text of the linked fragment shader.
std::string link_samples(const std::string& globals, const std::string& body) {
    static constexpr std::string_view kNames[] = {"GL_OES_sample_variables",
                                                  "GL_OES_shader_multisample_interpolation",
                                                  "GL_KHR_blend_equation_advanced"};
    const CompileResult vs = compile(
        "#version 310 es\nin vec4 p; out vec4 v; out vec2 a[3]; flat out vec4 f;\n"
        "void main() { gl_Position = v = f = p; a[0] = a[1] = a[2] = p.xy; }",
        test::options(ir::Stage::Vertex, 310));
    CompileOptions options = test::options(ir::Stage::Fragment, 310);
    options.extensions = kNames;
    const CompileResult fs = compile(sample_shader(globals, body), options);
    if (!vs.shader || !fs.shader) return vs.log + fs.log;
    const CompiledShader* const stages[] = {vs.shader.get(), fs.shader.get()};
    const LinkResult l = link(stages, {});
    if (!l.program) return l.log;
    std::string why;
    const auto again = deserialize(serialize(*l.program), Stages::AtOnce, {}, &why);
    return again ? ir::print(*again->stages[unsigned(ir::Stage::Fragment)]) : why;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("ESSL 3.10: sample variables") {
    const std::string s = link_samples("sample in vec4 v;",
                                       "o = v + vec4(gl_SampleID, gl_NumSamples, gl_SamplePosition);\n"
                                       "for (int i = 0; i < gl_SampleMaskIn.length(); ++i)\n"
                                       "gl_SampleMask[i] = gl_SampleMaskIn[i] & 5;");
    INFO(s);
    CHECK(has(s, "load_sysval sample_id.x"));
    CHECK(has(s, "load_sysval num_samples.x"));
    CHECK(has(s, "load_sysval sample_pos.y"));
    CHECK(has(s, "load_sysval sample_mask_in.x"));
    CHECK(has(s, "load_input 7.x sample"));
    CHECK(has(s, "store_output 10.x"));  // FragSlot::SampleMask
    CHECK(has(link_samples("uniform int n;",
                           "gl_SampleMask[n] = 1; for (int i = 0; i < gl_SampleMask.length(); ++i)\n"
                           "gl_SampleMask[i] = i; o = vec4(1);"),
              "store_output 10.x"));
    CHECK(has(link_samples("layout(location = 1) out vec4 a[2]; uniform int n;", "o = vec4(1); a[n] = o;"),
              "indexed by constants"));
}

TEST_CASE("ESSL 3.10: interpolation at positions in a pixel") {
    const std::string s =
        link_samples("in vec4 v; in vec2 a[3]; flat in vec4 f; uniform int n; uniform vec2 d;",
                     "o = interpolateAtCentroid(v) + interpolateAtSample(v, n) + interpolateAtOffset(v, d);\n"
                     "o.xy += interpolateAtCentroid(a[1]) + interpolateAtOffset(a[n], d);\n"
                     "o.z += interpolateAtSample(v, 3).y;");
    INFO(s);
    CHECK(has(s, " centroid ()"));
    CHECK(has(s, " sample (%"));
    CHECK(has(s, " center (%"));
    CHECK(has(link_samples("in vec4 v;", "vec4 l = v; o = interpolateAtCentroid(l);"), "interpolant"));
}

TEST_CASE("ESSL 3.10: blend equations that a shader declares") {
    CHECK(has(link_samples("layout(blend_support_screen, blend_support_hsl_luminosity) out;", "o = vec4(1);"),
              "blend_equations=16386"));
    CHECK(has(link_samples("layout(blend_support_all_equations) out;", "o = vec4(1);"),
              "blend_equations=32767"));
}
