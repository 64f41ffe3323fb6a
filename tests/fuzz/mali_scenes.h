// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small scenes on the virtual Mali GPU, to be damaged by fuzzers: streams, descriptors and shaders in memory,
// and the positions of important words.
#pragma once

#include "drivers/mali/sim/csf/front_end.h"
#include "pipe/raster/sample_positions.h"
#include "tests/mali/sim/draw_fixture.h"

namespace terrazzo::mali::sim::testing {

inline constexpr const char* kTexturedShader =
    "LD_VAR_BUF_IMM.f32.slot0.v2.src_f32.center.store.wait0 @r4:r5, r61, index:0x0\n"
    "IADD_IMM.i32 r6, 0x0, #0x20001800\n"
    "IADD_IMM.i32 r7, 0x0, #0x0\n"
    "TEX_SINGLE.slot0.auto.32.2d.computed.wait0 @r0:r1:r2:r3, @r4:r5, r6\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";
// Adds 1 to the word that a uniform points to, after a barrier.
inline constexpr const char* kComputeShader =
    "IADD_IMM.i32 r4, u0, #0x0\n"
    "IADD_IMM.i32 r5, u1, #0x0\n"
    "BARRIER.slot7.wait\n"
    "LOAD.i32.unsigned.slot0.wait0 @r0, r4, offset:0\n"
    "IADD_IMM.i32 r0, r0, #0x1\n"
    "STORE.i32.slot0.end @r0, r4, offset:0\n";

// Copies a texel of image 1 to image 2, and adds 1 to the word that a uniform points to.
inline constexpr const char* kImageShader =
    "MKVEC.v2i16 r8, r60.h00, r61.h00\n"
    "IADD_IMM.i32 r9, 0x0, #0x0\n"
    "LD_TEX_IMM.slot0.v4.u32.wait0 @r0:r1:r2:r3, r8, r9, index:0x1, table:0x4\n"
    "LEA_TEX_IMM.slot0.wait0 @r4:r5:r6, r8, r9, table:0x4, index:0x2\n"
    "ST_CVT.slot0.istream.v4.u32 @r0:r1:r2:r3, r4, r6, offset:0x0\n"
    "MOV.i32 r10, u0\n"
    "MOV.i32 r11, u1\n"
    "IADD_IMM.i32 r12, 0x0, #0x1\n"
    "ATOM.i32.slot1.aadd.wait01 @r12, r10, offset:0x0\n"
    "NOP.end\n";
// The colour of a sample, which is stored to image 2, too.
inline constexpr const char* kSampleShader =
    "LD_VAR_BUF_IMM.f32.slot0.v4.src_f32.sample.store.wait0 @r0:r1:r2:r3, r61, index:0x0\n"
    "IADD_IMM.i32 r9, 0x0, #0x0\n"
    "LEA_TEX_IMM.slot0.wait0 @r4:r5:r6, r59, r9, table:0x4, index:0x2\n"
    "ST_CVT.slot0.istream.v4.u32.wait0 @r0:r1:r2:r3, r4, r6, offset:0x0\n"
    "NOP.wait0126\n"
    "ATEST.discard @r60, r60, r3, atest_datum.w0\n"
    "NOP.wait\n"
    "BLEND.slot0.v4.f32.end @r0:r1:r2:r3, blend_descriptor_0.w0, r60, target:0x0\n";

struct FuzzHost : DrawHost {
    mutable int questions = 0;
    bool should_stop() const override { return ++questions > 60; }
};

/// One scene of each kind, and the parts that can be damaged.
struct Scenes : DrawFixture {
    struct Scene {
        CsRegisters registers;
        uint64_t stream = 0;
        uint32_t size_B = 0;
        uint32_t fragment_B = 0;  // where the stream's fragment job begins; 0: there is none
    };
    static constexpr unsigned kDispatched = 6, kSampled = 7, kKinds = 8;  // of scenes: add()
    static constexpr unsigned kSamples = 4;
    FuzzHost fuzz_host;
    Machine fuzz_machine{*hw::find_chip("mali-g610"), fuzz_host, 2};
    std::unique_ptr<Jobs> fuzz_jobs = make_jobs(fuzz_machine);
    std::vector<Scene> scenes;
    std::vector<uint8_t> image;    // the memory, undamaged
    std::vector<uint64_t> places;  // addresses of important words
    uint64_t afbc = 0, sample_positions = 0;

    template <class T>
    static uint64_t op(const T& i) {
        return hw::pack64(i);
    }

