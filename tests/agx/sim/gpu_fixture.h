// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A virtual AGX with one mapping of memory, into which tests put streams, records and programs. `Scene` is a
// draw with its programs and an image of RGBA8.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/agx/hw/records.h"
#include "drivers/agx/isa/isa.h"
#include "drivers/agx/sim/gpu.h"
#include "pipe/layout/agx.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::tests::agx {

namespace hw = terrazzo::agx::hw;
namespace isa = terrazzo::agx::isa;
namespace virt = winsys::virt::asahi;

/// Addresses are below 4 GiB, so that programs are relative to 0.
class GpuMemory : public window::Space, public host::Host {
  public:
    static constexpr uint64_t kBase = 0x100000, kSize_B = 16 << 20;
    window::Space& space() override { return *this; }
    window::Mapping find(uint64_t va) override {
        if (va < kBase || va >= kBase + kSize_B) return {};
        return {kBase, kBase + kSize_B, bytes_.data(), true, true};
    }
    uint64_t epoch() const override { return 0; }
    uint64_t timestamp() const override { return 0; }
    /// Work is told to stop when it has asked so often, as a kernel stops work that takes too long. Damaged
    /// sizes ask for days of it.
    mutable std::atomic<int64_t> questions_left = INT64_MAX;
    bool should_stop() const override { return questions_left.fetch_sub(1) <= 0; }

    uint64_t allocate(uint64_t size_B, uint64_t align_B = 128) {
        next_ = (next_ + align_B - 1) / align_B * align_B;
        const uint64_t va = next_;
        next_ += size_B;
        REQUIRE(next_ <= kBase + kSize_B);
        return va;
    }
    uint64_t put(const void* data, size_t size_B, uint64_t align_B = 128) {
        const uint64_t va = allocate(size_B, align_B);
        std::memcpy(at(va), data, size_B);
        return va;
    }
    uint8_t* at(uint64_t va) { return bytes_.data() + (va - kBase); }
    uint64_t code(std::string_view text) {
        std::vector<uint16_t> units;
        isa::Error why;
        REQUIRE_MESSAGE(isa::assemble(text, &units, &why), why.reason);
        return put(units.data(), units.size() * 2);
    }

  private:
    std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kSize_B);
    uint64_t next_ = kBase;
};

/// USC words, or a control stream.
class Words {
  public:
    template <class T>
    Words& add(const T& s) {
        uint32_t words[T::kSize_dw] = {};
        pack(s, words);
        append(words, T::kSize_B);
        return *this;
    }
    /// A record, padded to a multiple of `align_B`.
    template <class T>
    Words& add_record(const T& s, unsigned align_B = 4) {
        uint32_t words[T::kMost_dw] = {};
        append(words, pack(s, words) * 4);
        while (bytes_.size() % align_B)
            bytes_.push_back(0);
        return *this;
    }
    uint64_t put(GpuMemory& memory, uint64_t align_B = 128) const {
        return memory.put(bytes_.data(), bytes_.size(), align_B);
    }
    size_t size_B() const { return bytes_.size(); }

  private:
    void append(const uint32_t* words, size_t size_B) {
        const auto* const b = reinterpret_cast<const uint8_t*>(words);
        bytes_.insert(bytes_.end(), b, b + size_B);
    }
    std::vector<uint8_t> bytes_;
};

struct SceneVertex {
    float position[4], value[4];
};

struct Scene {
    explicit Scene(uint32_t width_px = 64, uint32_t height_px = 64, unsigned threads = 2)
        : width(width_px), height(height_px) {
        host::GroupOptions options;
        options.queues = virt::kWorkQueues;
        options.threads = threads;
        group = terrazzo::agx::sim::create_group(memory, options);
        pipe::AgxLayoutDesc d;
        d.image.format = pipe::Format::R8G8B8A8_UNORM;
        d.image.width = width;
        d.image.height = height;
        d.image.tiling = pipe::Tiling::Twiddled;
        REQUIRE(pipe::agx_layout_compute(d, &layout) == pipe::LayoutStatus::Ok);
        image_va = memory.allocate(layout.surface.size_B, 16384);
        set_state();
    }

