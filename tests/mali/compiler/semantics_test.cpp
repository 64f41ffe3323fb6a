// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each arithmetic operation of the IR, alone in a shader, and each instruction that the compiler can emit:
// random inputs and special values, compiled code on the warp executor compared with the IR interpreter.
#include <set>

#include "tests/common/compiler/op_cases.h"
#include "tests/mali/compiler/check.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using compiled::check_op;
using compiled::fetch_shader;
using compiled::Of;
using compiled::shader_of;

namespace {

/// A program with 18 varyings; the last two have a register for their slot.
std::shared_ptr<const shaders::LinkedProgram> link_far_varyings() {
    shaders::CompileOptions options;
    options.limits.varying_vectors = 32;
    options.stage = ir::Stage::Vertex;
    const auto v = shaders::compile(
        "attribute vec4 p; varying vec4 v[18]; void main() { for (int i = 0; i < 18; i++) v[i] = p * "
        "float(i); gl_Position = p; }",
        options);
    options.stage = ir::Stage::Fragment;
    const auto f = shaders::compile(
        "precision mediump float; varying vec4 v[18]; void main() { vec4 c = v[16] * v[17]; "
        "for (int i = 0; i < 18; i++) c += v[i] * 0.125; gl_FragColor = c; }",
        options);
    REQUIRE(v.shader);
    REQUIRE(f.shader);
    const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    return shaders::link(stages, {.limits = options.limits}).program;
}

/// More live texels of each size than registers.
std::string many_texels() {
    std::string texels, sum = "a";
    for (unsigned k = 0; k < 40; k++) {
        static constexpr const char* kTypes[] = {"vec2", "vec3", "vec4"};
        static constexpr const char* kParts[] = {".xy", ".xyz", ""};
        const std::string x = "x" + std::to_string(k);
        texels += kTypes[k % 3] + (" " + x) + " = texture2D(t, a.xy * " + std::to_string(k) + ".0 + b.zw)" +
                  kParts[k % 3] + ";\n";
        const char* const kAll[] = {".xyxy", ".xyzx", ""};
        sum = "(" + x + kAll[k % 3] + " - " + sum + " * 0.25)";
    }
    return "void main() { " + texels + " if (a.x > u.x) discard; gl_FragColor = " + sum + "; }";
}

}  // namespace

TEST_CASE("mali compiler: each arithmetic operation of the IR on its own, random operands") {
    unsigned compiled = 0;
    for (unsigned k = unsigned(ir::Op::Mov); k <= unsigned(ir::Op::UnpackHalfHigh); k++) {
        const auto op = ir::Op(k);
        if (ir::op_info(op).flags & ir::op_flag::D) continue;  // they depend on the neighbours: run_test.cpp
        for (const Of of : {Of::Words, Of::Bools, Of::Halves}) {
            if (of == Of::Bools && ir::op_info(op).sig != ir::Sig::IntOrBool) continue;
            CAPTURE(ir::op_info(op).text);
            CAPTURE(int(of));
            const auto s = shader_of(op, of);
            // Fields that go beyond a half: widen_16 does not support them, and GLSL does not have them.
            const bool field = op == ir::Op::IBitfieldExtract || op == ir::Op::UBitfieldExtract;
            if (ir::validate(*s) != "" || (field && of == Of::Halves)) continue;
            const Binary binary = compile(*s, Part::Fragment, kValidated);
            REQUIRE(binary.error == "");
            CAPTURE(mali::isa::disassemble(binary.code));
            check_op(op, of, *s, compiled::Denormals::Kept,
                     [&](const compiled::Inputs& in) { return execute(binary, in); });
            compiled++;
        }
    }
    CHECK(compiled > 80);
}

