// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects' registers. The compared words come from streams of Mesa 25.0.7's freedreno on
// noop:adreno-630, for our example scenes at 64x64; each has the scene's name next to it.
#include <cmath>

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/state/blend.h"
#include "drivers/adreno/state/depth_stencil.h"
#include "drivers/adreno/state/raster.h"
#include "drivers/adreno/state/sampler.h"
#include "drivers/adreno/state/vertex_layout.h"
#include "drivers/adreno/state/viewport.h"
#include "tests/adreno/driver/decoded.h"
#include "tests/adreno/driver/device_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

/// The registers that a state sets. Fails if the decoder finds a problem.
adreno::decode::Registers registers_of(std::span<const uint32_t> words) {
    const Decoded d = decode_words(words);
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    return d.registers;
}

template <class R>
uint32_t value(const adreno::decode::Registers& r, unsigned element = 0) {
    REQUIRE(r.is_set(R::at(element)));
    return r.get(R::at(element));
}

pipe::BlendDesc blend_all(pipe::BlendOp op, pipe::BlendFactor src, pipe::BlendFactor dst) {
    pipe::BlendDesc d;
    for (auto& t : d.targets)
        t = {.enable = true,
             .op_rgb = op,
             .op_alpha = op,
             .src_rgb = src,
             .dst_rgb = dst,
             .src_alpha = src,
             .dst_alpha = dst};
    return d;
}

}  // namespace

TEST_CASE("blend state: off, only a mask, factors (scene blend)") {
    const auto device = open_adreno();
    const AdrenoBlend off(*device, {});
    auto r = registers_of(off.common.words());
    CHECK(value<hw::RB_MRT_CONTROL>(r) == 0x7e0);
    CHECK(value<hw::SP_BLEND_CNTL>(r) == 0x100);
    CHECK(value<hw::RB_BLEND_CNTL>(r) == 0xffff0000);
    pipe::BlendDesc alpha_alone;
    for (auto& t : alpha_alone.targets)
        t.write_mask = 8;
    r = registers_of(AdrenoBlend(*device, alpha_alone).common.words());
    CHECK(value<hw::RB_MRT_CONTROL>(r) == 0x460);
    using enum pipe::BlendFactor;
    const AdrenoBlend on(*device,
                         blend_all(pipe::BlendOp::ReverseSubtract, SrcAlphaSaturate, OneMinusConstAlpha));
    r = registers_of(on.common.words());
    CHECK(value<hw::RB_MRT_CONTROL>(r) == 0x7e3);
    CHECK(value<hw::RB_MRT_BLEND_CONTROL>(r) == 0x0f500f50);
    CHECK(value<hw::SP_BLEND_CNTL>(r) == 0x101);
    CHECK(value<hw::RB_BLEND_CNTL>(r) == 0xffff0001);
    r = registers_of(AdrenoBlend(*device, blend_all(pipe::BlendOp::Subtract, DstColor, OneMinusConstAlpha))
                         .common.words());
    CHECK(value<hw::RB_MRT_BLEND_CONTROL>(r) == (0x0f200f20 | 0x00080008));
}

TEST_CASE("blend state: several targets, samples, and targets without alpha") {
    const auto device = open_adreno();
    using enum pipe::BlendFactor;
    pipe::BlendDesc d = blend_all(pipe::BlendOp::Add, DstAlpha, SrcAlphaSaturate);
    d.targets[1].enable = false;
    d.alpha_to_coverage = true;
    const AdrenoBlend blend(*device, d);
    CHECK(blend.reads_destination == 0xfd);
    uint32_t words[kMostBlendWords];
    const uint32_t* end = write_blend(blend, {.count = 3, .without_alpha = 4, .sample_mask = 5}, words);
    CHECK(end <= words + kMostBlendWords);
    const auto r = registers_of({words, size_t(end - words)});
    CHECK(value<hw::RB_BLEND_CNTL>(r) == (0x50000 | 1 << 8 | 1 << 10 | 5));
    CHECK(value<hw::RB_MRT_CONTROL>(r, 1) == 0x7e0);
    CHECK(value<hw::RB_MRT_BLEND_CONTROL>(r, 0) == 0x100a100a);
    // Destination alpha is 1. The saturating factor is 0 for colours and 1 for alpha.
    CHECK(value<hw::RB_MRT_BLEND_CONTROL>(r, 2) == 0x01010001);
    CHECK(!r.is_set(hw::RB_MRT_CONTROL::at(3)));
}

