// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fields of descriptors, and the texels that the virtual GPU's texture unit reads through them after
// writes with maps.
#include "drivers/mali/images/texture.h"

#include <algorithm>
#include <bit>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/sim/units/texture.h"
#include "drivers/mali/state/sampler.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;
using pipe::Swizzle;

namespace {

struct Reader {
    explicit Reader(Device& device) : block(device.create_block(4096, 4096)) {
        REQUIRE(block);
        space.add(*block.bo);
    }
    // The texture as the unit loads it.
    void load(MaliSamplerView& view) {
        space.add(*view.image().bo());
        const auto& words = view.descriptors().words;
        std::memcpy(block.cpu, words.data(), sizeof(words));
        space.add(*view.descriptors().planes.bo);
        std::string why;
        const bool good = texture.load(window, block.va, &why);
        INFO(why);
        REQUIRE(good);
    }
    std::array<uint32_t, 4> texel(uint32_t level, uint32_t x, uint32_t y, uint32_t layer) {
        std::string why;
        const uint32_t* v = texture.texel(window, {level, layer, 0}, x, y, &why);
        INFO(why);
        REQUIRE(v);
        return {v[0], v[1], v[2], v[3]};
    }
    Block block;
    BoSpace space;
    sim::Window window{space};
    sim::TextureState texture;
};

// A pixel of a plain format, as bits.
std::array<uint32_t, 4> expected(Format f, const uint8_t* pixel) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    std::array<uint32_t, 4> v{0, 0, 0, 0x3f800000};
    if (info.has_depth) {
        float d;
        pipe::unpack_depth_f32(f, &d, pixel, 1);
        v[0] = std::bit_cast<uint32_t>(d);
    } else if (info.has_stencil) {
        v = {pixel[0], 0, 0, 1};
    } else if (info.is_pure_uint) {
        pipe::unpack_rgba_u32(f, v.data(), pixel, 1);
    } else if (info.is_pure_sint) {
        int32_t s[4];
        pipe::unpack_rgba_s32(f, s, pixel, 1);
        std::copy_n(s, 4, v.begin());
    } else {
        float c[4];
        pipe::unpack_rgba_f32(f, c, pixel, 1);
        for (unsigned i = 0; i < 4; ++i)
            v[i] = std::bit_cast<uint32_t>(c[i]);
    }
    return v;
}

pipe::SamplerViewDesc whole_view(const MaliResource& r) {
    pipe::SamplerViewDesc d;
    d.kind = r.desc.kind;
    d.format = r.desc.format;
    d.last_level = uint8_t(r.desc.levels - 1);
    d.last_layer = uint16_t(r.desc.layers - 1);
    return d;
}

pipe::Ref<MaliResource> filled(Device& device, const pipe::ResourceDesc& d, std::vector<Picture>* levels) {
    std::mt19937 random(5);
    auto r = MaliResource::create(device, d);
    REQUIRE(r);
    for (uint32_t l = 0; l < d.levels; ++l) {
        levels->push_back(random_picture(d.format, level_box(*r, l), random));
        // Infinities and NaNs cannot be compared exactly.
        if (pipe::format_info(d.format).channel[0].type == pipe::ChannelType::Float ||
            pipe::format_info(d.format).layout == pipe::FormatLayout::SmallFloat)
            for (size_t i = 0; i < levels->back().bytes.size(); ++i)
                levels->back().bytes[i] &= 0x3b;
        write_image(*r, l, level_box(*r, l), levels->back());
    }
    return r;
}

}  // namespace

TEST_CASE("texture: the texture unit reads every plain format as pipe does") {
    auto device = open_device("noop:mali-g610");
    unsigned count = 0;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const auto f = Format(i);
        const pipe::FormatInfo& info = pipe::format_info(f);
        if (!format_supported(device->chip(), f, ResourceKind::Tex2D, 1, pipe::bind::kSampled) ||
            info.is_compressed || f == Format::D32_FLOAT_S8X24_UINT)  // that has two planes
            continue;
        INFO(std::string(info.name));
        ++count;
        for (const uint32_t bind : {pipe::bind::kSampled, pipe::bind::kSampled | pipe::bind::kLinear}) {
            std::vector<Picture> levels;
            auto r = filled(*device, image_desc(f, 37, 21, 3, bind), &levels);
            auto view = MaliSamplerView::create(*device, r, whole_view(*r));
            REQUIRE(view);
            Reader reader(*device);
            reader.load(*view);
            for (uint32_t l = 0; l < 3; ++l)
                for (uint32_t y = 0; y < r->layout.level[l].height; ++y)
                    for (uint32_t x = 0; x < r->layout.level[l].width; ++x)
                        REQUIRE(reader.texel(l, x, y, 0) ==
                                expected(f, levels[l].row(y, 0) + x * info.block_B));
        }
    }
    CHECK(count > 60);
}