    // ---- Programs ----
    /// `words`: what it binds besides; code and registers follow.
    uint64_t program(Words words, std::string_view text) {
        hw::UscShader shader;
        shader.code = memory.code(text);
        hw::UscRegisters registers;
        registers.count = 64;
        return words.add(shader).add(registers).add(hw::UscNoPreshader()).put(memory);
    }
    Words uniforms(const std::vector<uint32_t>& values) {
        hw::UscUniform u;
        u.size = uint32_t(values.size()) * 2;
        u.buffer = memory.put(values.data(), values.size() * 4);
        return Words().add(u);
    }
    static hw::UscShared tile_shape(unsigned samples = 1) {
        hw::UscShared s;
        s.uses_shared_memory = true;
        s.layout = hw::SharedLayout::N32x32;
        s.sample_count = samples;
        s.sample_stride = 1;
        s.size = 32 * 32 * 8 * samples;
        return s;
    }

    // ---- State ----
    void set_state() {
        hw::PppHeader& h = ppp.header;
        h.fragment_control = h.fragment_control_2 = h.front_face = h.front_face_2 = h.front_stencil = true;
        h.back_face = h.back_face_2 = h.back_stencil = h.viewport = h.output_select = true;
        h.varying_counts_32 = h.cull = h.cull_2 = h.fragment_shader = true;
        h.viewport_count = 1;
        ppp.front_face.depth_func = ppp.back_face.depth_func = hw::ZsFunc::Always;
        ppp.front_face_2.depth_func = ppp.back_face_2.depth_func = hw::ZsFunc::Always;
        ppp.front_face.disable_depth_write = ppp.back_face.disable_depth_write = true;
        ppp.front_face_2.disable_depth_write = ppp.back_face_2.disable_depth_write = true;
        ppp.front_face.line_width = ppp.back_face.line_width = 16;
        ppp.front_stencil.compare = ppp.back_stencil.compare = hw::ZsFunc::Always;
        ppp.viewport[0] = {float(width) / 2, float(width) / 2, float(height) / 2, float(height) / 2, 0, 1};
        ppp.output_select.varyings = true;
        ppp.varying_counts_32.smooth = 4;
        ppp.cull.primitive_msaa = true;
        ppp.cull.depth_clip = true;
        set_fragment_program(
            "iterproj.xyzw.center r4_r5_r6_r7, cf1, cf0, _\n"
            "st_tile.u8norm.xyzw r4_r5_r6_r7, 255, 0\n"
            "stop\n");
        set_bindings({{4, hw::ShadeModel::Perspective, hw::CoefficientSource::Varying, 1, 1}});
        set_clear(0, 0, 0, 0);
    }
    void set_fragment_program(std::string_view text, const std::vector<uint32_t>& values = {}) {
        Words words = values.empty() ? Words() : uniforms(values);
        ppp.fragment_shader.pipeline.address = program(words.add(tile_shape(samples)), text);
        ppp.fragment_shader.counts.cf_bindings = 2;
    }
    /// cf0 is W.
    void set_bindings(const std::vector<hw::CfBinding>& more) {
        hw::CfHeader header;
        header.slots_32 = 32;
        header.registers = 1;
        for (const hw::CfBinding& b : more)
            header.registers += b.components;
        Words words;
        words.add(header).add(hw::CfBinding{1, hw::ShadeModel::Linear, hw::CoefficientSource::Varying, 0, 0});
        for (const hw::CfBinding& b : more)
            words.add(b);
        ppp.fragment_shader.cf_bindings = words.put(memory);
    }
    void set_clear(float r, float g, float b, float a) {
        const std::vector<uint32_t> color = {std::bit_cast<uint32_t>(r), std::bit_cast<uint32_t>(g),
                                             std::bit_cast<uint32_t>(b), std::bit_cast<uint32_t>(a)};
        clear_usc = program(uniforms(color).add(tile_shape(samples)),
                            "bitop.or r4, u0, u0\nbitop.or r5, u1, u1\nbitop.or r6, u2, u2\n"
                            "bitop.or r7, u3, u3\nst_tile.u8norm.xyzw r4_r5_r6_r7, 255, 0\nstop\n");
    }

