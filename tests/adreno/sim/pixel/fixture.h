// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine with freedreno's register values for a draw to one RGBA8 image of 128x96, and hand-made
// primitives. The fragment shader writes the four interpolated floats of each vertex, or is the test's.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "drivers/adreno/isa/isa.h"
#include "drivers/adreno/sim/pixel/pixels.h"
#include "drivers/common/units/setup.h"
#include "tests/adreno/sim/surface/array_space.h"

namespace terrazzo::adreno::sim::testing {

/// All of it is executable.
class CodeSpace : public test::ArraySpace {
  public:
    window::Mapping find(uint64_t va) override {
        window::Mapping m = ArraySpace::find(va);
        m.executable = m.end != 0;
        return m;
    }
};

struct PixelHost : Host {
    CodeSpace memory;
    bool stopped = false;
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return stopped; }
};

/// i and j are in r0.x and r0.y; the colour is r0.z to r1.y.
inline constexpr const char* kVaryingShader =
    "bary.f r0.z, 0, r0.x\n"
    "bary.f r0.w, 1, r0.x\n"
    "bary.f r1.x, 2, r0.x\n"
    "bary.f (ei)r1.y, 3, r0.x\n"
    "end\n";

struct Vertex {
    float x, y, z = 0.5f, inv_w = 1;
    std::array<float, 4> value{};
};

struct PixelFixture {
    static constexpr uint32_t kWidth = 128, kHeight = 96;
    static constexpr uint64_t kColor_va = 0x10000000, kDepth_va = 0x20000000, kCode_va = 0x30000000;
    static constexpr uint32_t kDepthGmem_B = 0x40000;
    PixelHost host;
    Machine machine;
    PixelEngine engine{machine};
    uint8_t* color = nullptr;
    uint8_t* depth = nullptr;
    uint8_t* code = nullptr;
    struct {
        VertexOutputs outputs;
        std::vector<DrawnPrimitive> primitives;
    } drawn;
    Fault fault;

    template <class R>
    void set(const R& r, unsigned i = 0) {
        uint32_t words[R::kSize_dw];
        hw::pack(r, words);
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            machine.registers.write(uint16_t(R::at(i) + w), words[w]);
    }
    template <class R, class F>
    void change(F&& f, unsigned i = 0) {
        R r = machine.registers.get<R>(i);
        f(r);
        set(r, i);
    }

    explicit PixelFixture(const char* chip = "adreno-630") : machine(*hw::find_chip(chip), host, 2) {
        color = host.memory.map(kColor_va, 1 << 20);
        depth = host.memory.map(kDepth_va, 1 << 20);
        code = host.memory.map(kCode_va, 1 << 16);
        drawn.outputs.words = 4;
        raster_registers();
        shader_registers();
        target_registers();
        program(kVaryingShader);
    }

