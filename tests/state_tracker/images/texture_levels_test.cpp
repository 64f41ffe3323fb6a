// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Completeness, and levels that are defined in any order: their contents must survive and end up in one
// resource.
#include <algorithm>

#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
using Bytes = std::vector<uint8_t>;

namespace {

void fill_level(Fixture& f, GLint level, GLsizei size, uint8_t value, GLenum target = GL_TEXTURE_2D) {
    std::vector<uint8_t> pixels(size_t(size) * size_t(size) * 4, value);
    f.image(level, size, size, pixels.data(), GL_RGBA, GL_UNSIGNED_BYTE, target);
}

struct CompleteRow {
    const char* what;
    bool complete;
    void (*define)(Fixture&);
};

void filters(Fixture& f, GLint min, GLint mag, GLenum target = GL_TEXTURE_2D) {
    TexParameteri(f.gl(), target, GL_TEXTURE_MIN_FILTER, min);
    TexParameteri(f.gl(), target, GL_TEXTURE_MAG_FILTER, mag);
}
void chain(Fixture& f, GLsizei w, GLsizei h, GLint levels) {
    for (GLint l = 0; l < levels; ++l)
        f.image(l, std::max(1, w >> l), std::max(1, h >> l));
}
void cube(Fixture& f, GLsizei size, GLint levels, GLint odd_face = -1, GLsizei odd_size = 0,
          GLenum odd_format = GL_RGBA) {
    for (GLint l = 0; l < levels; ++l)
        for (GLint i = 0; i < 6; ++i) {
            const bool odd = i == odd_face;
            const GLsizei s = std::max(1, (odd && odd_size ? odd_size : size) >> l);
            f.image(l, s, s, nullptr, odd ? odd_format : GLenum(GL_RGBA), GL_UNSIGNED_BYTE,
                    GL_TEXTURE_CUBE_MAP_POSITIVE_X + GLenum(i));
        }
}

const CompleteRow kRows[] = {
    {"nothing defined", false, [](Fixture&) {}},
    {"default filter, level 0 alone", false, [](Fixture& f) { f.image(0, 4, 4); }},
    {"1 x 1 is its whole chain", true, [](Fixture& f) { f.image(0, 1, 1); }},
    {"LINEAR, level 0 alone", true, [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR), f.image(0, 4, 4); }},
    {"NEAREST, not a power of two", true,
     [](Fixture& f) { filters(f, GL_NEAREST, GL_LINEAR), f.image(0, 5, 3); }},
    {"empty level 0", false, [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR), f.image(0, 0, 0); }},
    {"level 1 alone", false, [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR), f.image(1, 4, 4); }},
    {"full chain", true, [](Fixture& f) { chain(f, 8, 4, 4); }},
    {"full chain, not a power of two", true, [](Fixture& f) { chain(f, 7, 5, 3); }},
    {"chain without the last", false, [](Fixture& f) { chain(f, 8, 4, 3); }},
    {"chain with a level of another size", false, [](Fixture& f) { chain(f, 8, 4, 4), f.image(2, 1, 1); }},
    {"chain with a level of another type", false,
     [](Fixture& f) { chain(f, 8, 8, 4), f.image(2, 2, 2, nullptr, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4); }},
    {"chain with a level of another format", false,
     [](Fixture& f) { chain(f, 8, 8, 4), f.image(2, 2, 2, nullptr, GL_RGB); }},
    {"a bad level does not matter without mipmaps", true,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR), chain(f, 8, 4, 4), f.image(2, 1, 1); }},
    {"half float, linear", true,
     [](Fixture& f) {
         filters(f, GL_LINEAR, GL_LINEAR), f.image(0, 4, 4, nullptr, GL_RGBA, GL_HALF_FLOAT_OES);
     }},
    {"float, linear", true,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR), f.image(0, 4, 4, nullptr, GL_RGBA, GL_FLOAT); }},
};