TEST_CASE("blend state: the second colour") {
    const auto device = open_adreno();
    using enum pipe::BlendFactor;
    const AdrenoBlend blend(*device, blend_all(pipe::BlendOp::Add, Src1Color, OneMinusSrc1Alpha));
    CHECK(blend.dual_source);
    const auto r = registers_of(blend.common.words());
    CHECK(value<hw::RB_BLEND_CNTL>(r) == (0xffff0000 | 1 << 9 | 1));
    CHECK(value<hw::SP_BLEND_CNTL>(r) == (0x101 | 1 << 9));
    CHECK(value<hw::RB_MRT_BLEND_CONTROL>(r) == 0x17141714);
    // With a program that does not write it.
    uint32_t words[kMostBlendWords];
    const uint32_t* end = write_blend(blend, {.no_second = true}, words);
    const auto without = registers_of({words, size_t(end - words)});
    CHECK(value<hw::RB_BLEND_CNTL>(without) == (0xffff0000 | 1));
    CHECK(value<hw::SP_BLEND_CNTL>(without) == 0x101);
}

TEST_CASE("depth and stencil state: tests and masks (scene stencil); none without an attachment") {
    const auto device = open_adreno();
    pipe::DepthStencilDesc d;
    d.stencil_test = true;
    d.front = {.compare = pipe::Compare::Always, .pass = pipe::StencilOp::Replace};
    d.back = d.front;
    const AdrenoDepthStencil s(*device, d);
    REQUIRE(s.valid());
    CHECK(s.writes(true, true));
    CHECK(!s.writes(true, false));
    auto r = registers_of(s.state(true, true).words());
    // freedreno disables the back face's stencil if it is equal to the front's. Our driver does not.
    constexpr uint32_t kFrontBits = 0x000fff05;
    const uint32_t front = value<hw::RB_STENCIL_CONTROL>(r) & kFrontBits;
    const uint32_t back = value<hw::RB_STENCIL_CONTROL>(r) >> 20;
    CHECK(front == 0x00008705);
    CHECK(back == 0x87);
    CHECK(value<hw::RB_STENCILMASK>(r) == 0xffff);
    CHECK(value<hw::RB_STENCILWRMASK>(r) == 0xffff);
    CHECK(value<hw::GRAS_SU_STENCIL_CNTL>(r) == 1);
    CHECK(value<hw::RB_DEPTH_CNTL>(r) == 0);
    CHECK(value<hw::GRAS_SU_DEPTH_CNTL>(r) == 0);
    r = registers_of(s.state(true, false).words());
    CHECK(value<hw::RB_STENCIL_CONTROL>(r) == 0);
    CHECK(value<hw::GRAS_SU_STENCIL_CNTL>(r) == 0);
}

TEST_CASE("depth and stencil state: depth") {
    const auto device = open_adreno();
    const AdrenoDepthStencil s(
        *device, {.depth_test = true, .depth_write = true, .depth_compare = pipe::Compare::LessEqual});
    auto r = registers_of(s.state(true, false).words());
    CHECK(value<hw::RB_DEPTH_CNTL>(r) == (1 | 2 | 3 << 2 | 1 << 6));
    CHECK(value<hw::GRAS_SU_DEPTH_CNTL>(r) == 1);
    r = registers_of(s.state(false, true).words());
    CHECK(value<hw::RB_DEPTH_CNTL>(r) == 0);
    // Without the test nothing is written (OpenGL ES 3.2 section 15.1.3).
    const AdrenoDepthStencil off(*device, {.depth_write = true});
    CHECK(value<hw::RB_DEPTH_CNTL>(registers_of(off.state(true, true).words())) == 0);
    CHECK(!off.writes(true, true));
}

TEST_CASE("raster state: culling, winding, lines (scenes torus, instances, points_lines)") {
    const auto device = open_adreno();
    const AdrenoRaster plain(*device, {});
    auto r = registers_of(plain.state(false, false, false).words());
    CHECK(value<hw::GRAS_CL_CNTL>(r) == 0x80);
    CHECK(value<hw::GRAS_SU_CNTL>(r) == 0x14);
    CHECK(value<hw::GRAS_SU_POINT_MINMAX>(r) == 0xffc00010);
    CHECK(value<hw::PC_PRIMITIVE_CNTL_0>(r) == 2);
    CHECK(value<hw::VPC_POLYGON_MODE>(r) == 3);
    CHECK(value<hw::PC_POLYGON_MODE>(r) == 3);
    CHECK(value<hw::PC_PRIMITIVE_CNTL_0>(registers_of(plain.state(true, false, false).words())) == 3);
    const AdrenoRaster culled(*device, {.cull = pipe::CullFace::Back});
    CHECK(value<hw::GRAS_SU_CNTL>(registers_of(culled.state(false, true, false).words())) == 0x2016);
    const AdrenoRaster wide(*device, {.line_width_px = 2.5f});
    CHECK(value<hw::GRAS_SU_CNTL>(registers_of(wide.state(false, false, false).words())) == 0x2c);
    // It does not discard if primitives are counted after the discarding stage.
    const AdrenoRaster discards(*device, {.discard = true});
    CHECK(value<hw::PC_RASTER_CNTL>(registers_of(discards.state(false, false, true).words())) == 4);
    CHECK(value<hw::PC_RASTER_CNTL>(registers_of(discards.state(false, false, false).words())) == 0);
    CHECK(value<hw::VPC_UNKNOWN_9107>(registers_of(discards.state(false, false, true).words())) == 1);
    CHECK(value<hw::VPC_UNKNOWN_9107>(registers_of(discards.state(false, false, false).words())) == 0);
}

