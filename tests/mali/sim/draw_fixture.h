// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine with one mapping, and a small draw in it. A vertex is a window position (x, y, z, 1/w) and four
// floats. The fragment shader writes the four floats, or is the test's.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/jobs.h"

namespace terrazzo::mali::sim::testing {

class FlatSpace : public Space {
  public:
    static constexpr uint64_t kBase = 0x100000, kSize = 8 << 20;
    FlatSpace() : bytes(kSize) {}
    Mapping find(uint64_t va) override {
        if (va < kBase || va >= kBase + kSize) return {};
        return {kBase, kBase + kSize, bytes.data(), true, true};
    }
    uint64_t epoch() const override { return 0; }
    std::vector<uint8_t> bytes;
};

struct DrawHost : Host {
    FlatSpace memory;
    uint64_t grown = 0, chunks_left = 0;
    Space& space() override { return memory; }
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override {
        if (!chunks_left) return 0;
        --chunks_left;
        const uint64_t va = grown;
        grown += 0x10000;
        return va | 0x10;
    }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return false; }
};

struct Vertex {
    float position[4], value[4];
};

inline constexpr const char* kPositionShader =
    "LD_ATTR_IMM.v4.f32.slot0.wait0 @r0:r1:r2:r3, r60, r61, index:0x0, table:0x1\n"
    "LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0\n"
    "STORE.i128.slot0.end @r0:r1:r2:r3, r4, offset:0\n";
inline constexpr const char* kVaryingShader =
    "LD_ATTR_IMM.v4.f32.slot0.wait0 @r0:r1:r2:r3, r60, r61, index:0x1, table:0x1\n"
    "LEA_BUF_IMM.slot0.wait0 @r4:r5, r59, table:0xD, index:0x0\n"
    "STORE.i128.slot0.end @r0:r1:r2:r3, r4, offset:0\n";
inline constexpr const char* kColorShader =
    "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.center.store.wait0 @r0:r1:r2:r3, r61, index:0x0\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

struct DrawFixture {
    static constexpr unsigned kWidth = 64, kHeight = 64;
    DrawHost host;
    Machine machine{*hw::find_chip("mali-g610"), host, 2};
    std::unique_ptr<Jobs> jobs = make_jobs(machine);
    CsRegisters registers;
    HeapUse heap;
    Fault fault;
    uint64_t next = FlatSpace::kBase;
    struct Code {
        uint64_t va;
        uint32_t instructions;
    };
    std::vector<Code> codes;  // the shaders that code() has placed

    uint64_t room(uint64_t size_B) {
        const uint64_t va = next;
        next = (next + size_B + 4095) & ~uint64_t(4095);
        REQUIRE(next <= FlatSpace::kBase + FlatSpace::kSize);
        return va;
    }
    uint8_t* at(uint64_t va) { return host.memory.bytes.data() + (va - FlatSpace::kBase); }
    uint64_t place(const void* data, size_t size_B) {
        const uint64_t va = room(size_B);
        std::memcpy(at(va), data, size_B);
        return va;
    }
    template <class T>
    void put(uint64_t va, const T& s) {
        uint32_t words[T::kSize_dw];
        hw::pack(s, words);
        std::memcpy(at(va), words, sizeof(words));
    }
    template <class T>
    uint64_t place(const T& s) {
        const uint64_t va = room(T::kSize_B);
        put(va, s);
        return va;
    }
    uint64_t code(const std::string& text) {
        std::vector<uint64_t> words;
        isa::Error error;
        [[maybe_unused]] const bool good = isa::assemble(text, &words, &error);
        INFO(std::string(error.reason));
        REQUIRE(good);
        codes.push_back({next, uint32_t(words.size())});
        return place(words.data(), words.size() * 8);
    }
    uint64_t program(const std::string& text, hw::ShaderStage stage, uint32_t preload) {
        hw::ShaderProgram p;
        p.stage = stage;
        p.preload = preload;
        p.binary = code(text);
        return place(p);
    }
    void set(unsigned reg, uint64_t v) {
        registers.r[reg] = uint32_t(v);
        registers.r[reg + 1] = uint32_t(v >> 32);
    }
    // Tables 0 to 4; table 1 has the attributes, 2 their buffer, 3 samplers, 4 textures.
    uint64_t tables = 0;
    void table(unsigned index, uint64_t va, unsigned descriptors) {
        put(tables + index * 16, hw::Resource{.address = va, .size = descriptors * 32});
    }
    uint64_t tiler = 0, heap_descriptor = 0;

