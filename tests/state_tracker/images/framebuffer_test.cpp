// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Framebuffer objects and renderbuffers: errors, completeness, queries, deletion (OpenGL ES 2.0 sections 4.4
// and 6.1.3).
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;

namespace {

constexpr GLenum kColor = GL_COLOR_ATTACHMENT0;

void rb(Fixture& f, GLenum attachment, GLuint name) {
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
}
void rb(Fixture& f, GLenum attachment, GLenum format, GLsizei w, GLsizei h) {
    rb(f, attachment, f.renderbuffer(format, w, h));
}
void tex(Fixture& f, GLenum attachment, GLenum format, GLenum type, GLsizei w, GLsizei h, GLint level = 0) {
    GLuint t = f.texture();
    f.image(level, w, h, nullptr, format, type);
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, t, level);
}

const ErrorRow kRows[] = {
    {"BindFramebuffer target", GL_INVALID_ENUM,
     [](Fixture& f) { BindFramebuffer(f.gl(), GL_RENDERBUFFER, 0); }},
    {"BindFramebuffer target of ES 3.0", GL_INVALID_ENUM,
     [](Fixture& f) { BindFramebuffer(f.gl(), GL_DRAW_FRAMEBUFFER, 0); }},
    {"BindFramebuffer of a name never generated", GL_NO_ERROR,
     [](Fixture& f) { BindFramebuffer(f.gl(), GL_FRAMEBUFFER, 44); }},
    {"BindRenderbuffer target", GL_INVALID_ENUM,
     [](Fixture& f) { BindRenderbuffer(f.gl(), GL_FRAMEBUFFER, 0); }},
    {"GenFramebuffers", GL_INVALID_VALUE, [](Fixture& f) { GenFramebuffers(f.gl(), -1, nullptr); }},
    {"GenRenderbuffers", GL_INVALID_VALUE, [](Fixture& f) { GenRenderbuffers(f.gl(), -1, nullptr); }},
    {"DeleteFramebuffers", GL_INVALID_VALUE, [](Fixture& f) { DeleteFramebuffers(f.gl(), -1, nullptr); }},
    {"DeleteRenderbuffers", GL_INVALID_VALUE, [](Fixture& f) { DeleteRenderbuffers(f.gl(), -1, nullptr); }},
    {"CheckFramebufferStatus target", GL_INVALID_ENUM,
     [](Fixture& f) { (void)CheckFramebufferStatus(f.gl(), GL_RENDERBUFFER); }},
    {"FramebufferRenderbuffer target", GL_INVALID_ENUM,
     [](Fixture& f) { f.framebuffer(), FramebufferRenderbuffer(f.gl(), 0, kColor, GL_RENDERBUFFER, 0); }},
    {"FramebufferRenderbuffer attachment", GL_INVALID_ENUM,
     [](Fixture& f) {
         f.framebuffer(), FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GLenum(-1), GL_RENDERBUFFER, 0);
     }},
    {"FramebufferRenderbuffer attachment beyond the limit", GL_INVALID_ENUM,
     [](Fixture& f) {
         f.framebuffer(), FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, kColor + 8, GL_RENDERBUFFER, 0);
     }},
    {"FramebufferRenderbuffer renderbuffertarget", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLuint r = f.renderbuffer(GL_RGBA4, 1, 1);
         f.framebuffer(), FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, r);
     }},
    {"FramebufferRenderbuffer unknown name", GL_INVALID_OPERATION,
     [](Fixture& f) { f.framebuffer(), rb(f, kColor, GLuint(99)); }},
    {"FramebufferRenderbuffer name without object", GL_INVALID_OPERATION,
     [](Fixture& f) {
         GLuint r;
         GenRenderbuffers(f.gl(), 1, &r);
         f.framebuffer(), rb(f, kColor, r);
     }},
    {"FramebufferRenderbuffer on the default framebuffer", GL_INVALID_OPERATION,
     [](Fixture& f) { rb(f, kColor, GLuint(0)); }},
    {"FramebufferTexture2D target", GL_INVALID_ENUM,
     [](Fixture& f) { f.framebuffer(), FramebufferTexture2D(f.gl(), 0, kColor, GL_TEXTURE_2D, 0, 0); }},
    {"FramebufferTexture2D attachment", GL_INVALID_ENUM,
     [](Fixture& f) {
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, 5, GL_TEXTURE_2D, 0, 0);
     }},
    {"FramebufferTexture2D textarget", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLuint t = f.texture();
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_CUBE_MAP, t, 0);
     }},
    {"FramebufferTexture2D face of a 2D texture", GL_INVALID_OPERATION,
     [](Fixture& f) {
         GLuint t = f.texture();
         f.framebuffer(),
             FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_CUBE_MAP_POSITIVE_X, t, 0);
     }},
    {"FramebufferTexture2D 2D of a cube map", GL_INVALID_OPERATION,
     [](Fixture& f) {
         GLuint t = f.texture(GL_TEXTURE_CUBE_MAP);
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 0);
     }},
    {"FramebufferTexture2D unknown name", GL_INVALID_OPERATION,
     [](Fixture& f) {
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, 99, 0);
     }},
    {"FramebufferTexture2D level -1", GL_INVALID_VALUE,
     [](Fixture& f) {
         GLuint t = f.texture();
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, -1);
     }},
    {"FramebufferTexture2D level past the last", GL_INVALID_VALUE,
     [](Fixture& f) {
         GLuint t = f.texture();
         f.framebuffer(), FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 14);
     }},
    {"FramebufferTexture2D on the default framebuffer", GL_INVALID_OPERATION,
     [](Fixture& f) { FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, 0, 0); }},
    {"RenderbufferStorage target", GL_INVALID_ENUM,
     [](Fixture& f) { RenderbufferStorage(f.gl(), GL_FRAMEBUFFER, GL_RGBA4, 1, 1); }},
    {"RenderbufferStorage unsized format", GL_INVALID_ENUM,
     [](Fixture& f) { f.renderbuffer(GL_RGBA, 1, 1); }},
    {"RenderbufferStorage unsized depth", GL_INVALID_ENUM,
     [](Fixture& f) { f.renderbuffer(GL_DEPTH_COMPONENT, 1, 1); }},
    {"RenderbufferStorage texture format", GL_INVALID_ENUM,
     [](Fixture& f) { f.renderbuffer(GL_LUMINANCE8_OES, 1, 1); }},
    {"RenderbufferStorage width", GL_INVALID_VALUE, [](Fixture& f) { f.renderbuffer(GL_RGBA4, -1, 1); }},
    {"RenderbufferStorage height", GL_INVALID_VALUE, [](Fixture& f) { f.renderbuffer(GL_RGBA4, 1, 8193); }},
    {"RenderbufferStorage without a renderbuffer", GL_INVALID_OPERATION,
     [](Fixture& f) { RenderbufferStorage(f.gl(), GL_RENDERBUFFER, GL_RGBA4, 1, 1); }},
    {"RenderbufferStorage out of memory", GL_OUT_OF_MEMORY,
     [](Fixture& f) {
         f.screen.fail_after = 0;
         f.renderbuffer(GL_RGBA4, 1, 1);
     }},
    {"GetRenderbufferParameteriv target", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.renderbuffer(GL_RGBA4, 1, 1), GetRenderbufferParameteriv(f.gl(), 0, GL_RENDERBUFFER_WIDTH, &v);
     }},
    {"GetRenderbufferParameteriv pname", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.renderbuffer(GL_RGBA4, 1, 1), GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, 0, &v);
     }},
    {"GetRenderbufferParameteriv of none", GL_INVALID_OPERATION,
     [](Fixture& f) {
         GLint v;
         GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &v);
     }},
    {"GetFramebufferAttachmentParameteriv target", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.framebuffer();
         GetFramebufferAttachmentParameteriv(f.gl(), 0, kColor, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &v);
     }},
    {"GetFramebufferAttachmentParameteriv attachment", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.framebuffer();
         GetFramebufferAttachmentParameteriv(f.gl(), GL_FRAMEBUFFER, 0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE,
                                             &v);
     }},
    {"GetFramebufferAttachmentParameteriv of the default framebuffer", GL_INVALID_OPERATION,
     [](Fixture& f) {
         GLint v;
         GetFramebufferAttachmentParameteriv(f.gl(), GL_FRAMEBUFFER, kColor,
                                             GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &v);
     }},
    {"GetFramebufferAttachmentParameteriv name of nothing", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.framebuffer();
         GetFramebufferAttachmentParameteriv(f.gl(), GL_FRAMEBUFFER, kColor,
                                             GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &v);
     }},
    {"GetFramebufferAttachmentParameteriv level of a renderbuffer", GL_INVALID_ENUM,
     [](Fixture& f) {
         GLint v;
         f.framebuffer(), rb(f, kColor, GL_RGBA4, 1, 1);
         GetFramebufferAttachmentParameteriv(f.gl(), GL_FRAMEBUFFER, kColor,
                                             GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, &v);
     }},
};