TEST_CASE("texture: compressed formats") {
    auto device = open_device("noop:mali-g610");
    for (const Format f :
         {Format::ETC1_RGB8, Format::ETC2_RGB8_SRGB, Format::ETC2_RGB8A1_UNORM, Format::ETC2_RGBA8_UNORM,
          Format::EAC_R11_UNORM, Format::EAC_R11G11_SNORM, Format::BC1_RGB_UNORM, Format::BC1_RGBA_SRGB,
          Format::BC3_UNORM, Format::BC4_SNORM, Format::BC5_UNORM, Format::BC6H_SFLOAT, Format::BC7_SRGB,
          Format::ASTC_4x4_UNORM, Format::ASTC_10x6_UNORM, Format::ASTC_5x5_SRGB}) {
        const pipe::FormatInfo& info = pipe::format_info(f);
        INFO(std::string(info.name));
        for (const uint32_t bind : {pipe::bind::kSampled, pipe::bind::kSampled | pipe::bind::kLinear}) {
            std::vector<Picture> levels;
            auto r = filled(*device, image_desc(f, 45, 27, 2, bind), &levels);
            auto view = MaliSamplerView::create(*device, r, whole_view(*r));
            REQUIRE(view);
            Reader reader(*device);
            reader.load(*view);
            for (uint32_t l = 0; l < 2; ++l) {
                const pipe::LevelLayout& size = r->layout.level[l];
                std::vector<float> want(size_t(size.width) * size.height * 4);
                REQUIRE(pipe::unpack_rect_f32(f, want.data(), ptrdiff_t(size.width) * 16, levels[l].row(0, 0),
                                              levels[l].row_B, size.width, size.height));
                for (uint32_t y = 0; y < size.height; ++y)
                    for (uint32_t x = 0; x < size.width; ++x) {
                        const auto got = reader.texel(l, x, y, 0);
                        for (unsigned c = 0; c < 4; ++c)
                            REQUIRE(std::bit_cast<float>(got[c]) == want[(y * size.width + x) * 4 + c]);
                    }
            }
        }
    }
}

TEST_CASE("texture: cubes, slices, and views of some levels and layers") {
    auto device = open_device("noop:mali-g610");
    const Format f = Format::R8G8B8A8_UNORM;
    for (const ResourceKind kind : {ResourceKind::Cube, ResourceKind::Tex3D, ResourceKind::Tex2DArray}) {
        pipe::ResourceDesc d = image_desc(f, 20, 20, 4);
        d.kind = kind;
        if (kind == ResourceKind::Tex3D)
            d.depth = 9;
        else
            d.layers = kind == ResourceKind::Cube ? 6 : 7;
        std::vector<Picture> levels;
        auto r = filled(*device, d, &levels);
        pipe::SamplerViewDesc v = whole_view(*r);
        v.first_level = 1;
        v.last_level = 2;
        if (kind == ResourceKind::Tex2DArray) {
            v.first_layer = 2;
            v.last_layer = 5;
        }
        auto view = MaliSamplerView::create(*device, r, v);
        REQUIRE(view);
        Reader reader(*device);
        reader.load(*view);
        CHECK(reader.texture.view().shape.kind == kind);
        CHECK(reader.texture.d.width == 10);
        CHECK(reader.texture.d.levels == 2);
        for (uint32_t l = 0; l < 2; ++l) {
            const uint32_t layers = kind == ResourceKind::Tex3D        ? std::max(1u, 4u >> l)
                                    : kind == ResourceKind::Tex2DArray ? 4
                                                                       : 6;
            for (uint32_t z = 0; z < layers; ++z)
                for (uint32_t y = 0; y < std::max(1u, 10u >> l); ++y)
                    for (uint32_t x = 0; x < std::max(1u, 10u >> l); ++x)
                        REQUIRE(reader.texel(l, x, y, z) ==
                                expected(f, levels[l + 1].row(y, z + v.first_layer) + x * 4));
        }
    }
}

