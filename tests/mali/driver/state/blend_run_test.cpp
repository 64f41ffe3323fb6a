// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending on the virtual GPU: descriptors and compiled blend shaders in draws of one-pixel triangles, each
// with its own source and destination, compared with pipe/raster/blend.h.
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/images/target.h"
#include "shaders/ir/builder.h"
#include "tests/mali/driver/device_fixture.h"
#include "tests/mali/driver/state/blend_cases.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::testing;
using sim::JobStatus;
using sim::testing::Vertex;

namespace {

constexpr unsigned kSide_px = 12, kPixels = kSide_px * kSide_px;
using Colors = std::array<Color, kPixels>;

std::vector<Vertex> small_triangles(const Colors& colors) {
    std::vector<Vertex> v;
    for (unsigned i = 0; i < kPixels; ++i) {
        const auto x = float(i % kSide_px), y = float(i / kSide_px);
        for (const auto& [dx, dy] : {std::pair{.25f, .25f}, {.875f, .25f}, {.25f, .875f}}) {
            const Color& c = colors[i];
            v.push_back({{x + dx, y + dy, .5f, 1}, {c[0], c[1], c[2], c[3]}});
        }
    }
    return v;
}

struct Runner : sim::testing::DrawFixture {
    pipe::Ref<Device> device = terrazzo::test::open_device("noop:mali-g610");
    BlendShaders shaders{*device};
    compiler::Info info;
    uint64_t first_free = 0;
    std::vector<uint8_t> fresh_heap;

    // The source is the shader's input. The second source has its channels in reverse order.
    Runner() {
        ir::Shader s(ir::Stage::Fragment);
        ir::Builder b(s);
        for (unsigned c = 0; c < 4; ++c) {
            ir::Value* v =
                b.load_input(ir::Type::F32, unsigned(ir::VaryingSlot::Varying0), c, ir::Interp::Flat);
            b.store_output(unsigned(ir::FragSlot::Color0), c, v);
            b.store_output(unsigned(ir::FragSlot::Second), 3 - c, v);
        }
        const compiler::Binary binary = compiler::compile(s, compiler::Part::Fragment);
        REQUIRE(binary.error == "");
        info = binary.info;
        REQUIRE(info.second_color);
        hw::ShaderProgram p;
        p.stage = hw::ShaderStage::Fragment;
        p.preload = uint32_t(info.preload >> 48);
        p.register_allocation = info.work_registers == 32 ? hw::ShaderRegisterAllocation::N32PerThread
                                                          : hw::ShaderRegisterAllocation::N64PerThread;
        p.binary = place(binary.code.data(), binary.code.size() * 8);
        set(hw::IdvsRegisters::fragment_spd, place(p));
        fresh_heap.assign(at(heap_descriptor), at(heap_descriptor) + hw::TilerHeap::kSize_B);
        host.grown = room(1 << 20);
        first_free = next;
    }

    void draw_with(const uint32_t* blend, const Colors& colors) {
        set(hw::IdvsRegisters::blend, place(blend, 16) | 1);
        vertices(small_triangles(colors));
        const JobStatus drawn = draw();
        INFO(fault.report);
        REQUIRE(drawn == JobStatus::Done);
    }

