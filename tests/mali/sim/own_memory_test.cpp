// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A thread's own memory, and shaders that read and blend the tile buffer.
#include <algorithm>

#include "drivers/mali/sim/state/shader.h"
#include "tests/mali/compiler/harness.h"
#include "tests/mali/sim/core_fixture.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;
namespace compiler = terrazzo::mali::compiler;

namespace {

struct OwnMemory : CoreFixture {
    static constexpr uint32_t kSize_B = 32;
    OwnMemory() {
        warp.local_base = ArraySpace::kData + 256;
        warp.local_B = kSize_B;
        warp.special[unsigned(mali::isa::Special::kThreadLocalPointer)] = warp.local_base;
        set(2, U32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} + 100u);
    }
    std::string fault_of(const std::string& text) {
        fault = {};
        return run(text) == Outcome::Fault ? fault.reason : "none";
    }
};

}  // namespace

TEST_CASE_FIXTURE(OwnMemory, "core: each thread has its own memory") {
    REQUIRE(run("STORE.i32.force.slot0.wait0 @r2, thread_local_pointer.w0, offset:4\n"
                "LOAD.i32.unsigned.force.slot1.wait1 @r3, thread_local_pointer.w0, offset:4\n"
                "NOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i) {
        CHECK(lane(warp.r[3], i) == 100 + i);
        uint32_t there;
        std::memcpy(&there, &space.data_[256 + i * kSize_B + 4], 4);
        CHECK(there == 100 + i);
    }
}

TEST_CASE_FIXTURE(OwnMemory, "core: loads from threads' own memory need no .force") {
    REQUIRE(run("STORE.i32.force.slot0.wait0 @r2, thread_local_pointer.w0, offset:16\n"
                "IADD_IMM.i32 r4, 0x0, #0x10\n"
                "IADD.u32 r4, thread_local_pointer.w0, ^r4\n"
                "MOV.i32 r5, thread_local_pointer.w1\n"
                "LOAD.i32.unsigned.slot1.wait1 @r3, ^r4, offset:0\n"
                "NOP.end\n") == Outcome::Done);
    for (unsigned i = 0; i < kWarpLanes; ++i)
        CHECK(lane(warp.r[3], i) == 100 + i);
    CHECK(fault_of("LOAD.i32.unsigned.slot1.wait1 @r3, thread_local_pointer.w0, offset:32\nNOP.end\n") ==
          "beyond the thread's own memory");
    CHECK(fault_of("STORE.i32.force.slot0 @r2, thread_local_pointer.w0, offset:0\n"
                   "LOAD.i32.unsigned.slot1.wait1 @r4, thread_local_pointer.w0, offset:0\nNOP.end\n") ==
          "the thread's own memory is used before the message that stores there was waited for");
}

TEST_CASE_FIXTURE(OwnMemory, "core: errors of a thread's own memory are named") {
    CHECK(fault_of("STORE.i32.force.slot0.wait0 @r2, thread_local_pointer.w0, offset:32\nNOP.end\n") ==
          "beyond the thread's own memory");
    CHECK(fault_of("STORE.i32.force.slot0.wait0 @r2, thread_local_pointer.w0, offset:-4\nNOP.end\n") ==
          "beyond the thread's own memory");
    set(3, warp.r[2]);
    CHECK(fault_of("STORE.i64.force.slot0.wait0 @r2:r3, thread_local_pointer.w0, offset:12\nNOP.end\n") ==
          "an access to the thread's own memory goes over a multiple of 16 bytes");
    CHECK(fault_of("STORE.i32.slot0.wait0 @r2, thread_local_pointer.w0, offset:0\nNOP.end\n") ==
          "threads' own memory without .force");
    const char* const kStore = "STORE.i32.force.slot0 @r2, thread_local_pointer.w0, offset:0\n";
    CHECK(fault_of(std::string(kStore) +
                   "LOAD.i32.unsigned.force.slot1.wait1 @r4, thread_local_pointer.w0, offset:0\nNOP.end\n") ==
          "the thread's own memory is used before the message that stores there was waited for");
    CHECK(fault_of("LOAD.i32.unsigned.force.slot1 @r4, thread_local_pointer.w0, offset:0\n" +
                   std::string(kStore) + "NOP.end\n") ==
          "the thread's own memory is used before the message that stores there was waited for");
    warp.local_B = 0;
    CHECK(fault_of(std::string(kStore) + "NOP.end\n") == "the draw gives threads no memory of their own");
}

namespace {

struct TileDraw : DrawFixture {
    uint64_t pixels = room(kWidth * kHeight * 4);
    uint32_t conversion = 0;
    TileDraw() {
        hw::InternalConversion c;
        c.memory_format = hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
        c.register_format = hw::RegisterFileFormat::F32;
        hw::pack(c, &conversion);
        const float v[4] = {0.5f, 0.25f, 1, 0.5f};
        std::vector<Vertex> all;
        for (const auto& [x, y] : {std::pair{0.f, 0.f}, {200.f, 0.f}, {0.f, 200.f}})
            all.push_back({{x, y, 0.5f, 1}, {v[0], v[1], v[2], v[3]}});
        vertices(all);
    }
    /// The fragment shader, compiled from GLSL that reads `a`.
    const ir::Shader& glsl(const std::string& body) {
        program_ = compiler::testing::link(
            "attribute vec4 p; attribute vec4 q; varying vec4 a; void main() { a = q; gl_Position = p; }",
            "#extension GL_EXT_shader_framebuffer_fetch : enable\nprecision highp float; varying vec4 a;\n" +
                body);
        REQUIRE(program_);
        return *program_->stages[size_t(ir::Stage::Fragment)];
    }
    void use(const compiler::Binary& b) {
        REQUIRE(b.error == "");
        hw::ShaderProgram p;
        p.stage = hw::ShaderStage::Fragment;
        p.preload = uint32_t(b.info.preload >> 48);
        p.binary = place(b.code.data(), b.code.size() * 8);
        set(hw::IdvsRegisters::fragment_spd, place(p));
        std::vector<uint32_t> fau;
        for (const compiler::UniformWord& w : b.info.fau)
            fau.push_back(w.kind == compiler::UniformWord::Kind::Sysval ? conversion : w.value);
        if (!fau.empty())
            set(hw::IdvsRegisters::fragment_fau, place(fau.data(), fau.size() * 4) | uint64_t(fau.size() / 2)
                                                                                         << 56);
        if (b.info.tls_B) {
            hw::LocalStorage l;
            l.tls_size = uint32_t(std::bit_width((b.info.tls_B - 1) / 16));
            l.tls_address_mode = hw::AddressMode::Packed;
            l.tls_base_pointer = room(size_t(16 << l.tls_size) * kWarpLanes * (kFragmentWarpSlot + 2)) >> 8;
            set(hw::IdvsRegisters::vertex_tsd, place(l));
        }
    }
    uint32_t result() {
        REQUIRE(draw() == JobStatus::Done);
        REQUIRE(draw() == JobStatus::Done);
        hw::RenderTarget target = linear_target(pixels);
        target.clear[0] = target.clear[1] = target.clear[2] = target.clear[3] = 0x80402010;
        const JobStatus s = fragment(parameters(), target);
        INFO(fault.report);
        REQUIRE(s == JobStatus::Done);
        for (unsigned y = 0; y < kHeight; ++y)
            for (unsigned x = 0; x < kWidth; ++x)
                REQUIRE(pixel(pixels, x, y) == pixel(pixels, 0, 0));
        return pixel(pixels, 0, 0);
    }

  private:
    std::shared_ptr<const shaders::LinkedProgram> program_;
};

// The result of two draws of f(source, destination) over 0x80402010. Channels may differ by one step.
template <typename F>
void check_channels(uint32_t got, const F& f) {
    constexpr float kSource[4] = {0.5f, 0.25f, 1, 0.5f};
    float color[4];
    for (unsigned c = 0; c < 4; ++c)
        color[c] = float(0x80402010u >> 8 * c & 255) / 255;
    for (unsigned turn = 0; turn < 2; ++turn) {
        float next[4];
        for (unsigned c = 0; c < 4; ++c)
            next[c] = std::clamp(f(kSource, color, c), 0.0f, 1.0f);
        std::copy_n(next, 4, color);
    }
    for (unsigned c = 0; c < 4; ++c) {
        CAPTURE(c);
        CHECK(std::abs(float(got >> 8 * c & 255) - color[c] * 255) <= 1.5f);
    }
}

}  // namespace

TEST_CASE_FIXTURE(TileDraw, "draw: fragments read the tile buffer") {
    use(compiler::compile(glsl("void main() { gl_FragColor = gl_LastFragData[0].yzwx * 0.5 + a * 0.25; }"),
                          compiler::Part::Fragment));
    hw::DcdFlags0 flags;
    flags.front_face_ccw = false;
    dcd_flags(flags);
    check_channels(result(), [](const float* s, const float* d, unsigned c) {
        return d[(c + 1) % 4] * 0.5f + s[c] * 0.25f;
    });
}

TEST_CASE_FIXTURE(TileDraw, "draw: a blend shader blends") {
    use(compiler::compile(glsl("void main() { gl_FragColor = a; }"), compiler::Part::Fragment));
    const compiler::Binary blender = compiler::compile_blend(
        glsl("void main() { vec4 d = gl_LastFragData[0]; gl_FragColor = abs(a - d) * a.w + d.wzyx * 0.25; }"),
        {0, conversion, 4});
    REQUIRE(blender.error == "");
    hw::Blend b;
    b.load_destination = true;
    b.internal.mode = hw::BlendMode::Shader;
    b.internal.pc = uint32_t(place(blender.code.data(), blender.code.size() * 8));
    blend(b);
    check_channels(result(), [](const float* s, const float* d, unsigned c) {
        return std::abs(s[c] - d[c]) * s[3] + d[3 - c] * 0.25f;
    });
}

TEST_CASE_FIXTURE(TileDraw, "draw: fragments have their own memory") {
    // All four components are read, so that they remain in memory.
    const compiler::Binary b = compiler::compile(
        glsl("void main() { float k[40]; for (int i = 0; i < 40; i++) k[i] = a.x + float(i) * 0.01;\n"
             "int n = int(a.z * 13.5 + a.y * a.w * 0.01); k[n] = 0.75;\n"
             "gl_FragColor = vec4(k[n], k[n + 1], k[n - 3], k[n * 2]); }"),
        compiler::Part::Fragment);
    CHECK(b.info.tls_B == 160);
    use(b);
    const uint32_t got = result();
    constexpr float kWanted[4] = {0.75f, 0.64f, 0.6f, 0.76f};
    for (unsigned c = 0; c < 4; ++c)
        CHECK(std::abs(float(got >> 8 * c & 255) - kWanted[c] * 255) <= 1);
}
