// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// YUV images: the numbers for the conversion in shaders, and the bindings of a draw.
#include "state_tracker/images/yuv.h"

#include <algorithm>
#include <bit>

#include "tests/state_tracker/images/fixture.h"

using namespace terrazzo;
using namespace terrazzo::st;
using namespace terrazzo::st::images_test;
namespace at = ir::external_conversion;

namespace {

constexpr auto kFs = size_t(pipe::Stage::Fragment);
constexpr std::array<GLenum, 4> kAsIs{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};

pipe::Ref<Image> lookup(void*, GLeglImageOES handle) {
    return pipe::Ref<Image>(static_cast<Image*>(handle));
}

struct YuvFixture : Fixture {
    YuvFixture() {
        ContextConfig config;
        config.lookup_image = lookup;
        ctx = Context::create(screen, nullptr, config);
        ctx->make_current(drawable, drawable);
    }
    pipe::Ref<pipe::Resource> plane(pipe::Format f, uint32_t w, uint32_t h) {
        pipe::ResourceDesc d;
        d.format = f;
        d.width = w;
        d.height = h;
        d.bind = pipe::bind::kSampled;
        return screen.create_resource(d);
    }
    /// 5 x 4 pixels with chroma of 3 x 2.
    YuvPlanes planes(unsigned count) {
        YuvPlanes p;
        p.x_shift = p.y_shift = 1;
        for (unsigned n = 0; n < count; ++n)
            p.chroma[n] = plane(count == 1 ? pipe::Format::R8G8_UNORM : pipe::Format::R8_UNORM, 3, 2);
        return p;
    }
    pipe::Ref<Image> image(pipe::Format f, std::optional<YuvPlanes> yuv = {}) {
        auto i = pipe::Ref<Image>::adopt(new Image);
        i->resource = plane(f, 5, 4);
        i->format = f;
        i->width_px = 5;
        i->height_px = 4;
        i->external_only = bool(yuv);
        i->yuv = std::move(yuv);
        return i;
    }
    GLuint external(const pipe::Ref<Image>& i) {
        const GLuint t = texture(GL_TEXTURE_EXTERNAL_OES);
        EGLImageTargetTexture2D(gl(), GL_TEXTURE_EXTERNAL_OES, i.get());
        CHECK(error() == GLenum(GL_NO_ERROR));
        return t;
    }
    /// A program with one external sampler whose conversion begins at dword 2.
    pipe::Ref<Executable> external_program() {
        auto e = pipe::Ref<Executable>::adopt(new Executable);
        e->values = {0};
        e->samplers[kFs] = {{TextureTarget::External, false, 0, 0, 2},
                            {TextureTarget::External, false, 0, 1, -1},
                            {TextureTarget::External, false, 0, 2, -1}};
        e->blocks[kFs].resize(2 + at::kCount);
        e->sampler_stages = e->external_stages = 1u << kFs;
        install_executable(*ctx, e);
        ctx->dirty |= dirty::kTextures;
        return e;
    }
    /// The resources of the three slots after emit.
    std::vector<pipe::Resource*> emitted() {
        std::vector<pipe::Resource*> out;
        for (unsigned n = 0; n < 3; ++n) {
            pipe::SamplerView* const v = emitted_view(n);
            out.push_back(v ? v->resource.get() : nullptr);
        }
        return out;
    }
};

float word(const std::vector<uint32_t>& block, uint32_t n) {
    return std::bit_cast<float>(block[2 + n]);
}

/// Converts Y, U and V from 0 to 1.
std::vector<double> converted(const YuvConversion& c, double y, double u, double v) {
    std::vector<double> out;
    for (unsigned n = 0; n < 4; ++n) {
        const float* const row = c.data() + at::kMatrix + n * 4;
        out.push_back(row[0] * y + row[1] * u + row[2] * v + row[3]);
    }
    return out;
}

void check_color(const std::vector<double>& seen, const std::vector<double>& wanted) {
    for (unsigned n = 0; n < 4; ++n)
        CHECK(seen[n] == doctest::Approx(wanted[n]).epsilon(1e-4));
}

}  // namespace

TEST_CASE("yuv: black, white and red of each space and range") {
    YuvFixture f;
    YuvPlanes p = f.planes(1);
    const auto narrow = [&] { return yuv_conversion(p, 5, 4, kAsIs, false); };
    check_color(converted(narrow(), 16 / 255.0, 128 / 255.0, 128 / 255.0), {0, 0, 0, 1});
    check_color(converted(narrow(), 235 / 255.0, 128 / 255.0, 128 / 255.0), {1, 1, 1, 1});
    // Red: Y' = Kr, Cb = -Kr / (2 (1 - Kb)), Cr = 1/2.
    const auto red = [&](double kr, double kb) {
        const double y = 16 + 219 * kr, u = 128 - 224 * kr / (2 * (1 - kb)), v = 128 + 112;
        check_color(converted(narrow(), y / 255, u / 255, v / 255), {1, 0, 0, 1});
    };
    red(0.299, 0.114);
    p.space = YuvPlanes::Space::Bt709;
    red(0.2126, 0.0722);
    p.space = YuvPlanes::Space::Bt2020;
    red(0.2627, 0.0593);
    p.full_range = true;
    check_color(converted(narrow(), 0, 128 / 255.0, 128 / 255.0), {0, 0, 0, 1});
    check_color(converted(narrow(), 1, 128 / 255.0, 128 / 255.0), {1, 1, 1, 1});
    // Ten bits in the upper bits of sixteen.
    p.bits = 10;
    check_color(converted(narrow(), 1023 * 64 / 65535.0, 512 * 64 / 65535.0, 512 * 64 / 65535.0),
                {1, 1, 1, 1});
    p.full_range = false;
    check_color(converted(narrow(), 940 * 64 / 65535.0, 512 * 64 / 65535.0, 512 * 64 / 65535.0),
                {1, 1, 1, 1});
}

