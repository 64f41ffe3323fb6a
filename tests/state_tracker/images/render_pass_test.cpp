// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render passes: how many there are, and their load and store operations.
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using namespace pipe::attachment_bit;
using pipe::LoadOp;

namespace {

constexpr GLbitfield kEverything = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;

void draw(Fixture& f) {
    REQUIRE(begin_rendering(f.gl(), "glDrawArrays"));
}

}  // namespace

TEST_CASE("clear, draws, discard: one pass, whose loads are clears, without needless stores") {
    Fixture f;
    f.gl().state.clear_color[0] = 0.5f;
    f.gl().state.clear_depth = 0.25f;
    f.gl().state.clear_stencil = 3;
    Clear(f.gl(), kEverything);
    CHECK(f.c().passes.empty());
    draw(f);
    draw(f);
    const GLenum ds[] = {GL_DEPTH_EXT, GL_STENCIL_EXT};
    DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 2, ds);
    (void)f.gl().flush();
    REQUIRE(f.c().passes.size() == 1);
    const pipe::RenderPassDesc& p = f.c().passes[0];
    CHECK(p.color_count == 1);
    CHECK(p.color[0].load == LoadOp::Clear);
    CHECK(p.clear_color[0].f[0] == 0.5f);
    CHECK(p.depth_stencil.load == LoadOp::Clear);
    CHECK(p.stencil_load == LoadOp::Clear);
    CHECK(p.clear_depth == 0.25f);
    CHECK(p.clear_stencil == 3);
    CHECK(p.width == 16);
    CHECK(p.height == 8);
    CHECK(f.c().clears.empty());
    CHECK(f.c().discards == std::vector<uint32_t>{kDepth | kStencil});
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("a clear without draws is executed, once") {
    Fixture f;
    f.gl().state.clear_color[1] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    f.gl().state.clear_color[1] = 0.2f;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    (void)f.gl().flush();
    (void)f.gl().flush();
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].clear_color[0].f[1] == 0.2f);
    CHECK(f.c().passes[0].depth_stencil.load == LoadOp::Load);
}

TEST_CASE("clears that do not cover everything are clears inside the pass") {
    struct Row {
        const char* what;
        void (*set)(State&);
        bool inside;
    };
    const Row rows[] = {
        {"plain", [](State&) {}, false},
        {"a scissor that covers all",
         [](State& s) {
             s.viewports[0].scissor_test = true;
             s.viewports[0].scissor[0] = s.viewports[0].scissor[1] = -5;
             s.viewports[0].scissor[2] = s.viewports[0].scissor[3] = 0x7fffffff;
         },
         false},
        {"a scissor that is off",
         [](State& s) {
             s.viewports[0].scissor_test = false;
             s.viewports[0].scissor[2] = 1;
         },
         false},
        {"a scissor",
         [](State& s) {
             s.viewports[0].scissor_test = true;
             s.viewports[0].scissor[0] = 2;
             s.viewports[0].scissor[1] = -3;
             s.viewports[0].scissor[2] = 4;
             s.viewports[0].scissor[3] = 5;
         },
         true},
        {"a colour mask", [](State& s) { s.blend[0].color_mask[2] = false; }, true},
    };
    for (const Row& r : rows) {
        CAPTURE(r.what);
        Fixture f;
        r.set(f.gl().state);
        Clear(f.gl(), GL_COLOR_BUFFER_BIT);
        (void)f.gl().flush();
        REQUIRE(f.c().passes.size() == 1);
        CHECK(f.c().passes[0].color[0].load == (r.inside ? LoadOp::Load : LoadOp::Clear));
        CHECK(f.c().clears.size() == (r.inside ? 1u : 0u));
        if (r.inside && f.c().clears[0].scissored) {
            CHECK(f.c().clears[0].scissor == pipe::Scissor{2, 0, 6, 2});
            CHECK(f.c().clears[0].color_mask[0] == 15);
        } else if (r.inside) {
            CHECK(f.c().clears[0].color_mask[0] == 11);
        }
    }
}

TEST_CASE("a pass on a surface of size 0 has one pixel") {
    const uint32_t sizes[][2] = {{0, 0}, {0, 5}, {5, 0}};
    for (const auto& size : sizes) {
        CAPTURE(size[0]);
        CAPTURE(size[1]);
        Fixture f;
        f.drawable->width = size[0];
        f.drawable->height = size[1];
        ++f.drawable->stamp;
        Clear(f.gl(), kEverything);
        draw(f);
        (void)f.gl().flush();
        REQUIRE(f.c().passes.size() == 1);
        CHECK(f.c().passes[0].width == std::max(size[0], 1u));
        CHECK(f.c().passes[0].height == std::max(size[1], 1u));
    }
}

