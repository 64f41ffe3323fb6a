// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a new program costs on the Mali driver: CPU microseconds of this thread, medians, from GLSL to code in
// the GPU's memory, step by step, without and with the shader cache.
//   bench_program [--programs N]
// The peer's figure for the same shaders is gl_bench's first_draw (which has a draw and a wait as well).
#include <ctime>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "drivers/mali/program/program.h"
#include "drivers/mali/program/stage_code.h"
#include "drivers/mali/sim/chips.h"
#include "shaders/cache/cache.h"
#include "shaders/compile.h"
#include "winsys/virtual/chips.h"

using namespace terrazzo;

namespace {

const char* const kVertex = R"(
attribute vec4 position; attribute vec4 data; uniform mat4 mvp; uniform mat4 view; uniform mat3 normals;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() { gl_Position = position + 0.0 * (mvp * position); n = normalize(normals * data.xyz + data.xyz);
    eye = (view * position).xyz + position.xyz; at = data.xy * SEED; })";
const char* const kFragment = R"(
precision mediump float; uniform sampler2D image; uniform vec3 light[3]; uniform vec3 color[3]; uniform float shininess;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() {
    vec3 base = texture2D(image, at).rgb, sum = vec3(0.1) * base, v = normalize(-eye), m = normalize(n);
    for (int i = 0; i < 3; ++i) {
        vec3 l = normalize(light[i] - eye);
        float d = max(dot(m, l), 0.0);
        float s = d > 0.0 ? pow(max(dot(reflect(-l, m), v), 0.0), shininess) : 0.0;
        sum += color[i] * (base * d + s);
    }
    gl_FragColor = vec4(sum, SEED);
})";

std::string seeded(std::string text, unsigned n) {
    return text.replace(text.find("SEED"), 4, "0." + std::to_string(100000 + n % 900000));
}

double cpu_us() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

enum Step { kVertexText, kFragmentText, kLink, kCode, kUpload, kCold, kWarm, kSteps };
constexpr const char* kNames[kSteps] = {"compile vertex", "compile fragment", "link",           "valhall",
                                        "upload",         "cold, in all",     "program, cached"};

struct Bench {
    std::vector<double> us[kSteps];

    template <class F>
    auto timed(Step s, F&& f) {
        const double begin = cpu_us();
        auto result = f();
        us[s].push_back(cpu_us() - begin);
        return result;
    }
    bool run(mali::Device* device, shaders::ShaderCache& cache, unsigned n);
    void print() {
        for (unsigned s = 0; s < kSteps; ++s) {
            std::vector<double>& v = us[s];
            if (v.empty()) continue;
            std::sort(v.begin(), v.end());
            std::printf("%-18s %8.1f us\n", kNames[s], v[v.size() / 2]);
        }
    }
};

bool Bench::run(mali::Device* device, shaders::ShaderCache& cache, unsigned n) {
    const double begin = cpu_us();
    shaders::CompileOptions o;
    o.stage = ir::Stage::Vertex;
    const auto v = timed(kVertexText, [&] { return shaders::compile(seeded(kVertex, n), o); });
    o.stage = ir::Stage::Fragment;
    const auto f = timed(kFragmentText, [&] { return shaders::compile(seeded(kFragment, n), o); });
    if (!v.shader || !f.shader) return false;
    const shaders::CompiledShader* stages[] = {v.shader.get(), f.shader.get()};
    const auto linked = timed(kLink, [&] { return shaders::link(stages, {}); }).program;
    if (!linked) return false;
    pipe::ProgramDesc desc;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        desc.stored[size_t(s)] = linked->stages[size_t(s)].stored();
    mali::StageCode code[2];
    code[0] = timed(kCode, [&] {
        code[1] = mali::get_stage_code(desc, pipe::Stage::Fragment, nullptr);
        return mali::get_stage_code(desc, pipe::Stage::Vertex, nullptr);
    });
    if (!code[0].error.empty() || !code[1].error.empty()) return false;
    if (!device) return true;
    mali::ShaderPart parts[3];
    const bool good = timed(kUpload, [&] {
        using mali::compiler::Part;
        return upload(*device, std::move(code[0].parts[0]), Part::Position, &parts[0]) &&
               upload(*device, std::move(code[0].parts[1]), Part::Varying, &parts[1]) &&
               upload(*device, std::move(code[1].parts[0]), Part::Fragment, &parts[2]);
    });
    us[kCold].push_back(cpu_us() - begin);
    const auto first = mali::MaliProgram::create(*device, desc, {}, &cache);
    const auto again = timed(kWarm, [&] { return mali::MaliProgram::create(*device, desc, {}, &cache); });
    return good && first && again;
}

}  // namespace

int main(int argc, char** argv) {
    unsigned programs = 50;
    if (argc > 2 && !std::strcmp(argv[1], "--programs")) programs = unsigned(std::max(1, std::atoi(argv[2])));
    std::string why;
    auto gpu = winsys::virt::create_device("noop:mali-g610", mali::sim::virtual_chips(), &why);
    auto device = gpu ? mali::Device::create(winsys::open_virtual_drm(std::move(gpu)), {}, &why) : nullptr;
    // Under valgrind, which does not map the flush-id page, the rest is of interest.
    if (!device) std::fprintf(stderr, "bench_program: no upload: %s\n", why.c_str());
    shaders::ShaderCache cache({});
    Bench bench;
    for (unsigned n = 0; n < programs; ++n)
        if (!bench.run(device.get(), cache, n)) {
            std::fprintf(stderr, "bench_program: a program was refused\n");
            return 1;
        }
    bench.print();
}
