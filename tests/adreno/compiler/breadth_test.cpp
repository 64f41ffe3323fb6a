// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The features of GLES 2.0 to 3.1 compile, pass validation after every pass, and wait for what they read.
// Refused features are listed here.
#include <set>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/passes.h"
#include "drivers/adreno/hw/chips.h"
#include "tests/common/compiler/op_cases.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;

namespace {

Binary compiled_of(const ir::Shader& s, Options options = {}) {
    options.validate = true;
    Binary b = compile(s, options);
    if (!b.error.empty()) return b;
    CAPTURE(adreno::isa::disassemble(b.code));
    CHECK(find_hazard(b.code, b.info.prefetches) == "");
    if (std::getenv("TERRAZZO_SHADER_CODE")) MESSAGE(adreno::isa::disassemble(b.code));
    return b;
}

Binary fragment(const std::string& text, Options options = {}) {
    CAPTURE(text);
    const std::string es3 =
        "#version 310 es\n#extension GL_EXT_gpu_shader5 : require\n#extension "
        "GL_OES_shader_multisample_interpolation : enable\n#extension GL_OES_sample_variables : "
        "enable\nprecision highp float; precision highp "
        "int;\n";
    std::string log;
    const auto program = compiled::link(
        es3 +
            "in vec4 p; out vec4 a; flat out ivec4 k; centroid out vec2 c; void main() { a = p; k = "
            "ivec4(p); c = p.xy; gl_Position = p; }",
        es3 +
            "precision highp sampler3D; precision highp sampler2DArray; precision highp "
            "sampler2DShadow; precision highp isampler2D; precision highp samplerCubeShadow; "
            "precision highp sampler2DMS; precision highp sampler2DArrayShadow; precision highp "
            "image2D; precision highp iimage2D; precision highp uimage2D; precision highp image3D;\n" +
            text,
        &log);
    CAPTURE(log);
    REQUIRE(program);
    const Binary b = compiled_of(*program->stages[size_t(ir::Stage::Fragment)], options);
    CHECK(b.error == "");
    return b;
}

Binary compute(const std::string& text) {
    CAPTURE(text);
    std::string log;
    const auto program = compiled::link_compute(
        "#version 310 es\n#extension GL_OES_shader_image_atomic : require\nprecision highp image2D; "
        "precision highp uimage2D;\n" +
            text,
        &log);
    CAPTURE(log);
    REQUIRE(program);
    const Binary b = compiled_of(*program->stages[size_t(ir::Stage::Compute)]);
    CHECK(b.error == "");
    return b;
}

bool emits(const Binary& b, adreno::isa::Op op) {
    for (const uint64_t word : b.code)
        if (adreno::isa::Instr i; adreno::isa::decode(word, &i, nullptr) && i.op == op) return true;
    return false;
}

}  // namespace

TEST_CASE("adreno compiler: code with fewer registers lets more fibers run") {
    // Nine textures of a pixel and its neighbours. The order with the shortest time reads all of them first.
    std::string sum;
    for (int k = 0; k < 9; k++)
        sum += " + texture(image, c + vec2(" + std::to_string(k % 3 - 1) + ", " + std::to_string(k / 3 - 1) +
               ") / size) * kernel[" + std::to_string(k) + "]";
    const std::string text =
        "in vec2 c; uniform sampler2D image; uniform vec2 size; uniform float kernel[9];"
        "out vec4 o; void main() { o = vec4((vec4(0.0)" +
        sum + ").rgb, 1); }";
    // 96 registers of four dwords: 16 double waves if each fiber uses 6.
    CHECK(fragment(text).info.full_registers <= 6);
    // A small file: 10 waves run instead of 8.
    CHECK(fragment(text, {.register_file_vec4 = 64}).info.full_registers <= 6);
    // A large file: all fibers run at once with any of them, so the code with the shortest time is used.
    const Binary large = fragment(text, {.register_file_vec4 = 255});
    CHECK(large.info.full_registers > 6);
}

TEST_CASE("adreno compiler: how many fibers run at once") {
    constexpr adreno::hw::RegisterFile kSingle{96, false}, kDouble{96, true};
    CHECK(kSingle.fibers(0) == 1024);
    CHECK(kSingle.fibers(12) == 1024);
    CHECK(kSingle.fibers(13) == 14 * 64);
    CHECK(kSingle.fibers(48) == 4 * 64);
    CHECK(kSingle.most_for_more_vec4(13) == 12);
    CHECK(kDouble.fibers(6) == 2048);
    CHECK(kDouble.fibers(7) == 12 * 128);
    CHECK(kDouble.fibers(48) == 2 * 128);
    CHECK(kDouble.fibers(49) == 2 * 64);  // no room for a double wave
    CHECK(kDouble.most_for_more_vec4(16) == 12);
    for (const adreno::hw::RegisterFile& file : {kSingle, kDouble}) {
        const unsigned most = file.most_for_all_vec4();
        CHECK(file.fibers(most) == file.fibers(1));
        CHECK(file.fibers(most + 1) < file.fibers(most));
    }
}

