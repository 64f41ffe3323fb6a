// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cost of a new program on a vendor's driver: CPU microseconds of this thread, medians, from GLSL to code
// in the GPU's memory, step by step. Then the cost of the same program again, from the shader cache.
//   bench_program [--device NAME] [--programs N]       NAME: adreno-630, mali-g610, ...
// The device completes work without executing it. The peer's figure for the same shaders is gl_bench's
// first_draw, which includes a draw and a wait.
#include <ctime>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/adreno/factory.h"
#include "drivers/adreno/sim/chips.h"
#include "drivers/mali/factory.h"
#include "drivers/mali/sim/chips.h"
#include "shaders/compile.h"
#include "winsys/virtual/door/chips.h"

using namespace terrazzo;

namespace {

const char* const kVertex = R"(
attribute vec4 position; attribute vec4 data; uniform mat4 mvp; uniform mat4 view; uniform mat3 normals;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() { gl_Position = position + 0.0 * (mvp * position); n = normalize(normals * data.xyz + data.xyz);
    eye = (view * position).xyz + position.xyz; at = data.xy * SEED; })";
const char* const kFragment = R"(
precision mediump float;
uniform sampler2D image; uniform vec3 light[3]; uniform vec3 color[3]; uniform float shininess;
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

enum Step { kVertexText, kFragmentText, kLink, kCode, kCold, kWarm, kSteps };
constexpr const char* kNames[kSteps] = {"compile vertex",  "compile fragment", "link",
                                        "code and upload", "cold, in all",     "program, cached"};

struct Bench {
    std::vector<double> us[kSteps];

    template <class F>
    auto timed(Step s, F&& f) {
        const double begin = cpu_us();
        auto result = f();
        us[s].push_back(cpu_us() - begin);
        return result;
    }
    bool run(pipe::Screen& screen, unsigned n);
    void print() {
        for (unsigned s = 0; s < kSteps; ++s) {
            std::vector<double>& v = us[s];
            if (v.empty()) continue;
            std::sort(v.begin(), v.end());
            std::printf("%-18s %8.1f us\n", kNames[s], v[v.size() / 2]);
        }
    }
};

bool Bench::run(pipe::Screen& screen, unsigned n) {
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
    const auto first = timed(kCode, [&] { return screen.create_program(desc, {}); });
    us[kCold].push_back(cpu_us() - begin);
    const auto again = timed(kWarm, [&] { return screen.create_program(desc, {}); });
    return first && again;
}

struct Vendor {
    std::string_view prefix;
    std::unique_ptr<pipe::Screen> (*create_screen)(std::unique_ptr<winsys::Drm>, const pipe::Log&,
                                                   std::string*);
    winsys::virt::Chips (*chips)();
};
constexpr Vendor kVendors[] = {{"adreno-", adreno::create_screen, adreno::sim::virtual_chips},
                               {"mali-", mali::create_screen, mali::sim::virtual_chips}};

std::unique_ptr<pipe::Screen> open(const std::string& name, std::string* why) {
    *why = "no device of that name";
    for (const Vendor& v : kVendors) {
        if (!name.starts_with(v.prefix)) continue;
        auto gpu = winsys::virt::create_device("noop:" + name, v.chips(), why);
        if (gpu) return v.create_screen(winsys::open_virtual_drm(std::move(gpu)), {}, why);
    }
    return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
    unsigned programs = 50;
    std::string name = "adreno-630", why;
    for (int n = 1; n + 1 < argc; n += 2) {
        if (!std::strcmp(argv[n], "--programs")) programs = unsigned(std::max(1, std::atoi(argv[n + 1])));
        if (!std::strcmp(argv[n], "--device")) name = argv[n + 1];
    }
    const auto screen = open(name, &why);
    if (!screen) {
        std::fprintf(stderr, "bench_program: %s: %s\n", name.c_str(), why.c_str());
        return 1;
    }
    Bench bench;
    for (unsigned n = 0; n < programs; ++n)
        if (!bench.run(*screen, n)) {
            std::fprintf(stderr, "bench_program: a program was refused\n");
            return 1;
        }
    bench.print();
}