    DrawFixture() {
        tables = room(5 * 16);
        const uint64_t chunk = room(0x10000);
        hw::TilerHeap h;
        h.size = 0x10000;
        h.base = chunk;
        h.bottom = chunk + 64;
        h.top = chunk + 0x10000;
        heap_descriptor = place(h);
        new_frame();
        for (unsigned i = 0; i < 5; ++i)
            table(i, 0, 0);
        set(hw::IdvsRegisters::vertex_srt, tables | 5);
        set(hw::IdvsRegisters::fragment_srt, tables | 5);
        const uint64_t position =
            program(kPositionShader, hw::ShaderStage::Vertex, 1u << 11 | 1u << 12 | 1u << 13);
        set(hw::IdvsRegisters::position_spd, position);
        set(hw::IdvsRegisters::varying_spd,
            program(kVaryingShader, hw::ShaderStage::Vertex, 1u << 11 | 1u << 12 | 1u << 13));
        fragment_shader(kColorShader);
        registers.r[hw::IdvsRegisters::varying_size] = 16;
        registers.r[hw::IdvsRegisters::instance_count] = 1;
        registers.r[hw::IdvsRegisters::high_depth_clamp] = std::bit_cast<uint32_t>(1.0f);
        set(hw::IdvsRegisters::scissor, uint64_t(kWidth - 1) << 32 | uint64_t(kHeight - 1) << 48);
        set(hw::IdvsRegisters::depth_stencil,
            place(hw::DepthStencil{.depth_function = hw::CompareFunc::Always}));
        hw::Blend b;
        b.equation.color_mask = 15;
        b.internal.mode = hw::BlendMode::Opaque;
        b.internal.num_comps = 4;
        b.internal.conversion.memory_format =
            hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
        b.internal.conversion.register_format = hw::RegisterFileFormat::F32;
        blend(b);
        primitive_flags(hw::DrawMode::Triangles);
        hw::DcdFlags0 flags;
        flags.front_face_ccw = false;
        dcd_flags(flags);
    }
    void new_frame() {
        hw::TilerContext t;
        t.hierarchy_mask = 1;
        t.fb_width = kWidth;
        t.fb_height = kHeight;
        t.heap = heap_descriptor;
        t.geometry_buffer = tiler ? geometry_ : (geometry_ = room(0x10000));
        tiler = place(t);
        set(hw::IdvsRegisters::tiler_context, tiler);
    }
    uint64_t geometry_ = 0;
    void blend(const hw::Blend& b) { set(hw::IdvsRegisters::blend, place(b) | 1); }
    void primitive_flags(hw::DrawMode mode) {
        hw::PrimitiveFlags f;
        f.draw_mode = mode;
        f.secondary_shader = true;
        hw::pack(f, &registers.r[hw::IdvsRegisters::primitive_flags]);
    }
    void dcd_flags(const hw::DcdFlags0& f) { hw::pack(f, &registers.r[hw::IdvsRegisters::dcd_flags_0]); }
    void fragment_shader(const std::string& text) {
        set(hw::IdvsRegisters::fragment_spd,
            program(text, hw::ShaderStage::Fragment, 1u << 10 | 1u << 11 | 1u << 12 | 1u << 13));
    }
    void vertices(const std::vector<Vertex>& v) {
        const uint64_t data = place(v.data(), v.size() * sizeof(Vertex));
        const uint64_t buffer =
            place(hw::Buffer{.size = uint32_t(v.size() * sizeof(Vertex)), .address = data});
        hw::Attribute a;
        a.format = hw::format_row(pipe::Format::R32G32B32A32_FLOAT)->pixel_format;
        a.table = 2;
        a.stride = sizeof(Vertex);
        const uint64_t attributes = room(64);
        put(attributes, a);
        a.offset = 16;
        put(attributes + 32, a);
        table(1, attributes, 2);
        table(2, buffer, 1);
        registers.r[hw::IdvsRegisters::index_count] = uint32_t(v.size());
    }
    JobStatus draw(DrawProgress* progress = nullptr) {
        DrawProgress fresh;
        machine.draws++;
        hw::CsRunIdvs how;
        how.malloc_enable = true;
        how.fragment_srt_select = true;
        return jobs->idvs(how, registers, heap, progress ? progress : &fresh, &fault);
    }

    // A framebuffer with one target and no depth.
    hw::FramebufferParameters parameters() {
        hw::FramebufferParameters p;
        p.width = kWidth;
        p.height = kHeight;
        p.bound_max_x = kWidth - 1;
        p.bound_max_y = kHeight - 1;
        p.effective_tile_size = 256;
        p.render_target_count = 1;
        p.z_internal_format = hw::ZInternalFormat::D24;
        p.z_clear = 1;
        p.tiler = tiler;
        return p;
    }
    hw::RenderTarget linear_target(uint64_t pixels) {
        hw::RenderTarget t;
        t.internal_format = hw::ColorBufferInternalFormat::R8G8B8A8;
        t.write_enable = true;
        t.writeback_format = hw::ColorFormat::R8G8B8A8;
        t.writeback_block_format = hw::BlockFormat::LINEAR;
        t.swizzle = hw::kIdentitySwizzle;
        t.clean_pixel_write_enable = true;
        t.rgb_base = pixels;
        t.rgb_row_stride = kWidth * 4;
        return t;
    }
    JobStatus fragment(const hw::FramebufferParameters& p, const hw::RenderTarget& target,
                       const hw::ZsCrcExtension* zs = nullptr) {
        const uint64_t fb = room(4096);
        put(fb, hw::Framebuffer{.parameters = p});
        uint64_t va = fb + hw::Framebuffer::kSize_B;
        if (zs) {
            put(va, *zs);
            va += hw::ZsCrcExtension::kSize_B;
        }
        put(va, target);
        hw::FramebufferPointer pointer;
        pointer.pointer = fb;
        pointer.render_target_count = 1;
        pointer.zs_crc_extension_present = zs != nullptr;
        hw::pack(pointer, &registers.r[hw::FragmentRegisters::framebuffer]);
        set(hw::FragmentRegisters::scissor, uint64_t(kWidth - 1) << 32 | uint64_t(kHeight - 1) << 48);
        const JobStatus s = jobs->fragment({}, registers, &fault);
        set(hw::IdvsRegisters::tiler_context, tiler);
        return s;
    }
    uint32_t pixel(uint64_t pixels, unsigned x, unsigned y) {
        uint32_t v;
        std::memcpy(&v, at(pixels) + (y * kWidth + x) * 4, 4);
        return v;
    }
};

}  // namespace terrazzo::mali::sim::testing
