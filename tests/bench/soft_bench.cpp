// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints the CPU time of the CPU driver's shaders and texture sampling, on one thread. It neither passes nor
// fails.
#include <ctime>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "drivers/soft/programs/shader_memory.h"
#include "drivers/soft/shader_abi.h"
#include "shaders/compile.h"

namespace {

using namespace terrazzo;

double cpu_s() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

constexpr const char* kVertex = R"(
attribute vec3 position; attribute vec3 normal; attribute vec2 uv;
uniform mat4 mvp; uniform mat4 view; uniform mat3 normals;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() {
    gl_Position = mvp * vec4(position, 1.0);
    n = normalize(normals * normal);
    eye = (view * vec4(position, 1.0)).xyz;
    at = uv;
})";
constexpr const char* kFragment = R"(
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
    gl_FragColor = vec4(sum, 1.0);
})";

std::shared_ptr<const shaders::LinkedProgram> phong() {
    const auto stage = [](ir::Stage s, const char* text) {
        shaders::CompileOptions o;
        o.stage = s;
        auto r = shaders::compile(text, o);
        if (!r.shader) std::printf("%s\n", r.log.c_str());
        return r.shader;
    };
    const auto v = stage(ir::Stage::Vertex, kVertex), f = stage(ir::Stage::Fragment, kFragment);
    if (!v || !f) return nullptr;
    const shaders::CompiledShader* both[] = {v.get(), f.get()};
    auto r = shaders::link(both, {});
    if (!r.program) std::printf("%s\n", r.log.c_str());
    return r.program;
}

struct Bitmap {
    std::vector<uint32_t> texels = std::vector<uint32_t>(512 * 512 + 16);  // samplers may read past the end
    soft::TextureUnit unit = {};
    Bitmap(pipe::Filter filter, pipe::MipFilter mip) {
        for (size_t i = 0; i < texels.size(); ++i)
            texels[i] = uint32_t(i) * 2654435761u;
        unit.format = pipe::Format::R8G8B8A8_UNORM;
        unit.kind = pipe::ResourceKind::Tex2D;
        unit.layers = 1;
        unit.last_level = mip == pipe::MipFilter::None ? 0 : 9;
        for (int n = 0; n <= unit.last_level; ++n)
            unit.levels[n] = {
                reinterpret_cast<const uint8_t*>(texels.data()), 512u * 4 >> n, 0, 512 >> n, 512 >> n, 1};
        for (unsigned c = 0; c < 4; ++c)
            unit.swizzle[c] = pipe::Swizzle(c);
        unit.sampler.min = unit.sampler.mag = filter;
        unit.sampler.mip = mip;
        soft::prepare_texture_unit(&unit);
    }
};

/// Stores like compiled shaders do: whole vectors, so that a load of a whole vector does not wait.
#ifdef __x86_64__
__attribute__((target("avx")))
#endif
void copy_row(float* to, const float* from) {
    using Row = float __attribute__((vector_size(32)));
    *reinterpret_cast<Row*>(to) = *reinterpret_cast<const Row*>(from);
}

/// Blocks of a walk over a surface whose x axis is rotated by `turn` against the texture's. The coordinates
/// are passed to the call as a shader does it.
void bench_sampling(const char* name, pipe::Filter filter, pipe::MipFilter mip, float step, float turn = 0) {
    Bitmap b(filter, mip);
    soft::TexCall call = {};
    call.unit = &b.unit;
    call.mode = soft::TexMode::Implicit;
    call.mask = 0xff;
    struct Place {
        alignas(32) float s[8], t[8];
    };
    constexpr int kCalls = 400000;
    std::vector<Place> places(256);
    for (int n = 0; n < 256; ++n)
        for (unsigned i = 0; i < 8; ++i) {
            const float x = float(n % 16 * 4) + float((i & 1) + (i >> 2) * 2) + 0.3f;
            const float y = float(n / 16 * 2) + float(i >> 1 & 1) + 0.3f;
            places[size_t(n)].s[i] = (x - y * turn) * step / 512 + 0.1f;
            places[size_t(n)].t[i] = (y + x * turn) * step / 512;
        }
    double best = 1e9;
    float sum = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double start = cpu_s();
        for (int n = 0; n < kCalls; ++n) {
            copy_row(call.s, places[size_t(n) & 255].s);
            copy_row(call.t, places[size_t(n) & 255].t);
            b.unit.sample(&call);
            sum += call.out[0][0];
        }
        best = std::min(best, cpu_s() - start);
    }
    std::printf("%-36s %7.1f Mtexel/s  %5.1f ns a call (%g)\n", name, kCalls * 8 / best * 1e-6,
                best / kCalls * 1e9, double(sum / kCalls));
}