TEST_CASE("adreno compiler: each operation of the IR compiles on its own") {
    unsigned good = 0;
    std::string refused;
    for (unsigned k = unsigned(ir::Op::Mov); k <= unsigned(ir::Op::UnpackHalfHigh); k++) {
        const auto op = ir::Op(k);
        if (ir::op_info(op).flags & ir::op_flag::D) continue;
        for (const compiled::Of of : {compiled::Of::Words, compiled::Of::Bools, compiled::Of::Halves}) {
            if (of == compiled::Of::Bools && ir::op_info(op).sig != ir::Sig::IntOrBool) continue;
            CAPTURE(ir::op_info(op).text);
            CAPTURE(int(of));
            const auto s = compiled::shader_of(op, of);
            if (ir::validate(*s) != "") continue;
            const Binary b = compiled_of(*s);
            if (!b.error.empty())
                refused += " " + std::string(ir::op_info(op).text) +
                           (of == compiled::Of::Halves ? "16 " : " ") + b.error;
            good++;
        }
    }
    CHECK(good > 80);
    CHECK(refused == "");
}

TEST_CASE("adreno compiler: hardware samples simple textures before the shader begins") {
    using Op = adreno::isa::Op;
    const auto compiled = [](const std::string& body) {
        return fragment(
            "uniform sampler2D t, s; uniform vec4 u; in highp vec4 a; out highp vec4 o; void main() { " +
            body + " }");
    };
    const Binary one = compiled("o = texture(t, a.yz);");
    REQUIRE(one.info.prefetches.size() == 1);
    const TexturePrefetch& p = one.info.prefetches[0];
    CHECK(p.inloc == 0);  // of the two components that are read
    CHECK(p.mask == 15);
    CHECK(p.reg == 2);
    CHECK(!p.half);
    CHECK(one.info.system.ij_pixel == 0);
    CHECK(one.info.needs_helpers);
    CHECK(one.info.helpers_end);
    CHECK(one.info.textures == 1);
    CHECK(!emits(one, Op::kSam));
    CHECK(emits(one, Op::kBaryF));  // it ends the varyings
    // Other textures need helpers, too.
    const Binary two = compiled("o = texture(t, a.xy).wzyx + texture(s, a.yx);");
    CHECK(two.info.prefetches.size() == 1);
    CHECK(emits(two, Op::kSam));
    CHECK(!two.info.helpers_end);
    CHECK(compiled("o = vec4(texture(t, a.xy).z);").info.prefetches[0].mask == 4);
    // Rounded at once.
    const Binary half = fragment(
        "precision mediump float; uniform sampler2D t; in highp vec4 a; out vec4 o; void "
        "main() { vec4 x = texture(t, a.xy), b = a; o = x * x + b * x + x * 0.3; }");
    REQUIRE(half.info.prefetches.size() == 1);
    CHECK(half.info.prefetches[0].half);
    for (const char* body :
         {"o = texture(t, a.yx);", "o = texture(t, a.xy, 1.0);", "o = texture(t, a.xy * 2.0);",
          "o = textureLod(t, a.xy, 0.0);", "o = textureOffset(t, a.xy, ivec2(1, 0));",
          "o = textureProj(t, a);",
          "o = u; for (float k = 0.0; k < u.x; k += 1.0) o *= a; o += texture(t, a.xy);"}) {
        CAPTURE(body);
        CHECK(compiled(body).info.prefetches.empty());
    }
}