    Scenes() {
        fuzz_machine.turn_limit = 2000;
        resources();
        for (unsigned kind = 0; kind < kKinds; ++kind)
            add(kind);
        for (unsigned page = 0; page * 4096 < next - FlatSpace::kBase; ++page)
            for (unsigned i = 0; i < 64; ++i) {
                uint32_t v;
                const uint64_t va = FlatSpace::kBase + page * 4096 + i * 4;
                std::memcpy(&v, at(va), 4);
                if (v) places.push_back(va);
            }
        image.assign(at(FlatSpace::kBase), at(FlatSpace::kBase) + (next - FlatSpace::kBase));
    }
    void resources() {
        hw::Sampler s;
        s.maximum_lod = 16;
        table(3, place(s), 1);
        const uint64_t textures = room(3 * hw::Texture::kSize_B);
        texture(textures, pipe::Format::R8G8B8A8_UNORM);
        texture(textures + 32, pipe::Format::R32_UINT);
        texture(textures + 64, pipe::Format::R32_UINT);
        table(4, textures, 3);
        uint16_t positions[64][2] = {};
        for (unsigned n = 0; n < kSamples; ++n) {
            const auto& place_of = pipe::raster::sample_at(kSamples, n);
            positions[n][0] = uint16_t(128 + place_of.x * 16);
            positions[n][1] = uint16_t(128 + place_of.y * 16);
        }
        sample_positions = place(positions, sizeof positions);
        afbc = room(0x20000);
    }
    /// 32x32 texels of 4 bytes.
    void texture(uint64_t va, pipe::Format format) {
        hw::Plane p;
        p.plane_type = hw::PlaneType::Generic;
        p.clump_format = hw::format_row(format)->clump;
        p.size = 32 * 32 * 4;
        p.pointer = room(p.size);
        for (unsigned i = 0; i < 32 * 32; ++i)
            at(p.pointer)[4 * i] = uint8_t(i);
        p.row_stride = 32 * 4;
        p.width = p.height = 32;
        hw::Texture t;
        t.dimension = hw::TextureDimension::D2;
        t.format = hw::format_row(format)->pixel_format;
        t.width = t.height = 32;
        t.swizzle = hw::kIdentitySwizzle;
        t.surfaces = place(p);
        put(va, t);
    }
    // Kinds: simple, textured with depth, blended into AFBC with CRC, points, instanced lines, compute, an
    // indirect dispatch with images and an atomic, an indirect draw that is shaded for each of four samples.
    void add(unsigned kind) {
        Scene s;
        new_frame();
        vertices({{{3, 5, 0.5f, 1}, {1, 0, 0, 1}},
                  {{60, 11, 0.25f, 0.5f}, {0, 1, 0, 0.5f}},
                  {{20, 58, 0.75f, 2}, {0, 0, 1, 1}}});
        registers.r[hw::IdvsRegisters::instance_count] = kind == 4 ? 3 : 1;
        primitive_flags(kind == 3   ? hw::DrawMode::Points
                        : kind == 4 ? hw::DrawMode::LineLoop
                                    : hw::DrawMode::Triangles);
        registers.r[hw::IdvsRegisters::primitive_size] = std::bit_cast<uint32_t>(5.0f);
        fragment_shader(kind == 1 ? kTexturedShader : kind == kSampled ? kSampleShader : kColorShader);
        samples(kind == kSampled);
        hw::DepthStencil d{.depth_write_enable = true, .depth_function = hw::CompareFunc::Less};
        set(hw::IdvsRegisters::depth_stencil, place(d));
        hw::Blend b;
        b.load_destination = true;
        b.equation.rgb = {.a = hw::BlendOperandA::Dest,
                          .b = hw::BlendOperandB::SrcMinusDest,
                          .c = hw::BlendOperandC::SrcAlpha};
        b.equation.alpha = b.equation.rgb;
        b.equation.color_mask = 15;
        b.internal.mode = hw::BlendMode::FixedFunction;
        b.internal.num_comps = 4;
        b.internal.conversion.memory_format =
            hw::blend_memory_format(hw::ColorBufferInternalFormat::R8G8B8A8, false, false);
        b.internal.conversion.register_format = hw::RegisterFileFormat::F32;
        blend(b);
        s.registers = registers;
        std::vector<uint64_t> words;
        hw::CsReqResource all;
        all.compute = all.fragment = all.tiler = all.idvs = true;
        words.push_back(op(all));
        words.push_back(op(hw::CsSetSbEntry{.endpoint_entry = 2, .other_entry = 0}));
        if (kind == 5 || kind == kDispatched)
            compute(kind, &s, &words);
        else
            draw_and_fragment(kind, &s, &words);
        s.stream = place(words.data(), words.size() * 8);
        s.size_B = uint32_t(words.size() * 8);
        scenes.push_back(s);
    }
    void samples(bool several) {
        hw::DcdFlags0 flags;
        flags.front_face_ccw = false;
        flags.multisample_enable = flags.evaluate_per_sample = several;
        dcd_flags(flags);
        hw::pack(hw::DcdFlags1{.sample_mask = uint32_t(several ? 0xffff : 0)},
                 &registers.r[hw::IdvsRegisters::dcd_flags_1]);
        if (!several) return;
        hw::TilerContext t;
        uint32_t packed[hw::TilerContext::kSize_dw];
        std::memcpy(packed, at(tiler), sizeof packed);
        if (!hw::unpack(packed, &t)) std::abort();
        t.sample_pattern = hw::SamplePattern::Rotated4xGrid;
        put(tiler, t);
    }
    /// Loads these words to registers from `first` on.
    void load(unsigned first, const std::vector<uint32_t>& values, std::vector<uint64_t>* words) {
        constexpr uint8_t kAddress = 76;
        words->push_back(
            op(hw::CsMove{.immediate = place(values.data(), values.size() * 4), .destination = kAddress}));
        words->push_back(op(hw::CsLoadMultiple{
            .mask = (1u << values.size()) - 1, .address = kAddress, .base_register = uint8_t(first)}));
        words->push_back(op(hw::CsWait{.wait_mask = 1}));
    }
    void compute(unsigned kind, Scene* s, std::vector<uint64_t>* words) {
        using R = hw::ComputeRegisters;
        hw::ShaderProgram p;
        p.stage = hw::ShaderStage::Compute;
        p.preload = 0xff80;
        p.binary = code(kind == kDispatched ? kImageShader : kComputeShader);
        registers = {};
        set(R::srt, tables | 5);
        const uint64_t uniform = room(64);
        set(R::fau, place(&uniform, 8) | uint64_t(1) << 56);
        set(R::spd, place(p));
        hw::ComputeSizeWorkgroup size;
        size.workgroup_size_x = 24;
        hw::pack(size, &registers.r[R::workgroup_size]);
        for (unsigned i = 0; i < 3; ++i)
            registers.r[R::job_size_x + i] = 1;
        s->registers = registers;
        if (kind == kDispatched) {
            load(R::job_size_x, {1, 2, 1}, words);
            words->push_back(op(hw::CsRunComputeIndirect{.workgroups_per_task = 1}));
        } else {
            words->push_back(op(hw::CsRunCompute{}));
        }
        words->push_back(op(hw::CsWait{.wait_mask = 4}));
        registers = scenes[0].registers;
    }
    void draw_and_fragment(unsigned kind, Scene* s, std::vector<uint64_t>* words) {
        hw::CsRunIdvs how;
        how.malloc_enable = true;
        how.fragment_srt_select = true;
        if (kind == kSampled) load(hw::IdvsRegisters::index_count, {3, 1, 0, 0}, words);
        words->push_back(op(how));
        words->push_back(op(hw::CsWait{.wait_mask = 4}));
        words->push_back(op(hw::CsFinishTiling{}));
        words->push_back(op(hw::CsWait{.wait_mask = 4}));
        const uint64_t fb = room(4096);
        hw::FramebufferParameters p = parameters();
        hw::RenderTarget t = linear_target(room(kWidth * kHeight * 4 * (kind == kSampled ? kSamples : 1)));
        hw::ZsCrcExtension zs;
        zs.zs_write_format = hw::ZsWriteFormat::D24S8;
        zs.zs_block_format = kind == 1 ? hw::BlockFormat::TILED_U_INTERLEAVED : hw::BlockFormat::LINEAR;
        zs.zs_writeback_base = room(kWidth * kHeight * 4);
        zs.zs_writeback_row_stride = kind == 1 ? 4096 : kWidth * 4;
        p.has_zs_crc_extension = p.z_write_enable = true;
        if (kind == 2) {
            t.writeback_block_format = hw::BlockFormat::AFBC;
            t.afbc_header = afbc;
            t.afbc_row_stride = kWidth / 16 * 16;
            t.afbc_body_offset = 0x1000;
            t.afbc_compression_mode = hw::AfbcCompressionMode::R8G8B8A8;
            zs.crc_base = room(4096);
            zs.crc_row_stride = 32;
            p.crc_read_enable = p.crc_write_enable = true;
        }
        if (kind == kSampled) {
            p.z_write_enable = false;
            p.sample_count = kSamples;
            p.sample_pattern = hw::SamplePattern::Rotated4xGrid;
            p.sample_locations = sample_positions;
            t.writeback_msaa = hw::Msaa::Layered;
            t.rgb_surface_stride = kWidth * kHeight * 4;
        }
        put(fb, hw::Framebuffer{.parameters = p});
        put(fb + hw::Framebuffer::kSize_B, zs);
        put(fb + hw::Framebuffer::kSize_B + hw::ZsCrcExtension::kSize_B, t);
        hw::FramebufferPointer pointer;
        pointer.pointer = fb;
        pointer.render_target_count = 1;
        pointer.zs_crc_extension_present = true;
        uint32_t words_of_pointer[2];
        hw::pack(pointer, words_of_pointer);
        s->fragment_B = uint32_t(words->size() * 8);
        using F = hw::FragmentRegisters;
        words->push_back(op(hw::CsMove{.immediate = uint64_t(words_of_pointer[1]) << 32 | words_of_pointer[0],
                                       .destination = F::framebuffer}));
        words->push_back(op(hw::CsMove{.immediate = uint64_t(kWidth - 1) << 32, .destination = F::scissor}));
        words->push_back(
            op(hw::CsMove32{.immediate = (kWidth - 1) | (kHeight - 1) << 16, .destination = F::scissor + 1}));
        words->push_back(op(hw::CsRunFragment{}));
        words->push_back(op(hw::CsWait{.wait_mask = 4}));
    }

    void restore() {
        std::memcpy(fuzz_host.memory.bytes.data(), image.data(), image.size());
        fuzz_host.questions = 0;
    }
};

}  // namespace terrazzo::mali::sim::testing
