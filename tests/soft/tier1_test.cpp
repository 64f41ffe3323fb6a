// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The first-tier compiler, in addition to the tests of all compilers (which run on it with
// TERRAZZO_TEST_COMPILER=tier1).
#include <cstdio>
#include <ctime>
#include <thread>

#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;

/// attribute 0.x * n
void multiply_shader(ir::Shader* s, float n) {
    ir::Builder b(*s);
    b.store_output(kVarying0, 0, b.fmul(b.load_input(Type::F32, 0, 0), b.f32(n)));
}

struct Said {
    std::string text;
    unsigned errors = 0;
    pipe::Log log{[](void* data, pipe::Severity severity, std::string_view message) {
                      static_cast<Said*>(data)->text.append(message);
                      if (severity > pipe::Severity::Info) ++static_cast<Said*>(data)->errors;
                  },
                  this};
};

unsigned writable_and_executable_mappings() {
    unsigned n = 0;
    FILE* f = std::fopen("/proc/self/maps", "re");
    char line[4096];
    while (f && std::fgets(line, sizeof line, f)) {
        char mode[8] = {};
        if (std::sscanf(line, "%*s %7s", mode) == 1 && mode[1] == 'w' && mode[2] == 'x') ++n;
    }
    if (f) std::fclose(f);
    return n;
}

}  // namespace

TEST_CASE("tier1: unsupported shaders are no error") {
    const auto compiler = create_tier1_compiler();
    if (!compiler) return;
    ir::Shader s(ir::Stage::Vertex);
    ir::Builder b(s);
    ir::Value* wide = b.convert(Op::U2U, Type::I64, b.load_input(Type::I32, 0, 0));
    b.store_output(kVarying0, 0, b.convert(Op::U2U, Type::I32, b.iadd(wide, wide)));
    Said said;
    CHECK(!compiler->compile(s, said.log));
    CHECK(said.text == "soft: the shader is not compiled at once: 64-bit integers");
    CHECK(said.errors == 0);
}

TEST_CASE("tier1: thousands of any construct are compiled, in about linear time") {
    const auto compiler = create_tier1_compiler();
    if (!compiler) return;
    const auto cpu_s = [&](unsigned divisions, unsigned ifs) {
        ir::Shader s(ir::Stage::Vertex);
        ir::Builder b(s);
        ir::Value* v = b.load_input(Type::I32, 0, 0);
        for (unsigned n = 0; n < divisions; ++n)
            v = b.alu(Op::IDiv, b.i32(int32_t(1000 + n)), v);
        for (unsigned n = 0; n < ifs; ++n) {
            const Type results[] = {Type::I32};
            ir::Instr* const i = b.begin_if(b.alu(Op::ILt, v, b.i32(int32_t(n))), results);
            ir::Value* const one[] = {b.iadd(v, b.i32(1))};
            ir::Builder(s, i->regions[0]).yield(one);
            ir::Value* const two[] = {v};
            ir::Builder(s, i->regions[1]).yield(two);
            v = i->result();
        }
        b.store_output(kVarying0, 0, v);
        s.renumber();
        const clock_t before = clock();
        CHECK(compiler->compile(s, {}));
        return double(clock() - before) / CLOCKS_PER_SEC;
    };
    // Four times the work. With a register for each value the time was 16 times as long.
    CHECK(cpu_s(8000, 0) < 9 * cpu_s(2000, 0) + 0.05);
    CHECK(cpu_s(0, 8000) < 9 * cpu_s(0, 2000) + 0.05);
}

TEST_CASE("tier1: shaders with too many live values are left to other tiers") {
    const auto compiler = create_tier1_compiler();
    if (!compiler) return;
    const auto compile = [&](unsigned count, Said* said) {
        ir::Shader s(ir::Stage::Vertex);
        ir::Builder b(s);
        ir::Value* const x = b.load_input(Type::F32, 0, 0);
        std::vector<ir::Value*> held;
        for (unsigned n = 0; n < count; ++n)
            held.push_back(b.fadd(x, b.f32(float(n))));
        ir::Value* v = x;
        for (ir::Value* h : held)
            v = b.fmul(v, h);
        b.store_output(kVarying0, 0, v);
        return compiler->compile(s, said->log) != nullptr;
    };
    Said said;
    CHECK(compile(300, &said));
    CHECK_FALSE(compile(2000, &said));
    CHECK(said.text == "soft: the shader is not compiled at once: it holds more than 512 values at once");
}