    void raster_registers() {
        set(hw::RB_RAS_MSAA_CNTL{});
        set(hw::RB_DEST_MSAA_CNTL{.msaa_disable = true});
        set(hw::GRAS_RAS_MSAA_CNTL{});
        set(hw::RB_SAMPLE_CNTL{});
        set(hw::GRAS_SU_CNTL{});
        scissor({0, 0, kWidth, kHeight});
        set(hw::GRAS_SC_SCREEN_SCISSOR_TL{});
        set(hw::GRAS_SC_SCREEN_SCISSOR_BR{.value = {kWidth - 1, kHeight - 1}});
        set(hw::GRAS_SC_VIEWPORT_SCISSOR_TL{});
        set(hw::GRAS_SC_VIEWPORT_SCISSOR_BR{.value = {kWidth - 1, kHeight - 1}});
        set(hw::RB_BIN_CONTROL{.buffers_location = hw::BuffersLocation::BUFFERS_IN_SYSMEM});
        set(hw::RB_WINDOW_OFFSET{});
        set(hw::RB_RENDER_CNTL{});
        set(hw::RB_DEPTH_CNTL{});
        set(hw::RB_STENCIL_CONTROL{});
        set(hw::RB_STENCIL_INFO{});
        set(hw::RB_DEPTH_BUFFER_INFO{});
        set(hw::RB_DEPTH_PLANE_CNTL{});
        set(hw::RB_ALPHA_CONTROL{});
    }
    void scissor(const pipe::raster::PixelRect& r) {
        set(hw::GRAS_SC_WINDOW_SCISSOR_TL{.value = {uint32_t(r.x0), uint32_t(r.y0)}});
        set(hw::GRAS_SC_WINDOW_SCISSOR_BR{.value = {uint32_t(r.x1 - 1), uint32_t(r.y1 - 1)}});
    }
    void shader_registers() {
        set(hw::SP_FS_CONFIG{.value = {.enabled = true}});
        set(hw::HLSQ_FS_CNTL{.value = {.enabled = true}});
        set(hw::SP_FS_CTRL_REG0{.fullregfootprint = 4, .varying = true, .mergedregs = true});
        set(hw::HLSQ_FS_CNTL_0{.value = {.threadsize = hw::Threadsize::THREAD64, .varyings = true}});
        set(hw::SP_FS_OBJ_START{kCode_va});
        set(hw::HLSQ_CONTROL_2_REG{63 * 4, 63 * 4, 63 * 4, 63 * 4});
        set(hw::HLSQ_CONTROL_3_REG{.value = {0, 63 * 4, 63 * 4, 63 * 4}});
        set(hw::HLSQ_CONTROL_4_REG{.value = {63 * 4, 63 * 4, 63 * 4, 63 * 4}});
        set(hw::GRAS_CNTL{.ij_persp_pixel = true});
        set(hw::RB_RENDER_CONTROL0{.ij_persp_pixel = true});
        set(hw::RB_RENDER_CONTROL1{});
        set(hw::SP_FS_OUTPUT_CNTL0{
            .depth_regid = 63 * 4, .sampmask_regid = 63 * 4, .stencilref_regid = 63 * 4});
        set(hw::SP_FS_OUTPUT_CNTL1{1});
        set(hw::RB_FS_OUTPUT_CNTL0{});
        set(hw::RB_FS_OUTPUT_CNTL1{1});
        set(hw::SP_FS_OUTPUT{.regid = 2});
        set(hw::VPC_CNTL_0{.numnonposvar = 4, .primidloc = 255, .varying = true, .viewidloc = 255});
        for (unsigned i = 0; i < 8; ++i) {
            set(hw::VPC_VARYING_INTERP_MODE{}, i);
            set(hw::VPC_VARYING_PS_REPL_MODE{}, i);
        }
    }
    void target_registers() {
        set(hw::RB_BLEND_CNTL{.sample_mask = 0xffff});
        set(hw::SP_BLEND_CNTL{});
        set(hw::RB_RENDER_COMPONENTS{.rt0 = 15});
        set(hw::RB_SRGB_CNTL{});
        set(hw::SP_SRGB_CNTL{});
        set(hw::RB_MRT_CONTROL{.component_enable = 15});
        format(hw::Format::FMT6_8_8_8_8_UNORM);
        set(hw::RB_MRT_PITCH{kWidth * 4});
        set(hw::RB_MRT_BASE{kColor_va});
        set(hw::RB_MRT_BASE_GMEM{});
    }
    void format(hw::Format f, hw::TileMode mode = hw::TileMode::TILE6_LINEAR) {
        set(hw::RB_MRT_BUF_INFO{.color_format = f, .color_tile_mode = mode});
        set(hw::SP_FS_MRT{.color_format = f});
    }
    /// GMEM has a bin at (x, y) of the window.
    void bin(uint32_t x, uint32_t y, uint32_t w, uint32_t h) {
        set(hw::RB_BIN_CONTROL{
            .binw = w, .binh = h, .buffers_location = hw::BuffersLocation::BUFFERS_IN_GMEM});
        set(hw::RB_WINDOW_OFFSET{.value = {x, y}});
        scissor({int32_t(x), int32_t(y), int32_t(x + w), int32_t(y + h)});
        std::fill(machine.gmem.begin(), machine.gmem.end(), uint8_t(0));
    }
    void depth_buffer(hw::DepthFormat f, uint32_t pixel_B) {
        set(hw::RB_DEPTH_BUFFER_INFO{.depth_format = f});
        set(hw::RB_DEPTH_BUFFER_PITCH{kWidth * pixel_B});
        set(hw::RB_DEPTH_BUFFER_BASE{kDepth_va});
        set(hw::RB_DEPTH_BUFFER_BASE_GMEM{kDepthGmem_B});
        set(hw::GRAS_SU_DEPTH_BUFFER_INFO{.depth_format = f});
    }
    void multisample(hw::MsaaSamples s) {
        set(hw::RB_RAS_MSAA_CNTL{.samples = s});
        set(hw::RB_DEST_MSAA_CNTL{.samples = s});
        set(hw::GRAS_RAS_MSAA_CNTL{.samples = s});
    }
    void program(const std::string& text) {
        std::vector<uint64_t> words;
        isa::Error error;
        [[maybe_unused]] const bool good = isa::assemble(text, &words, &error);
        INFO(std::string(error.reason));
        REQUIRE(good);
        std::memcpy(code, words.data(), words.size() * 8);
        engine.begin_submit();
    }

