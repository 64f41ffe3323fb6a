// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures and renderbuffers from EGLImages, and images from textures. They share storage until either is
// redefined.
#include "state_tracker/image_export.h"
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

/// Handles are pointers to st::Image; a null handle is no image.
pipe::Ref<Image> lookup(void*, GLeglImageOES handle) {
    return pipe::Ref<Image>(static_cast<Image*>(handle));
}

struct ImageFixture : Fixture {
    ImageFixture() {
        ContextConfig config;
        config.lookup_image = lookup;
        ctx = Context::create(screen, nullptr, config);
        ctx->make_current(drawable, drawable);
    }
    pipe::Ref<Image> make(pipe::Format format, uint32_t w, uint32_t h, GLenum internal_format = 0) {
        pipe::ResourceDesc d;
        d.format = format;
        d.width = w;
        d.height = h;
        d.bind = pipe::bind::kSampled | pipe::bind::kColor;
        auto i = pipe::Ref<Image>::adopt(new Image);
        i->resource = screen.create_resource(d);
        i->format = format;
        i->width_px = w;
        i->height_px = h;
        i->gl_internal_format = internal_format;
        return i;
    }
};

}  // namespace

TEST_CASE("EGLImageTarget*: errors") {
    ImageFixture f;
    auto i = f.make(pipe::Format::B8G8R8A8_UNORM, 4, 4);
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_CUBE_MAP, i.get());
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_2D, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    EGLImageTargetRenderbufferStorage(f.gl(), GL_FRAMEBUFFER, i.get());
    CHECK(f.error() == GLenum(GL_INVALID_ENUM));
    EGLImageTargetRenderbufferStorage(f.gl(), GL_RENDERBUFFER, nullptr);
    CHECK(f.error() == GLenum(GL_INVALID_VALUE));
    EGLImageTargetRenderbufferStorage(f.gl(), GL_RENDERBUFFER, i.get());  // no renderbuffer is bound
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    i->external_only = true;
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_2D, i.get());
    CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_EXTERNAL_OES, i.get());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    Fixture without;  // without a lookup function
    EGLImageTargetTexture2D(without.gl(), GL_TEXTURE_2D, i.get());
    CHECK(without.error() == GLenum(GL_INVALID_VALUE));
}

TEST_CASE("a texture of an image samples and renders its storage") {
    ImageFixture f;
    auto i = f.make(pipe::Format::B8G8R8X8_UNORM, 4, 2, GL_RGB);
    GLuint t = f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_2D, i.get());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    f.use_samplers({TextureTarget::Tex2D});
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->resource == i->resource);
    // Writes change the storage: RGB bytes are written to BGRX storage.
    const uint8_t rgb[3] = {1, 2, 3};
    TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 3, 1, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 3, 1) == Bytes{3, 2, 1, 255});
    f.framebuffer();
    FramebufferTexture2D(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
    CHECK(CheckFramebufferStatus(f.gl(), GL_FRAMEBUFFER) == GLenum(GL_FRAMEBUFFER_COMPLETE));
    CHECK(bound_framebuffer_info(f.gl()).color_bits[3] == 0);
    BindFramebuffer(f.gl(), GL_FRAMEBUFFER, 0);
    // A new definition does not change the image, even one of the same size.
    const Bytes nines(4 * 2 * 4, 9);
    f.image(0, 4, 2, nines.data(), GL_RGB);
    CHECK(!(f.object(t).image(0, 0)->resource == i->resource));
    auto& r = static_cast<fake::FakeResource&>(*i->resource);
    CHECK(*r.at(0, 3, 1, 0) == 3);
}