TEST_CASE("adreno compiler: textures of every kind") {
    using Op = adreno::isa::Op;
    const auto check = [](const char* decl, const char* value, Op op) {
        CAPTURE(value);
        const Binary b =
            fragment(std::string("uniform ") + decl +
                     " t; in vec4 a; flat in ivec4 k; out vec4 o; void main() { o = vec4(" + value + "); }");
        CHECK(emits(b, op));
        CHECK(b.info.textures == 1);
    };
    check("sampler2D", "texture(t, a.yx)", Op::kSam);
    check("sampler2D", "texture(t, a.xy, 1.5)", Op::kSamb);
    check("sampler2D", "textureLod(t, a.xy, a.z)", Op::kSaml);
    check("sampler2D", "textureGrad(t, a.xy, a.yz, a.zw)", Op::kSamgq);
    check("sampler2D", "textureOffset(t, a.xy, ivec2(1, -2))", Op::kSam);
    check("sampler2D", "textureLodOffset(t, a.xy, a.z, ivec2(1, -2))", Op::kSaml);
    check("sampler2D", "texelFetch(t, k.xy, k.z)", Op::kIsaml);
    check("sampler2D", "textureGather(t, a.xy, 2)", Op::kGather4b);
    check("sampler2D", "textureProj(t, a)", Op::kSam);
    check("sampler2D", "vec2(textureSize(t, k.x)).xyxy", Op::kGetsize);
    check("sampler3D", "texture(t, a.xyz)", Op::kSam);
    check("samplerCube", "texture(t, a.xyz)", Op::kSam);
    check("samplerCube", "textureGrad(t, a.xyz, a.yzw, a.zwx)", Op::kSamgq);
    check("sampler2DArray", "texture(t, a.xyz)", Op::kSam);
    check("sampler2DArray", "vec3(textureSize(t, 0)).xyzz", Op::kGetsize);
    check("sampler2DShadow", "texture(t, a.xyz)", Op::kSam);
    check("samplerCubeShadow", "texture(t, a)", Op::kSam);
    check("sampler2DArrayShadow", "texture(t, a)", Op::kSam);
    check("isampler2D", "texture(t, a.xy)", Op::kSam);
    check("sampler2DMS", "texelFetch(t, k.xy, k.z)", Op::kIsamm);
    const Binary many = fragment(
        "uniform sampler2D t[4]; uniform int n; in vec4 a; out vec4 o; void main() { o = "
        "texture(t[1], a.xy) + texture(t[n], a.zw); }");
    CHECK(many.info.textures == 0xf);
}

TEST_CASE("adreno compiler: interfaces of fragment shaders") {
    const Binary b = fragment(
        "in vec4 a; flat in ivec4 k; centroid in vec2 c; layout(location = 0) out vec4 o; layout(location = "
        "2) out "
        "ivec2 q; uniform vec4 u[20]; uniform int n; void main() { if (a.x > u[n].x) discard; o = a.wzyx + "
        "u[3] + c.xyxy + gl_FragCoord + (gl_FrontFacing ? vec4(gl_PointCoord, 0, 1) : vec4(0)); q = k.zw; "
        "gl_FragDepth = a.y; }");
    CHECK(b.info.discards);
    CHECK(b.info.writes_depth);
    CHECK(b.info.system.front_face != kNoRegister);
    CHECK(b.info.system.ij_pixel != kNoRegister);
    CHECK(b.info.system.ij_centroid != kNoRegister);
    CHECK(b.info.system.coord_xy != kNoRegister);
    REQUIRE(b.info.outputs.size() == 3);
    CHECK(b.info.outputs[0].mask == 0xf);
    CHECK(b.info.outputs[1].slot == 2);
    CHECK(b.info.outputs[1].mask == 3);
    CHECK(b.info.outputs[2].slot == uint8_t(ir::FragSlot::Depth));
    unsigned locations = 0;
    bool point = false, flat = false;
    for (const VaryingInput& v : b.info.varyings) {
        CHECK(v.inloc == locations);
        locations += v.count;
        point |= v.kind == VaryingInput::Kind::PointCoord;
        flat |= v.flat;
    }
    CHECK(point);
    CHECK(flat);
    CHECK(locations == b.info.varying_dw);
    unsigned ends = 0;
    for (const uint64_t word : b.code)
        if (adreno::isa::Instr i; adreno::isa::decode(word, &i, nullptr)) ends += i.ei();
    CHECK(ends == 1);
}

TEST_CASE("adreno compiler: samples") {
    using Op = adreno::isa::Op;
    const Binary b = fragment(
        ""
        "in vec4 a; out vec4 o; uniform int n; void main() { o = interpolateAtSample(a, n) + "
        "interpolateAtOffset(a, "
        "vec2(0.25)) * interpolateAtCentroid(a) + vec4(gl_SamplePosition, float(gl_SampleID), "
        "float(gl_SampleMaskIn[0])) + "
        "float(gl_NumSamples) + (gl_HelperInvocation ? 1.0 : 0.0); gl_SampleMask[0] = n; }");
    CHECK(emits(b, Op::kRgetpos));
    CHECK(emits(b, Op::kDsx));
    CHECK(b.info.needs_helpers);
    CHECK(b.info.per_sample);
    CHECK(b.info.writes_sample_mask);
    CHECK(b.info.system.sample_id != kNoRegister);
    CHECK(b.info.system.sample_mask != kNoRegister);
    CHECK(b.info.system.ij_centroid != kNoRegister);
    REQUIRE(b.info.constants.params.size() == 1);
    CHECK(b.info.constants.params[0] == Param::NumSamples);
    // Varyings are read after the first block, or by several blocks. Each read is before the end, and none
    // with (ei) is before another read.
    bool ended = false;
    for (const uint64_t word : b.code)
        if (adreno::isa::Instr i;
            adreno::isa::decode(word, &i, nullptr) && i.info().is(adreno::isa::kReadsInput)) {
            CHECK(!ended);
            ended = i.ei();
        }
}

