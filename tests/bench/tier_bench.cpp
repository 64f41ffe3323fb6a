// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compares the compilers of shaders: CPU time of a compilation and of the compiled code, medians of several.
//   bench_tier [VERTEX.vert FRAGMENT.frag]...   (files of GLSL ES 1.00; default: the programs below)
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "drivers/soft/interp/lower.h"
#include "drivers/soft/programs/shader_memory.h"
#include "drivers/soft/shader_abi.h"
#include "shaders/compile.h"

namespace {

using namespace terrazzo;
using namespace terrazzo::soft;

struct Program {
    std::string name, vertex, fragment;
};

constexpr const char* kTexturedVertex =
    R"(attribute vec4 position; attribute vec2 data; varying vec2 at;
void main() { gl_Position = position; at = data; })";

const Program kPrograms[] = {
    {"3 Phong lights",
     R"(attribute vec4 position; attribute vec4 data;
uniform mat4 mvp; uniform mat4 view; uniform mat3 normals;
varying vec3 n; varying vec3 eye; varying vec2 at;
void main() { gl_Position = mvp * position; n = normalize(normals * data.xyz);
    eye = (view * position).xyz; at = data.xy; })",
     R"(precision mediump float; uniform sampler2D image; uniform vec3 light[3]; uniform vec3 color[3];
uniform float shininess; varying vec3 n; varying vec3 eye; varying vec2 at;
void main() {
    vec3 base = texture2D(image, at).rgb, sum = vec3(0.1) * base, v = normalize(-eye), m = normalize(n);
    for (int i = 0; i < 3; ++i) {
        vec3 l = normalize(light[i] - eye);
        float d = max(dot(m, l), 0.0);
        float s = d > 0.0 ? pow(max(dot(reflect(-l, m), v), 0.0), shininess) : 0.0;
        sum += color[i] * (base * d + s);
    }
    gl_FragColor = vec4(sum, 1.0);
})"},
    {"million",
     R"(uniform mat4 matrix; attribute vec3 position; varying float v_height;
void main() { v_height = position.y; gl_Position = matrix * vec4(position, 1.0); })",
     R"(precision mediump float; varying float v_height;
void main() {
    float t = clamp(v_height * 3.0 + 0.5, 0.0, 1.0);
    float band = fract(v_height * 40.0) < 0.15 ? 0.75 : 1.0;
    gl_FragColor = vec4(mix(vec3(0.1, 0.25, 0.5), vec3(0.9, 0.85, 0.6), t) * band, 1.0);
})"},
    {"texture", kTexturedVertex,
     R"(precision mediump float; uniform sampler2D image; varying vec2 at;
void main() { gl_FragColor = texture2D(image, at); })"},
    {"two textures", kTexturedVertex,
     R"(precision mediump float; uniform sampler2D image; uniform sampler2D linear; varying vec2 at;
void main() { gl_FragColor = texture2D(image, at) * texture2D(linear, at); })"},
    {"3x3 texels", kTexturedVertex,
     R"(precision mediump float; uniform sampler2D image; varying vec2 at;
const float step = 1.0 / 256.0;
void main() {
    vec4 sum = vec4(0.0);
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            sum += texture2D(image, at + vec2(float(x), float(y)) * step) * 0.1;
    gl_FragColor = vec4(sum.rgb, 1.0);
})"},
    {"5x5 texels", kTexturedVertex,
     R"(precision mediump float; uniform sampler2D image; varying vec2 at;
const float step = 1.0 / 256.0;
void main() {
    vec4 sum = vec4(0.0);
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x)
            sum += texture2D(image, at + vec2(float(x), float(y)) * step) * 0.04;
    gl_FragColor = vec4(sum.rgb, 1.0);
})"},
    {"flat", "attribute vec4 position; void main() { gl_Position = position; }",
     "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }"},
};

double cpu_us() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e6 + double(t.tv_nsec) * 1e-3;
}

double median(unsigned count, const std::function<void()>& f) {
    std::vector<double> us;
    for (unsigned n = 0; n < count; ++n) {
        const double start = cpu_us();
        f();
        us.push_back(cpu_us() - start);
    }
    std::nth_element(us.begin(), us.begin() + long(count / 2), us.end());
    return us[count / 2];
}

const pipe::Log kLog{[](void*, pipe::Severity, std::string_view text) {
    std::printf("    %.*s\n", int(text.size()), text.data());
}};

std::shared_ptr<const shaders::LinkedProgram> link_program(const Program& p) {
    shaders::CompileOptions o;
    o.stage = ir::Stage::Vertex;
    const auto vs = shaders::compile(p.vertex, o);
    o.stage = ir::Stage::Fragment;
    const auto fs = shaders::compile(p.fragment, o);
    if (!vs.shader || !fs.shader) return nullptr;
    const shaders::CompiledShader* const stages[] = {vs.shader.get(), fs.shader.get()};
    return shaders::link(stages, {}).program;
}