TEST_CASE("texture: swizzles, other formats of the same bits, stencil next to depth") {
    auto device = open_device("noop:mali-g610");
    std::vector<Picture> levels;
    auto r = filled(*device, image_desc(Format::R8G8_UNORM, 16, 16), &levels);
    pipe::SamplerViewDesc v = whole_view(*r);
    v.swizzle[0] = v.swizzle[1] = v.swizzle[2] = Swizzle::Channel0;
    v.swizzle[3] = Swizzle::Channel1;
    Reader luminance(*device);
    auto view = MaliSamplerView::create(*device, r, v);
    REQUIRE(view);
    luminance.load(*view);
    const auto want = expected(Format::R8G8_UNORM, levels[0].row(3, 0) + 5 * 2);
    CHECK(luminance.texel(0, 5, 3, 0) == std::array<uint32_t, 4>{want[0], want[0], want[0], want[1]});

    levels.clear();
    auto rgba = filled(*device, image_desc(Format::R8G8B8A8_UNORM, 16, 16), &levels);
    v = whole_view(*rgba);
    v.format = Format::R8G8B8A8_SRGB;
    Reader srgb(*device);
    auto srgb_view = MaliSamplerView::create(*device, rgba, v);
    REQUIRE(srgb_view);
    srgb.load(*srgb_view);
    CHECK(srgb.texel(0, 7, 9, 0) == expected(Format::R8G8B8A8_SRGB, levels[0].row(9, 0) + 7 * 4));
    v.format = Format::R8_UNORM;
    CHECK(!MaliSamplerView::create(*device, rgba, v));
    v.format = Format::ETC1_RGB8;
    CHECK(!MaliSamplerView::create(*device, rgba, v));

    levels.clear();
    auto zs = filled(*device, image_desc(Format::D24_UNORM_S8_UINT, 16, 16), &levels);
    v = whole_view(*zs);
    v.stencil = true;
    Reader stencil(*device);
    auto stencil_view = MaliSamplerView::create(*device, zs, v);
    REQUIRE(stencil_view);
    stencil.load(*stencil_view);
    for (uint32_t x = 0; x < 16; ++x)
        CHECK(stencil.texel(0, x, 2, 0)[0] == levels[0].row(2, 0)[x * 4 + 3]);
    v.stencil = false;
    v.swizzle[1] = v.swizzle[2] = Swizzle::Channel0;
    v.swizzle[3] = Swizzle::One;
    Reader depth(*device);
    auto depth_view = MaliSamplerView::create(*device, zs, v);
    REQUIRE(depth_view);
    depth.load(*depth_view);
    const auto d = expected(Format::D24_UNORM_S8_UINT, levels[0].row(4, 0) + 8 * 4);
    CHECK(depth.texel(0, 8, 4, 0) == std::array<uint32_t, 4>{d[0], d[0], d[0], 0x3f800000});
}

TEST_CASE("texture: the fields of a descriptor") {
    auto device = open_device("noop:mali-g610");
    auto r = MaliResource::create(*device, image_desc(Format::B5G6R5_UNORM, 40, 24, 3));
    auto view = MaliSamplerView::create(*device, r, whole_view(*r));
    REQUIRE(view);
    hw::Texture t;
    REQUIRE(hw::unpack(view->descriptors().words.data(), &t));
    CHECK(t.dimension == hw::TextureDimension::D2);
    CHECK(t.format == hw::format_row(Format::B5G6R5_UNORM)->pixel_format);
    CHECK(t.width == 40);
    CHECK(t.height == 24);
    CHECK(t.levels == 3);
    CHECK(t.array_size == 1);
    CHECK(t.maximum_lod == 2);
    CHECK(t.texel_interleave);
    CHECK(t.swizzle == hw::kIdentitySwizzle);
    CHECK(t.surfaces % 64 == 0);
}

TEST_CASE("texture: a renamed image is read from its new memory") {
    auto device = open_device("noop:mali-g610");
    std::vector<Picture> levels;
    auto r = filled(*device, image_desc(Format::R8G8B8A8_UNORM, 16, 16), &levels);
    auto view = MaliSamplerView::create(*device, r, whole_view(*r));
    REQUIRE(view);
    hw::Texture before, after;
    REQUIRE(hw::unpack(view->descriptors().words.data(), &before));
    const pipe::Ref<Bo> in_use = r->bo();
    REQUIRE(r->rename());
    std::mt19937 random(9);
    Picture fresh = random_picture(r->desc.format, level_box(*r, 0), random);
    write_image(*r, 0, level_box(*r, 0), fresh);
    Reader reader(*device);
    reader.load(*view);
    CHECK(reader.texel(0, 3, 4, 0) == expected(r->desc.format, fresh.row(4, 0) + 3 * 4));
    // Unfinished work may read the old planes.
    REQUIRE(hw::unpack(view->descriptors().words.data(), &after));
    CHECK(after.surfaces != before.surfaces);
    // Two views: it is unknown which of them unfinished work reads.
    auto second = MaliSamplerView::create(*device, r, whole_view(*r));
    CHECK(!r->rename());
    second = nullptr;
    CHECK(r->rename());
}