    // ---- Draws ----
    void begin() { stream = {}; }
    void draw(const std::vector<SceneVertex>& vertices, hw::Primitive primitive = hw::Primitive::Triangles,
              const std::vector<uint16_t>& indices = {}) {
        const uint64_t va = memory.put(vertices.data(), vertices.size() * sizeof(SceneVertex));
        Words state;
        state.add_record(ppp);
        const uint64_t ppp_va = state.put(memory);
        hw::VdmPppState update;
        update.pointer_high = 0;
        update.pointer_low = uint32_t(ppp_va);
        update.size_dw = uint32_t(state.size_B() / 4);
        hw::VdmState vdm;
        vdm.header.vertex_counts = vdm.header.vertex_pipeline = vdm.header.vertex_outputs = true;
        vdm.header.restart_index = true;
        vdm.restart_index.value = 0xffffffff;
        vdm.vertex_outputs.count_1 = vdm.vertex_outputs.count_2 = vertex_words;
        vdm.vertex_pipeline.address = program(uniforms({uint32_t(va), 0, uint32_t(va + 16), 0}), vertex_text);
        hw::IndexList list;
        list.header.primitive = primitive;
        list.header.count = list.header.instances = list.header.start = true;
        list.count.count = uint32_t(indices.empty() ? vertices.size() : indices.size());
        list.instances.count = 1;
        if (!indices.empty()) {
            const uint64_t at = memory.put(indices.data(), indices.size() * 2);
            list.header.index_buffer = list.header.index_buffer_size = list.header.restart_enable = true;
            list.header.index_size = hw::IndexSize::U16;
            list.index_buffer.address_low = uint32_t(at);
            list.index_buffer_size.size = uint32_t((indices.size() * 2 + 3) / 4 * 4);
        }
        stream.add(update).add_record(vdm, 8).add_record(list);
    }
    /// Runs the render; returns the report of its fault, or "".
    std::string finish() {
        stream.add(hw::VdmStreamTerminate());
        hw::Pbe pbe;
        pbe.dimension = hw::TextureDimension::N2d;
        pbe.layout = hw::Layout::Twiddled;
        pbe.channels = hw::Channels::R8G8B8A8;
        pbe.swizzle_g = hw::StoredChannel::G, pbe.swizzle_b = hw::StoredChannel::B;
        pbe.swizzle_a = hw::StoredChannel::A;
        pbe.width = width, pbe.height = height;
        pbe.address = image_va;
        Words image;
        image.add(pbe);
        hw::UscTexture texture;
        texture.count = 1;
        texture.buffer = image.put(memory);
        command.vdm_ctrl_stream_base = stream.put(memory);
        command.width_px = width, command.height_px = height;
        command.layers = 1, command.samples = samples;
        command.utile_width_px = command.utile_height_px = 32;
        command.sample_size_B = 8;
        command.ppp_multisamplectl = samples == 4 ? 0xeaa26e26 : samples == 2 ? 0x44cc : 0x88;
        command.flags |= 2;  // also tiles without primitives
        command.bg.usc = uint32_t(clear_usc) | 4;
        command.partial_bg = command.bg;
        command.eot.usc = uint32_t(program(Words().add(texture).add(tile_shape(samples)), store_text)) | 4;
        command.partial_eot = command.eot;
        const uint64_t va = memory.put(&command, sizeof command);
        for (const virt::WorkQueue queue : {virt::WorkQueue::Vertex, virt::WorkQueue::Fragment}) {
            host::Submit submit;
            submit.streams.push_back({va, sizeof command});
            submit.number = ++number;
            const host::RunResult r = group->run(uint32_t(queue), submit);
            if (r.status != host::RunStatus::Done) return r.report.empty() ? "fault" : r.report;
        }
        pixels.assign(size_t(width) * height, 0);
        REQUIRE(pipe::detile_rect(layout.surface, memory.at(image_va), 0,
                                  {0, 0, 0, int32_t(width), int32_t(height), 1}, pixels.data(),
                                  ptrdiff_t(width) * 4, 0));
        return {};
    }
    uint32_t pixel(uint32_t x, uint32_t y) const { return pixels[size_t(y) * width + x]; }

    const uint32_t width, height;
    unsigned samples = 1;
    GpuMemory memory;
    std::unique_ptr<host::Group> group;
    pipe::AgxLayout layout;
    uint64_t image_va = 0, clear_usc = 0, number = 0;
    hw::PppState ppp;
    uint32_t vertex_words = 8;
    std::string vertex_text =
        "iadd r7, r5, r5\n"
        "device_load.i32.xyzw r8_r9_r10_r11, u0_u1, r7, shift=2\n"
        "device_load.i32.xyzw r12_r13_r14_r15, u2_u3, r7, shift=2\n"
        "wait 0\n"
        "st_var r8, 0\nst_var r9, 1\nst_var r10, 2\nst_var r11, 3\n"
        "st_var r12, 4\nst_var r13, 5\nst_var r14, 6\nst_var_final r15, 7\n"
        "stop\n";
    std::string store_text =
        "mov_imm16 r4l, 0x0\n"
        "image_write_block.u8norm.2d r4l, r5l_r5h, 0, _, ts0\n"
        "stop\n";
    Words stream;
    virt::RenderCommand command{};
    std::vector<uint32_t> pixels;
};

}  // namespace terrazzo::tests::agx
