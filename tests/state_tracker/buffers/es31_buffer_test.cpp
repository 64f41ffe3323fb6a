// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Binding points of OpenGL ES 3.1: storage blocks, atomic counters, images; samples; limits.
#include <doctest/doctest.h>

#include "state_tracker/state/state_cache.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Es31 : test::Harness {
    Es31() : Harness(test::es31()) {}
    GLint indexed(GLenum target, GLuint index) {
        GLint v = -77;
        GetIntegeri_v(ctx, target, index, &v);
        return v;
    }
    template <class F>
    GLenum error_of(F&& f) {
        f();
        return error();
    }
};

}  // namespace

TEST_CASE("storage blocks and atomic counters have binding points") {
    Es31 h;
    GLuint b = 0;
    GenBuffers(h.ctx, 1, &b);
    struct {
        GLenum target, name, start, size;
        GLuint count;
    } const kTargets[] = {{GL_SHADER_STORAGE_BUFFER, GL_SHADER_STORAGE_BUFFER_BINDING,
                           GL_SHADER_STORAGE_BUFFER_START, GL_SHADER_STORAGE_BUFFER_SIZE, 16},
                          {GL_ATOMIC_COUNTER_BUFFER, GL_ATOMIC_COUNTER_BUFFER_BINDING,
                           GL_ATOMIC_COUNTER_BUFFER_START, GL_ATOMIC_COUNTER_BUFFER_SIZE, 8}};
    for (const auto& t : kTargets) {
        BindBufferRange(h.ctx, t.target, 3, b, 32, 20);
        CHECK(h.error() == GL_NO_ERROR);
        CHECK(h.integer(t.name) == GLint(b));
        CHECK(h.indexed(t.name, 3) == GLint(b));
        CHECK(h.indexed(t.start, 3) == 32);
        CHECK(h.indexed(t.size, 3) == 20);
        CHECK(h.indexed(t.name, 2) == 0);
        CHECK(h.error_of([&] { BindBufferBase(h.ctx, t.target, t.count, b); }) == GL_INVALID_VALUE);
        CHECK(h.error_of([&] { BindBufferRange(h.ctx, t.target, 0, b, 2, 4); }) == GL_INVALID_VALUE);
        CHECK(h.error_of([&] { BindBufferRange(h.ctx, t.target, 0, b, 0, 0); }) == GL_INVALID_VALUE);
        CHECK(h.error_of([&] { h.indexed(t.size, t.count); }) == GL_INVALID_VALUE);
    }
    CHECK(h.error_of([&] { BindBufferRange(h.ctx, GL_SHADER_STORAGE_BUFFER, 0, b, 4, 4); }) ==
          GL_INVALID_VALUE);  // GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT
    DeleteBuffers(h.ctx, 1, &b);
    for (const auto& t : kTargets) {
        CHECK(h.integer(t.name) == 0);
        CHECK(h.indexed(t.name, 3) == 0);
        CHECK(h.indexed(t.start, 3) == 0);
    }
    test::Harness old(test::es3());
    BindBufferBase(old.ctx, GL_SHADER_STORAGE_BUFFER, 0, 0);
    CHECK(old.error() == GL_INVALID_ENUM);
    BindBuffer(old.ctx, GL_DRAW_INDIRECT_BUFFER, 0);
    CHECK(old.error() == GL_INVALID_ENUM);
    CHECK(old.integer(GL_MAX_IMAGE_UNITS) == -77);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("images of textures") {
    Es31 h;
    GLuint t[2] = {};
    GenTextures(h.ctx, 2, t);
    BindTexture(h.ctx, GL_TEXTURE_2D, t[0]);
    TexStorage2D(h.ctx, GL_TEXTURE_2D, 2, GL_RGBA8, 8, 8);
    BindTexture(h.ctx, GL_TEXTURE_2D, t[1]);
    TexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_RGBA8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(h.indexed(GL_IMAGE_BINDING_FORMAT, 0) == GL_R32UI);
    CHECK(h.indexed(GL_IMAGE_BINDING_ACCESS, 0) == GL_READ_ONLY);
    BindImageTexture(h.ctx, 2, t[0], 1, GL_TRUE, 3, GL_READ_WRITE, GL_R32F);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.indexed(GL_IMAGE_BINDING_NAME, 2) == GLint(t[0]));
    CHECK(h.indexed(GL_IMAGE_BINDING_LEVEL, 2) == 1);
    GLboolean layered = 0;
    GetBooleani_v(h.ctx, GL_IMAGE_BINDING_LAYERED, 2, &layered);
    CHECK(layered == 1);
    CHECK(h.indexed(GL_IMAGE_BINDING_LAYER, 2) == 3);
    CHECK(h.indexed(GL_IMAGE_BINDING_ACCESS, 2) == GL_READ_WRITE);
    CHECK(h.indexed(GL_IMAGE_BINDING_FORMAT, 2) == GL_R32F);
    const auto bind = [&](GLuint unit, GLuint name, GLint level, GLint layer, GLenum access, GLenum format) {
        BindImageTexture(h.ctx, unit, name, level, GL_FALSE, layer, access, format);
        return h.error();
    };
    CHECK(bind(8, t[0], 0, 0, GL_READ_ONLY, GL_R32F) == GL_INVALID_VALUE);
    CHECK(bind(0, 99, 0, 0, GL_READ_ONLY, GL_R32F) == GL_INVALID_VALUE);
    CHECK(bind(0, t[0], -1, 0, GL_READ_ONLY, GL_R32F) == GL_INVALID_VALUE);
    CHECK(bind(0, t[0], 0, -1, GL_READ_ONLY, GL_R32F) == GL_INVALID_VALUE);
    CHECK(bind(0, t[0], 0, 0, GL_RGBA, GL_R32F) == GL_INVALID_ENUM);
    CHECK(bind(0, t[0], 0, 0, GL_READ_ONLY, GL_RGB8) == GL_INVALID_VALUE);
    CHECK(bind(0, t[1], 0, 0, GL_READ_ONLY, GL_RGBA8) ==
          GL_INVALID_OPERATION);  // the texture is not immutable
    DeleteTextures(h.ctx, 1, t);
    CHECK(h.indexed(GL_IMAGE_BINDING_NAME, 2) == 0);
}

