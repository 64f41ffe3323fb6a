// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Simplified blend equations, and blend equations as shaders. Shaders for all equations, also for the
// advanced ones in fragment shaders, run in the interpreter and are compared with pipe/raster/blend.h.
#include <bit>

#include "drivers/common/blend/advanced.h"
#include "drivers/common/blend/shader.h"
#include "shaders/ir/interp.h"
#include "shaders/ir/validate.h"
#include "tests/common/blend/cases.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::BlendFactor;
using pipe::BlendOp;

namespace {

constexpr unsigned kPixels = 12;
constexpr uint8_t kColorAt_dw = 4;

class Pixels : public ir::InterpEnv {
  public:
    std::array<Color, kPixels> source{}, second{}, dest{}, out{};
    std::array<uint32_t, kPixels> sample{};
    ir::InterpMask discarded = 0;
    bool read_dest = false, read_second = false;
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* to) override {
        const bool first = io.slot == unsigned(ir::VaryingSlot::Varying0);
        read_second |= !first;
        for (unsigned i = 0; i < kPixels; ++i)
            to[i] = std::bit_cast<uint32_t>((first ? source : second)[i][io.component]);
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* to) override {
        if (s == ir::Sysval::SampleId) {
            std::copy(sample.begin(), sample.end(), to);
            return;
        }
        REQUIRE(s == ir::Sysval::LastColor0);
        read_dest = true;
        for (unsigned i = 0; i < kPixels; ++i)
            to[i] = std::bit_cast<uint32_t>(dest[i][component]);
    }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask, const uint32_t* value) override {
        for (unsigned i = 0; i < kPixels; ++i)
            out[i][io.component] = std::bit_cast<float>(value[i]);
    }
    void tex(ir::InterpTex&) override {}

    void run(const ir::Shader& shader, const Color& constant) {
        std::array<uint32_t, kColorAt_dw + 4> words{};
        for (unsigned k = 0; k < 4; ++k)
            words[kColorAt_dw + k] = std::bit_cast<uint32_t>(constant[k]);
        uniforms = words;
        const auto program = ir::InterpProgram::create(shader, kPixels);
        ir::InterpState state(*program);
        REQUIRE(ir::run(*program, state, *this, (1u << kPixels) - 1, 1000) == ir::InterpStatus::Done);
        discarded = state.discarded();
        uniforms = {};
    }
};

blend::Equation colour(BlendOp op, BlendFactor src, BlendFactor dst, bool has_alpha = true,
                       uint8_t mask = 15) {
    return blend::simplify({true, op, op, src, dst, src, dst, mask}, has_alpha);
}

}  // namespace

TEST_CASE("blend: properties of an equation") {
    using enum BlendFactor;
    const blend::Equation off = blend::simplify({}, true);
    CHECK(off.replaces);
    CHECK(!off.reads_destination);
    CHECK(off.desc.enable);
    CHECK(off.desc.src_rgb == One);
    CHECK(off.desc.dst_rgb == Zero);

    const blend::Equation over = colour(BlendOp::Add, SrcAlpha, OneMinusSrcAlpha);
    CHECK(over.reads_destination);
    CHECK(over.alpha_zero_keeps);
    CHECK(over.alpha_one_replaces);
    CHECK(over.constants == 0);

    // In a format without alpha, destination alpha is 1.
    const blend::Equation by_alpha = colour(BlendOp::Add, DstAlpha, OneMinusDstAlpha, false);
    CHECK(by_alpha.replaces);
    CHECK(colour(BlendOp::Add, DstAlpha, OneMinusDstAlpha).reads_destination);

    CHECK(colour(BlendOp::Add, ConstColor, Zero).constants == 15);
    CHECK(colour(BlendOp::Add, ConstAlpha, Zero).constants == 8);
    CHECK(colour(BlendOp::Add, ConstColor, Zero, true, 3).constants == 3);
    CHECK(colour(BlendOp::Max, ConstColor, ConstColor).constants == 0);
    CHECK(colour(BlendOp::Max, Zero, Zero).reads_destination);
    CHECK(colour(BlendOp::Add, One, Src1Alpha).second_source);
    CHECK(!colour(BlendOp::Min, One, Src1Alpha).second_source);
    CHECK(!colour(BlendOp::Add, SrcAlpha, One).alpha_one_replaces);
    CHECK(colour(BlendOp::Add, SrcAlpha, One).alpha_zero_keeps);
    CHECK(!colour(BlendOp::Subtract, SrcAlpha, One).alpha_zero_keeps);
}

