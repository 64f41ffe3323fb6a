// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cache of sampled textures and their names in a context: it must be right, and must not keep deleted
// textures long.
#include "state_tracker/images/sampler.h"
#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;

namespace {

struct Sampling : Fixture30 {
    Sampling() { use_samplers({TextureTarget::Tex2D}); }
    /// A texture of that width that needs no mipmaps.
    GLuint texture_of(GLsizei width) {
        const GLuint t = texture();
        TexParameteri(gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        image(0, width, 1);
        return t;
    }
    /// The width of the texture that a draw would sample.
    uint32_t sampled_width(GLuint t) {
        BindTexture(gl(), GL_TEXTURE_2D, t);
        const pipe::SamplerView* const view = emitted_view();
        return view ? view->resource->desc.width : 0;
    }
    pipe::Wrap wrap() {
        return static_cast<fake::FakeSampler*>(c().samplers[size_t(pipe::Stage::Fragment)][0])->desc.wrap_s;
    }
    pipe::Ref<pipe::Resource> storage(GLuint t) { return object(t).image(0, 0)->resource; }
};

}  // namespace

TEST_CASE("each draw samples the bound texture, also with more textures than cache entries") {
    Sampling f;
    constexpr GLsizei kTextures = 200;
    std::vector<GLuint> names;
    for (GLsizei i = 0; i < kTextures; ++i)
        names.push_back(f.texture_of(1 + i));
    for (int round = 0; round < 3; ++round)
        for (GLsizei i = 0; i < kTextures; ++i) {
            REQUIRE(f.sampled_width(names[size_t(i)]) == uint32_t(1 + i));
            REQUIRE(f.sampled_width(names[0]) == 1);
        }
    // One call for each change.
    const unsigned calls = f.c().count("set_textures");
    CHECK(f.sampled_width(names[7]) == 8);
    CHECK(f.sampled_width(names[7]) == 8);
    CHECK(f.c().count("set_textures") == calls + 1);
}

TEST_CASE("a changed texture is checked again, whichever context changed it") {
    Sampling f;
    const GLuint a = f.texture_of(4), b = f.texture_of(8);
    CHECK(f.sampled_width(a) == 4);
    CHECK(f.sampled_width(b) == 8);
    std::unique_ptr<Context> other = Context::create(f.screen, &f.gl(), f.gl().config);
    REQUIRE(other);
    BindTexture(*other, GL_TEXTURE_2D, a);
    TexParameteri(*other, GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    TexImage2D(*other, GL_TEXTURE_2D, 0, GL_RGBA, 16, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(f.sampled_width(a) == 16);
    CHECK(f.wrap() == pipe::Wrap::ClampToEdge);
    CHECK(f.sampled_width(b) == 8);
    CHECK(f.wrap() == pipe::Wrap::Repeat);
    // Incomplete, then complete again.
    TexParameteri(*other, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(f.sampled_width(a) == 0);
    TexParameteri(*other, GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    CHECK(f.sampled_width(a) == 16);
}

TEST_CASE("the cache key includes the sampler object") {
    Sampling f;
    const GLuint t = f.texture_of(4);
    GLuint samplers[2];
    GenSamplers(f.gl(), 2, samplers);
    SamplerParameteri(f.gl(), samplers[0], GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    SamplerParameteri(f.gl(), samplers[1], GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    const auto wrap_with = [&](GLuint sampler) {
        BindSampler(f.gl(), 0, sampler);
        (void)f.sampled_width(t);
        return f.wrap();
    };
    for (int round = 0; round < 2; ++round) {
        CHECK(wrap_with(samplers[0]) == pipe::Wrap::ClampToEdge);
        CHECK(wrap_with(samplers[1]) == pipe::Wrap::MirroredRepeat);
        CHECK(wrap_with(0) == pipe::Wrap::Repeat);
    }
    SamplerParameteri(f.gl(), samplers[1], GL_TEXTURE_WRAP_S, GL_REPEAT);
    CHECK(wrap_with(samplers[1]) == pipe::Wrap::Repeat);
    CHECK(wrap_with(samplers[0]) == pipe::Wrap::ClampToEdge);
}

TEST_CASE("deleted textures are released, at once or with the next flush") {
    Sampling f;
    const GLuint mine = f.texture_of(4), theirs = f.texture_of(8), last = f.texture_of(16);
    const pipe::Ref<pipe::Resource> of_mine = f.storage(mine), of_theirs = f.storage(theirs);
    CHECK(f.sampled_width(mine) == 4);
    CHECK(f.sampled_width(theirs) == 8);
    CHECK(f.sampled_width(last) == 16);
    DeleteTextures(f.gl(), 1, &mine);
    CHECK(of_mine->unique());
    std::unique_ptr<Context> other = Context::create(f.screen, &f.gl(), f.gl().config);
    REQUIRE(other);
    DeleteTextures(*other, 1, &theirs);
    SUBCASE("flush") {
        (void)f.gl().flush();
    }
    SUBCASE("the end of a frame") {
        (void)f.gl().flush_frame();
    }
    SUBCASE("a name that is looked up, and a flush") {
        BindTexture(f.gl(), GL_TEXTURE_2D, last);
        (void)f.gl().flush();
    }
    CHECK(of_theirs->unique());
}

TEST_CASE("a reused name refers to the new texture, also in contexts whose cache has the old one") {
    Sampling f;
    const GLuint t = f.texture_of(4);
    CHECK(f.sampled_width(t) == 4);
    std::unique_ptr<Context> other = Context::create(f.screen, &f.gl(), f.gl().config);
    REQUIRE(other);
    DeleteTextures(*other, 1, &t);
    BindTexture(*other, GL_TEXTURE_CUBE_MAP, t);
    BindTexture(f.gl(), GL_TEXTURE_2D, t);
    CHECK(f.error() == GL_INVALID_OPERATION);
    DeleteTextures(*other, 1, &t);
    CHECK(f.sampled_width(t) == 0);  // a new texture without images
    CHECK(f.error() == GL_NO_ERROR);
    // Names that use the same entry of the cache.
    BindTexture(f.gl(), GL_TEXTURE_2D, t + 64);
    f.image(0, 32, 1);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    CHECK(f.sampled_width(t) == 0);
    CHECK(f.sampled_width(t + 64) == 32);
}