TEST_CASE("raster state: bias, point sizes, discard, clip control") {
    const auto device = open_adreno();
    const AdrenoRaster s(*device, {.depth_bias = true,
                                   .discard = true,
                                   .program_point_size = false,
                                   .clip_z_zero = true,
                                   .depth_bias_factor = 2,
                                   .depth_bias_units = 3,
                                   .depth_bias_clamp = 4,
                                   .point_size_px = 5});
    const auto r = registers_of(s.state(false, false, true).words());
    CHECK(value<hw::GRAS_SU_CNTL>(r) == (0x14 | 1 << 11));
    CHECK(value<hw::GRAS_SU_POLY_OFFSET_SCALE>(r) == 0x40000000);
    CHECK(value<hw::GRAS_SU_POLY_OFFSET_OFFSET>(r) == 0x40400000);
    CHECK(value<hw::GRAS_SU_POLY_OFFSET_OFFSET_CLAMP>(r) == 0x40800000);
    CHECK(value<hw::GRAS_SU_POINT_MINMAX>(r) == 0x00500050);
    CHECK(value<hw::GRAS_SU_POINT_SIZE>(r) == 0x50);
    CHECK(value<hw::PC_RASTER_CNTL>(r) == 4);
    CHECK(value<hw::VPC_UNKNOWN_9107>(r) == 1);
    CHECK(value<hw::GRAS_CL_CNTL>(r) == 0xc0);
}

TEST_CASE("samplers: filters, wrapping, levels (scene mipmaps)") {
    const auto device = open_adreno();
    const auto colors = std::make_unique<BorderColors>(*device);
    REQUIRE(colors);
    const auto unpacked = [&](const pipe::SamplerDesc& d) {
        uint32_t words[kSampler_dw];
        AdrenoSampler(*colors, d).write(*colors, BorderForm::Float, words);
        hw::TexSamp s;
        CHECK(unpack(words, &s));
        return s;
    };
    using enum pipe::Wrap;
    hw::TexSamp s = unpacked({.wrap_s = MirroredRepeat,
                              .wrap_t = ClampToEdge,
                              .min = pipe::Filter::Linear,
                              .mag = pipe::Filter::Nearest,
                              .mip = pipe::MipFilter::None,
                              .min_lod = 0,
                              .max_lod = 8});
    CHECK(s.xy_mag == hw::TexFilter::A6XX_TEX_NEAREST);
    CHECK(s.xy_min == hw::TexFilter::A6XX_TEX_LINEAR);
    CHECK(s.wrap_s == hw::TexClamp::A6XX_TEX_MIRROR_REPEAT);
    CHECK(s.wrap_t == hw::TexClamp::A6XX_TEX_CLAMP_TO_EDGE);
    CHECK(s.mipfilter_linear_far);
    CHECK(!s.mipfilter_linear_near);
    CHECK(s.max_lod == 8);
    CHECK(!s.chroma_linear);
    s = unpacked({.min = pipe::Filter::Linear, .mag = pipe::Filter::Linear, .mip = pipe::MipFilter::Linear});
    CHECK(s.mipfilter_linear_near);
    CHECK(!s.mipfilter_linear_far);
    CHECK(s.chroma_linear);
    CHECK(s.min_lod == 0);
    CHECK(s.max_lod == doctest::Approx(4095 / 256.0));
    s = unpacked({.min = pipe::Filter::Linear, .max_anisotropy = 9});
    CHECK(s.aniso == hw::TexAniso::A6XX_TEX_ANISO_8);
    CHECK(s.xy_min == hw::TexFilter::A6XX_TEX_ANISO);
    s = unpacked({.compare_enable = true, .compare = pipe::Compare::GreaterEqual});
    CHECK(s.compare_func == hw::CompareFunc::FUNC_GEQUAL);
}

