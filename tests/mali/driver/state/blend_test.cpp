// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending: descriptors through the virtual GPU's blender, blend shaders in the interpreter, all equations
// compared with pipe/raster/blend.h; and the values that a draw gets.
#include "tests/mali/driver/state/blend_cases.h"

#include "drivers/mali/sim/fragment/blend.h"
#include "shaders/ir/interp.h"
#include "shaders/ir/validate.h"
#include "tests/mali/driver/device_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::testing;
using pipe::BlendFactor;
using pipe::BlendOp;

namespace {

struct Blender {
    pipe::Ref<Device> device = test::open_device("noop:mali-g610");
    BlendShaders shaders{*device};
    uint32_t words[8 * 4] = {};

    BlendSummary write(const pipe::BlendDesc& d, std::span<const pipe::Format> formats,
                       const Color& constant = {}, uint32_t colors = 255, uint32_t colors_read = 0) {
        const MaliBlend blend(d);
        compiler::Info info;
        info.colors = colors;
        info.colors_read = colors_read;
        return write_blend(shaders, blend, formats, 1, constant.data(), info, words);
    }
    hw::Blend at(unsigned target) const {
        hw::Blend b;
        fields::ReservedBits found;
        REQUIRE(hw::unpack(words + 4 * target, &b, &found));
        return b;
    }
};

pipe::BlendDesc desc_of(const pipe::BlendTargetDesc& t) {
    pipe::BlendDesc d;
    d.targets.fill(t);
    return d;
}

constexpr unsigned kPixels = 12;

// The interpreter's result for some pixels.
class Pixels : public ir::InterpEnv {
  public:
    std::array<Color, kPixels> source{}, second{}, dest{}, out{};
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* to) override {
        const bool first = io.slot == unsigned(ir::VaryingSlot::Varying0);
        for (unsigned i = 0; i < kPixels; ++i)
            to[i] = std::bit_cast<uint32_t>((first ? source : second)[i][io.component]);
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* to) override {
        REQUIRE(s == ir::Sysval::LastColor0);
        for (unsigned i = 0; i < kPixels; ++i)
            to[i] = std::bit_cast<uint32_t>(dest[i][component]);
    }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask, const uint32_t* value) override {
        for (unsigned i = 0; i < kPixels; ++i)
            out[i][io.component] = std::bit_cast<float>(value[i]);
    }
    void tex(ir::InterpTex&) override {}
};

}  // namespace

// Mesa 25.0.7, src/panfrost/lib/tests/test-blend.c: all thirteen. The words are its `hardware` ones or those
// that it calls equivalent.
TEST_CASE("mali blend: equations as Mesa packs them") {
    using enum BlendFactor;
    const auto both = [](BlendOp op, BlendFactor s, BlendFactor d, uint8_t mask = 15) {
        return pipe::BlendTargetDesc{true, op, op, s, d, s, d, mask};
    };
    const auto mixed = [](BlendFactor s, BlendFactor d) {
        return pipe::BlendTargetDesc{true, BlendOp::Add, BlendOp::Add, One, Zero, s, d, 12};
    };
    const struct {
        pipe::BlendTargetDesc desc;
        bool reads, opaque, zero_keeps, one_replaces;
        uint32_t word;
    } rows[] = {
        {{}, false, true, false, false, 0xf0122122},
        {both(BlendOp::Add, SrcAlpha, OneMinusSrcAlpha), true, false, true, true, 0xf0503503},
        {both(BlendOp::Add, One, One), true, false, false, false, 0xf0932932},
        {both(BlendOp::Add, SrcAlpha, One), true, false, true, false, 0xf0523523},
        {both(BlendOp::Subtract, One, One), true, false, false, false, 0xf09b29b2},
        {both(BlendOp::Subtract, SrcAlpha, One), true, false, false, false, 0xf052b52b},
        {both(BlendOp::Add, Zero, SrcColor), true, false, false, false, 0xf0231231},
        {{.write_mask = 3}, true, false, false, false, 0x30122122},
        {both(BlendOp::Add, Zero, SrcColor, 10), true, false, false, false, 0xa0231231},
        {both(BlendOp::Add, DstColor, SrcColor), true, false, false, false, 0xf0431431},
        {mixed(DstColor, SrcColor), true, false, false, false, 0xc0431122},
        {mixed(DstAlpha, SrcColor), true, false, false, false, 0xc0431122},
        {mixed(DstAlpha, SrcAlpha), true, false, false, false, 0xc0431122},
    };
    for (const auto& row : rows) {
        CAPTURE(row.word);
        const MaliBlend b(desc_of(row.desc));
        for (unsigned t = 0; t < pipe::kMaxColorTargets; ++t) {
            const BlendForm& f = b.forms[t][1];
            const uint8_t mask = b.desc.targets[t].write_mask;
            CHECK(f.equation == row.word);
            CHECK(f.fixed_function);
            CHECK((f.replaces && mask == 15) == row.opaque);
            CHECK((mask && (f.reads_destination || mask != 15)) == row.reads);
            CHECK(f.constants == 0);
        }
        CHECK(b.forms[0][1].alpha_zero_keeps == row.zero_keeps);
        CHECK(b.forms[0][1].alpha_one_replaces == row.one_replaces);
    }
}