TEST_CASE("texture: views of missing levels and layers are refused") {
    auto device = open_device("noop:mali-g610");
    auto r = MaliResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 16, 16, 2));
    const auto bad = [&](auto&& change) {
        pipe::SamplerViewDesc v = whole_view(*r);
        change(v);
        return !MaliSamplerView::create(*device, r, v);
    };
    CHECK(!bad([](pipe::SamplerViewDesc&) {}));
    CHECK(bad([](pipe::SamplerViewDesc& v) { v.last_level = 2; }));
    CHECK(bad([](pipe::SamplerViewDesc& v) { v.last_layer = 1; }));
    CHECK(bad([](pipe::SamplerViewDesc& v) { v.kind = ResourceKind::Cube; }));
    CHECK(bad([](pipe::SamplerViewDesc& v) { v.kind = ResourceKind::Tex3D; }));
    CHECK(bad([](pipe::SamplerViewDesc& v) { v.stencil = true; }));
    CHECK(!MaliSamplerView::create(*device, nullptr, {}));
}

TEST_CASE("texture: an unbound unit reads black") {
    auto device = open_device("noop:mali-g610");
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D}) {
        auto view = MaliSamplerView::create_null(*device, kind);
        REQUIRE(view);
        Reader reader(*device);
        reader.load(*view);
        CHECK(reader.texel(0, 0, 0, 0) == std::array<uint32_t, 4>{0, 0, 0, 0x3f800000});
    }
}

TEST_CASE("sampler: the fields of pipe's state") {
    auto device = open_device("noop:mali-g610");
    pipe::SamplerDesc d;
    d.wrap_s = pipe::Wrap::Repeat;
    d.wrap_t = pipe::Wrap::MirroredRepeat;
    d.wrap_r = pipe::Wrap::ClampToBorder;
    d.min = pipe::Filter::Nearest;
    d.mag = pipe::Filter::Linear;
    d.mip = pipe::MipFilter::None;
    d.compare_enable = true;
    d.compare = pipe::Compare::LessEqual;
    d.seamless_cube = false;
    d.lod_bias = -1.5f;
    d.border = {0.25f, 1, -2, 0.5f};
    d.max_anisotropy = 4;
    const MaliSampler sampler(d);
    hw::Sampler s;
    REQUIRE(hw::unpack(sampler.words.data(), &s));
    CHECK(s.wrap_mode_s == hw::WrapMode::Repeat);
    CHECK(s.wrap_mode_t == hw::WrapMode::MirroredRepeat);
    CHECK(s.wrap_mode_r == hw::WrapMode::ClampToBorder);
    CHECK(s.minify_nearest);
    CHECK(!s.magnify_nearest);
    CHECK(s.mipmap_mode == hw::MipmapMode::None);
    CHECK(!s.magnify_cutoff);
    CHECK(s.compare_function == hw::CompareFunc::Gequal);
    CHECK(!s.seamless_cube_map);
    CHECK(s.normalized_coordinates);
    CHECK(s.lod_bias == -1.5f);
    CHECK(s.minimum_lod == 0);
    CHECK(s.maximum_lod > 31);
    CHECK(s.lod_algorithm == hw::LodAlgorithm::Anisotropic);
    CHECK(s.maximum_anisotropy == 4);
    CHECK(std::bit_cast<float>(s.border_color_r) == 0.25f);
    CHECK(std::bit_cast<float>(s.border_color_b) == -2.0f);
    d.mip = pipe::MipFilter::Nearest;
    REQUIRE(hw::unpack(MaliSampler(d).words.data(), &s));
    CHECK(!s.magnify_cutoff);  // OpenGL ES 3.0 has no such rule
    d.late_magnify = true;
    REQUIRE(hw::unpack(MaliSampler(d).words.data(), &s));
    CHECK(s.magnify_cutoff);
    d.min = pipe::Filter::Linear;
    REQUIRE(hw::unpack(MaliSampler(d).words.data(), &s));
    CHECK(!s.magnify_cutoff);
    // The sampler as the virtual GPU decodes it.
    Reader reader(*device);
    std::memcpy(reader.block.cpu, sampler.words.data(), sizeof(sampler.words));
    sim::SamplerState state;
    std::string why;
    REQUIRE(state.load(reader.window, reader.block.va, &why));
    CHECK(state.desc.compare == pipe::Compare::LessEqual);
    CHECK(state.desc.wrap_t == d.wrap_t);
    CHECK(state.desc.border == d.border);
}