struct StatusRow {
    const char* what;
    GLenum status;
    void (*attach)(Fixture&);
};

constexpr GLenum kComplete = GL_FRAMEBUFFER_COMPLETE, kAttachment = GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
constexpr GLenum kDepth = GL_DEPTH_ATTACHMENT, kStencil = GL_STENCIL_ATTACHMENT;

const StatusRow kStatus[] = {
    {"nothing", GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT, [](Fixture&) {}},
    // colour
    {"RGBA4", kComplete, [](Fixture& f) { rb(f, kColor, GL_RGBA4, 4, 4); }},
    {"RGB5_A1", kComplete, [](Fixture& f) { rb(f, kColor, GL_RGB5_A1, 4, 4); }},
    {"RGB565", kComplete, [](Fixture& f) { rb(f, kColor, GL_RGB565, 4, 4); }},
    {"RGB8", kComplete, [](Fixture& f) { rb(f, kColor, GL_RGB8_OES, 4, 4); }},
    {"RGBA8", kComplete, [](Fixture& f) { rb(f, kColor, GL_RGBA8_OES, 4, 4); }},
    {"BGRA", kComplete, [](Fixture& f) { rb(f, kColor, GL_BGRA_EXT, 4, 4); }},
    {"RGBA texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4); }},
    {"RGB texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_RGB, GL_UNSIGNED_BYTE, 4, 4); }},
    {"565 texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 4, 4); }},
    {"4444 texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 4, 4); }},
    {"5551 texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 4, 4); }},
    {"BGRA texture", kComplete, [](Fixture& f) { tex(f, kColor, GL_BGRA_EXT, GL_UNSIGNED_BYTE, 4, 4); }},
    {"ALPHA texture", kAttachment, [](Fixture& f) { tex(f, kColor, GL_ALPHA, GL_UNSIGNED_BYTE, 4, 4); }},
    {"LUMINANCE texture", kAttachment,
     [](Fixture& f) { tex(f, kColor, GL_LUMINANCE, GL_UNSIGNED_BYTE, 4, 4); }},
    {"LUMINANCE_ALPHA texture", kAttachment,
     [](Fixture& f) { tex(f, kColor, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 4, 4); }},
    {"float texture", kAttachment, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_FLOAT, 4, 4); }},
    {"half float texture", kAttachment, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_HALF_FLOAT_OES, 4, 4); }},
    {"ETC1 texture", kAttachment,
     [](Fixture& f) {
         GLuint t = f.texture();
         const uint8_t block[8] = {};
         CompressedTexImage2D(f.gl(), GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, 8, block);
         FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 0);
     }},
    {"level 2 (OES_fbo_render_mipmap)", kComplete,
     [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4, 2); }},
    {"level that is not defined", kAttachment,
     [](Fixture& f) {
         GLuint t = f.texture();
         f.image(0, 4, 4);
         FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 1);
     }},
    {"cube face", kComplete,
     [](Fixture& f) {
         GLuint t = f.texture(GL_TEXTURE_CUBE_MAP);
         f.image(0, 4, 4, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z);
         FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, t, 0);
     }},
    {"texture without images", kAttachment,
     [](Fixture& f) { FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, f.texture(), 0); }},
    {"empty texture", kAttachment, [](Fixture& f) { tex(f, kColor, GL_RGBA, GL_UNSIGNED_BYTE, 0, 0); }},
    {"empty renderbuffer", kAttachment, [](Fixture& f) { rb(f, kColor, GL_RGBA4, 0, 4); }},
    {"renderbuffer without storage", kAttachment,
     [](Fixture& f) {
         GLuint r;
         GenRenderbuffers(f.gl(), 1, &r);
         BindRenderbuffer(f.gl(), GL_RENDERBUFFER, r);
         rb(f, kColor, r);
     }},
    // depth and stencil
    {"depth at colour", kAttachment, [](Fixture& f) { rb(f, kColor, GL_DEPTH_COMPONENT16, 4, 4); }},
    {"colour at depth", kAttachment, [](Fixture& f) { rb(f, kDepth, GL_RGBA4, 4, 4); }},
    {"stencil at depth", kAttachment, [](Fixture& f) { rb(f, kDepth, GL_STENCIL_INDEX8, 4, 4); }},
    {"depth at stencil", kAttachment, [](Fixture& f) { rb(f, kStencil, GL_DEPTH_COMPONENT16, 4, 4); }},
    {"depth alone", kComplete, [](Fixture& f) { rb(f, kDepth, GL_DEPTH_COMPONENT16, 4, 4); }},
    {"depth 24", kComplete, [](Fixture& f) { rb(f, kDepth, GL_DEPTH_COMPONENT24_OES, 4, 4); }},
    {"stencil alone", kComplete, [](Fixture& f) { rb(f, kStencil, GL_STENCIL_INDEX8, 4, 4); }},
    {"depth texture", kComplete,
     [](Fixture& f) { tex(f, kDepth, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4, 4); }},
    {"packed at depth alone", kComplete, [](Fixture& f) { rb(f, kDepth, GL_DEPTH24_STENCIL8_OES, 4, 4); }},
    {"packed at both", kComplete,
     [](Fixture& f) {
         GLuint r = f.renderbuffer(GL_DEPTH24_STENCIL8_OES, 4, 4);
         rb(f, kDepth, r), rb(f, kStencil, r), rb(f, kColor, GL_RGBA4, 4, 4);
     }},
    {"packed texture at both", kComplete,
     [](Fixture& f) {
         tex(f, kDepth, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, 4, 4);
         FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kStencil, GL_TEXTURE_2D, f.gl().textures[0][0]->name,
                              0);
     }},
    {"two packed ones", GL_FRAMEBUFFER_UNSUPPORTED,
     [](Fixture& f) {
         rb(f, kDepth, GL_DEPTH24_STENCIL8_OES, 4, 4), rb(f, kStencil, GL_DEPTH24_STENCIL8_OES, 4, 4);
     }},
    {"separate depth and stencil", GL_FRAMEBUFFER_UNSUPPORTED,
     [](Fixture& f) { rb(f, kDepth, GL_DEPTH_COMPONENT16, 4, 4), rb(f, kStencil, GL_STENCIL_INDEX8, 4, 4); }},
    // sizes
    {"widths", GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS,
     [](Fixture& f) { rb(f, kColor, GL_RGBA4, 4, 4), rb(f, kDepth, GL_DEPTH_COMPONENT16, 5, 4); }},
    {"heights", GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS,
     [](Fixture& f) {
         tex(f, kColor, GL_RGBA, GL_UNSIGNED_BYTE, 4, 4), rb(f, kStencil, GL_STENCIL_INDEX8, 4, 3);
     }},
    {"an attachment rule comes before sizes", kAttachment,
     [](Fixture& f) { rb(f, kColor, GL_RGBA4, 4, 4), rb(f, kDepth, GL_RGBA4, 5, 4); }},
    // changes
    {"detached", GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT,
     [](Fixture& f) { rb(f, kColor, GL_RGBA4, 4, 4), rb(f, kColor, GLuint(0)); }},
    {"redefined while attached", kComplete,
     [](Fixture& f) {
         tex(f, kColor, GL_ALPHA, GL_UNSIGNED_BYTE, 4, 4);
         f.image(0, 8, 8);
     }},
};

}  // namespace