TEST_CASE("samplers: border colours share entries, in each form that formats need") {
    const auto device = open_adreno();
    const auto colors = std::make_unique<BorderColors>(*device);
    REQUIRE(colors);
    CHECK(colors->number({}, BorderForm::Float) == 0);
    const pipe::SamplerDesc d{.wrap_s = pipe::Wrap::ClampToBorder, .border = {1, 0.5f, 0, -1}};
    uint32_t words[kSampler_dw];
    AdrenoSampler(*colors, d).write(*colors, BorderForm::Float, words);
    CHECK((words[2] >> 7) == 1);
    AdrenoSampler(*colors, d).write(*colors, BorderForm::Float, words);
    CHECK((words[2] >> 7) == 1);
    hw::BorderColor e;
    CHECK(unpack(reinterpret_cast<const uint32_t*>(colors->bo()->cpu + 128), &e));
    CHECK(e.fp32[1] == 0x3f000000);
    CHECK(e.fp16[0] == 0x3c00);
    CHECK(e.ui8[0] == 255);
    CHECK(e.ui8[3] == 0);
    CHECK(e.si8[3] == 0x81);
    CHECK(e.rgb565 == (31 | 32 << 5));
    CHECK(e.rgb10a2 == (1023 | 512 << 10));
    pipe::BorderColor integers;
    integers.bits = {300, uint32_t(-300), 7, 1u << 31};
    const uint32_t as_uint8 = colors->number(integers, BorderForm::Uint8),
                   as_int8 = colors->number(integers, BorderForm::Int8);
    CHECK(as_uint8 != as_int8);
    CHECK(unpack(reinterpret_cast<const uint32_t*>(colors->bo()->cpu + as_uint8 * 128), &e));
    CHECK(e.fp16[0] == 255);
    CHECK(e.fp16[2] == 7);
    CHECK(e.fp32[0] == 300);
    CHECK(unpack(reinterpret_cast<const uint32_t*>(colors->bo()->cpu + as_int8 * 128), &e));
    CHECK(e.fp16[1] == 0xff80);
}

TEST_CASE("border colours: if the table is full, the first entry is used") {
    const auto device = open_adreno();
    const auto colors = std::make_unique<BorderColors>(*device);
    REQUIRE(colors);
    for (uint32_t i = 1; i < BorderColors::kMost; ++i)
        CHECK(colors->number({float(i), 0, 0, 0}, BorderForm::Float) == i);
    CHECK(colors->number({-1, 0, 0, 0}, BorderForm::Float) == 0);
    CHECK(colors->number({5, 0, 0, 0}, BorderForm::Float) == 5);
}

TEST_CASE("border forms: selected by the texture's format") {
    CHECK(border_form(pipe::Format::R8G8B8A8_UNORM) == BorderForm::Float);
    CHECK(border_form(pipe::Format::R8G8B8A8_UINT) == BorderForm::Uint8);
    CHECK(border_form(pipe::Format::R16_SINT) == BorderForm::Int16);
    CHECK(border_form(pipe::Format::R32G32_UINT) == BorderForm::Bits32);
    CHECK(border_form(pipe::Format::R10G10B10A2_UINT) == BorderForm::Uint10);
}

TEST_CASE("vertex layouts: inputs of a program, one after another (scene triangle)") {
    const auto device = open_adreno();
    pipe::VertexLayoutDesc d;
    d.count = 4;
    d.elements[0] = {.format = pipe::Format::R32G32_FLOAT, .buffer = 0};
    d.elements[2] = {.format = pipe::Format::R8G8B8A8_UINT, .buffer = 1, .offset_B = 12, .divisor = 3};
    d.elements[3] = {.format = pipe::Format::R32G32B32_FLOAT, .buffer = 1};
    AdrenoVertexLayout layout(*device, d);
    CHECK(layout.unsupported == 0);
    CHECK(layout.buffers == 3);
    const StaticState* s = layout.state(0b1101);
    REQUIRE(s);
    CHECK(layout.state(0b1101) == s);
    auto r = registers_of(s->words());
    CHECK(value<hw::VFD_DECODE_INSTR>(r, 0) == 0xc6700000);
    CHECK(value<hw::VFD_DECODE_INSTR>(r, 2) == 0xc7400001);
    CHECK(value<hw::VFD_DECODE_STEP_RATE>(r, 0) == 1);
    CHECK(value<hw::VFD_DECODE_STEP_RATE>(r, 1) == 3);
    hw::VFD_DECODE_INSTR decode;
    const uint32_t word = value<hw::VFD_DECODE_INSTR>(r, 1);
    CHECK(unpack(&word, &decode));
    CHECK(decode.instanced);
    CHECK(!decode.float_);
    CHECK(decode.offset == 12);
    // A location without a format, and one without a buffer.
    const StaticState* missing = layout.state(0b1010, 0b1000);
    REQUIRE(missing);
    CHECK(missing != s);
    r = registers_of(missing->words());
    for (unsigned i = 0; i < 2; ++i) {
        const uint32_t w = value<hw::VFD_DECODE_INSTR>(r, i);
        CHECK(unpack(&w, &decode));
        CHECK(decode.idx == kMissingSlot);
        CHECK(decode.format == hw::Format::FMT6_32_32_32_32_FLOAT);
    }
}