TEST_CASE("mali compiler: 16-bit values in ifs, loops and variables") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    const auto input = [&](unsigned c) {
        return b.load_input(ir::Type::F32, unsigned(ir::VaryingSlot::Varying0), c);
    };
    using enum ir::Op;
    ir::Var* const var = s.add_var("v", ir::Type::I16, 2, ir::Storage::Local);
    ir::Value* const start = b.convert(F2I, ir::Type::I16, b.fmul(input(0), b.f32(4000)));
    ir::Value* const half = b.convert(F2F, ir::Type::F16, input(1));
    ir::Value *const three = b.constant(ir::Type::I16, 3), *const quarter = b.fconst(ir::Type::F16, 0.25);
    b.store_var(var, 0, start);
    b.store_var(var, 1, b.alu(INot, start));
    ir::Value* const init[] = {start, half, b.i32(0)};
    const ir::Type results[] = {ir::Type::I16, ir::Type::F16};
    ir::Instr* const loop = b.begin_loop(init, results);
    ir::Region* const body = loop->regions[0];
    b.set_end(body);
    ir::Value *const a = body->args[0], *const c = body->args[1], *const n = body->args[2];
    ir::Instr* const done = b.begin_if(b.alu(IGe, n, b.i32(9)));
    b.set_end(done->regions[0]);
    ir::Value* const out[] = {b.imul(a, three), c};
    b.brk(out);
    b.set_end(body);
    // Wraps at times; negative numbers are halved towards minus infinity.
    ir::Instr* const choice = b.begin_if(b.alu(ILt, a, start), results);
    b.set_end(choice->regions[0]);
    ir::Value* const yes[] = {b.alu(ISub, b.imul(a, three), start), b.fadd(c, quarter)};
    b.yield(yes);
    b.set_end(choice->regions[1]);
    ir::Value* const no[] = {b.alu(IShr, a, b.i32(1)), c};
    b.yield(no);
    b.set_end(body);
    ir::Value* const next[] = {choice->result(0), choice->result(1), b.iadd(n, b.i32(1))};
    b.cont(next);
    b.set_end(s.body);
    ir::Value* const index = b.iand(b.convert(F2I, ir::Type::I32, b.fmul(input(2), b.f32(7))), b.i32(1));
    const auto store = [&](unsigned at, ir::Value* v) {
        b.store_output(unsigned(ir::FragSlot::Color0), at, v);
    };
    store(0, b.convert(I2F, ir::Type::F32, loop->result(0)));
    store(1, b.convert(F2F, ir::Type::F32, loop->result(1)));
    store(2, b.convert(I2F, ir::Type::F32, b.load_var(var, 0, index)));
    store(3, b.f32(1));
    s.renumber();
    REQUIRE(ir::validate(s) == "");
    const Binary binary = compile(s, Part::Fragment, kValidated);
    REQUIRE(binary.error == "");
    for (unsigned seed = 1; seed < 9; seed++) {
        const Inputs in = random_inputs(seed, 0, -8, 8);
        const Result expected = interpret(s, in), got = execute(binary, in);
        REQUIRE(got.error == "");
        for (unsigned at = 0; at < 4; at++)
            CHECK(got.outputs.at(at) == expected.outputs.at(unsigned(ir::FragSlot::Color0) * 4 + at));
    }
}