    void clear() {
        drawn.primitives.clear();
        drawn.outputs.values.clear();
    }
    void add(units::PrimitiveKind kind, std::vector<Vertex> v, float size_px = 1) {
        units::SetupState s;
        s.kind = kind;
        s.scissor = {0, 0, 16384, 16384};
        units::WindowVertex window[3];
        const auto first = uint32_t(drawn.outputs.values.size() / 4);
        for (size_t i = 0; i < v.size(); ++i) {
            window[i] = {v[i].x, v[i].y, v[i].z, v[i].inv_w};
            for (const float f : v[i].value)
                drawn.outputs.values.push_back(std::bit_cast<uint32_t>(f));
        }
        std::vector<units::Primitive> made;
        set_up_primitive(s, window, size_px, &made);
        for (units::Primitive& p : made) {
            for (uint32_t i = 0; i < v.size(); ++i)
                p.varying[i] = first + i;
            DrawnPrimitive d;
            d.shape = p;
            d.provoking = uint32_t(v.size()) - 1;
            drawn.primitives.push_back(d);
        }
    }
    void triangle(std::vector<Vertex> v) { add(units::PrimitiveKind::Triangle, std::move(v)); }
    /// Covers pixels [x0, x1) x [y0, y1).
    void rectangle(float x0, float y0, float x1, float y1, std::array<float, 4> value, float z = 0.5f) {
        triangle({{x0, y0, z, 1, value}, {x1, y0, z, 1, value}, {x0, y1, z, 1, value}});
        triangle({{x1, y0, z, 1, value}, {x1, y1, z, 1, value}, {x0, y1, z, 1, value}});
    }
    bool run() {
        fault = {};
        constexpr size_t kList = 100;
        std::vector<DrawnList> lists;
        for (size_t at = 0; at < drawn.primitives.size(); at += kList)
            lists.push_back(DrawnList(std::span<const DrawnPrimitive>(drawn.primitives)
                                          .subspan(at, std::min(kList, drawn.primitives.size() - at))));
        engine.begin_draw(DrawCall{.number = 7});
        return engine.take(drawn.outputs, lists, &fault);
    }
    void draw() {
        const bool good = run();
        INFO(fault.report);
        REQUIRE(good);
    }
    uint32_t pixel(uint32_t x, uint32_t y) const {
        uint32_t v;
        std::memcpy(&v, color + (size_t(y) * kWidth + x) * 4, 4);
        return v;
    }
    template <class T>
    T gmem(uint32_t offset_B) const {
        T v;
        std::memcpy(&v, machine.gmem.data() + offset_B, sizeof v);
        return v;
    }
};

}  // namespace terrazzo::adreno::sim::testing