const CompleteRow kNoFloatFilterRows[] = {
    {"nearest", true,
     [](Fixture& f) { filters(f, GL_NEAREST, GL_NEAREST), f.image(0, 4, 4, nullptr, GL_RGBA, GL_FLOAT); }},
    {"linear mag", false,
     [](Fixture& f) { filters(f, GL_NEAREST, GL_LINEAR), f.image(0, 4, 4, nullptr, GL_RGBA, GL_FLOAT); }},
    {"linear min", false,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_NEAREST), f.image(0, 4, 4, nullptr, GL_RGBA, GL_FLOAT); }},
    {"linear between levels", false,
     [](Fixture& f) {
         filters(f, GL_NEAREST_MIPMAP_LINEAR, GL_NEAREST), f.image(0, 1, 1, nullptr, GL_RGBA, GL_FLOAT);
     }},
    {"nearest mipmap nearest", true,
     [](Fixture& f) {
         filters(f, GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST), f.image(0, 1, 1, nullptr, GL_RGBA, GL_FLOAT);
     }},
    {"half float", true,
     [](Fixture& f) {
         filters(f, GL_LINEAR, GL_LINEAR), f.image(0, 4, 4, nullptr, GL_RGBA, GL_HALF_FLOAT_OES);
     }},
};

const CompleteRow kCubeRows[] = {
    {"six faces, linear", true,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR, GL_TEXTURE_CUBE_MAP), cube(f, 4, 1); }},
    {"six faces, mipmapped", false, [](Fixture& f) { cube(f, 4, 1); }},
    {"six chains", true, [](Fixture& f) { cube(f, 4, 3); }},
    {"one face of another size", false,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR, GL_TEXTURE_CUBE_MAP), cube(f, 4, 1, 3, 8); }},
    {"one face of another format", false,
     [](Fixture& f) { filters(f, GL_LINEAR, GL_LINEAR, GL_TEXTURE_CUBE_MAP), cube(f, 4, 1, 5, 0, GL_RGB); }},
    {"one chain of another size", false, [](Fixture& f) { cube(f, 4, 3, 0, 8); }},
    {"one face empty", false,
     [](Fixture& f) {
         filters(f, GL_LINEAR, GL_LINEAR, GL_TEXTURE_CUBE_MAP), cube(f, 4, 1);
         f.image(0, 0, 0, nullptr, GL_RGBA, GL_UNSIGNED_BYTE, GL_TEXTURE_CUBE_MAP_NEGATIVE_X);
     }},
};

template <size_t N>
void check_rows(const CompleteRow (&rows)[N], bool float_linear, TextureTarget target) {
    for (const CompleteRow& r : rows) {
        CAPTURE(r.what);
        Fixture f;
        f.screen.mutable_caps().float_textures_linear = float_linear;
        GLuint t = f.texture(target == TextureTarget::Cube ? GL_TEXTURE_CUBE_MAP : GL_TEXTURE_2D);
        r.define(f);
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        const Texture& object = f.object(t);
        CHECK((texture_completeness(object, object.params.mipmapped()).complete &&
               !broken_filter_rule(f.gl(), object, object.params)) == r.complete);
        f.use_samplers({target});
        CHECK(bool(f.emitted_view()) == r.complete);
    }
}

}  // namespace

TEST_CASE("completeness of 2D textures") {
    check_rows(kRows, true, TextureTarget::Tex2D);
}
TEST_CASE("completeness of float textures on a device that does not filter them") {
    check_rows(kNoFloatFilterRows, false, TextureTarget::Tex2D);
}
TEST_CASE("completeness of cube maps") {
    check_rows(kCubeRows, true, TextureTarget::Cube);
}

