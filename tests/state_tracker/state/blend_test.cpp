// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending and colour masks of single draw buffers (EXT_draw_buffers_indexed, OpenGL ES 3.2 section 15.1.5).
#include <doctest/doctest.h>

#include "state_tracker/state/blend_states.h"
#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct BlendHarness : test::DrawHarness {
    BlendHarness() : DrawHarness(test::es31()) {}
    GLint at(GLenum name, GLuint i) {
        GLint v[4] = {-77, -77, -77, -77};
        GetIntegeri_v(ctx, name, i, v);
        return v[0];
    }
    pipe::BlendDesc desc() { return blend_desc(ctx, {}); }
};

}  // namespace

TEST_CASE("state of one draw buffer does not change the others") {
    BlendHarness h;
    Enablei(h.ctx, GL_BLEND, 1);
    BlendEquationSeparatei(h.ctx, 1, GL_FUNC_SUBTRACT, GL_MAX_EXT);
    BlendFuncSeparatei(h.ctx, 1, GL_DST_COLOR, GL_ONE, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    ColorMaski(h.ctx, 2, GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    CHECK(h.error() == GL_NO_ERROR);
    const pipe::BlendDesc d = h.desc();
    CHECK(d.targets[0] == pipe::BlendTargetDesc{});
    CHECK(d.targets[1].enable);
    CHECK(d.targets[1].op_rgb == pipe::BlendOp::Subtract);
    CHECK(d.targets[1].op_alpha == pipe::BlendOp::Max);
    CHECK(d.targets[1].src_rgb == pipe::BlendFactor::DstColor);
    CHECK(d.targets[1].dst_rgb == pipe::BlendFactor::One);
    CHECK(d.targets[1].src_alpha == pipe::BlendFactor::SrcAlpha);
    CHECK(d.targets[1].dst_alpha == pipe::BlendFactor::OneMinusSrcAlpha);
    CHECK(d.targets[1].write_mask == 15);
    CHECK(d.targets[2].write_mask == 5);
    CHECK(d.targets[3] == pipe::BlendTargetDesc{});

    CHECK(IsEnabledi(h.ctx, GL_BLEND, 1));
    CHECK(!IsEnabledi(h.ctx, GL_BLEND, 0));
    CHECK(!IsEnabled(h.ctx, GL_BLEND));
    CHECK(h.at(GL_BLEND_EQUATION_RGB, 1) == GL_FUNC_SUBTRACT);
    CHECK(h.at(GL_BLEND_EQUATION_ALPHA, 1) == GL_MAX_EXT);
    CHECK(h.at(GL_BLEND_SRC_RGB, 1) == GL_DST_COLOR);
    CHECK(h.at(GL_BLEND_DST_RGB, 1) == GL_ONE);
    CHECK(h.at(GL_BLEND_SRC_ALPHA, 1) == GL_SRC_ALPHA);
    CHECK(h.at(GL_BLEND_DST_ALPHA, 1) == GL_ONE_MINUS_SRC_ALPHA);
    CHECK(h.at(GL_BLEND_SRC_RGB, 0) == GL_ONE);
    GLboolean mask[4] = {};
    GetBooleani_v(h.ctx, GL_COLOR_WRITEMASK, 2, mask);
    CHECK(mask[0] == 1);
    CHECK(mask[1] == 0);
    CHECK(mask[2] == 1);
    CHECK(mask[3] == 0);
    CHECK(h.integer(GL_COLOR_WRITEMASK) == 1);

    // A command without an index sets the state of all draw buffers.
    BlendFunci(h.ctx, 3, GL_ZERO, GL_ZERO);
    BlendEquationi(h.ctx, 3, GL_MIN_EXT);
    Enable(h.ctx, GL_BLEND);
    BlendEquation(h.ctx, GL_FUNC_ADD);
    BlendFunc(h.ctx, GL_ONE, GL_ONE);
    ColorMask(h.ctx, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    const pipe::BlendDesc all = h.desc();
    for (const pipe::BlendTargetDesc& t : all.targets)
        CHECK(t == all.targets[0]);
    CHECK(all.targets[0].enable);
    CHECK(all.targets[0].dst_rgb == pipe::BlendFactor::One);
    Disablei(h.ctx, GL_BLEND, 0);
    CHECK(!IsEnabled(h.ctx, GL_BLEND));
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("clears respect each colour's mask") {
    BlendHarness h;
    ColorMaski(h.ctx, 0, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    CHECK(h.calls([&] { Clear(h.ctx, GL_COLOR_BUFFER_BIT), (void)h.ctx.flush(); }) == test::Calls{"flush"});
    ColorMaski(h.ctx, 0, GL_TRUE, GL_FALSE, GL_FALSE, GL_FALSE);
    Clear(h.ctx, GL_COLOR_BUFFER_BIT);
    REQUIRE(h.pipe().clears.size() == 1);
    CHECK(h.pipe().clears[0].color_mask[0] == 1);
    CHECK(h.pipe().clears[0].color_mask[1] == 15);
}

TEST_CASE("errors of indexed blending change nothing") {
    BlendHarness h;
    const GLuint many = GLuint(h.integer(GL_MAX_DRAW_BUFFERS_EXT));
    const BlendTarget before = h.ctx.state.blend[1];
    const auto fails = [&](GLenum code, auto&& f) {
        f();
        CHECK(h.error() == code);
        CHECK(h.ctx.state.blend[1] == before);
    };
    fails(GL_INVALID_VALUE, [&] { Enablei(h.ctx, GL_BLEND, many); });
    fails(GL_INVALID_VALUE, [&] { Disablei(h.ctx, GL_BLEND, many); });
    fails(GL_INVALID_VALUE, [&] { CHECK(!IsEnabledi(h.ctx, GL_BLEND, many)); });
    fails(GL_INVALID_ENUM, [&] { Enablei(h.ctx, GL_DITHER, 1); });
    fails(GL_INVALID_ENUM, [&] { CHECK(!IsEnabledi(h.ctx, GL_DITHER, 1)); });
    fails(GL_INVALID_VALUE, [&] { BlendEquationi(h.ctx, many, GL_MIN_EXT); });
    fails(GL_INVALID_ENUM, [&] { BlendEquationi(h.ctx, 1, GL_ONE); });
    fails(GL_INVALID_ENUM, [&] { BlendEquationSeparatei(h.ctx, 1, GL_MIN_EXT, GL_ONE); });
    fails(GL_INVALID_VALUE, [&] { BlendFunci(h.ctx, many, GL_ONE, GL_ONE); });
    fails(GL_INVALID_ENUM, [&] { BlendFunci(h.ctx, 1, GL_ONE, GL_MIN_EXT); });
    fails(GL_INVALID_ENUM, [&] { BlendFuncSeparatei(h.ctx, 1, GL_MIN_EXT, GL_ONE, GL_ONE, GL_ONE); });
    fails(GL_INVALID_VALUE, [&] { ColorMaski(h.ctx, many, 0, 0, 0, 0); });
    fails(GL_INVALID_VALUE, [&] { BlendEquationi(h.ctx, ~0u, GL_MIN_EXT); });
    fails(GL_INVALID_VALUE, [&] { ColorMaski(h.ctx, ~0u, 0, 0, 0, 0); });
    GLint v = 5;
    fails(GL_INVALID_VALUE, [&] { GetIntegeri_v(h.ctx, GL_BLEND_SRC_RGB, many, &v); });
    fails(GL_INVALID_ENUM, [&] { GetIntegeri_v(h.ctx, GL_BLEND_COLOR, 0, &v); });
    CHECK(v == 5);
}

TEST_CASE("advanced equations apply to colour and alpha together, and need a shader that declares them") {
    BlendHarness h;
    BlendEquation(h.ctx, GL_HSL_HUE_KHR);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.at(GL_BLEND_EQUATION_RGB, 0) == GL_HSL_HUE_KHR);
    CHECK(h.at(GL_BLEND_EQUATION_ALPHA, 3) == GL_HSL_HUE_KHR);
    BlendEquationSeparate(h.ctx, GL_SCREEN_KHR, GL_SCREEN_KHR);
    CHECK(h.error() == GL_INVALID_ENUM);
    BlendEquationi(h.ctx, 1, GL_MULTIPLY_KHR);
    BlendFunc(h.ctx, GL_DST_COLOR, GL_ONE);
    CHECK(h.desc().targets[0] == pipe::BlendTargetDesc{});
    h.buffer_vertices();
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    Enable(h.ctx, GL_BLEND);
    const pipe::BlendDesc d = h.desc();
    CHECK(d.targets[0].advanced == pipe::AdvancedBlend::HslHue);
    CHECK(d.targets[1].advanced == pipe::AdvancedBlend::Multiply);
    CHECK(d.targets[0].src_rgb == pipe::BlendFactor::One);  // factors are ignored
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BlendBarrier(h.ctx);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(IsEnabled(h.ctx, GL_BLEND_ADVANCED_COHERENT_KHR));
    Disable(h.ctx, GL_BLEND_ADVANCED_COHERENT_KHR);
    CHECK(h.error() == GL_NO_ERROR);
    test::Harness old(test::es3());
    BlendEquation(old.ctx, GL_SCREEN_KHR);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("each draw blends with the state of its time, and known states are not created again") {
    BlendHarness h;
    h.buffer_vertices();
    struct Step {
        const char* what;
        void (*set)(Context& ctx);
    };
    // More states than are cached without a descriptor.
    const Step steps[] = {
        {"off", [](Context& ctx) { Disable(ctx, GL_BLEND); }},
        {"on", [](Context& ctx) { Enable(ctx, GL_BLEND), BlendFunc(ctx, GL_ONE, GL_ONE); }},
        {"alpha", [](Context& ctx) { BlendFunc(ctx, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA); }},
        {"minimum", [](Context& ctx) { BlendEquation(ctx, GL_MIN_EXT); }},
        {"alpha's equation", [](Context& ctx) { BlendEquationSeparate(ctx, GL_MIN_EXT, GL_FUNC_ADD); }},
        {"alpha's factor",
         [](Context& ctx) { BlendFuncSeparate(ctx, GL_ONE, GL_ONE, GL_ZERO, GL_SRC_ALPHA); }},
        {"mask", [](Context& ctx) { ColorMask(ctx, GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE); }},
        {"coverage", [](Context& ctx) { Enable(ctx, GL_SAMPLE_ALPHA_TO_COVERAGE); }},
        {"dither", [](Context& ctx) { Disable(ctx, GL_DITHER); }},
        {"one off", [](Context& ctx) { Disablei(ctx, GL_BLEND, 1); }},
        {"one's function", [](Context& ctx) { BlendFunci(ctx, 1, GL_DST_COLOR, GL_ZERO); }},
        {"one's mask", [](Context& ctx) { ColorMaski(ctx, 2, GL_TRUE, GL_TRUE, GL_FALSE, GL_TRUE); }},
        {"all alike again",
         [](Context& ctx) {
             BlendFunc(ctx, GL_ONE, GL_ZERO), ColorMask(ctx, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
             BlendEquation(ctx, GL_FUNC_ADD), Disable(ctx, GL_SAMPLE_ALPHA_TO_COVERAGE);
             Enable(ctx, GL_DITHER);
         }},
    };
    int created = 0;
    for (int round = 0; round < 2; ++round) {
        for (const Step& s : steps) {
            INFO(s.what);
            s.set(h.ctx);
            DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
            CHECK(h.pipe().blend_desc() == blend_desc(h.ctx, {}));
        }
        if (round == 0) created = h.screen.created_states;
    }
    CHECK(h.screen.created_states == created);
    // A command that changes nothing makes no pipe call.
    CHECK(h.calls([&] {
        BlendFunc(h.ctx, GL_ONE, GL_ZERO), ColorMaski(h.ctx, 1, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    }) == test::Calls{"draw"});
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("new blend states do not fill the memory, and cached ones stay right") {
    BlendHarness h;
    h.buffer_vertices();
    Enable(h.ctx, GL_BLEND);
    constexpr GLenum kFactors[] = {GL_ZERO,      GL_ONE,       GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR,
                                   GL_DST_COLOR, GL_DST_ALPHA, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA};
    for (const GLenum a : kFactors)
        for (const GLenum b : kFactors)
            for (const GLenum c : kFactors)
                for (const GLenum d : kFactors) {
                    BlendFuncSeparate(h.ctx, a, b, c, d);
                    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
                    REQUIRE(h.pipe().blend_desc() == blend_desc(h.ctx, {}));
                    // A state that was bound long ago, and a recent one.
                    BlendFunc(h.ctx, GL_ONE, GL_ONE);
                    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
                    REQUIRE(h.pipe().blend_desc() == blend_desc(h.ctx, {}));
                }
}

TEST_CASE(
    "cached blend states are evicted when others, whose draw buffers differ, fill the"
    "memory") {
    BlendHarness h;
    h.buffer_vertices();
    Enable(h.ctx, GL_BLEND);
    BlendFunc(h.ctx, GL_ONE, GL_ONE);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    constexpr GLenum kFactors[] = {GL_ZERO,      GL_ONE,       GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR,
                                   GL_DST_COLOR, GL_DST_ALPHA, GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA};
    for (const GLenum a : kFactors)
        for (const GLenum b : kFactors)
            for (const GLenum c : kFactors)
                for (const GLenum d : kFactors) {
                    BlendFuncSeparatei(h.ctx, 1, a, b, c, d);
                    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
                }
    BlendFunc(h.ctx, GL_ONE, GL_ONE);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.pipe().blend_desc() == blend_desc(h.ctx, {}));
    CHECK(h.error() == GL_NO_ERROR);
}