TEST_CASE("tier1: elements at a uniform index, in a loop that lanes leave one by one") {
    ir::Shader s(ir::Stage::Vertex);
    ir::Builder b(s);
    ir::Var* array = s.add_var("array", Type::F32, 4, ir::Storage::Local);
    for (unsigned n = 0; n < 4; ++n)
        b.store_var(array, n, b.load_input(Type::F32, n, 0));
    ir::Value* const turns = b.load_input(Type::I32, 0, 1);
    ir::Value* const init[] = {b.i32(0), b.f32(0)};
    const Type results[] = {Type::F32};
    ir::Instr* loop = b.begin_loop(init, results);
    ir::Builder body(s, loop->regions[0]);
    ir::Value *const i = loop->regions[0]->args[0], *const sum = loop->regions[0]->args[1];
    ir::Instr* done = body.begin_if(body.alu(Op::IGe, i, turns));
    ir::Value* const left[] = {sum};
    ir::Builder(s, done->regions[0]).brk(left);
    ir::Value* const e = body.fmul(body.load_var(array, 0, i), body.load_uniform(Type::F32, 2, i, 4));
    body.store_var(array, 0, e, i);
    ir::Value* const next[] = {body.iadd(i, body.i32(1)), body.fadd(sum, e)};
    body.cont(next);
    b.store_output(kVarying0, 0, loop->result(0));
    for (unsigned n = 0; n < 3; ++n)
        b.store_output(kVarying0, n + 1, b.load_var(array, n));
    REQUIRE(ir::validate(s) == "");
    auto compiler = create_tier1_compiler();
    if (!compiler) compiler = create_interpreter_compiler();
    Said said;
    const auto code = compiler->compile(s, said.log);
    REQUIRE(code);
    VertexRun r;
    for (const float u : {0.f, 0.f, 10.f, 20.f, 30.f, 40.f})
        r.uniforms.push_back(std::bit_cast<uint32_t>(u));
    for (unsigned n = 0; n < 4; ++n)
        for (unsigned v = 0; v < kLanes; ++v) {
            r.attributes[n][v][0] = std::bit_cast<uint32_t>(float(n + v));
            r.attributes[n][v][1] = v % 5;  // iterations
        }
    r.run(*code);
    for (unsigned v = 0; v < kLanes; ++v) {
        float total = 0;
        for (unsigned n = 0; n < 4; ++n) {
            const float product = float(n + v) * 10 * float(n + 1);
            if (n < v % 5) total += product;
            if (n < 3) CHECK(std::bit_cast<float>(r.out[n + 1][v]) == (n < v % 5 ? product : float(n + v)));
        }
        CHECK(std::bit_cast<float>(r.out[0][v]) == total);
    }
}

TEST_CASE("tier1: code is never writable and executable at once, and outlives its compiler") {
    auto compiler = create_tier1_compiler();
    if (!compiler) return;
    const unsigned before = writable_and_executable_mappings();
    ir::Shader s(ir::Stage::Vertex);
    multiply_shader(&s, 3);
    Said said;
    const auto code = compiler->compile(s, said.log);
    REQUIRE(code);
    CHECK(writable_and_executable_mappings() == before);
    compiler.reset();
    VertexRun r;
    for (auto& vertex : r.attributes[0])
        vertex[0] = std::bit_cast<uint32_t>(2.0f);
    r.run(*code);
    CHECK(std::bit_cast<float>(r.out[0][5]) == 6);
    CHECK(r.out[1][5] == 0);
}

TEST_CASE("tier1: threads compile and run in parallel") {
    const auto compiler = create_tier1_compiler();
    if (!compiler) return;
    unsigned wrong[4] = {};
    std::thread threads[4];
    for (unsigned t = 0; t < 4; ++t)
        threads[t] = std::thread([&, t] {
            for (unsigned n = 0; n < 100; ++n) {
                const float factor = float(1 + n * 4 + t);
                ir::Shader s(ir::Stage::Vertex);
                multiply_shader(&s, factor);
                Said said;
                const auto code = compiler->compile(s, said.log);
                VertexRun r;
                for (unsigned v = 0; v < kLanes; ++v)
                    r.attributes[0][v][0] = std::bit_cast<uint32_t>(float(v));
                if (code) r.run(*code);
                for (unsigned v = 0; v < kLanes; ++v)
                    if (!code || std::bit_cast<float>(r.out[0][v]) != float(v) * factor) ++wrong[t];
            }
        });
    for (std::thread& t : threads)
        t.join();
    for (const unsigned n : wrong)
        CHECK(n == 0);
}

}  // namespace terrazzo::soft::test