TEST_CASE("clears that change nothing cost nothing") {
    Fixture f;
    f.gl().state.depth_mask = false;
    Clear(f.gl(), GL_DEPTH_BUFFER_BIT);
    f.gl().state.stencil[0].write_mask = 0xffffff00;
    Clear(f.gl(), GL_STENCIL_BUFFER_BIT);
    for (bool& m : f.gl().state.blend[0].color_mask)
        m = false;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    for (bool& m : f.gl().state.blend[0].color_mask)
        m = true;
    f.gl().state.viewports[0].scissor_test = true;
    f.gl().state.viewports[0].scissor[2] = 0;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    Clear(f.gl(), 0);
    (void)f.gl().flush();
    CHECK(f.c().passes.empty());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("the stencil mask and alpha-less colours") {
    {
        Fixture f;
        f.gl().state.stencil[0].write_mask = 0x0f;
        f.gl().state.clear_stencil = 0x155;
        Clear(f.gl(), GL_STENCIL_BUFFER_BIT);
        REQUIRE(f.c().clears.size() == 1);
        CHECK(f.c().clears[0].stencil_mask == 0x0f);
        CHECK(f.c().clears[0].stencil == 0x55);
        CHECK(f.c().clears[0].attachments == kStencil);
        (void)f.gl().flush();
    }
    Fixture f(pipe::Format::B8G8R8X8_UNORM, pipe::Format::None);
    f.gl().state.blend[0].color_mask[3] = false;  // there is no alpha channel
    Clear(f.gl(), kEverything);
    (void)f.gl().flush();
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].color[0].load == LoadOp::Clear);
    CHECK(!f.c().passes[0].depth_stencil.resource);
}

TEST_CASE("a clear after a draw stays in the pass") {
    Fixture f;
    draw(f);
    Clear(f.gl(), kEverything);
    draw(f);
    (void)f.gl().flush();
    CHECK(f.c().passes.size() == 1);
    REQUIRE(f.c().clears.size() == 1);
    CHECK(f.c().clears[0].attachments == (kColor0 | kDepth | kStencil));
    CHECK(!f.c().clears[0].scissored);
}

TEST_CASE("a partial clear after a full one opens the pass with the full one") {
    Fixture f;
    Clear(f.gl(), kEverything);
    f.gl().state.viewports[0].scissor_test = true;
    f.gl().state.viewports[0].scissor[2] = f.gl().state.viewports[0].scissor[3] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    (void)f.gl().flush();
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].color[0].load == LoadOp::Clear);
    CHECK(f.c().clears.size() == 1);
}

TEST_CASE("discards: before, between and after") {
    Fixture f;
    const GLenum depth = GL_DEPTH_EXT, color = GL_COLOR_EXT;
    DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &depth);
    draw(f);
    CHECK(f.c().passes[0].depth_stencil.load == LoadOp::DontCare);
    CHECK(f.c().passes[0].stencil_load == LoadOp::Load);
    DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &color);
    draw(f);  // draws again to discarded attachments: they must be stored
    (void)f.gl().flush();
    CHECK(f.c().discards.empty());
    // A clear that is discarded afterwards is not executed.
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &color);
    (void)f.gl().flush();
    CHECK(f.c().passes.size() == 1);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("the end of a frame drops depth and stencil, and the next does not load them") {
    Fixture f;
    draw(f);
    (void)f.gl().flush_frame();
    CHECK(f.c().discards == std::vector<uint32_t>{kDepth | kStencil});
    CHECK(f.c().count("flush") == 1);
    draw(f);
    CHECK(f.c().passes[1].color[0].load == LoadOp::Load);
    CHECK(f.c().passes[1].depth_stencil.load == LoadOp::DontCare);
    CHECK(f.c().passes[1].stencil_load == LoadOp::DontCare);
    (void)f.gl().flush();
    draw(f);  // the same frame continues
    CHECK(f.c().passes[2].depth_stencil.load == LoadOp::Load);
    (void)f.gl().flush();
}

TEST_CASE("a surface's buffers are requested once, and again when its stamp changes") {
    Fixture f;
    const int before = f.drawable->acquired;
    draw(f);
    (void)f.gl().flush();
    draw(f);
    (void)f.gl().flush();
    CHECK(f.drawable->acquired == before + 1);
    f.drawable->width = 32;
    ++f.drawable->stamp;
    draw(f);
    CHECK(f.drawable->acquired == before + 2);
    CHECK(f.c().passes.back().width == 32);
    CHECK(rendering_info(f.gl()).width_px == 32);
    CHECK((f.gl().dirty & dirty::kFramebuffer) != 0);
    (void)f.gl().flush();
    f.drawable->lost = true;
    ++f.drawable->stamp;
    CHECK(!begin_rendering(f.gl(), "glDrawArrays"));
    CHECK(f.error() == GLenum(GL_OUT_OF_MEMORY));
}