/// A batch of pixels or vertices, and its CPU time.
class Runner {
  public:
    static constexpr unsigned kRepeats = 20;
    Runner() {
        for (uint32_t& u : uniforms_)
            u = std::bit_cast<uint32_t>(0.25f);
        for (size_t n = 0; n < std::size(texels_); ++n)
            texels_[n] = uint8_t(n * 2654435761u >> 24);
        for (unsigned n = 0; n < std::size(textures_); ++n) {
            TextureUnit& t = textures_[n];
            t.format = pipe::Format::R8G8B8A8_UNORM;
            t.kind = pipe::ResourceKind::Tex2D;
            for (unsigned k = 0; k < 4; ++k)
                t.swizzle[k] = pipe::Swizzle(k);
            t.levels[0] = {texels_, kTexture_px * 4, 0, int32_t(kTexture_px), int32_t(kTexture_px), 1};
            t.layers = 1;
            t.sampler.min = t.sampler.mag = n % 2 ? pipe::Filter::Linear : pipe::Filter::Nearest;
            prepare_texture_unit(&t);
        }
        for (unsigned n = 0; n < std::size(planes_); ++n)
            planes_[n] = {0.1f * float(n % 7), n % 2 ? 0 : 1.0f / kTexture_px,
                          n % 2 ? 1.0f / kTexture_px : 0};
        for (unsigned n = 0; n < std::size(in_); ++n)
            in_[n] = 0.01f * float(n % 100);
        setup_.inv_w = {1, 0.001f, 0.002f};
        setup_.varyings = planes_;
        for (unsigned n = 0; n < std::size(ids_); ++n)
            ids_[n] = n;
    }
    double us(const CompiledShader& s) {
        return median(41, [&] {
            for (unsigned n = 0; n < kRepeats; ++n)
                s.fragment ? fragments(s) : vertices(s);
        });
    }

  private:
    void fragments(const CompiledShader& s) {
        memory_.reserve_arrays();
        fragment_.work = memory_.work();
        fragment_.arrays = memory_.arrays();
        fragment_.shader = s.self;
        fragment_.watch = &watch_;
        fragment_.uniforms = uniforms_;
        fragment_.textures = textures_;
        fragment_.count = kBatchBlocks;
        for (unsigned n = 0; n < kBatchBlocks; ++n) {
            fragment_.setup[n] = &setup_;
            fragment_.x[n] = int32_t(4 * n);
            fragment_.y[n] = 2;
            fragment_.mask[n] = 0xff;
        }
        s.fragment(&fragment_);
    }
    void vertices(const CompiledShader& s) {
        VertexArgs a = {};
        memory_.reserve_arrays();
        a.work = memory_.work();
        a.arrays = memory_.arrays();
        a.shader = s.self;
        a.watch = &watch_;
        a.uniforms = uniforms_;
        a.textures = textures_;
        a.ids = ids_;
        a.count = kVertexChunk;
        a.in = in_;
        a.out_stride = kInStride;
        a.out = out_;
        s.vertex(&a);
    }

    static constexpr uint32_t kTexture_px = 256;
    uint32_t uniforms_[4096];
    uint8_t texels_[kTexture_px * kTexture_px * 4 + 64];
    TextureUnit textures_[16] = {};
    Plane planes_[kMaxInputs * 4 + 64];
    float in_[kMaxInputs * 4 * kInStride];
    uint32_t ids_[kInStride];
    PrimitiveSetup setup_ = {};
    FragmentArgs fragment_ = {};
    ShaderMemory memory_;
    Watch watch_;
    float out_[(kMaxInputs + 8) * 4 * kInStride];
};

void bench(const char* name, const char* stage, const ir::Shader& s) {
    static const std::unique_ptr<ShaderCompiler> llvm = create_jit_compiler(),
                                                 tier1 = create_tier1_compiler();
    static Runner runner;
    if (!llvm || !tier1) return;
    const auto slow = llvm->compile(s, kLog), fast = tier1->compile(s, kLog);
    if (!slow || !fast) return;
    const double lower = median(9, [&] { (void)lower_for_soft(s); });
    const double llvm_us = median(5, [&] { (void)llvm->compile(s, kLog); });
    const double tier1_us = median(41, [&] { (void)tier1->compile(s, kLog); });
    const double slow_us = runner.us(*slow), fast_us = runner.us(*fast);
    std::printf(
        "%-22s %-8s values %5u  compile us: lower %7.1f  LLVM %9.1f  asmjit %7.1f  (1/%.0f)  run us a batch: "
        "LLVM %.3f  asmjit %.3f\n",
        name, stage, lower_for_soft(s)->value_count(), lower, llvm_us, tier1_us, llvm_us / tier1_us,
        slow_us / Runner::kRepeats, fast_us / Runner::kRepeats);
}

void bench(const Program& p) {
    const auto linked = link_program(p);
    if (!linked) {
        std::printf("%-22s does not compile\n", p.name.c_str());
        return;
    }
    bench(p.name.c_str(), "vertex", *linked->stages[size_t(ir::Stage::Vertex)]);
    bench(p.name.c_str(), "fragment", *linked->stages[size_t(ir::Stage::Fragment)]);
}

std::string read_file(const char* path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3)
        for (const Program& p : kPrograms)
            bench(p);
    for (int n = 1; n + 1 < argc; n += 2) {
        const char* const slash = std::strrchr(argv[n], '/');
        bench({slash ? slash + 1 : argv[n], read_file(argv[n]),
               "precision mediump float;\n" + read_file(argv[n + 1])});
    }
}
