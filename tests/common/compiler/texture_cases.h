// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of each kind. The IR interpreter and a vendor's compiled code use pipe/raster's sampler: one with
// the IR's values, the other with the words of the instruction.
#pragma once

#include "tests/common/compiler/run.h"

namespace terrazzo::compiled {

struct TextureKind {
    const char* sampler;
    pipe::ResourceKind kind;
    unsigned coordinates;  // without layers
    bool arrayed = false, shadow = false, multisampled = false;
};
inline constexpr TextureKind kKinds[] = {
    {"sampler2D", pipe::ResourceKind::Tex2D, 2},
    {"sampler3D", pipe::ResourceKind::Tex3D, 3},
    {"sampler2DArray", pipe::ResourceKind::Tex2DArray, 2, true},
    {"samplerCube", pipe::ResourceKind::Cube, 3},
    {"samplerCubeArray", pipe::ResourceKind::CubeArray, 3, true},
    {"sampler2DShadow", pipe::ResourceKind::Tex2D, 2, false, true},
    {"sampler2DArrayShadow", pipe::ResourceKind::Tex2DArray, 2, true, true},
    {"samplerCubeShadow", pipe::ResourceKind::Cube, 3, false, true},
    {"samplerCubeArrayShadow", pipe::ResourceKind::CubeArray, 3, true, true},
    {"sampler2DMS", pipe::ResourceKind::Tex2D, 2, false, false, true},
    {"sampler2DMSArray", pipe::ResourceKind::Tex2DArray, 2, true, false, true},
    {"samplerBuffer", pipe::ResourceKind::Buffer, 1}};

inline const TextureKind& kind_of(const std::string& sampler) {
    for (const TextureKind& k : kKinds)
        if (k.sampler == sampler) return k;
    FAIL("no such sampler");
    return kKinds[0];
}

inline pipe::raster::TextureShape shape_of(const TextureKind& k) {
    pipe::raster::TextureShape s{.kind = k.kind, .width = 16, .height = 16, .last_level = 4};
    if (k.kind == pipe::ResourceKind::Tex2DArray) s.height = 8, s.layers = 5;
    if (k.kind == pipe::ResourceKind::CubeArray) s.layers = 12;
    if (k.kind == pipe::ResourceKind::Tex3D) s.height = 8, s.depth = 6;
    return s;
}

/// `seed` is a texture's number.
inline void texel_at(void* seed, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
    const uint32_t slot = *static_cast<const uint32_t*>(seed);
    for (unsigned c = 0; c < 4; c++)
        out[c] =
            float((uint32_t(x) * 7 + uint32_t(y) * 13 + uint32_t(z) * 29 + level * 31 + slot * 11 + c * 17) %
                  64) /
            64;
}

enum class TextureRead : uint8_t { Filter, Gather, Fetch };
/// A lane's request, from the IR or from an instruction.
struct TextureAccess {
    TextureRead how = TextureRead::Filter;
    pipe::raster::SampleArgs args;
    unsigned component = 0;  // for gathers
    int32_t texel[3] = {};   // for fetches; z: slice or layer
    int32_t level = 0, sample = 0;
};

inline void read_texture(const TextureKind& k, uint32_t slot, const TextureAccess& a, float out[4]) {
    const pipe::raster::TextureShape shape = shape_of(k);
    if (a.how == TextureRead::Fetch) {
        const uint32_t depth = k.kind == pipe::ResourceKind::Tex3D ? shape.depth >> a.level : shape.layers;
        const bool in = a.level >= 0 && a.level <= 4 && a.texel[0] >= 0 && a.texel[1] >= 0 &&
                        a.texel[2] >= 0 && uint32_t(a.texel[0]) < shape.width >> a.level &&
                        uint32_t(a.texel[1]) < shape.height >> a.level &&
                        uint32_t(a.texel[2]) < std::max(depth, 1u);
        std::fill_n(out, 4, 0.0f);
        if (in) texel_at(&slot, uint32_t(a.level), a.texel[0], a.texel[1], a.texel[2] + a.sample * 5, out);
        return;
    }
    pipe::SamplerDesc sampler{.min = pipe::Filter::Linear, .compare_enable = k.shadow, .seamless_cube = true};
    if (a.how == TextureRead::Gather)
        pipe::raster::gather(sampler, shape, texel_at, &slot, a.args, a.component, out);
    else
        pipe::raster::sample(sampler, shape, texel_at, &slot, a.args, out);
}

/// Differences to the right and up in quads of lanes.
template <typename F>
void derive(unsigned lane, unsigned coordinates, const F& coordinate, pipe::raster::SampleArgs* args) {
    const unsigned quad = lane / 4 * 4;
    for (unsigned c = 0; c < coordinates; c++) {
        args->ddx[c] = coordinate(c, quad + 1) - coordinate(c, quad);
        args->ddy[c] = coordinate(c, quad + 2) - coordinate(c, quad);
    }
}

/// The requests of the IR.
class TextureMeaning : public Interpreter {
  public:
    TextureMeaning(const Inputs& in, const TextureKind& kind, ir::Stage stage)
        : Interpreter(in), kind_(kind), stage_(stage) {}
    void tex(ir::InterpTex& call) override {
        for (unsigned i = 0; i < kLanes; i++) {
            const uint32_t slot = uint32_t(call.info->binding) + (call.index ? call.index[i] : 0);
            float v[4];
            if (call.info->op == ir::TexOp::Size) {
                size(call, i);
                continue;
            }
            read_texture(kind_, slot, access(call, i), v);
            for (unsigned c = 0; c < call.result_count; c++)
                call.out[c][i] = std::bit_cast<uint32_t>(v[c]);
        }
    }

