// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders that LLVM does not get: those that would take too long, and any shader when memory is short.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drivers/soft/jit/estimate.h"
#include "drivers/soft/jit/jit.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Type;

/// `count` multiplications in a row.
void long_shader(ir::Shader* s, unsigned count) {
    ir::Builder b(*s);
    ir::Value* v = b.load_input(Type::F32, 0, 0);
    for (unsigned n = 0; n < count; ++n)
        v = b.fmul(v, b.load_uniform(Type::F32, 0));
    b.store_output(kVarying0, 0, v);
}

}  // namespace

TEST_CASE("llvm: work is measured by the shader's code") {
    ir::Shader s(ir::Stage::Vertex);
    ir::Builder b(s);
    ir::Value* const x = b.load_input(Type::F32, 0, 0);
    ir::Value* const y = b.load_input(Type::F32, 0, 1);
    ir::Instr* const i = b.begin_if(b.alu(ir::Op::FLt, x, y));
    ir::Builder(s, i->regions[0]).store_output(kVarying0, 1, x);
    b.store_output(kVarying0, 0, b.fmul(x, y));
    const jit::LlvmWork work = jit::measure_llvm_work(s);
    CHECK(work == jit::LlvmWork{.instructions = 7, .regions = 2, .longest = 4, .live = 2});
    CHECK(jit::estimate_llvm_s(work) < 0.01);
}

TEST_CASE("llvm: shaders that would take too long are not compiled") {
    std::string said;
    const pipe::Log log{[](void* data, pipe::Severity, std::string_view text) {
                            static_cast<std::string*>(data)->append(text);
                        },
                        &said};
    ir::Shader s(ir::Stage::Vertex);
    long_shader(&s, 30000);
    const jit::LlvmWork work = jit::measure_llvm_work(s);
    CHECK(work.longest > 30000);
    CHECK(jit::estimate_llvm_s(work) > jit::kMaxLlvm_s);
    CHECK_FALSE(create_jit_compiler({.interprets = false})->compile(s, log));
    CHECK(said.find("LLVM would take longer than 2 s for 60002 instructions") != std::string::npos);
}

TEST_CASE("llvm: each cause of slowness suffices for a refusal") {
    for (auto member :
         {&jit::LlvmWork::instructions, &jit::LlvmWork::textures, &jit::LlvmWork::indexed,
          &jit::LlvmWork::regions, &jit::LlvmWork::longest, &jit::LlvmWork::live, &jit::LlvmWork::carried}) {
        jit::LlvmWork w;
        w.*member = 100'000;
        CHECK(jit::estimate_llvm_s(w) > jit::kMaxLlvm_s);
        w.*member = 100;
        CHECK(jit::estimate_llvm_s(w) < jit::kMaxLlvm_s / 4);
    }
}

TEST_CASE("llvm: it does not start if its memory would run out") {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit tight = {size_t(64) << 20, size_t(64)
                                                    << 20};  // less than is in use: no allocation succeeds
        if (setrlimit(RLIMIT_AS, &tight) != 0) _exit(9);
        _exit(jit::has_room(size_t(1) << 30) ? 1 : 0);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(jit::has_room(1 << 20));
    CHECK(jit::memory_for_llvm_B({.instructions = 10000}) > (size_t(64) << 20));
}

}  // namespace terrazzo::soft::test