TEST_CASE("framebuffers and renderbuffers: errors") {
    check_errors(kRows);
}

TEST_CASE("framebuffer completeness") {
    for (const StatusRow& r : kStatus) {
        CAPTURE(r.what);
        Fixture f;
        f.framebuffer();
        r.attach(f);
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == r.status);
        CHECK(begin_rendering(f.gl(), "glDrawArrays") == (r.status == kComplete));
        CHECK(f.error() == GLenum(r.status == kComplete ? GL_NO_ERROR : GL_INVALID_FRAMEBUFFER_OPERATION));
        end_rendering(f.gl());
    }
}

TEST_CASE("status of the default framebuffer") {
    Fixture f;
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    f.gl().make_current(nullptr, nullptr);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_UNDEFINED_OES));
    // A surfaceless context renders to framebuffer objects.
    f.framebuffer();
    rb(f, kColor, GL_RGBA4, 4, 4);
    CHECK(begin_rendering(f.gl(), "glDrawArrays"));
    end_rendering(f.gl());
}

TEST_CASE("only depth of a packed image: stencil is neither reported nor changed") {
    Fixture f;
    f.framebuffer();
    rb(f, kColor, GL_RGB565, 4, 4);
    rb(f, kDepth, GL_DEPTH24_STENCIL8_OES, 4, 4);
    Clear(f.gl(), GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    REQUIRE(begin_rendering(f.gl(), "glDrawArrays"));
    const FramebufferInfo& i = rendering_info(f.gl());
    CHECK(i.depth_bits == 24);
    CHECK(i.stencil_bits == 0);
    CHECK(i.color_bits[0] == 5);
    CHECK(i.color_bits[1] == 6);
    CHECK(i.color_bits[3] == 0);
    CHECK(!i.is_default);
    CHECK(f.c().pass.depth_stencil.load == pipe::LoadOp::Clear);
    CHECK(f.c().pass.stencil_load == pipe::LoadOp::Load);
    CHECK(bound_framebuffer_info(f.gl()) == i);
    end_rendering(f.gl());
    CHECK(bound_framebuffer_info(f.gl()).depth_bits == 24);
}

TEST_CASE("renderbuffers report their format") {
    struct Row {
        GLenum format;
        GLint r, g, b, a, d, s;
    };
    const Row rows[] = {
        {GL_RGBA4, 4, 4, 4, 4, 0, 0},
        {GL_RGB5_A1, 5, 5, 5, 1, 0, 0},
        {GL_RGB565, 5, 6, 5, 0, 0, 0},
        {GL_RGB8_OES, 8, 8, 8, 0, 0, 0},
        {GL_RGBA8_OES, 8, 8, 8, 8, 0, 0},
        {GL_DEPTH_COMPONENT16, 0, 0, 0, 0, 16, 0},
        {GL_DEPTH_COMPONENT24_OES, 0, 0, 0, 0, 24, 0},
        {GL_STENCIL_INDEX8, 0, 0, 0, 0, 0, 8},
        {GL_DEPTH24_STENCIL8_OES, 0, 0, 0, 0, 24, 8},
    };
    const GLenum names[] = {GL_RENDERBUFFER_RED_SIZE,   GL_RENDERBUFFER_GREEN_SIZE,
                            GL_RENDERBUFFER_BLUE_SIZE,  GL_RENDERBUFFER_ALPHA_SIZE,
                            GL_RENDERBUFFER_DEPTH_SIZE, GL_RENDERBUFFER_STENCIL_SIZE};
    for (const Row& r : rows) {
        CAPTURE(r.format);
        Fixture f;
        f.renderbuffer(r.format, 3, 5);
        GLint v[6] = {}, w = 0, h = 0, internal = 0;
        for (unsigned i = 0; i < 6; ++i)
            GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, names[i], &v[i]);
        GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &w);
        GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_HEIGHT, &h);
        GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &internal);
        CHECK(v[0] == r.r);
        CHECK(v[1] == r.g);
        CHECK(v[2] == r.b);
        CHECK(v[3] == r.a);
        CHECK(v[4] == r.d);
        CHECK(v[5] == r.s);
        CHECK(w == 3);
        CHECK(h == 5);
        CHECK(GLenum(internal) == r.format);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    }
}