TEST_CASE("blend: factors that are constant") {
    using enum BlendFactor;
    CHECK(blend::factor_value(OneMinusSrcColor, false) == SrcColor);
    CHECK(blend::factor_value(OneMinusSrcColor, true) == SrcAlpha);
    CHECK(blend::factor_value(ConstColor, true) == ConstAlpha);
    CHECK(blend::factor_value(One, false) == Zero);
    CHECK(blend::factor_value(SrcAlphaSaturate, false) == SrcAlphaSaturate);
    CHECK(blend::is_one_minus(One));
    CHECK(blend::is_one_minus(OneMinusSrc1Alpha));
    CHECK(!blend::is_one_minus(SrcAlphaSaturate));
    CHECK(blend::stored_channels(pipe::Format::R8G8_UNORM) == 3);
    CHECK(blend::stored_channels(pipe::Format::R8G8B8X8_UNORM) == 7);
    CHECK(blend::stored_channels(pipe::Format::None) == 0);
}

TEST_CASE("blend: every equation as a shader") {
    std::mt19937 random(12);
    unsigned shaded = 0;
    for (const BlendCase& c : kBlendCases)
        for_each_equation(random, 1, [&](const pipe::BlendTargetDesc& t) {
            const std::string text = text_of(t, c);
            CAPTURE(text);
            const uint8_t stored = blend::stored_channels(c.format);
            const blend::Equation e = blend::simplify(t, pipe::format_info(c.format).has_alpha);
            const auto shader = blend::create_shader({.desc = e.desc,
                                                      .format = c.format,
                                                      .write_mask = uint8_t(t.write_mask & stored),
                                                      .has_second = true,
                                                      .color_at_dw = kColorAt_dw});
            CHECK(ir::validate(*shader) == "");
            const Color constant = random_color(random, c, 0);
            Pixels p;
            for (unsigned i = 0; i < kPixels; ++i) {
                p.source[i] = random_color(random, c, i);
                p.second[i] = random_color(random, c, i + 1);
                p.dest[i] = through(c, random_color(random, c, i + 2));
            }
            p.run(*shader, constant);
            // The properties of the equation must hold for the shader.
            if (p.read_second) CHECK(e.second_source);
            if (p.read_dest) CHECK((e.reads_destination || (t.write_mask & stored) != stored));
            for (unsigned i = 0; i < kPixels; ++i) {
                const Color expected = expected_pixel(t, c, constant, p.source[i], p.dest[i], p.second[i]);
                const Color got = through(c, p.out[i]);
                if (!near(c, expected, got, stored))
                    FAIL_CHECK(color_text(expected), " got ", color_text(got), " source ",
                               color_text(p.source[i]), " dest ", color_text(p.dest[i]));
            }
            shaded++;
        });
    CHECK(shaded > 20000);
}

TEST_CASE("blend: alpha to one, and no second source") {
    using enum BlendFactor;
    const BlendCase& c = kBlendCases[0];
    const blend::Equation e = colour(BlendOp::Add, SrcAlpha, Src1Color);
    const auto shader = blend::create_shader(
        {.desc = e.desc, .format = c.format, .write_mask = 15, .alpha_to_one = true, .has_second = false});
    Pixels p;
    p.source.fill({.5f, .25f, 1, .5f});
    p.dest.fill({1, 1, 1, 1});
    p.run(*shader, {});
    CHECK(!p.read_second);
    CHECK(near(c, through(c, p.out[0]), through(c, {.5f, .25f, 1, 1}), 15));
}