TEST_CASE("mali blend: every equation, in the blender if it has it, otherwise in a shader's IR") {
    Blender blender;
    std::mt19937 random(11);
    unsigned fixed = 0, shaded = 0;
    for (const BlendCase& c : kBlendCases)
        for_each_equation(random, 1, [&](const pipe::BlendTargetDesc& t) {
            const Color constant = random() % 2 ? random_color(random, c, 0) : Color{.6f, .6f, .6f, .6f};
            const std::string text = text_of(t, c);
            CAPTURE(text);
            const uint8_t stored = blend::stored_channels(c.format);
            const BlendKey key = key_of(t, c, 0);
            const BlendSummary sum = blend::simplify(t, pipe::format_info(c.format).has_alpha).second_source
                                         ? BlendSummary{.has_shader = true}
                                         : blender.write(desc_of(t), std::span(&c.format, 1), constant);
            if (!key.blend.write_mask) {
                if (!sum.has_shader) CHECK(blender.at(0).internal.mode == hw::BlendMode::Off);
                CHECK(sum.targets_written == 0);
                return;
            }
            Pixels p;
            std::array<uint32_t, kColorAt_dw + 4> uniforms{};
            for (unsigned k = 0; k < 4; ++k)
                uniforms[kColorAt_dw + k] = std::bit_cast<uint32_t>(constant[k]);
            p.uniforms = uniforms;
            for (unsigned i = 0; i < kPixels; ++i) {
                p.source[i] = random_color(random, c, i);
                p.second[i] = random_color(random, c, i + 1);
                p.dest[i] = through(c, random_color(random, c, i + 2));
            }
            if (sum.has_shader) {
                const auto s = blend::create_shader(key.blend);
                const auto program = ir::InterpProgram::create(*s, kPixels);
                ir::InterpState state(*program);
                REQUIRE(ir::run(*program, state, p, (1u << kPixels) - 1, 1000) == ir::InterpStatus::Done);
                ++shaded;
            } else if (!blender_has(c)) {
                CHECK(blender.at(0).internal.mode == hw::BlendMode::Opaque);
                return;
            } else {
                ++fixed;
            }
            for (unsigned i = 0; i < kPixels; ++i) {
                const Color expected = expected_pixel(t, c, constant, p.source[i], p.dest[i], p.second[i]);
                const Color got = sum.has_shader ? through(c, p.out[i])
                                                 : by_blender(blender.at(0), c, p.source[i], p.dest[i]);
                if (!near(c, expected, got, stored))
                    FAIL_CHECK(color_text(expected), " got ", color_text(got), " source ",
                               color_text(p.source[i]), " dest ", color_text(p.dest[i]));
            }
        });
    CHECK(fixed > 2000);
    CHECK(shaded > 2000);
}

TEST_CASE("mali blend: all blend colours use the same shader") {
    using enum BlendFactor;
    Blender b;
    const pipe::Format rgba[] = {pipe::Format::R8G8B8A8_UNORM};
    const pipe::BlendDesc d =
        desc_of({true, BlendOp::Add, BlendOp::Add, ConstColor, Zero, ConstColor, Zero, 15});
    const BlendSummary one = b.write(d, rgba, {.1f, .2f, .3f, .4f});
    const hw::Blend first = b.at(0);
    CHECK(one.has_shader);
    CHECK(one.shader_takes_color);
    CHECK(b.write(d, rgba, {.4f, .3f, .2f, .1f}) == one);
    CHECK(b.at(0).internal.pc == first.internal.pc);
    CHECK_FALSE(b.write(d, rgba, {.5f, .5f, .5f, .5f}).shader_takes_color);  // the blender has the colour
    compiler::Info info;
    CHECK(blend_color_at_dw(info) == 0);
    info.fau.resize(2);
    CHECK(blend_color_at_dw(info) == 16);
    info.fau.resize(compiler::kMaxUniformWords);
    CHECK(blend_color_at_dw(info) == compiler::kMaxUniformWords);
}