TEST_CASE("yuv: V may be first, and the texture's swizzle moves colours") {
    YuvFixture f;
    YuvPlanes p = f.planes(1);
    const YuvConversion uv = yuv_conversion(p, 5, 4, kAsIs, false);
    p.v_first = true;
    const YuvConversion vu = yuv_conversion(p, 5, 4, kAsIs, false);
    check_color(converted(vu, 0.5, 0.75, 0.25), converted(uv, 0.5, 0.25, 0.75));
    const YuvConversion moved = yuv_conversion(p, 5, 4, {GL_ALPHA, GL_RED, GL_ZERO, GL_BLUE}, false);
    const std::vector<double> c = converted(vu, 0.5, 0.75, 0.25);
    check_color(converted(moved, 0.5, 0.75, 0.25), {1, c[0], 0, c[2]});
}

TEST_CASE("yuv: positions of chroma samples") {
    YuvFixture f;
    YuvPlanes p = f.planes(2);
    const YuvConversion c = yuv_conversion(p, 5, 4, kAsIs, true);
    CHECK(c[at::kMode] == 2);
    CHECK(c[at::kShift] == 1);
    CHECK(c[at::kScale] == 5 / 6.0f);  // the third column extends beyond the picture
    CHECK(c[at::kScale + 1] == 1);
    CHECK(c[at::kOffset] == 0);
    p.x_siting = 0;
    CHECK(yuv_conversion(p, 5, 4, kAsIs, true)[at::kOffset] == 0.5f / 6);
    CHECK(yuv_conversion(p, 5, 4, kAsIs, true)[at::kOffset + 1] == 0);
    CHECK(yuv_conversion(p, 5, 4, kAsIs, false)[at::kOffset] == 0);  // the nearest texel is that of the pixel
    p.x_shift = 0;
    CHECK(yuv_conversion(p, 3, 4, kAsIs, true)[at::kOffset] == 0);
}

TEST_CASE("yuv: a draw binds each plane to its slot, and sets the conversion") {
    YuvFixture f;
    const auto two = f.image(pipe::Format::R8_UNORM, f.planes(1));
    const auto three = f.image(pipe::Format::R8_UNORM, f.planes(2));
    const auto rgb = f.image(pipe::Format::R8G8B8A8_UNORM);
    f.texture(GL_TEXTURE_EXTERNAL_OES);
    const auto e = f.external_program();
    // The conversion is added for the pipe only: the program's own block has none of it, because other
    // contexts share it.
    const auto block = [&](const Executable& x) {
        f.emitted();
        CHECK((f.gl().dirty & dirty::kUniforms) != 0);
        std::vector<uint32_t> words(x.blocks[kFs].begin(), x.blocks[kFs].end());
        write_conversions(f.gl(), x, kFs, words);
        CHECK(std::ranges::count(x.blocks[kFs], 0u) == std::ptrdiff_t(x.blocks[kFs].size()));
        return words;
    };
    CHECK(block(*e) == std::vector<uint32_t>(2 + at::kCount));  // without a texture nothing is set
    CHECK(f.emitted() == std::vector<pipe::Resource*>(3));
    const GLuint t = f.external(two);
    CHECK(word(block(*e), at::kMode) == 1);
    CHECK(f.emitted() ==
          std::vector<pipe::Resource*>{two->resource.get(), two->yuv->chroma[0].get(), nullptr});
    CHECK(block(*e)[0] == 0);
    f.external(three);
    CHECK(word(block(*e), at::kMode) == 2);
    CHECK(f.emitted() == std::vector<pipe::Resource*>{three->resource.get(), three->yuv->chroma[0].get(),
                                                      three->yuv->chroma[1].get()});
    // Another program with the same textures.
    const auto other = f.external_program();
    CHECK(block(*other) == block(*e));
    f.external(rgb);
    CHECK(block(*other) == std::vector<uint32_t>(2 + at::kCount));
    CHECK(f.emitted() == std::vector<pipe::Resource*>{rgb->resource.get(), nullptr, nullptr});
    BindTexture(f.gl(), GL_TEXTURE_EXTERNAL_OES, t);
    GLint units = 0;
    GetTexParameteriv(f.gl(), GL_TEXTURE_EXTERNAL_OES, GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES, &units);
    CHECK(units == 2);
}

TEST_CASE("yuv: programs without external samplers upload no uniforms for textures") {
    YuvFixture f;
    f.texture();
    f.use_samplers({TextureTarget::Tex2D});
    f.gl().dirty = 0;
    f.emitted_view();
    CHECK((f.gl().dirty & dirty::kUniforms) == 0);
}