void bench_shading(soft::ShaderCompiler& compiler, const shaders::LinkedProgram& p) {
    const pipe::Log log;
    Bitmap b(pipe::Filter::Linear, pipe::MipFilter::None);
    const ir::Shader& fs = *p.stages[size_t(ir::Stage::Fragment)];
    std::unique_ptr<soft::CompiledShader> s;
    constexpr int kCompiles = 10;
    double start = cpu_s();
    s = compiler.compile(fs, log);
    const double first = cpu_s() - start;
    start = cpu_s();
    for (int n = 0; n < kCompiles; ++n)
        s = compiler.compile(fs, log);
    const double rest = cpu_s() - start;
    start = cpu_s();
    auto v = compiler.compile(*p.stages[size_t(ir::Stage::Vertex)], log);
    const double vertex = cpu_s() - start;
    std::printf("%s: compile fragment first %.2f ms, then %.2f ms; vertex %.2f ms\n", compiler.name(),
                first * 1e3, rest / kCompiles * 1e3, vertex * 1e3);
    std::vector<uint32_t> uniforms(4096, 0x3f000000);
    std::vector<soft::Plane> planes(160, soft::Plane{0.1f, 0.001f, 0.002f});
    soft::PrimitiveSetup setup = {};
    setup.inv_w = {1, 0, 0};
    setup.varyings = planes.data();
    const int calls = std::string(compiler.name()) == "interpreter" ? 5000 : 200000;
    soft::Watch watch;
    soft::FragmentArgs args = {};
    soft::ShaderMemory memory;
    memory.reserve_arrays();
    args.work = memory.work();
    args.arrays = memory.arrays();
    args.watch = &watch;
    args.shader = s->self;
    args.uniforms = uniforms.data();
    args.textures = &b.unit;
    args.count = soft::kBatchBlocks;
    start = cpu_s();
    for (int n = 0; n < calls / int(soft::kBatchBlocks); ++n) {
        for (uint32_t i = 0; i < soft::kBatchBlocks; ++i) {
            args.setup[i] = &setup;
            args.x[i] = n * 4 & 255;
            args.y[i] = int32_t(i * 2);
            args.mask[i] = 0xff;
        }
        s->fragment(&args);
    }
    const double shade = cpu_s() - start;
    std::printf("%s: Phong with a bilinear texture %.1f Mpixel/s, %.1f ns a block\n", compiler.name(),
                calls * 8 / shade * 1e-6, shade / calls * 1e9);
}

}  // namespace

int main() {
    using pipe::Filter;
    using pipe::MipFilter;
    for (float turn : {0.0f, 0.7f}) {
        std::printf("texture %s\n", turn != 0 ? "turned" : "straight");
        bench_sampling("RGBA8 nearest", Filter::Nearest, MipFilter::None, 1, turn);
        bench_sampling("RGBA8 bilinear", Filter::Linear, MipFilter::None, 1, turn);
        bench_sampling("RGBA8 bilinear, magnified", Filter::Linear, MipFilter::None, 0.2f, turn);
        bench_sampling("RGBA8 nearest, mip nearest", Filter::Nearest, MipFilter::Nearest, 3.3f, turn);
        bench_sampling("RGBA8 bilinear, mip nearest", Filter::Linear, MipFilter::Nearest, 3.3f, turn);
        bench_sampling("RGBA8 trilinear", Filter::Linear, MipFilter::Linear, 3.3f, turn);
    }
    const auto program = phong();
    if (!program) return 1;
    if (const auto jit = soft::create_jit_compiler()) bench_shading(*jit, *program);
    bench_shading(*soft::create_interpreter_compiler(), *program);
    return 0;
}
