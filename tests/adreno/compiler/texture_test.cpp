// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of each kind: compiled code on the virtual GPU's core compared with the IR interpreter. Both use
// pipe/raster's sampler: one with the IR's values, the other with the words of the instruction
// (sim/texture/operands.h, which is written from hardware facts).
#include "drivers/adreno/sim/texture/operands.h"
#include "tests/adreno/compiler/execute.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

using adreno::sim::TextureOperands;
using pipe::ResourceKind;

struct Kind {
    const char* sampler;
    ResourceKind kind;
    unsigned coordinates;  // without layers
    bool arrayed = false, shadow = false, multisampled = false;
};
constexpr Kind kKinds[] = {{"sampler2D", ResourceKind::Tex2D, 2},
                           {"sampler3D", ResourceKind::Tex3D, 3},
                           {"sampler2DArray", ResourceKind::Tex2DArray, 2, true},
                           {"samplerCube", ResourceKind::Cube, 3},
                           {"samplerCubeArray", ResourceKind::CubeArray, 3, true},
                           {"sampler2DShadow", ResourceKind::Tex2D, 2, false, true},
                           {"sampler2DArrayShadow", ResourceKind::Tex2DArray, 2, true, true},
                           {"samplerCubeShadow", ResourceKind::Cube, 3, false, true},
                           {"samplerCubeArrayShadow", ResourceKind::CubeArray, 3, true, true},
                           {"sampler2DMS", ResourceKind::Tex2D, 2, false, false, true},
                           {"sampler2DMSArray", ResourceKind::Tex2DArray, 2, true, false, true},
                           {"samplerBuffer", ResourceKind::Buffer, 1}};

const Kind& kind_of(const std::string& sampler) {
    for (const Kind& k : kKinds)
        if (k.sampler == sampler) return k;
    FAIL("no such sampler");
    return kKinds[0];
}

pipe::raster::TextureShape shape_of(const Kind& k) {
    pipe::raster::TextureShape s{.kind = k.kind, .width = 16, .height = 16, .last_level = 4};
    if (k.kind == ResourceKind::Tex2DArray) s.height = 8, s.layers = 5;
    if (k.kind == ResourceKind::CubeArray) s.layers = 12;
    if (k.kind == ResourceKind::Tex3D) s.height = 8, s.depth = 6;
    return s;
}

/// `seed` is a texture's number.
void texel_at(void* seed, uint32_t level, int32_t x, int32_t y, int32_t z, float out[4]) {
    const uint32_t slot = *static_cast<const uint32_t*>(seed);
    for (unsigned c = 0; c < 4; c++)
        out[c] =
            float((uint32_t(x) * 7 + uint32_t(y) * 13 + uint32_t(z) * 29 + level * 31 + slot * 11 + c * 17) %
                  64) /
            64;
}

enum class How : uint8_t { Filter, Gather, Fetch };
/// A lane's request, from the IR or from an instruction.
struct Access {
    How how = How::Filter;
    pipe::raster::SampleArgs args;
    unsigned component = 0;  // for gathers
    int32_t texel[3] = {};   // for fetches; z: slice or layer
    int32_t level = 0, sample = 0;
};