TEST_CASE("levels in every order end up in one resource, with their texels") {
    int order[4] = {0, 1, 2, 3};
    do {
        CAPTURE(order[0]);
        CAPTURE(order[1]);
        CAPTURE(order[2]);
        Fixture f;
        GLuint t = f.texture();
        for (int l : order)
            fill_level(f, l, 8 >> l, uint8_t(10 + l));
        f.use_samplers({TextureTarget::Tex2D});
        pipe::SamplerView* v = f.emitted_view();
        REQUIRE(v);
        CHECK(v->desc.first_level == 0);
        CHECK(v->desc.last_level == 3);
        for (unsigned l = 0; l < 4; ++l) {
            CHECK(f.object(t).image(0, l)->resource == v->resource);
            CHECK(f.texel(t, l, 0, 0) == Bytes(4, uint8_t(10 + l)));
        }
        CHECK(f.error() == GLenum(GL_NO_ERROR));
    } while (std::next_permutation(order, order + 4));
}

TEST_CASE("levels of other sizes are kept, and are used once level 0 fits them") {
    Fixture f;
    GLuint t = f.texture();
    fill_level(f, 0, 4, 1);
    fill_level(f, 1, 8, 2);  // as of a 16 x 16 texture
    fill_level(f, 2, 4, 3);
    fill_level(f, 3, 2, 4);
    fill_level(f, 4, 1, 5);
    f.use_samplers({TextureTarget::Tex2D});
    CHECK(!f.emitted_view());
    fill_level(f, 0, 16, 6);
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->resource->desc.width == 16);
    for (unsigned l = 0; l < 5; ++l)
        CHECK(f.texel(t, l, 0, 0) == Bytes(4, uint8_t(l ? l + 1 : 6)));
    // And back to a texture with only the first level.
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->desc.last_level == v->desc.first_level);
}

TEST_CASE("random definitions never lose texels") {
    uint32_t seed = 12345;
    auto random = [&](uint32_t n) { return (seed = seed * 1664525 + 1013904223) / 65536 % n; };
    Fixture f;
    GLuint t = f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    struct Expected {
        GLsizei size = 0;
        uint8_t value = 0;
    } expected[5];
    for (int step = 0; step < 500; ++step) {
        const GLint level = GLint(random(5));
        Expected& e = expected[level];
        switch (random(4)) {
            case 0:
            case 1:
                e.size = random(3) ? 16 >> level : GLsizei(1u << random(4));
                e.value = uint8_t(step);
                fill_level(f, level, e.size, e.value);
                break;
            case 2:
                if (e.size) {
                    e.value = uint8_t(step);
                    std::vector<uint8_t> pixels(size_t(e.size) * size_t(e.size) * 4, e.value);
                    TexSubImage2D(f.gl(), GL_TEXTURE_2D, level, 0, 0, e.size, e.size, GL_RGBA,
                                  GL_UNSIGNED_BYTE, pixels.data());
                }
                break;
            default:
                TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER,
                              random(2) ? GL_LINEAR : GL_LINEAR_MIPMAP_LINEAR);
                (void)f.emitted_view();
        }
        REQUIRE(f.error() == GLenum(GL_NO_ERROR));
        for (unsigned l = 0; l < 5; ++l)
            if (expected[l].size) {
                REQUIRE(f.texel(t, l, 0, 0) == Bytes(4, expected[l].value));
                REQUIRE(f.texel(t, l, expected[l].size - 1, expected[l].size - 1) ==
                        Bytes(4, expected[l].value));
            }
    }
}

TEST_CASE("storage: one level without mipmaps, all levels if the application announces them") {
    Fixture f;
    f.texture();
    f.image(0, 16, 16);
    CHECK(f.screen.created_resources == 2 + 1);  // in addition to the surface's two
    GLuint t = f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    f.image(0, 16, 16);
    CHECK(f.object(t).image(0, 0)->resource->desc.levels == 5);
    for (int l = 1; l < 5; ++l)
        f.image(l, 16 >> l, 16 >> l);
    CHECK(f.screen.created_resources == 4);
    CHECK(f.c().count("copy_region") == 0);
    // The same size again uses the same storage.
    const pipe::Resource* before = f.object(t).image(0, 0)->resource.get();
    f.image(0, 16, 16);
    CHECK(f.object(t).image(0, 0)->resource.get() == before);
    CHECK(f.screen.created_resources == 4);
}