namespace {

/// Stores the source's colour unchanged. Its red is the result of an if.
std::unique_ptr<ir::Shader> source_shader(ir::Type type = ir::Type::F32) {
    auto s = std::make_unique<ir::Shader>(ir::Stage::Fragment);
    ir::Builder b(*s);
    constexpr auto kColor = unsigned(ir::FragSlot::Color0);
    ir::Value* v[4];
    for (unsigned c = 0; c < 4; ++c)
        v[c] = b.load_input(type, unsigned(ir::VaryingSlot::Varying0), c);
    for (unsigned c = 1; c < 4; ++c)
        b.store_output(kColor, c, v[c]);
    if (type != ir::Type::F32) return s;
    ir::Instr* const branch = b.begin_if(b.alu(ir::Op::FLt, v[0], v[1]));
    for (ir::Region* arm : {branch->regions[0], branch->regions[1]}) {
        ir::Builder in(*s, arm);
        in.store_output(kColor, 0, v[0]);
        in.yield();
    }
    return s;
}

}  // namespace

TEST_CASE("blend: every advanced equation in a fragment shader") {
    std::mt19937 random(34);
    for (const BlendCase& c : kBlendCases)
        for (unsigned e = 1; e <= unsigned(pipe::AdvancedBlend::HslLuminosity); ++e) {
            pipe::BlendTargetDesc t;
            t.enable = true;
            t.advanced = pipe::AdvancedBlend(e);
            CAPTURE(e);
            CAPTURE(pipe::format_name(c.format));
            const auto shader = source_shader();
            CHECK(blend::blend_advanced(
                *shader, {.equation = t.advanced, .range = pipe::raster::color_range(c.format)}));
            CHECK(ir::validate(*shader) == "");
            CHECK(shader->info.reads_color);
            Pixels p;
            for (unsigned round = 0; round < 20; ++round) {
                for (unsigned i = 0; i < kPixels; ++i) {
                    p.source[i] = premultiplied_color(random);
                    p.dest[i] = through(c, premultiplied_color(random));
                }
                // Values outside the format's range are clamped.
                if (round % 2 && c.high < 2) p.source[0] = {2, -1, 0.5f, 3};
                p.run(*shader, {});
                CHECK(p.read_dest);
                for (unsigned i = 0; i < kPixels; ++i) {
                    const Color expected = expected_pixel(t, c, {}, p.source[i], p.dest[i]);
                    const Color got = through(c, p.out[i]);
                    if (!near(c, expected, got, blend::stored_channels(c.format)))
                        FAIL_CHECK(color_text(expected), " got ", color_text(got), " source ",
                                   color_text(p.source[i]), " dest ", color_text(p.dest[i]));
                }
            }
        }
}

TEST_CASE("blend: colours that an advanced equation does not change") {
    const blend::AdvancedDesc multiply{.equation = pipe::AdvancedBlend::Multiply};
    ir::Shader nothing(ir::Stage::Fragment);
    CHECK(!blend::blend_advanced(nothing, multiply));
    const auto integers = source_shader(ir::Type::I32);
    CHECK(!blend::blend_advanced(*integers, multiply));
    CHECK(ir::validate(*integers) == "");
}

TEST_CASE("blend: alpha to coverage uses the alpha before an advanced equation") {
    const auto shader = source_shader();
    REQUIRE(blend::blend_advanced(*shader, {.equation = pipe::AdvancedBlend::Screen, .coverage_samples = 4}));
    CHECK(ir::validate(*shader) == "");
    CHECK(shader->info.uses_discard);
    Pixels p;
    p.dest.fill({0, 0, 0, 1});  // the blended alpha is 1
    for (unsigned i = 0; i < kPixels; ++i) {
        p.source[i] = {0, 0, 0, float(i / 4) / 2};
        p.sample[i] = i % 4;
    }
    p.run(*shader, {});
    CHECK(p.discarded == 0x0cf);
}