void read_texture(const Kind& k, uint32_t slot, const Access& a, float out[4]) {
    const pipe::raster::TextureShape shape = shape_of(k);
    if (a.how == How::Fetch) {
        const uint32_t depth = k.kind == ResourceKind::Tex3D ? shape.depth >> a.level : shape.layers;
        const bool in = a.level >= 0 && a.level <= 4 && a.texel[0] >= 0 && a.texel[1] >= 0 &&
                        a.texel[2] >= 0 && uint32_t(a.texel[0]) < shape.width >> a.level &&
                        uint32_t(a.texel[1]) < shape.height >> a.level &&
                        uint32_t(a.texel[2]) < std::max(depth, 1u);
        std::fill_n(out, 4, 0.0f);
        if (in) texel_at(&slot, uint32_t(a.level), a.texel[0], a.texel[1], a.texel[2] + a.sample * 5, out);
        return;
    }
    pipe::SamplerDesc sampler{.min = pipe::Filter::Linear, .compare_enable = k.shadow, .seamless_cube = true};
    if (a.how == How::Gather)
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
class Meaning : public compiled::Interpreter {
  public:
    Meaning(const Inputs& in, const Kind& kind, ir::Stage stage)
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
        const uint32_t lod = call.lod ? call.lod[i] : 0, cube = kind_.kind == ResourceKind::CubeArray ? 6 : 1;
        const uint32_t v[] = {shape.width >> lod, shape.height >> lod,
                              kind_.arrayed ? shape.layers / cube : shape.depth >> lod};
        for (unsigned c = 0; c < call.result_count; c++)
            call.out[c][i] = std::max(v[c], 1u);
    }
    Access access(const ir::InterpTex& call, unsigned i) const {
        const auto number = [&](const uint32_t* v) { return std::bit_cast<float>(v[i]); };
        const ir::TexInfo& t = *call.info;
        Access a;
        int32_t offset[3] = {t.offset[0], t.offset[1], t.offset[2]};
        for (unsigned c = 0; c < 2; c++)
            if (call.offset[c]) offset[c] += int32_t(call.offset[c][i]);
        if (t.op == ir::TexOp::Fetch || t.op == ir::TexOp::FetchMS) {
            a.how = How::Fetch;
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
        if (t.op == ir::TexOp::Gather) a.how = How::Gather;
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
    const Kind& kind_;
    const ir::Stage stage_;
};

/// The requests of the instruction's words.
class Unit : public Machine {
  public:
    Unit(const Inputs& in, const Binary& b, const Kind& kind, ir::Stage stage)
        : Machine(in, b), info_(b.info), kind_(kind), stage_(stage) {}
    bool texture(adreno::sim::UnitCall& call, std::string* why) override {
        using adreno::isa::Op;
        const Op op = call.instr.op;
        if (op == Op::kGetsize || op == Op::kGetbuf) return size(call);
        if (call.instr.cube() != (kind_.coordinates == 3))
            return *why = "coordinates that the texture has not", false;
        if (call.instr.array() != kind_.arrayed) return *why = "a layer that the texture has not", false;
        const bool compares = kind_.shadow && op != Op::kIsaml;
        if (call.instr.shadow() != compares)
            return *why = "a comparison that the sampler does not say", false;
        for (unsigned i = 0; i < kLanes; i++) {
            if (!call.active.has(i)) continue;
            float v[4];
            read_texture(kind_, slot_of(call.texture), access(call, i), v);
            for (unsigned c = 0; c < 4; c++)
                call.out[c][0][i] = std::bit_cast<uint32_t>(v[c]);
        }
        return true;
    }

  private:
    /// Textures that are both fetched and sampled have a second descriptor for fetches.
    [[nodiscard]] uint32_t slot_of(uint32_t texture) const {
        for (uint32_t slot = 0; slot < texture; slot++)
            if (info_.fetched_apart >> slot & 1 && info_.fetched_number(slot) == texture) return slot;
        return texture;
    }
    /// W, and Z of arrays, comes from the descriptor. There, the faces of cubes are layers in groups of six,
    /// and are not counted separately.
    bool size(adreno::sim::UnitCall& call) const {
        const pipe::raster::TextureShape shape = shape_of(kind_);
        const uint32_t depth = kind_.kind == ResourceKind::Tex3D       ? shape.depth
                               : kind_.kind == ResourceKind::CubeArray ? shape.layers / 6
                                                                       : shape.layers;
        for (unsigned i = 0; i < kLanes; i++) {
            const uint32_t lod = call.instr.op == adreno::isa::Op::kGetsize ? call.in[0][0][i] : 0;
            const uint32_t v[] = {shape.width >> lod, shape.height >> lod, depth >> lod, depth};
            for (unsigned c = 0; c < 4; c++)
                call.out[c][0][i] = std::max(v[c], 1u);
        }
        return true;
    }
    Access access(const adreno::sim::UnitCall& call, unsigned i) const {
        using adreno::isa::Op;
        const Op op = call.instr.op;
        const TextureOperands o = adreno::sim::texture_operands(call.instr);
        const unsigned second = adreno::sim::second_source(o);
        const auto integer = [&](unsigned k) { return int32_t(call.in[k][0][i]); };
        const auto number_of = [&](unsigned k, unsigned lane) {
            return std::bit_cast<float>(uint32_t(call.in[k][0][lane]));
        };
        const auto number = [&](unsigned k) { return number_of(k, i); };
        const auto has = [](unsigned k) { return k != TextureOperands::kNone; };
        Access a;
        if (op == Op::kIsaml || op == Op::kIsamm || op == Op::kIsam) {
            a.how = How::Fetch;
            for (unsigned c = 0; c < std::min(o.coordinates, kind_.coordinates); c++)
                a.texel[c] = integer(c) + (c < o.offsets ? integer(second + c) : 0);
            if (has(o.layer)) a.texel[2] = integer(o.layer);
            if (has(o.lod)) a.level = integer(second + o.lod);
            if (has(o.sample)) a.sample = integer(o.sample);
            return a;
        }
        for (unsigned c = 0; c < o.coordinates; c++)
            a.args.coord[c] = number(c);
        if (has(o.layer)) a.args.coord[o.coordinates] = std::floor(number(o.layer));
        for (unsigned c = 0; c < o.offsets; c++)
            a.args.offset[c] = integer(second + c);
        if (has(o.reference)) a.args.reference = number(o.reference);
        if (op >= Op::kGather4r && op <= Op::kGather4a) {
            a.how = How::Gather;
            a.component = unsigned(op) - unsigned(Op::kGather4r);
        }
        const bool implicit = (op == Op::kSam || op == Op::kSamb) && stage_ == ir::Stage::Fragment;
        if (implicit) derive(i, o.coordinates, number_of, &a.args);
        for (unsigned c = 0; has(o.gradients) && c < o.coordinates; c++) {
            a.args.ddx[c] = number(o.gradients + c);
            a.args.ddy[c] = number(o.gradients + o.coordinates + c);
        }
        if (!implicit && !has(o.gradients)) a.args.lod_mode = pipe::raster::LodMode::Explicit;
        if (op == Op::kSamb) a.args.bias = number(second + o.lod);
        if (op == Op::kSaml) a.args.lod = number(second + o.lod);
        return a;
    }
    const Info& info_;
    const Kind& kind_;
    const ir::Stage stage_;
};

std::shared_ptr<const shaders::LinkedProgram> link(ir::Stage stage, const std::string& sampler,
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

void check(ir::Stage stage, const std::string& sampler, const std::string& value) {
    CAPTURE(sampler);
    CAPTURE(value);
    CAPTURE(int(stage));
    const Kind& kind = kind_of(sampler);
    const auto program = link(stage, sampler, value);
    const ir::Shader& s = *program->stages[size_t(stage)];
    const Binary b = compile(s, {.validate = true});
    REQUIRE(b.error == "");
    CAPTURE(adreno::isa::disassemble(b.code));
    for (unsigned seed = 1; seed < 5; seed++) {
        Inputs in = compiled::random_inputs(seed, program->uniform_dw[size_t(stage)], -2, 2);
        compiled::set_uniform(*program, stage, in, "n", seed % 3);
        Meaning meaning(in, kind, stage);
        Unit unit(in, b, kind, stage);
        const Result expected = compiled::interpret(s, meaning), got = execute(b, in, unit);
        REQUIRE(got.error == "");
        REQUIRE(expected.error == "");
        REQUIRE(!expected.outputs.empty());
        for (const auto& output : expected.outputs) {
            const auto at = output.first;
            const auto& row = output.second;
            REQUIRE(got.outputs.count(at));
            for (unsigned i = 0; i < kLanes; i++) {
                CAPTURE(at);
                CAPTURE(i);
                CAPTURE(row[i]);
                CAPTURE(got.outputs.at(at)[i]);
                CHECK(compiled::near(row[i], got.outputs.at(at)[i], 1.0f / 1024));
            }
        }
    }
}

struct Case {
    const char* sampler;
    std::vector<const char*> values;
};

}  // namespace

TEST_CASE("adreno compiler: textures of each kind, with explicit levels") {
    const Case cases[] = {
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
    for (const Case& c : cases)
        for (const char* value : c.values)
            for (const ir::Stage stage : {ir::Stage::Fragment, ir::Stage::Vertex})
                check(stage, c.sampler, value);
}

TEST_CASE("adreno compiler: textures of each kind, with levels from neighbours' coordinates") {
    const Case cases[] = {
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
    for (const Case& c : cases)
        for (const char* value : c.values)
            check(ir::Stage::Fragment, c.sampler, value);
}