TEST_CASE("a surface's damage is the area of its passes, flipped if the top row comes first") {
    Fixture f;
    draw(f);
    CHECK(f.c().passes.back().area == pipe::kEverywhere);
    (void)f.gl().flush();
    f.drawable->damage = {1, 2, 5, 6};
    draw(f);
    CHECK(f.c().passes.back().area == pipe::Scissor{1, 2, 5, 6});
    (void)f.gl().flush();
    f.drawable->top_down = true;
    ++f.drawable->stamp;
    draw(f);
    const int32_t h = int32_t(f.c().passes.back().height);
    CHECK(f.c().passes.back().area == pipe::Scissor{1, h - 6, 5, h - 2});
    (void)f.gl().flush();
    f.drawable->damage = pipe::kEverywhere;
    draw(f);
    CHECK(f.c().passes.back().area == pipe::kEverywhere);
    (void)f.gl().flush();
}

TEST_CASE("a surface that is no longer current is released") {
    Fixture f;
    draw(f);
    f.gl().make_current(nullptr, nullptr);
    CHECK(!f.c().in_pass);
    CHECK(f.drawable->unique());
}

TEST_CASE("changing the framebuffer ends its pass; pending clears stay with their framebuffer") {
    Fixture f;
    GLuint t = f.texture();
    f.image(0, 4, 4);
    f.gl().state.clear_color[0] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    f.framebuffer();
    REQUIRE(f.c().passes.size() == 1);
    CHECK(f.c().passes[0].width == 16);
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, 0);
    REQUIRE(f.c().passes.size() == 2);
    CHECK(f.c().passes[1].width == 4);
    CHECK(f.texel(t, 0, 3, 3) == std::vector<uint8_t>{255, 0, 0, 0});
    CHECK(f.c().passes[1].depth_stencil.resource == nullptr);
}

TEST_CASE("an upload into the attached texture follows the draws to it") {
    Fixture f;
    GLuint t = f.texture();
    f.image(0, 4, 4);
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    f.gl().state.clear_color[0] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    const uint8_t blue[4] = {0, 0, 255, 255};
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue);
    CHECK(f.texel(t, 0, 1, 1) == std::vector<uint8_t>{0, 0, 255, 255});
    CHECK(f.texel(t, 0, 0, 0) == std::vector<uint8_t>{255, 0, 0, 0});
    // New storage for the attached image: later draws go there.
    draw(f);
    f.image(0, 8, 8);
    CHECK(!f.c().in_pass);
    draw(f);
    CHECK(f.c().passes.back().width == 8);
    CHECK(f.c().passes.back().color[0].resource == f.object(t).image(0, 0)->resource.get());
    (void)f.gl().flush();
}

TEST_CASE("Clear and DiscardFramebufferEXT: errors") {
    const ErrorRow rows[] = {
        {"mask", GL_INVALID_VALUE, [](Fixture& f) { Clear(f.gl(), 1); }},
        {"mask of one bad bit", GL_INVALID_VALUE, [](Fixture& f) { Clear(f.gl(), kEverything | 0x8000); }},
        {"incomplete", GL_INVALID_FRAMEBUFFER_OPERATION,
         [](Fixture& f) { f.framebuffer(), Clear(f.gl(), kEverything); }},
        {"surfaceless", GL_INVALID_FRAMEBUFFER_OPERATION,
         [](Fixture& f) { f.gl().make_current(nullptr, nullptr), Clear(f.gl(), kEverything); }},
        {"discard target", GL_INVALID_ENUM,
         [](Fixture& f) { DiscardFramebuffer(f.gl(), GL_RENDERBUFFER, 0, nullptr); }},
        {"discard count", GL_INVALID_VALUE,
         [](Fixture& f) { DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, -1, nullptr); }},
        {"attachment of a framebuffer object", GL_INVALID_ENUM,
         [](Fixture& f) {
             const GLenum a = GL_COLOR_ATTACHMENT0;
             DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &a);
         }},
        {"attachment of the default framebuffer", GL_INVALID_ENUM,
         [](Fixture& f) {
             f.framebuffer();
             const GLenum a = GL_COLOR_EXT;
             DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &a);
         }},
        {"incomplete framebuffer", GL_NO_ERROR,
         [](Fixture& f) {
             f.framebuffer();
             const GLenum a = GL_DEPTH_ATTACHMENT;
             DiscardFramebuffer(f.gl(), GL_FRAMEBUFFER, 1, &a);
         }},
    };
    check_errors(rows);
}