TEST_CASE("images of 8-bit colours accept texels of four channels in both orders") {
    for (const auto& [format, alpha] : {std::pair{pipe::Format::B8G8R8X8_UNORM, uint8_t(255)},
                                        std::pair{pipe::Format::B8G8R8A8_UNORM, uint8_t(4)}}) {
        ImageFixture f;
        auto i = f.make(format, 4, 2, alpha == 255 ? GL_RGB : GL_BGRA_EXT);
        const GLuint t = f.texture();
        EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_2D, i.get());
        const uint8_t texel[4] = {1, 2, 3, 4};
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, texel);
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 1, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
        CHECK(f.error() == GLenum(GL_NO_ERROR));
        CHECK(f.texel(t, 0, 0, 0) == Bytes{1, 2, 3, alpha});
        CHECK(f.texel(t, 0, 1, 0) == Bytes{3, 2, 1, alpha});
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, texel);
        CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
        f.image(0, 4, 2, nullptr, GL_RGB);  // the redefined image has its own format
        TexSubImage2D(f.gl(), GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, texel);
        CHECK(f.error() == GLenum(GL_INVALID_OPERATION));
    }
}

TEST_CASE("an external texture samples; a mipmapping filter cannot be set on it") {
    ImageFixture f;
    auto i = f.make(pipe::Format::R8G8B8A8_UNORM, 4, 2);
    f.texture(GL_TEXTURE_EXTERNAL_OES);
    f.use_samplers({TextureTarget::External});
    CHECK(!f.emitted_view());
    EGLImageTargetTexture2D(f.gl(), GL_TEXTURE_EXTERNAL_OES, i.get());
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.kind == pipe::ResourceKind::Tex2D);
}

TEST_CASE("a renderbuffer of an image") {
    ImageFixture f;
    auto i = f.make(pipe::Format::R8G8B8A8_UNORM, 4, 2, GL_RGBA8_OES);
    f.framebuffer();
    GLuint r = f.renderbuffer(GL_RGBA4, 1, 1);
    FramebufferRenderbuffer(f.gl(), GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r);
    EGLImageTargetRenderbufferStorage(f.gl(), GL_RENDERBUFFER, i.get());
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    f.gl().state.clear_color[0] = 1;
    Clear(f.gl(), GL_COLOR_BUFFER_BIT);
    (void)f.gl().flush();
    CHECK(*static_cast<fake::FakeResource&>(*i->resource).at(0, 3, 1, 0) == 255);
    GLint width = 0;
    GetRenderbufferParameteriv(f.gl(), GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &width);
    CHECK(width == 4);
}

TEST_CASE("an image of a texture shares its storage until the texture is redefined") {
    ImageFixture f;
    GLuint t = f.texture();
    for (int l : {2, 1, 0}) {
        const Bytes p(size_t(4 >> l) * size_t(4 >> l) * 4, uint8_t(l + 1));
        f.image(l, 4 >> l, 4 >> l, p.data());
    }
    pipe::Ref<Image> i;
    std::string why;
    REQUIRE(export_image(f.gl(), ImageSource::Texture2D, t, 0, 1, 0, &i, &why) == ImageResult::Ok);
    CHECK(i->width_px == 2);
    CHECK(i->resource == f.object(t).image(0, 1)->resource);
    // Sampling the whole texture does not move the image's level to other storage.
    f.use_samplers({TextureTarget::Tex2D});
    REQUIRE(f.emitted_view());
    CHECK(i->resource == f.object(t).image(0, 1)->resource);
    const Bytes nines(16, 9);
    f.image(1, 2, 2, nines.data());
    auto& r = static_cast<fake::FakeResource&>(*i->resource);
    CHECK(*r.at(int(i->level), 0, 0, 0) == 2);
    CHECK(f.texel(t, 1, 0, 0) == Bytes(4, 9));
    // When the texture's levels are moved to one resource again, nothing is copied to the image's level.
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(*r.at(int(i->level), 0, 0, 0) == 2);
    CHECK(f.texel(t, 1, 1, 1) == Bytes(4, 9));
    CHECK(f.texel(t, 0, 0, 0) == Bytes(4, 1));
    CHECK(f.texel(t, 2, 0, 0) == Bytes(4, 3));
}