TEST_CASE("fetch slots: one packet for all buffers, and the missing one") {
    uint32_t words[kMostFetchWords];
    const FetchSlot slots[] = {{0x100009000, 0x100000, 8}, {0x100009018, 0xfffe8, 12}};
    const uint32_t* end = write_fetch_slots(slots, 0x1234560, words);
    CHECK(end == words + 1 + 8 + 1 + 4);
    const auto r = registers_of({words, size_t(end - words)});
    CHECK(value<hw::VFD_FETCH_BASE>(r, 1) == 0x9018);
    CHECK(value<hw::VFD_FETCH_SIZE>(r, 1) == 0xfffe8);
    CHECK(value<hw::VFD_FETCH_STRIDE>(r, 1) == 12);
    CHECK(value<hw::VFD_FETCH_SIZE>(r, kMissingSlot) == 16);
    CHECK(value<hw::VFD_FETCH_STRIDE>(r, kMissingSlot) == 0);
}

TEST_CASE("viewports: scissor and guard band (scenes triangle, render_to_texture)") {
    uint32_t words[kMostViewportWords];
    const uint32_t* end = write_viewport({{32, -32, 0.5f}, {32, 32, 0.5f}}, words);
    CHECK(end <= words + kMostViewportWords);
    auto r = registers_of({words, size_t(end - words)});
    CHECK(value<hw::GRAS_CL_GUARDBAND_CLIP_ADJ>(r) == 0x7fdff);
    CHECK(value<hw::GRAS_CL_VPORT_YSCALE>(r) == 0xc2000000);
    CHECK(value<hw::GRAS_SC_VIEWPORT_SCISSOR_TL>(r) == 0);
    CHECK(value<hw::GRAS_SC_VIEWPORT_SCISSOR_BR>(r) == 0x3f003f);
    end = write_viewport({{16, -16, 0.5f}, {32, 48, 0.5f}}, words);
    r = registers_of({words, size_t(end - words)});
    CHECK(value<hw::GRAS_SC_VIEWPORT_SCISSOR_TL>(r) == 0x200010);
    CHECK(value<hw::GRAS_SC_VIEWPORT_SCISSOR_BR>(r) == 0x3f002f);
}

TEST_CASE("guard band: never wider than the coordinates' range") {
    // For 8192 px from 0 on: (32767 - 4096) / 4096 = 6.9997. Of a mantissa from 1 to 2, 6 fraction bits are
    // kept.
    CHECK(guard_band(4096, 4096) == (2u << 6 | 47));
    CHECK(guard_band(8192, 8192) == (1u << 6 | 31));
    CHECK(guard_band(32, 0) == 511);
    CHECK(guard_band(32, NAN) == 511);
}

TEST_CASE("scissors: inclusive ends; an empty one discards everything") {
    uint32_t words[kMostScissorWords];
    write_scissor({0, 0, 64, 48}, words);
    CHECK(words[1] == 0);
    CHECK(words[2] == (47u << 16 | 63));
    for (const pipe::Scissor& s :
         {pipe::Scissor{5, 5, 5, 9}, {7, 0, 3, 9}, {-9, 0, 0, 9}, {0, 20000, 9, 20001}}) {
        write_scissor(s, words);
        CHECK(words[1] == (1u << 16 | 1));
        CHECK(words[2] == 0);
    }
    write_scissor({-5, -5, 1 << 30, 1 << 30}, words);
    CHECK(words[1] == 0);
    CHECK(words[2] == (16383u << 16 | 16383));
}

TEST_CASE("sample mask: coverage and mask together") {
    CHECK(sample_mask(4, 1, false, ~0u) == kAllSamples);
    CHECK(sample_mask(4, 0.5f, false, ~0u) == 3);
    CHECK(sample_mask(4, 0.5f, true, ~0u) == 12);
    CHECK(sample_mask(4, 1, false, 5) == 5);
    CHECK(sample_mask(4, 0, false, ~0u) == 0);
}