TEST_CASE("mali compiler: each instruction that it can emit has run") {
    std::set<mali::isa::Op> ran;
    const auto note = [&](const ir::Shader& shader, Part part) {
        const Binary b = compile(shader, part, kValidated);
        REQUIRE(b.error == "");
        for (const uint64_t word : b.code)
            if (mali::isa::Instr i; mali::isa::decode(word, &i, nullptr)) ran.insert(i.op);
    };
    for (const std::string& body : std::initializer_list<std::string>{
             "void main() { gl_FragColor = a.x > b.x ? a : b; if (a.y > 0.3) discard; }",
             "void main() { gl_FragColor = floor(a) / b + pow(abs(a), b) + inversesqrt(abs(b)) + sin(a) * "
             "cos(b) + min(a, b) * max(a, u) + clamp(a + 0.25, 0.0, 1.0); gl_FragDepthEXT = a.x; }",
             "void main() { ivec4 i = ivec4(a * 9.0), k = ivec4(b * 5.0); i = i / k + i * n - k; "
             "gl_FragColor = vec4(i) + float(z) + vec4(i.x < k.y || k.z == n, i.x != k.x, -abs(a.xy)); }",
             "void main() { gl_FragColor = texture2D(t, a.xy) + textureCube(cube, b.xyz) + texture2D(t, "
             "b.xy, "
             "1.5) + texture2DGradEXT(t, a.xy, b.xy, u.xy) + dFdx(a) + gl_FragCoord * u; }",
             "void main() { vec4 k[40]; for (int i = 0; i < 40; i++) k[i] = a * float(i) + b; k[n * 7] = u; "
             "gl_FragColor = k[n * 3] + w[n]; }",
             "void main() { vec4 c = u; for (int i = 0; i < 50; i++) { if (float(i) > a.x * 9.0 + 20.0) "
             "break; if (c.x > b.x) { c = c * 0.5 + texture2D(t, c.xy); continue; } c += sin(b * float(i)); "
             "} "
             "gl_FragColor = c; }",
             "uniform vec3 w3[5]; uniform vec2 w2[5]; void main() { vec4 k[40]; vec2 l[40]; "
             "for (int i = 0; i < 40; i++) { k[i] = a * float(i); l[i] = b.xy + float(i); } "
             "k[n * 5].xyz = b.xyz; l[n + 3] = u.xy; k[n * 7].y = 3.0; "
             "gl_FragColor = vec4(w3[n] + k[n * 2].xyz, 1.0) + l[n * 4 + 1].xyxy * w2[n].yxyx * w[n + 1].z; "
             "}",
             "void main() { gl_FragColor = u + 0.7 + vec4(ivec4(gl_FragCoord)); }",
             "void main() { gl_FragColor = gl_LastFragData[0] * a; }",
             "void main() { mediump vec4 x = a, y = b; gl_FragColor = min(max(x * y + x, y - x), vec4(x.x, "
             "x.w, y.y, y.z) * x) * (1.0 / (2.0 + abs(y.x))); }",
             "void main() { ivec4 i = ivec4(a * 2.0), k = ivec4(b * 2.0); gl_FragColor = "
             "vec4(all(lessThan(i, k)), "
             "i == k, any(lessThan(b.yzwx, a)), !(a.x < b.x && i.y > k.y && z)) + vec4(all(lessThan(a, b)), "
             "any(equal(i, k.yzwx)), any(greaterThanEqual(i, k)), !(z != (a.z < b.w))); }",
             many_texels(),
         }) {
        CAPTURE(body);
        check_fragment(body);
        const auto program = compiled::link(kVertex, kHead + body);
        note(*program->stages[size_t(ir::Stage::Fragment)], Part::Fragment);
    }
    for (unsigned k = unsigned(ir::Op::Mov); k <= unsigned(ir::Op::UnpackHalfHigh); k++) {
        if (ir::op_info(ir::Op(k)).flags & ir::op_flag::D) continue;
        for (const Of of : {Of::Words, Of::Halves})
            if (const auto s = shader_of(ir::Op(k), of);
                ir::validate(*s) == "" && compile(*s, Part::Fragment).error.empty())
                note(*s, Part::Fragment);
    }
    for (const int level : {0, 3}) {
        const auto s = fetch_shader(level);
        const Inputs in = random_inputs(7, 0, -2, 2);
        const Result expected = interpret(*s, in), got = execute(compile(*s, Part::Fragment), in);
        REQUIRE(got.error == "");
        for (unsigned at = 0; at < 4; at++)
            CHECK(got.outputs.at(at) == expected.outputs.at(unsigned(ir::FragSlot::Color0) * 4 + at));
        note(*s, Part::Fragment);
    }
    for (const char* type : {"vec4", "vec3", "vec2", "float"}) {
        CAPTURE(type);
        const std::string varying = std::string("varying ") + type + " a;";
        const auto program = compiled::link(
            "attribute vec4 p; uniform mat4 m; uniform float s; " + varying +
                "void main() { gl_Position = m * p; gl_PointSize = s; a = " + type + "(p * p); }",
            "precision highp float; " + varying + "void main() { gl_FragColor = vec4(a" +
                (*type == 'f' ? "); }" : ".xyxy); }"));
        REQUIRE(program);
        check_vertex(*program);
        note(*program->stages[size_t(ir::Stage::Vertex)], Part::Position);
        note(*program->stages[size_t(ir::Stage::Vertex)], Part::Varying);
    }
    const auto far = link_far_varyings();
    REQUIRE(far);
    const ir::Shader& wide = *far->stages[size_t(ir::Stage::Fragment)];
    const auto narrow = ir::clone(wide);
    CHECK(ir::use_halves(*narrow));
    Inputs in = random_inputs(9, 0, -2, 2);
    for (unsigned row = 0; row < 18 * 4; row++)
        for (unsigned i = 0; i < kLanes; i++)
            in.rows[unsigned(ir::VaryingSlot::Varying0) * 4 + row][i] = float((row * 7 + i * 3) % 23) / 8 - 1;
    for (const Options::Halves halves : {Options::Halves::Never, Options::Halves::Always}) {
        const bool never = halves == Options::Halves::Never;
        const Binary b = compile(wide, Part::Fragment, {.halves = halves, .validate = true});
        REQUIRE(b.error == "");
        const Result expected = interpret(never ? wide : *narrow, in), got = execute(b, in);
        REQUIRE(got.error == "");
        for (const auto& [at, row] : expected.outputs)
            for (unsigned i = 0; i < kLanes; i++)
                CHECK(near(row[i], got.outputs.at(at)[i], never ? 1.0f / 4096 : 1.0f / 512));
        for (const uint64_t word : b.code)
            if (mali::isa::Instr i; mali::isa::decode(word, &i, nullptr)) ran.insert(i.op);
    }
    std::string missing;
#define X(op) \
    if (!ran.count(mali::isa::Op::op)) missing += std::string(" ") + #op;
#include "emitted_ops.inc"
#undef X
    // These run in memory_test.cpp, texture_test.cpp, interface_test.cpp, blend_test.cpp; stores of bytes,
    // which only copies of images and layers need, in driver/copy_test.cpp.
    CHECK(
        missing ==
        " kAtomI32 kAtomReturnI32 kBarrier kLdTex kLeaBuffer kLeaTex kRshiftAndI32 kS16ToF32 kStCvt kStTile "
        "kStoreI8 kTexGather kU8ToU32");
}