TEST_CASE("a new renderbuffer is RGBA4 of size 0") {
    Fixture f;
    GLuint r;
    GenRenderbuffers(f.gl(), 1, &r);
    CHECK(!IsRenderbuffer(f.gl(), r));
    BindRenderbuffer(f.gl(), GL_RENDERBUFFER, r);
    CHECK(IsRenderbuffer(f.gl(), r));
    GLint internal = 0, w = 1, red = 1;
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_INTERNAL_FORMAT, &internal);
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &w);
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_RED_SIZE, &red);
    CHECK(internal == GL_RGBA4);
    CHECK(w == 0);
    CHECK(red == 0);
}

TEST_CASE("attachment queries") {
    Fixture f;
    f.framebuffer();
    GLuint t = f.texture(GL_TEXTURE_CUBE_MAP);
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, t, 3);
    GLuint r = f.renderbuffer(GL_DEPTH_COMPONENT16, 4, 4);
    rb(f, kDepth, r);
    auto get = [&](GLenum a, GLenum p) {
        GLint v = -1;
        GetFramebufferAttachmentParameteriv(f.gl(), GL_FRAMEBUFFER, a, p, &v);
        return v;
    };
    CHECK(get(kColor, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_TEXTURE);
    CHECK(get(kColor, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == GLint(t));
    CHECK(get(kColor, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) == 3);
    CHECK(get(kColor, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) == GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    CHECK(get(kDepth, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_RENDERBUFFER);
    CHECK(get(kDepth, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == GLint(r));
    CHECK(get(kStencil, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_NONE);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
}

TEST_CASE("deletion detaches only from the bound framebuffer") {
    Fixture f;
    GLuint other = f.framebuffer();
    GLuint t = f.texture();
    f.image(0, 4, 4);
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 0);
    GLuint bound = f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, kColor, GL_TEXTURE_2D, t, 0);
    REQUIRE(begin_rendering(f.gl(), "glDrawArrays"));
    DeleteTextures(f.gl(), 1, &t);
    CHECK(!f.c().in_pass);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) ==
          GLenum(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT));
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, other);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    REQUIRE(begin_rendering(f.gl(), "glDrawArrays"));
    end_rendering(f.gl());
    // Deleting the bound framebuffer binds the default one.
    DeleteFramebuffers(f.gl(), 1, &other);
    CHECK(!f.gl().framebuffer);
    CHECK(!IsFramebuffer(f.gl(), other));
    CHECK(IsFramebuffer(f.gl(), bound));
    // Likewise for renderbuffers.
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, bound);
    GLuint r = f.renderbuffer(GL_RGBA4, 4, 4);
    rb(f, kColor, r);
    DeleteRenderbuffers(f.gl(), 1, &r);
    CHECK(!f.gl().renderbuffer);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) ==
          GLenum(GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT));
}