TEST_CASE("GenerateMipmap averages, defines all levels, and keeps level 0") {
    Fixture f;
    GLuint t = f.texture();
    uint8_t pixels[4][4][4];
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            for (int c = 0; c < 4; ++c)
                pixels[y][x][c] = uint8_t(x < 2 ? 100 : 200);
    f.image(0, 4, 4, pixels);
    GenerateMipmap(f.gl(), GL_TEXTURE_2D);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.texel(t, 0, 3, 0) == Bytes(4, 200));
    CHECK(f.texel(t, 1, 0, 0) == Bytes(4, 100));
    CHECK(f.texel(t, 1, 1, 1) == Bytes(4, 200));
    CHECK(f.texel(t, 2, 0, 0) == Bytes(4, 150));
    CHECK(texture_completeness(f.object(t), true).complete);
    // Stale levels of another size are removed.
    f.image(0, 2, 2, pixels);
    GenerateMipmap(f.gl(), GL_TEXTURE_2D);
    CHECK(f.object(t).image(0, 1)->width == 1);
    CHECK(texture_completeness(f.object(t), true).complete);
    for (GLenum i = 0; i < 6; ++i)
        f.image(0, 2, 2, pixels, GL_RGBA, GL_UNSIGNED_BYTE, GL_TEXTURE_CUBE_MAP_POSITIVE_X + i);
    GenerateMipmap(f.gl(), GL_TEXTURE_CUBE_MAP);
    CHECK(f.error() == GLenum(GL_NO_ERROR));
    CHECK(f.gl().default_textures[unsigned(TextureTarget::Cube)]->image(5, 1)->width == 1);
}

TEST_CASE("emit_textures passes only changes to the pipe") {
    Fixture f;
    GLuint t = f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    f.image(0, 4, 4);
    f.use_samplers({TextureTarget::Tex2D, TextureTarget::Cube});
    CHECK(f.emitted_view(0));
    CHECK(!f.emitted_view(1));  // the default cube map is incomplete
    CHECK(f.c().count("set_textures") == 1);
    BindTexture(f.gl(), GL_TEXTURE_2D, t);
    CHECK(f.emitted_view(0));
    CHECK(f.c().count("set_textures") == 1);
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    CHECK(f.emitted_view(0));
    CHECK(f.c().count("set_textures") == 2);
    TexParameterf(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 1000);
    CHECK(f.emitted_view(0));
    auto* s = static_cast<fake::FakeSampler*>(f.c().samplers[size_t(pipe::Stage::Fragment)][0]);
    CHECK(s->desc.wrap_s == pipe::Wrap::ClampToEdge);
    CHECK(s->desc.wrap_t == pipe::Wrap::Repeat);
    CHECK(s->desc.mip == pipe::MipFilter::None);
    CHECK(s->desc.max_anisotropy == 16);
    f.use_samplers({});
    (void)f.emitted_view(0);
    CHECK(f.gl().executable);
}

TEST_CASE("share groups: a texture changed by one context is seen by the other") {
    Fixture f;
    GLuint t = f.texture();
    TexParameteri(f.gl(), GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    fill_level(f, 0, 4, 1);
    std::unique_ptr<Context> other = Context::create(f.screen, &f.gl(), ContextConfig{});
    REQUIRE(other);
    BindTexture(*other, GL_TEXTURE_2D, t);
    std::vector<uint8_t> pixels(16 * 16 * 4, 9);
    TexImage2D(*other, GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    f.use_samplers({TextureTarget::Tex2D});
    BindTexture(f.gl(), GL_TEXTURE_2D, t);
    pipe::SamplerView* v = f.emitted_view();
    REQUIRE(v);
    CHECK(v->resource->desc.width == 16);
    CHECK(f.texel(t, 0, 15, 15) == Bytes(4, 9));
    // It was deleted there, but is still bound here.
    DeleteTextures(*other, 1, &t);
    CHECK(f.gl().textures[0][0]->name == t);
    CHECK(f.gl().textures[0][0]->image(0, 0)->width == 16);
}