TEST_CASE("sample masks and limits by index") {
    Es31 h;
    Enable(h.ctx, GL_SAMPLE_MASK);
    SampleMaski(h.ctx, 0, 0x80000005u);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(IsEnabled(h.ctx, GL_SAMPLE_MASK) == 1);
    CHECK(GLuint(h.indexed(GL_SAMPLE_MASK_VALUE, 0)) == 0x80000005u);
    GLint64 wide = 0;  // a mask of 32 bits is read as a GLint, also here
    GetInteger64i_v(h.ctx, GL_SAMPLE_MASK_VALUE, 0, &wide);
    CHECK(wide == GLint(0x80000005u));
    CHECK(h.error_of([&] { SampleMaski(h.ctx, 1, 0); }) == GL_INVALID_VALUE);
    CHECK(h.indexed(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 2) == 65535);
    CHECK(h.indexed(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 2) == 64);
    CHECK(h.error_of([&] { h.indexed(GL_MAX_COMPUTE_WORK_GROUP_SIZE, 3); }) == GL_INVALID_VALUE);
    CHECK(h.integer(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS) >= 128);
    test::Harness old(test::es3());
    Enable(old.ctx, GL_SAMPLE_MASK);
    CHECK(old.error() == GL_INVALID_ENUM);
}

TEST_CASE("sample shading and positions of samples") {
    Es31 h;
    CHECK(raster_desc(h.ctx).sample_shading == 0);
    MinSampleShading(h.ctx, 0.75f);
    CHECK(raster_desc(h.ctx).sample_shading == 0);
    Enable(h.ctx, GL_SAMPLE_SHADING);
    CHECK(raster_desc(h.ctx).sample_shading == 0.75f);
    MinSampleShading(h.ctx, 7);
    GLfloat v[2] = {};
    GetFloatv(h.ctx, GL_MIN_SAMPLE_SHADING_VALUE, v);
    CHECK(v[0] == 1);
    GetFloatv(h.ctx, GL_MIN_FRAGMENT_INTERPOLATION_OFFSET, v);
    CHECK(v[0] == -0.5f);
    // GL_SAMPLES is 0 if pixels have one sample.
    CHECK(h.error_of([&] { GetMultisamplefv(h.ctx, GL_SAMPLE_POSITION, 0, v); }) == GL_INVALID_VALUE);
    GLuint fb = 0;
    GenFramebuffers(h.ctx, 1, &fb);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, fb);
    FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_WIDTH, 8);
    FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_HEIGHT, 8);
    FramebufferParameteri(h.ctx, GL_FRAMEBUFFER, GL_FRAMEBUFFER_DEFAULT_SAMPLES, 3);
    CHECK(h.integer(GL_SAMPLES) == 4);
    GetMultisamplefv(h.ctx, GL_SAMPLE_POSITION, 3, v);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(v[1] == 0.5f);
    CHECK(h.error_of([&] { GetMultisamplefv(h.ctx, GL_SAMPLE_POSITION, 4, v); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { GetMultisamplefv(h.ctx, GL_SAMPLES, 0, v); }) == GL_INVALID_ENUM);
    // OES_sample_shading requires OpenGL ES 3.0.
    test::Harness es3(test::es3()), es2;
    Enable(es3.ctx, GL_SAMPLE_SHADING);
    CHECK(es3.error() == GL_NO_ERROR);
    Enable(es2.ctx, GL_SAMPLE_SHADING);
    CHECK(es2.error() == GL_INVALID_ENUM);
}