    bool run(const pipe::BlendTargetDesc& t, const BlendCase& c, const Color& constant, const Colors& source,
             const Colors& dest, Colors* out) {
        next = first_free;
        std::memcpy(at(heap_descriptor), fresh_heap.data(), fresh_heap.size());
        const uint64_t chunks = host.grown;
        host.chunks_left = 16;
        new_frame();
        pipe::BlendDesc d;
        uint32_t words[4];
        (void)write_blend(shaders, MaliBlend(d), std::span(&c.format, 1), 1, constant.data(), info, words);
        draw_with(words, dest);
        d.targets[0] = t;
        const BlendSummary sum =
            write_blend(shaders, MaliBlend(d), std::span(&c.format, 1), 1, constant.data(), info, words);
        if (sum.has_shader) {  // the same code at this memory's address
            const BlendKey key = key_of(t, c, 0);
            compiler::BlendTarget there;
            hw::pack(blend_conversion(c.format, false, false), &there.conversion);
            const compiler::Binary binary = compiler::compile_blend(*blend::create_shader(key.blend), there);
            REQUIRE(binary.error == "");
            std::vector<uint32_t> fau(kColorAt_dw + 4);
            std::memcpy(&fau[kColorAt_dw], constant.data(), 16);
            set(hw::IdvsRegisters::fragment_fau, place(fau.data(), fau.size() * 4) | uint64_t(fau.size() / 2)
                                                                                         << 56);
            hw::InternalBlend b;
            b.mode = hw::BlendMode::Shader;
            b.pc = uint32_t(place(binary.code.data(), binary.code.size() * 8));
            hw::pack(b, words + 2);
        }
        draw_with(words, source);
        const hw::FormatRow& row = *hw::format_row(c.format);
        const pipe::FormatInfo& format = pipe::format_info(c.format);
        const uint64_t pixels = room(kWidth * kHeight * format.block_B);
        hw::RenderTarget target = linear_target(pixels);
        target.internal_format = row.internal;
        target.writeback_format = row.writeback;
        target.srgb = format.is_srgb;
        target.rgb_row_stride = kWidth * format.block_B;
        hw::Channel from[4] = {hw::Channel::One, hw::Channel::One, hw::Channel::One, hw::Channel::One};
        for (unsigned i = 0; i < format.channel_count && row.is_blendable(); ++i)
            if (const char* at = std::strchr("RGBA", format.channel[i].letter))
                from[i] = hw::Channel(at - "RGBA");
        if (row.is_blendable()) target.swizzle = hw::component_swizzle(from[0], from[1], from[2], from[3]);
        const JobStatus done = fragment(parameters(), target);
        INFO(fault.report);
        REQUIRE(done == JobStatus::Done);
        host.grown = chunks;
        for (unsigned i = 0; i < kPixels; ++i)
            pipe::unpack_rgba_f32(c.format, (*out)[i].data(),
                                  this->at(pixels) + (i / kSide_px * kWidth + i % kSide_px) * format.block_B,
                                  1);
        return sum.has_shader;
    }
};

}  // namespace

TEST_CASE("mali blend: on the virtual GPU") {
    Runner runner;
    std::mt19937 random(17);
    for (const BlendCase& c : kBlendCases) {
        unsigned shaded = 0, fixed = 0;
        for_each_equation(random, 71, [&](const pipe::BlendTargetDesc& t) {
            const uint8_t stored = blend::stored_channels(c.format);
            if (!(t.write_mask & stored)) return;
            const Color constant = random() % 2 ? random_color(random, c, 0) : Color{.6f, .6f, .6f, .6f};
            const std::string text = text_of(t, c);
            CAPTURE(text);
            Colors source, dest, got;
            for (unsigned i = 0; i < kPixels; ++i) {
                source[i] = random_color(random, c, i);
                dest[i] = random_color(random, c, i + 1);
            }
            ++(runner.run(t, c, constant, source, dest, &got) ? shaded : fixed);
            for (unsigned i = 0; i < kPixels; ++i) {
                const Color& s = source[i];
                const Color there = through(c, dest[i]), second{s[3], s[2], s[1], s[0]};
                const Color expected = expected_pixel(t, c, constant, s, there, second);
                if (!near(c, expected, got[i], stored))
                    FAIL_CHECK(color_text(expected), " got ", color_text(got[i]), " source ", color_text(s),
                               " dest ", color_text(there));
            }
        });
        CAPTURE(pipe::format_name(c.format));
        CHECK(shaded > 10);
        CHECK((fixed > 10 || !blender_has(c)));
    }
}