TEST_CASE("mali blend: which equations need a shader") {
    using enum BlendFactor;
    Blender b;
    const pipe::Format rgba[] = {pipe::Format::R8G8B8A8_UNORM};
    const auto target = [](BlendFactor s, BlendFactor d) {
        return desc_of({true, BlendOp::Add, BlendOp::Add, s, d, s, d, 15});
    };
    // The blend colour, if it is one number in all channels that matter.
    const pipe::BlendDesc by_constant = target(ConstColor, OneMinusConstColor);
    CHECK_FALSE(b.write(by_constant, rgba, {.5f, .5f, .5f, .5f}).has_shader);
    CHECK(b.at(0).constant == 128 << 8);
    CHECK(b.at(0).internal.mode == hw::BlendMode::FixedFunction);
    CHECK(b.write(by_constant, rgba, {.5f, .5f, .4f, .5f}).has_shader);
    CHECK(b.at(0).internal.mode == hw::BlendMode::Shader);
    CHECK(b.write(by_constant, rgba, {.5f, .5f, .5f, .4f}).has_shader);
    pipe::BlendDesc no_blue = by_constant;
    no_blue.targets[0].write_mask = 11;
    CHECK_FALSE(b.write(no_blue, rgba, {.5f, .5f, .4f, .5f}).has_shader);
    CHECK_FALSE(b.write(target(ConstAlpha, Zero), rgba, {1, 0, 0, 2}).has_shader);
    CHECK(b.at(0).constant == 255 << 8);
    // Formats.
    const pipe::Format floats[] = {pipe::Format::R16G16B16A16_FLOAT};
    CHECK(b.write(target(SrcAlpha, OneMinusSrcAlpha), floats).has_shader);
    CHECK_FALSE(b.write({}, floats).has_shader);
    CHECK(b.at(0).internal.mode == hw::BlendMode::Opaque);
    CHECK(b.at(0).internal.conversion.memory_format == hw::format_row(floats[0])->pixel_format);
    pipe::BlendDesc masked;
    masked.targets[0].write_mask = 7;
    CHECK(b.write(masked, floats).has_shader);
    const BlendSummary sum = b.write(masked, rgba);
    CHECK_FALSE(sum.has_shader);
    CHECK(sum.reads_destination);
    CHECK_FALSE(sum.replaces_all);
    CHECK(b.at(0).load_destination);
    CHECK(b.at(0).equation.color_mask == 7);
    // The same key gives the same code.
    (void)b.write(target(SrcAlphaSaturate, One), rgba);
    const uint32_t pc = b.at(0).internal.pc;
    CHECK(pc != 0);
    (void)b.write(target(SrcAlphaSaturate, Zero), rgba);
    CHECK(b.at(0).internal.pc != pc);
    (void)b.write(target(SrcAlphaSaturate, One), rgba, {.1f, .2f, .3f, .4f});
    CHECK(b.at(0).internal.pc == pc);
}

TEST_CASE("mali blend: the values that a draw gets") {
    Blender b;
    using pipe::Format;
    // No attachments: one disabled descriptor.
    BlendSummary s = b.write({}, {});
    CHECK(s.targets_written == 0);
    CHECK(b.at(0).internal.mode == hw::BlendMode::Off);
    CHECK_FALSE(b.at(0).enable);
    // A missing target, a target that the shader does not write, a target whose mask is 0.
    const Format formats[] = {Format::R8G8B8A8_UNORM, Format::None, Format::B5G6R5_UNORM};
    s = b.write({}, formats);
    CHECK(s.targets_written == 5);
    CHECK(s.replaces_all);
    CHECK_FALSE(s.reads_destination);
    CHECK(b.at(1).internal.mode == hw::BlendMode::Off);
    CHECK(b.at(2).internal.rt == 2);
    s = b.write({}, formats, {}, 1);
    CHECK(s.targets_written == 1);
    CHECK_FALSE(s.replaces_all);
    CHECK(b.at(2).internal.mode == hw::BlendMode::Off);
    pipe::BlendDesc d;
    d.targets[0].write_mask = 0;
    s = b.write(d, formats);
    CHECK(s.targets_written == 4);
    CHECK_FALSE(s.replaces_all);
    // Without alpha the mask of alpha has no effect.
    const Format no_alpha[] = {Format::R8G8B8X8_UNORM};
    d.targets[0].write_mask = 7;
    s = b.write(d, no_alpha);
    CHECK(s.replaces_all);
    CHECK(b.at(0).internal.mode == hw::BlendMode::Opaque);
    d.targets[0].write_mask = 8;
    CHECK(b.write(d, no_alpha).targets_written == 0);
    // A shader that reads the destination.
    s = b.write({}, no_alpha, {}, 1, 1);
    CHECK(s.reads_destination);
    CHECK_FALSE(s.replaces_all);
    // Flags.
    const Format srgb[] = {Format::R8G8B8A8_SRGB};
    d = {};
    d.alpha_to_one = true;
    d.dither = false;
    (void)b.write(d, srgb);
    CHECK(b.at(0).srgb);
    CHECK(b.at(0).alpha_to_one);
    CHECK(b.at(0).round_to_fb_precision);
    CHECK(b.at(0).internal.num_comps == 4);
    CHECK(b.at(0).internal.conversion.register_format == hw::RegisterFileFormat::F32);
    // Alpha follows target 0.
    const Format rgba[] = {Format::R8G8B8A8_UNORM};
    const pipe::BlendDesc over =
        desc_of({true, BlendOp::Add, BlendOp::Add, BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha,
                 BlendFactor::One, BlendFactor::OneMinusSrcAlpha, 15});
    s = b.write(over, rgba);
    CHECK(s.alpha_zero_keeps);
    CHECK(s.alpha_one_replaces);
    s = b.write(over, rgba, {}, 255, 1);  // a shader reads the destination and therefore needs it
    CHECK(s.alpha_zero_keeps);
    CHECK_FALSE(s.alpha_one_replaces);
    const Format two[] = {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM};
    s = b.write(over, two);
    CHECK_FALSE(s.alpha_zero_keeps);
    CHECK_FALSE(s.alpha_one_replaces);
}