TEST_CASE("adreno compiler: uniform blocks, arrays and loops") {
    const Binary b = fragment(
        "layout(std140) uniform B { vec4 x; mat4 m; float f[9]; } u; uniform int n; in vec4 a; out vec4 o; "
        "void "
        "main() { vec4 s = u.x; for (int i = 0; i < n; i++) { if (s.x > a.y) { s += u.m * a; continue; } s "
        "-= "
        "u.f[i & 7]; if (s.y < 0.0) break; } o = s; }");
    CHECK(b.info.uniform_blocks == 1);
    CHECK(emits(b, adreno::isa::Op::kLdc));
    CHECK(b.info.branch_stack >= 2);
    const Binary c = fragment(
        "uniform int n; in vec4 a; out vec4 o; void main() { vec4 k[40]; for (int i = 0; i < 40; i++) k[i] = "
        "a * "
        "float(i); k[n * 7 & 31] = a.wzyx; o = k[n & 31]; }");
    CHECK(c.info.private_B >= 640);
    const Binary d = fragment(
        "uniform vec4 u[300]; uniform int n; in vec4 a; out vec4 o; void main() { o = u[290] + u[n] * a; }");
    CHECK(d.info.reads_default_block);
}

TEST_CASE("adreno compiler: buffers, images, shared memory") {
    using Op = adreno::isa::Op;
    const Binary b = compute(
        "layout(local_size_x = 8, local_size_y = 4) in; layout(std430, binding = 1) buffer B { uint n; uvec4 "
        "v[]; "
        "} b; layout(rgba8, binding = 0) uniform readonly image2D i; layout(r32ui, binding = 1) uniform "
        "uimage2D w; shared uint s[32]; void main() { uint l = gl_LocalInvocationIndex; s[l] = b.v[l].z; "
        "barrier(); memoryBarrierShared(); atomicAdd(s[0], 3u); uint old = atomicCompSwap(b.n, 1u, l); "
        "b.v[gl_GlobalInvocationID.x] = uvec4(s[31u - l], old, uint(b.v.length()), gl_NumWorkGroups.x); "
        "vec4 t = imageLoad(i, ivec2(gl_LocalInvocationID.xy)); imageStore(w, ivec2(l), uvec4(t * 255.0)); "
        "imageAtomicMax(w, imageSize(w) - 1, old); }");
    CHECK(b.info.buffers == 1);
    CHECK(b.info.images == 3);
    CHECK(b.info.has_barrier);
    CHECK(b.info.writes_memory);
    CHECK(b.info.shared_B >= 128);
    CHECK(b.info.workgroup_size[0] == 8);
    CHECK(b.info.system.workgroup_id != kNoRegister);
    CHECK(b.info.system.local_id != kNoRegister);
    for (const Op op : {Op::kLdibB, Op::kStibB, Op::kAtomicBCmpxchg, Op::kAtomicBMax, Op::kAtomicAdd,
                        Op::kLdl, Op::kStl, Op::kBar, Op::kResinfoB})
        CHECK(emits(b, op));
}

TEST_CASE("adreno compiler: few registers lead to spills; an error if that is not enough") {
    std::string sum = "a", texels;
    for (unsigned k = 0; k < 20; k++) {
        const std::string x = "x" + std::to_string(k);
        texels += "vec4 " + x + " = texture(t, a.xy * " + std::to_string(k) + ".0);\n";
        sum = "(" + x + " - " + sum + " * 0.25)";
    }
    const std::string text = "uniform sampler2D t; in vec4 a; out vec4 o; void main() { " + texels +
                             " if (a.x > 0.5) discard; o = " + sum + "; }";
    CHECK(fragment(text).info.statistics.spilled_words == 0);
    const Binary b = fragment(text, {.max_registers = 24});
    CHECK(b.info.full_registers <= 6);
    CHECK(b.info.statistics.spilled_words > 0);
    CHECK(b.info.private_B > 0);
}
