// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What LLVM's compile time depends on. For each shader bomb (tests/fuzz/bombs.h), in growing sizes: the
// driver's measures of it, its estimate in seconds, and LLVM's CPU seconds.
//   bench_llvm [PART_OF_A_NAME]
#include <time.h>

#include <cstdio>
#include <string_view>

#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/estimate.h"
#include "drivers/soft/jit/jit.h"
#include "shaders/compile.h"
#include "tests/fuzz/bombs.h"

namespace {

using namespace terrazzo;

constexpr double kEnough_s = 6;

double cpu_s() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

std::shared_ptr<const shaders::LinkedProgram> link(const fuzz::BombTexts& texts) {
    static constexpr std::string_view kExtensions[] = {"GL_OES_standard_derivatives"};
    shaders::CompileOptions o;
    o.extensions = kExtensions;
    const auto vs = shaders::compile(texts.vertex, o).shader;
    o.stage = ir::Stage::Fragment;
    const auto fs = shaders::compile(texts.fragment, o).shader;
    if (!vs || !fs) return nullptr;
    const shaders::CompiledShader* const stages[] = {vs.get(), fs.get()};
    return shaders::link(stages, {}).program;
}

/// Seconds.
double compile(const char* name, unsigned size, const ir::Shader& s) {
    static const auto llvm = soft::create_jit_compiler({.interprets = false, .max_llvm_s = 1e9});
    const auto work = soft::jit::measure_llvm_work(*soft::lower_for_soft(s));
    const double before = cpu_s();
    const auto made = llvm ? llvm->compile(s, {}) : nullptr;
    const double took = cpu_s() - before, expected = soft::jit::estimate_llvm_s(work);
    std::printf("%-24s %7u  %7.3f s expected %7.3f  %-5s %s\n", name, size, took, expected,
                !made                        ? "none"
                : took > expected            ? "LESS"
                : expected > 3 * took + 0.05 ? "more"
                                             : "",
                soft::jit::print(work).c_str());
    std::fflush(stdout);
    return took;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view only = argc > 1 ? argv[1] : "";
    for (const fuzz::Bomb& b : fuzz::bombs()) {
        if (std::string_view(b.name).find(only) == std::string_view::npos) continue;
        for (const double part : {0.01, 0.04, 0.12, 0.3, 1.0}) {
            const auto size = unsigned(b.size * part);
            if (size < 2) continue;
            const auto linked = link(b.make(size));
            if (!linked) break;
            const ir::Shader& vs = *linked->stages[size_t(ir::Stage::Vertex)];
            const ir::Shader& fs = *linked->stages[size_t(ir::Stage::Fragment)];
            const ir::Shader& s = vs.value_count() > fs.value_count() ? vs : fs;
            if (s.value_count() < 500) continue;
            if (compile(b.name, size, s) > kEnough_s || s.value_count() > 200'000) break;
        }
    }
}