  private:
    void size(const ir::InterpTex& call, unsigned i) const {
        const pipe::raster::TextureShape shape = shape_of(kind_);
        const uint32_t lod = call.lod ? call.lod[i] : 0,
                       cube = kind_.kind == pipe::ResourceKind::CubeArray ? 6 : 1;
        const uint32_t v[] = {shape.width >> lod, shape.height >> lod,
                              kind_.arrayed ? shape.layers / cube : shape.depth >> lod};
        for (unsigned c = 0; c < call.result_count; c++)
            call.out[c][i] = std::max(v[c], 1u);
    }
    TextureAccess access(const ir::InterpTex& call, unsigned i) const {
        const auto number = [&](const uint32_t* v) { return std::bit_cast<float>(v[i]); };
        const ir::TexInfo& t = *call.info;
        TextureAccess a;
        int32_t offset[3] = {t.offset[0], t.offset[1], t.offset[2]};
        for (unsigned c = 0; c < 2; c++)
            if (call.offset[c]) offset[c] += int32_t(call.offset[c][i]);
        if (t.op == ir::TexOp::Fetch || t.op == ir::TexOp::FetchMS) {
            a.how = TextureRead::Fetch;
            for (unsigned c = 0; c < t.coord_count; c++)
                a.texel[c] = int32_t(call.coord[c][i]) + (c < kind_.coordinates ? offset[c] : 0);
            if (call.lod) (t.op == ir::TexOp::Fetch ? a.level : a.sample) = int32_t(call.lod[i]);
            return a;
        }
        for (unsigned c = 0; c < t.coord_count; c++)
            a.args.coord[c] = number(call.coord[c]);
        std::copy_n(offset, 3, a.args.offset);
        if (call.ref) a.args.reference = number(call.ref);
        a.component = t.gather_component;
        if (t.op == ir::TexOp::Gather) a.how = TextureRead::Gather;
        const bool implicit =
            (t.op == ir::TexOp::Sample || t.op == ir::TexOp::SampleBias) && stage_ == ir::Stage::Fragment;
        if (implicit)
            derive(
                i, kind_.coordinates,
                [&](unsigned c, unsigned lane) { return std::bit_cast<float>(call.coord[c][lane]); },
                &a.args);
        for (unsigned c = 0; t.op == ir::TexOp::SampleGrad && c < kind_.coordinates; c++) {
            a.args.ddx[c] = number(call.ddx[c]);
            a.args.ddy[c] = number(call.ddy[c]);
        }
        if (!implicit && t.op != ir::TexOp::SampleGrad) a.args.lod_mode = pipe::raster::LodMode::Explicit;
        if (t.op == ir::TexOp::SampleBias) a.args.bias = number(call.lod);
        if (t.op == ir::TexOp::SampleLod) a.args.lod = number(call.lod);
        return a;
    }
    const TextureKind& kind_;
    const ir::Stage stage_;
};

inline std::shared_ptr<const shaders::LinkedProgram> link_textured(ir::Stage stage,
                                                                   const std::string& sampler,
                                                                   const std::string& value) {
    const std::string version = "#version 320 es\nprecision highp float; precision highp int;\n",
                      code = "uniform highp " + sampler + " t, t3[3]; uniform int n; void main() { ";
    const bool vertex = stage == ir::Stage::Vertex;
    const std::string
        vs = version +
             (vertex ? "in vec4 a, b; out vec4 r; " + code + "r = vec4(" + value + "); gl_Position = a; }"
                     : "in vec4 p, q; out vec4 a, b; void main() { a = p; b = q; gl_Position = p; }"),
        fs = version + (vertex ? "in vec4 r; out vec4 color; void main() { color = r; }"
                               : "in vec4 a, b; out vec4 color; " + code + "color = vec4(" + value + "); }");
    shaders::CompileOptions options;
    options.max_version = 320;
    options.stage = ir::Stage::Vertex;
    const auto v = shaders::compile(vs, options);
    REQUIRE_MESSAGE(v.shader, v.log);
    options.stage = ir::Stage::Fragment;
    const auto f = shaders::compile(fs, options);
    REQUIRE_MESSAGE(f.shader, f.log);
    const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    const auto linked = shaders::link(stages, {});
    REQUIRE_MESSAGE(linked.program, linked.log);
    return linked.program;
}

/// `run`(shader, stage, kind, inputs) executes the compiled shader and returns a Result, for vertex shaders
/// of varyings alone. `tolerance`: relative.
template <class Run>
void check_texture(ir::Stage stage, const std::string& sampler, const std::string& value, const Run& run,
                   float tolerance) {
    CAPTURE(sampler);
    CAPTURE(value);
    CAPTURE(int(stage));
    const TextureKind& kind = kind_of(sampler);
    const auto program = link_textured(stage, sampler, value);
    const ir::Shader& s = *program->stages[size_t(stage)];
    for (unsigned seed = 1; seed < 5; seed++) {
        Inputs in = random_inputs(seed, program->uniform_dw[size_t(stage)], -2, 2);
        set_uniform(*program, stage, in, "n", seed % 3);
        TextureMeaning meaning(in, kind, stage);
        const Result expected = interpret(s, meaning), got = run(s, stage, kind, in);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        REQUIRE(!expected.outputs.empty());
        for (const auto& output : expected.outputs) {
            const auto at = output.first;
            const auto& row = output.second;
            if (stage == ir::Stage::Vertex && at < 4) continue;  // the position, which drivers transform
            REQUIRE(got.outputs.count(at));
            for (unsigned i = 0; i < kLanes; i++) {
                CAPTURE(at);
                CAPTURE(i);
                CAPTURE(row[i]);
                CAPTURE(got.outputs.at(at)[i]);
                CHECK(near(row[i], got.outputs.at(at)[i], tolerance));
            }
        }
    }
}

struct TextureCase {
    const char* sampler;
    std::vector<const char*> values;
};

/// With explicit levels.
template <class Run>
void check_textures(const Run& run, float tolerance) {
    const TextureCase cases[] = {
        {"sampler2D",
         {"textureLod(t, a.xy, b.x)", "textureGrad(t, a.xy, b.xy * 0.1, b.zw * 0.2)",
          "texelFetch(t, ivec2(a.xy * 4.0 + 8.0), int(b.x + 2.0))",
          "textureLodOffset(t, a.xy, b.x, ivec2(3, -2))",
          "textureProjLod(t, vec3(a.xy, 1.5 + abs(b.y)), b.x)",
          "texelFetchOffset(t, ivec2(a.xy * 4.0 + 8.0), 1, ivec2(-1, 2))", "textureGather(t, a.xy, 2)",
          "textureGatherOffset(t, a.xy, ivec2(b.xy * 3.0), 1)", "vec4(textureSize(t, int(b.x + 2.0)), 0, 1)",
          "textureLod(t3[n], a.xy, b.x)", "texelFetch(t3[n], ivec2(3), 0) + textureLod(t3[1], a.xy, 0.0)"}},
        {"sampler3D",
         {"textureLod(t, a.xyz, b.x)", "textureGrad(t, a.xyz, b.xyz * 0.1, b.wzy * 0.2)",
          "texelFetch(t, ivec3(a.xyz * 3.0 + 4.0), int(b.x + 2.0))",
          "textureLodOffset(t, a.xyz, b.x, ivec3(3, -2, 1))",
          "textureProjLod(t, vec4(a.xyz, 1.5 + abs(b.y)), b.x)",
          "textureGradOffset(t, a.xyz, b.xyz, b.wzy, ivec3(1, 2, -3))",
          "texelFetchOffset(t, ivec3(a.xyz * 2.0 + 3.0), 1, ivec3(-1, 2, 1))",
          "vec4(textureSize(t, int(b.x + 2.0)), 1)", "textureLod(t3[n], a.xyz, b.x)",
          "texelFetch(t3[n], ivec3(a.xyz * 2.0 + 3.0), 0)"}},
        {"sampler2DArray",
         {"textureLod(t, vec3(a.xy, a.z * 3.0), b.x)",
          "textureGrad(t, vec3(a.xy, a.z * 3.0), b.xy * 0.1, b.zw * 0.2)",
          "texelFetch(t, ivec3(a.xy * 4.0 + 8.0, a.z * 2.0 + 2.0), int(b.x + 2.0))",
          "textureLodOffset(t, vec3(a.xy, a.z * 3.0), b.x, ivec2(3, -2))",
          "texelFetchOffset(t, ivec3(a.xy * 4.0 + 8.0, 2), 1, ivec2(-1, 2))",
          "textureGather(t, vec3(a.xy, a.z * 3.0), 1)",
          "textureGatherOffset(t, vec3(a.xy, 1.0), ivec2(b.xy * 3.0), 3)",
          "vec4(textureSize(t, int(b.x + 2.0)), 1)", "textureLod(t3[n], vec3(a.xy, 2.0), b.x)"}},
        {"samplerCube",
         {"textureLod(t, a.xyz, b.x)", "textureGrad(t, a.xyz, b.xyz * 0.1, b.wzy * 0.2)",
          "textureGather(t, a.xyz, 1)", "vec4(textureSize(t, int(b.x + 2.0)), 0, 1)",
          "textureLod(t3[n], a.xyz, b.x)"}},
        {"samplerCubeArray",
         {"textureLod(t, vec4(a.xyz, b.y), b.x)",
          "textureGrad(t, vec4(a.xyz, b.w), b.xyz * 0.1, b.wzy * 0.2)",
          "textureGather(t, vec4(a.xyz, b.y), 3)", "vec4(textureSize(t, int(b.x + 2.0)), 1)"}},
        {"sampler2DShadow",
         {"textureLod(t, vec3(a.xy, abs(b.y)), b.x)",
          "textureGrad(t, vec3(a.xy, abs(b.x) * 0.5), b.xy * 0.1, b.zw * 0.2)",
          "textureLodOffset(t, vec3(a.xy, 0.4), b.x, ivec2(3, -2))", "textureGather(t, a.xy, abs(b.y))",
          "textureGatherOffset(t, a.xy, abs(b.x), ivec2(b.xy * 3.0))", "vec4(textureSize(t, 1), 0, 1)",
          "textureProjLod(t, vec4(a.xyz, 1.5 + abs(b.y)), b.x)", "textureLod(t3[n], vec3(a.xy, 0.5), b.x)"}},
        {"sampler2DArrayShadow",
         {"textureGrad(t, vec4(a.xy, a.z * 3.0, abs(b.x) * 0.5), b.xy * 0.1, b.zw * 0.2)",
          "textureGather(t, vec3(a.xy, a.z * 3.0), abs(b.y))",
          "textureGatherOffset(t, vec3(a.xy, 1.0), 0.5, ivec2(b.xy * 3.0))", "vec4(textureSize(t, 1), 1)"}},
        {"samplerCubeShadow",
         {"textureGrad(t, vec4(a.xyz, abs(b.x)), b.xyz * 0.1, b.wzy * 0.2)",
          "textureGather(t, a.xyz, abs(b.y))"}},
        {"samplerCubeArrayShadow",
         {"textureGather(t, vec4(a.xyz, b.y), abs(b.y))", "vec4(textureSize(t, 0), 1)"}},
        {"sampler2DMS",
         {"texelFetch(t, ivec2(a.xy * 4.0 + 8.0), int(b.x + 2.0))", "vec4(textureSize(t), 0, 1)",
          "texelFetch(t3[n], ivec2(2, 3), int(b.x + 2.0))"}},
        {"sampler2DMSArray",
         {"texelFetch(t, ivec3(a.xy * 4.0 + 8.0, a.z * 2.0 + 2.0), int(b.x + 2.0))",
          "vec4(textureSize(t), 1)"}},
        {"samplerBuffer", {"texelFetch(t, int(a.x * 4.0 + 8.0))", "vec4(textureSize(t))"}},
    };
    for (const TextureCase& c : cases)
        for (const char* value : c.values)
            for (const ir::Stage stage : {ir::Stage::Fragment, ir::Stage::Vertex})
                check_texture(stage, c.sampler, value, run, tolerance);
}

/// With levels from the coordinates of neighbours. `cubes`: of their directions.
template <class Run>
void check_derived_levels(const Run& run, float tolerance, bool cubes) {
    const TextureCase cases[] = {
        {"sampler2D",
         {"texture(t, a.xy)", "texture(t, a.xy * 0.02, b.x)", "textureOffset(t, a.xy * 0.1, ivec2(3, -2))"}},
        {"sampler3D",
         {"texture(t, a.xyz * 0.1)", "texture(t, a.xyz * 0.02, b.x)",
          "textureOffset(t, a.xyz * 0.1, ivec3(3, -2, 1), 0.5)",
          "textureProj(t, vec4(a.xyz * 0.1, 1.5 + abs(b.y)), b.x)"}},
        {"sampler2DArray",
         {"texture(t, vec3(a.xy * 0.1, a.z * 3.0))", "texture(t, vec3(a.xy * 0.02, a.z * 3.0), b.x)",
          "textureOffset(t, vec3(a.xy * 0.1, a.z), ivec2(3, -2))"}},
        {"samplerCube", {"texture(t, a.xyz + vec3(8.0, 0.0, 0.0))", "texture(t, a.xyz, b.x)"}},
        {"samplerCubeArray",
         {"texture(t, vec4(a.xyz + vec3(0.0, 8.0, 0.0), b.x))", "texture(t, vec4(a.xyz, b.y), b.x)"}},
        {"sampler2DShadow",
         {"texture(t, vec3(a.xy * 0.1, abs(b.y)))", "texture(t, vec3(a.xy * 0.02, abs(b.y)), b.x)",
          "textureOffset(t, vec3(a.xy * 0.1, 0.5), ivec2(3, -2))",
          "textureProj(t, vec4(a.xyz * 0.1, 1.5 + abs(b.y)))"}},
        {"sampler2DArrayShadow", {"texture(t, vec4(a.xy * 0.1, a.z * 3.0, abs(b.y)))"}},
        {"samplerCubeShadow",
         {"texture(t, vec4(a.xyz, abs(b.y)))", "texture(t, vec4(a.xyz, abs(b.y)), b.x)"}},
        {"samplerCubeArrayShadow", {"texture(t, vec4(a.xyz, b.y), abs(b.x))"}},
    };
    for (const TextureCase& c : cases)
        for (const char* value : c.values)
            if (cubes || !std::string_view(c.sampler).starts_with("samplerCube"))
                check_texture(ir::Stage::Fragment, c.sampler, value, run, tolerance);
}

}  // namespace terrazzo::compiled
