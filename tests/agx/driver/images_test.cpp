// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images: what the CPU writes is where the virtual GPU finds it by the descriptors of views and targets.
#include <unistd.h>

#include "drivers/agx/images/target.h"
#include "drivers/agx/sim/resources/stored_image.h"
#include "drivers/agx/state/sampler.h"
#include "drivers/common/images/access.h"
#include "tests/agx/driver/device_fixture.h"
#include "tests/common/picture.h"

using namespace terrazzo;
using namespace terrazzo::agx;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;
using TileFormat = terrazzo::agx::isa::Format;
namespace bind = pipe::bind;

namespace {

pipe::ResourceDesc image_desc(Format f, uint32_t width, uint32_t height, uint32_t levels = 1,
                              uint32_t uses = bind::kSampled) {
    pipe::ResourceDesc d;
    d.format = f;
    d.width = width;
    d.height = height;
    d.levels = levels;
    d.bind = uses;
    return d;
}
pipe::ResourceDesc layered(pipe::ResourceDesc d, ResourceKind kind, uint32_t layers) {
    d.kind = kind;
    (kind == ResourceKind::Tex3D ? d.depth : d.layers) = layers;
    return d;
}

void write_image(AgxResource& r, uint32_t level, Picture& p) {
    const auto planes = r.stencil_plane();
    write_mapped(
        p, level, level_box(r.desc, level), pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange,
        [&](uint32_t l, const pipe::Box& b, uint32_t f) {
            return planes ? images::map_planes(r, *planes, l, b, f) : images::map_resource(r, l, b, f);
        },
        [&](const pipe::Mapping& m) {
            planes ? images::unmap_planes(r, *planes, m) : images::unmap_resource(r, m);
        });
}
Picture read_image(AgxResource& r, uint32_t level) {
    const auto planes = r.stencil_plane();
    Picture p(r.desc.format, level_box(r.desc, level));
    read_mapped(
        p, level, level_box(r.desc, level),
        [&](uint32_t l, const pipe::Box& b, uint32_t f) {
            return planes ? images::map_planes(r, *planes, l, b, f) : images::map_resource(r, l, b, f);
        },
        [&](const pipe::Mapping& m) {
            planes ? images::unmap_planes(r, *planes, m) : images::unmap_resource(r, m);
        });
    return p;
}
/// Writes noise to a level, and reads it back.
Picture fill(AgxResource& r, uint32_t level, std::mt19937& random) {
    Picture p = random_picture(r.desc.format, level_box(r.desc, level), random);
    if (r.desc.format == Format::D32_FLOAT_S8X24_UINT)
        for (size_t i = 0; i < p.bytes.size(); ++i)
            if (i % 8 > 4) p.bytes[i] = 0;  // padding
    write_image(r, level, p);
    CHECK(read_image(r, level) == p);
    return p;
}

/// Whether the virtual GPU's image, of which `layer` is p's image z, has the picture's elements.
bool has_pixels(const AgxResource& r, const sim::StoredImage& image, uint32_t level, uint32_t layer,
                Picture& p, uint32_t z) {
    const uint32_t block_B = pipe::format_info(r.desc.format).block_B;
    for (uint32_t y = 0; y < p.rows; ++y)
        for (uint32_t x = 0; x < p.row_B / block_B; ++x)
            if (std::memcmp(r.cpu() + (image.pixel_va(level, layer, x, y) - r.va()),
                            p.row(y, z) + size_t(x) * block_B, block_B) != 0)
                return false;
    return true;
}

hw::Texture unpacked(const AgxSamplerView& v, bool skip_srgb_decode = false) {
    uint32_t words[kTexture_dw];
    v.write(words, skip_srgb_decode);
    hw::Texture t;
    REQUIRE(hw::unpack(words, &t));
    return t;
}

/// A view of everything.
pipe::SamplerViewDesc view_desc(const AgxResource& r) {
    pipe::SamplerViewDesc v;
    v.kind = r.desc.kind;
    v.format = r.desc.format;
    v.last_level = uint8_t(r.desc.levels - 1);
    v.last_layer = uint16_t(r.desc.layers - 1);
    return v;
}

/// Checks all pixels through a view of everything.
void check_view(Device& device, AgxResource& r, std::mt19937& random) {
    std::vector<Picture> levels;
    for (uint32_t l = 0; l < r.desc.levels; ++l)
        levels.push_back(fill(r, l, random));
    const auto view = AgxSamplerView::create(device, pipe::Ref<pipe::Resource>(&r), view_desc(r));
    REQUIRE(view);
    units::FormatReader reader;
    sim::StoredImage image;
    std::string why;
    REQUIRE_MESSAGE(sim::open_image(unpacked(*view), &reader, &image, &why), why);
    for (uint32_t l = 0; l < r.desc.levels; ++l)
        for (uint32_t z = 0; z < levels[l].images; ++z) {
            CAPTURE(l);
            CAPTURE(z);
            CHECK(has_pixels(r, image, l, z, levels[l], z));
        }
}

/// Checks the pixels of a level and layer through the descriptors of a target.
void check_target(AgxResource& r, uint32_t level, uint32_t layer, Picture& p) {
    pipe::Attachment a;
    a.resource = &r;
    a.level = level;
    a.first_layer = layer;
    uint32_t words[hw::Pbe::kSize_dw];
    hw::pack(store_target(a), words);
    hw::Pbe pbe;
    REQUIRE(hw::unpack(words, &pbe));
    hw::pack(load_target(a), words);
    hw::Texture texture;
    REQUIRE(hw::unpack(words, &texture));
    units::FormatReader reader;
    sim::StoredImage image;
    std::string why;
    REQUIRE_MESSAGE(sim::open_image(pbe, false, &reader, &image, &why), why);
    CHECK(has_pixels(r, image, pbe.layout == hw::Layout::Linear ? 0 : pbe.level, 0, p, layer));
    REQUIRE_MESSAGE(sim::open_image(texture, &reader, &image, &why), why);
    CHECK(has_pixels(r, image, texture.first_level, 0, p, layer));
}

constexpr uint32_t kSizes_px[][2] = {{1, 1}, {17, 5}, {257, 129}};

}  // namespace

TEST_CASE("agx images: all formats of textures and targets, in odd sizes") {
    auto device = open_agx_device();
    std::mt19937 random(1);
    unsigned textures = 0, targets = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = Format(n);
        if (!format_supported(device->chip(), format, ResourceKind::Tex2D, 1, bind::kSampled)) continue;
        CAPTURE(std::string(pipe::format_name(format)));
        ++textures;
        const bool drawn =
            format_supported(device->chip(), format, ResourceKind::Tex2D, 1, bind::kSampled | bind::kColor);
        targets += drawn;
        const bool zs = pipe::format_info(format).is_depth_stencil();
        for (const auto& size : kSizes_px)
            for (const uint32_t more : {0u, bind::kLinear}) {
                const auto r = AgxResource::create(
                    *device, image_desc(format, size[0], size[1], 1, bind::kSampled | more));
                REQUIRE(r);
                CHECK((r->layout.tiling == pipe::Tiling::Linear) ==
                      (more && !zs && !pipe::format_info(format).is_compressed));
                if (r->has_stencil_plane()) {
                    CHECK(r->stencil_begin_B % pipe::kAgxPage_B == 0);
                    (void)fill(*r, 0, random);
                    continue;
                }
                check_view(*device, *r, random);
                if (!drawn) continue;
                Picture p = fill(*r, 0, random);
                check_target(*r, 0, 0, p);
            }
    }
    CHECK(textures > 90);
    CHECK(targets > 40);
}

TEST_CASE("agx images: levels, cubes, arrays, volumes") {
    auto device = open_agx_device();
    std::mt19937 random(2);
    constexpr uint32_t kTarget = bind::kSampled | bind::kColor;
    for (const Format format : {Format::R8_UNORM, Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT})
        for (const pipe::ResourceDesc& d :
             {image_desc(format, 257, 129, 9, kTarget), image_desc(format, 17, 5, 5, kTarget),
              layered(image_desc(format, 40, 40, 6), ResourceKind::Cube, 6),
              layered(image_desc(format, 200, 200, 3, kTarget), ResourceKind::Cube, 6),
              layered(image_desc(format, 33, 20, 6, kTarget), ResourceKind::Tex2DArray, 3),
              layered(image_desc(format, 33, 20, 1, kTarget | bind::kLinear), ResourceKind::Tex2DArray, 3),
              layered(image_desc(format, 20, 9, 5, kTarget), ResourceKind::Tex3D, 7),
              layered(image_desc(format, 4, 4, 5, kTarget), ResourceKind::Tex3D, 17)}) {
            CAPTURE(d.width);
            CAPTURE(unsigned(d.kind));
            const auto r = AgxResource::create(*device, d);
            REQUIRE(r);
            check_view(*device, *r, random);
            for (uint32_t l = 0; l < d.levels; ++l) {
                Picture p = fill(*r, l, random);
                CAPTURE(l);
                for (uint32_t z = 0; z < p.images; ++z)
                    check_target(*r, l, z, p);
            }
        }
    for (const Format format : {Format::ETC2_RGB8_UNORM, Format::BC3_UNORM, Format::ASTC_5x4_UNORM}) {
        const auto r = AgxResource::create(*device, image_desc(format, 131, 70, 8));
        REQUIRE(r);
        check_view(*device, *r, random);
    }
}

TEST_CASE("agx images: a pass of several layers") {
    auto device = open_agx_device();
    std::mt19937 random(3);
    for (const uint32_t more : {0u, bind::kLinear}) {
        const auto r =
            AgxResource::create(*device, layered(image_desc(Format::R8G8B8A8_UNORM, 20, 10, more ? 1 : 3,
                                                            bind::kSampled | bind::kColor | more),
                                                 ResourceKind::Tex2DArray, 4));
        REQUIRE(r);
        CHECK(r->page_aligned_layers == !more);
        const uint32_t level = r->desc.levels - 1;
        Picture p = fill(*r, level, random);
        pipe::Attachment a;
        a.resource = r.get();
        a.level = level;
        a.first_layer = 1, a.layer_count = 3;
        units::FormatReader reader;
        sim::StoredImage image;
        std::string why;
        REQUIRE_MESSAGE(sim::open_image(store_target(a), false, &reader, &image, &why), why);
        CHECK(has_pixels(*r, image, level, 2, p, 3));
        REQUIRE_MESSAGE(sim::open_image(load_target(a), &reader, &image, &why), why);
        CHECK(has_pixels(*r, image, level, 2, p, 3));
    }
}

TEST_CASE("agx images: views have the parts, channels and formats that were asked for") {
    auto device = open_agx_device();
    using enum hw::Channel;
    const auto swizzle_of = [](const hw::Texture& t) {
        return std::array{t.swizzle_r, t.swizzle_g, t.swizzle_b, t.swizzle_a};
    };
    const auto view_of = [&](const pipe::ResourceDesc& d, auto&& change) {
        const auto r = AgxResource::create(*device, d);
        REQUIRE(r);
        pipe::SamplerViewDesc v = view_desc(*r);
        change(v);
        const auto view = AgxSamplerView::create(*device, r, v);
        REQUIRE(view);
        return view;
    };
    const auto nothing = [](pipe::SamplerViewDesc&) {};
    CHECK(swizzle_of(unpacked(*view_of(image_desc(Format::B8G8R8A8_UNORM, 8, 8), nothing))) ==
          std::array{B, G, R, A});
    CHECK(swizzle_of(unpacked(*view_of(image_desc(Format::B8G8R8X8_UNORM, 8, 8), nothing))) ==
          std::array{B, G, R, One});
    CHECK(swizzle_of(unpacked(*view_of(image_desc(Format::A4B4G4R4_UNORM, 8, 8), nothing))) ==
          std::array{A, B, G, R});
    CHECK(swizzle_of(unpacked(*view_of(image_desc(Format::R8_UNORM, 8, 8), [](pipe::SamplerViewDesc& v) {
              v.swizzle[3] = pipe::Swizzle::Channel0;
              v.swizzle[0] = pipe::Swizzle::One;
          }))) == std::array{One, Zero, Zero, R});
    // Stencil is an image of its own; depth is red.
    const pipe::ResourceDesc zs = image_desc(Format::D32_FLOAT_S8X24_UINT, 70, 40, 1, bind::kDepthStencil);
    const auto depth = view_of(zs, nothing);
    CHECK(depth->texels == Format::D32_FLOAT);
    CHECK(swizzle_of(unpacked(*depth)) == std::array{R, Zero, Zero, One});
    CHECK(unpacked(*depth).channels == hw::Channels::R32);
    CHECK(unpacked(*depth).address == depth->image().va());
    const auto stencil = view_of(zs, [](pipe::SamplerViewDesc& v) { v.stencil = true; });
    CHECK(stencil->texels == Format::S8_UINT);
    CHECK(unpacked(*stencil).channels == hw::Channels::R8);
    CHECK(unpacked(*stencil).type == hw::TextureType::Uint);
    CHECK(unpacked(*stencil).address == stencil->image().va() + stencil->image().stencil_begin_B);
    // A face of a cube, and a range of levels.
    const auto face = view_of(layered(image_desc(Format::R8G8B8A8_UNORM, 64, 64, 7), ResourceKind::Cube, 6),
                              [](pipe::SamplerViewDesc& v) {
                                  v.kind = ResourceKind::Tex2D;
                                  v.first_layer = v.last_layer = 3;
                                  v.first_level = 2, v.last_level = 4;
                              });
    const hw::Texture t = unpacked(*face);
    CHECK(t.dimension == hw::TextureDimension::N2d);
    CHECK(t.address == face->image().image_va(0, 3));
    CHECK(t.first_level == 2);
    CHECK(t.last_level == 4);
    CHECK(t.width == 64);
    CHECK(t.depth == 1);
    CHECK(t.mipmapped);
    // sRGB, and a sampler that does not decode it.
    const auto srgb = view_of(image_desc(Format::R8G8B8A8_UNORM, 8, 8),
                              [](pipe::SamplerViewDesc& v) { v.format = Format::R8G8B8A8_SRGB; });
    CHECK(unpacked(*srgb).srgb);
    CHECK(!unpacked(*srgb, true).srgb);
    // New memory, then new descriptors.
    const uint64_t before = unpacked(*srgb).address;
    REQUIRE(srgb->image().rename());
    CHECK(unpacked(*srgb).address != before);
    CHECK(unpacked(*srgb).address == srgb->image().va());
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Tex3D, ResourceKind::Cube}) {
        const auto none = AgxSamplerView::create_null(*device, kind);
        REQUIRE(none);
        CHECK(swizzle_of(unpacked(*none)) == std::array{Zero, Zero, Zero, One});
    }
    const auto r = AgxResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 8, 8));
    pipe::SamplerViewDesc wrong = view_desc(*r);
    wrong.format = Format::R8_UNORM;
    CHECK(!AgxSamplerView::create(*device, r, wrong));
}

TEST_CASE("agx images: export and import") {
    auto device = open_agx_device();
    std::mt19937 random(4);
    for (const uint64_t modifier : {pipe::kModAppleTiled, pipe::kModifierLinear}) {
        CAPTURE(modifier);
        const pipe::ResourceDesc d =
            image_desc(Format::B8G8R8A8_UNORM, 100, 50, 1, bind::kSampled | bind::kColor | bind::kShared);
        const auto out = AgxResource::create_shared(*device, d, std::array{modifier});
        REQUIRE(out);
        pipe::SharedImage shared;
        REQUIRE(out->export_to(&shared));
        CHECK(shared.modifier == modifier);
        CHECK(shared.offset_B == 0);
        CHECK(shared.stride_B == (modifier == pipe::kModifierLinear ? 512 : 400));
        auto status = pipe::ImportStatus::Ok;
        const auto in = AgxResource::import(*device, d, shared, &status);
        REQUIRE(in);
        Picture p = fill(*out, 0, random);
        CHECK(read_image(*in, 0) == p);
        check_target(*in, 0, 0, p);
        const auto refused = [&](auto&& spoil) {
            pipe::SharedImage bad = shared;
            spoil(bad);
            CHECK(!AgxResource::import(*device, d, bad, &status));
            return status;
        };
        using enum pipe::ImportStatus;
        CHECK(refused([](pipe::SharedImage& i) { i.modifier = pipe::kModAppleCompressed; }) == Modifier);
        CHECK(refused([](pipe::SharedImage& i) { i.offset_B = 4; }) == Offset);
        CHECK(refused([](pipe::SharedImage& i) { i.stride_B = 64; }) == StrideTooSmall);
        CHECK(refused([](pipe::SharedImage& i) { i.offset_B = 1 << 20; }) == TooSmall);
        close(shared.fd);
    }
    // A linear image is exported by default.
    const auto plain =
        AgxResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 64, 64, 1, bind::kShared));
    REQUIRE(plain);
    CHECK(plain->place().modifier == pipe::kModifierLinear);
    const auto used_for = [&](Format f, uint32_t uses) {
        return format_supported(device->chip(), f, ResourceKind::Tex2D, 1, uses);
    };
    CHECK(!used_for(Format::D16_UNORM, bind::kDepthStencil | bind::kShared));
    CHECK(!used_for(Format::D24_UNORM_S8_UINT, bind::kDepthStencil));
    CHECK(!used_for(Format::D24_UNORM_X8, bind::kDepthStencil));
    for (const Format f :
         {Format::D16_UNORM, Format::D32_FLOAT, Format::S8_UINT, Format::D32_FLOAT_S8X24_UINT})
        CHECK(used_for(f, bind::kSampled | bind::kDepthStencil));
    CHECK(!used_for(Format::R8G8B8_UNORM, bind::kSampled));
    CHECK(!used_for(Format::L8_UNORM, bind::kSampled));  // the state tracker uses R8_UNORM
    CHECK(!AgxResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 16385, 1)));
}

TEST_CASE("agx images: the tilebuffer of a pass") {
    auto device = open_agx_device();
    std::vector<pipe::Ref<AgxResource>> images;
    const auto layout_of = [&](std::initializer_list<Format> formats) {
        pipe::RenderPassDesc pass;
        for (const Format f : formats) {
            images.push_back(AgxResource::create(*device, image_desc(f, 64, 64, 1, bind::kColor)));
            REQUIRE(images.back());
            pass.color[pass.color_count].resource = images.back().get();
            pass.color[pass.color_count++].format = f;
        }
        return lay_out_tiles(pass);
    };
    const auto check_target_is = [](const TileTarget& t, TileFormat format, unsigned components,
                                    unsigned offset_B) {
        CHECK(t.format == format);
        CHECK(t.components == components);
        CHECK(t.offset_B == offset_B);
    };
    TileLayout t = layout_of({});
    CHECK(t.sample_B == 8);
    CHECK(t.shared().layout == hw::SharedLayout::N32x32);
    t = layout_of({Format::B8G8R8A8_UNORM});
    check_target_is(t.target[0], TileFormat::kU8Norm, 4, 0);
    CHECK(t.sample_B == 8);
    CHECK(t.width_px == 32);
    CHECK(t.height_px == 32);
    CHECK(t.shared().size == 8 * 32 * 32);
    CHECK(t.shared().sample_stride == 1);
    CHECK(t.shared().uses_shared_memory);
    check_target_is(layout_of({Format::R8G8B8A8_SRGB}).target[0], TileFormat::kSrgba8, 4, 0);
    check_target_is(layout_of({Format::B5G6R5_UNORM}).target[0], TileFormat::kF16, 3, 0);
    check_target_is(layout_of({Format::R32G32_FLOAT}).target[0], TileFormat::kI32, 2, 0);
    t = layout_of({Format::R8_UNORM, Format::R16G16B16A16_FLOAT});
    check_target_is(t.target[0], TileFormat::kU8Norm, 1, 0);
    check_target_is(t.target[1], TileFormat::kF16, 4, 2);
    CHECK(t.sample_B == 16);
    CHECK(t.shared().size == 16 * 32 * 32);
    t = layout_of(
        {Format::R8G8B8A8_UNORM, Format::R10G10B10A2_UNORM, Format::R11G11B10_FLOAT, Format::R32_UINT});
    check_target_is(t.target[1], TileFormat::kRgb10A2, 4, 4);
    check_target_is(t.target[2], TileFormat::kRg11B10F, 3, 8);
    check_target_is(t.target[3], TileFormat::kI32, 1, 12);
    CHECK(t.sample_B == 16);
    // 32 bytes a sample are one byte too many for 32x32 pixels.
    t = layout_of({Format::R32G32B32A32_FLOAT, Format::R32G32B32A32_FLOAT});
    CHECK(t.sample_B == 32);
    CHECK(t.shared().layout == hw::SharedLayout::N32x16);
    t = layout_of({Format::R32G32B32A32_FLOAT, Format::R32G32B32A32_FLOAT, Format::R32G32B32A32_FLOAT,
                   Format::R32G32B32A32_FLOAT});
    check_target_is(t.target[3], TileFormat::kI32, 4, 48);
    CHECK(t.shared().layout == hw::SharedLayout::N16x16);
    CHECK(t.shared().size == 64 * 16 * 16);
}

TEST_CASE("agx images: the order of a target's channels, and its format") {
    auto device = open_agx_device();
    using enum hw::StoredChannel;
    const auto stored = [&](Format f, Format as) {
        const auto r = AgxResource::create(*device, image_desc(f, 64, 64, 1, bind::kColor));
        REQUIRE(r);
        pipe::Attachment a;
        a.resource = r.get();
        a.format = as;
        return store_target(a);
    };
    const auto order = [](const hw::Pbe& p) {
        return std::array{p.swizzle_r, p.swizzle_g, p.swizzle_b, p.swizzle_a};
    };
    CHECK(order(stored(Format::R8G8B8A8_UNORM, Format::None)) == std::array{R, G, B, A});
    CHECK(order(stored(Format::B8G8R8X8_UNORM, Format::B8G8R8X8_UNORM)) == std::array{B, G, R, A});
    // Bits from the lowest on: alpha, blue, green, red.
    CHECK(order(stored(Format::A4B4G4R4_UNORM, Format::None)) == std::array{A, B, G, R});
    CHECK(order(stored(Format::B5G6R5_UNORM, Format::None)) == std::array{B, G, R, A});
    CHECK(stored(Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB).srgb);
}

TEST_CASE("agx images: depth and stencil of a render") {
    auto device = open_agx_device();
    std::mt19937 random(5);
    pipe::RenderPassDesc pass;
    pass.clear_depth = 0.25f;
    pass.clear_stencil = 0x5a;
    uapi::drm_asahi_cmd_render c{};
    hw::ZlsControl control;
    const auto set = [&](const AgxResource* r, const DepthStencilOps& ops, uint32_t level = 0,
                         uint32_t layer = 0) {
        pipe::Attachment a;
        a.resource = const_cast<AgxResource*>(r);
        a.level = level;
        a.first_layer = layer;
        c = {};
        set_depth_stencil(a, ops, pass, &c);
        const uint32_t words[2] = {uint32_t(c.zls_ctrl), uint32_t(c.zls_ctrl >> 32)};
        REQUIRE(hw::unpack(words, &control));
    };
    set(nullptr, {true, true, true, true});
    CHECK(c.zls_ctrl == 0);
    CHECK(c.depth.base == 0);
    constexpr uint32_t kZs = bind::kSampled | bind::kDepthStencil;
    const auto zs = AgxResource::create(
        *device,
        layered(image_desc(Format::D32_FLOAT_S8X24_UINT, 150, 70, 4, kZs), ResourceKind::Tex2DArray, 3));
    REQUIRE(zs);
    set(zs.get(), {.load_stencil = true, .store_depth = true}, 1, 2);
    CHECK(!control.z_load);
    CHECK(control.s_load);
    CHECK(control.z_store);
    CHECK(!control.s_store);
    CHECK(control.z_format == hw::ZlsFormat::Float32);
    CHECK(c.isp_bgobjdepth == std::bit_cast<uint32_t>(0.25f));
    CHECK((c.isp_bgobjvals & 0xff) == 0x5a);
    CHECK(c.depth.base == zs->image_va(1, 2));
    CHECK(c.stencil.base == zs->va() + zs->plane_offset_B(Plane::Stencil, 1, 2));
    CHECK(c.depth.stride % pipe::kAgxPage_B == 0);
    CHECK(c.stencil.stride % pipe::kAgxPage_B == 0);
    hw::ZlsPixels pixels;
    REQUIRE(hw::unpack(&c.isp_zls_pixels, &pixels));
    CHECK(pixels.width == 75);
    CHECK(pixels.height == 35);
    const auto d16 = AgxResource::create(*device, image_desc(Format::D16_UNORM, 33, 17, 1, kZs));
    REQUIRE(d16);
    set(d16.get(), {true, true, true, true});
    CHECK(control.z_load);
    CHECK(!control.s_load);
    CHECK(control.z_format == hw::ZlsFormat::Unorm16);
    CHECK(c.isp_bgobjdepth == 16384);
    CHECK((c.flags & uapi::kAsahiRenderDbiasIsInt));
    const auto s8 = AgxResource::create(*device, image_desc(Format::S8_UINT, 33, 17, 1, kZs));
    REQUIRE(s8);
    set(s8.get(), {true, true, true, true});
    CHECK(!control.z_store);
    CHECK(control.s_store);
    CHECK(c.depth.base == 0);
    CHECK(c.stencil.base == s8->va());
    // The virtual GPU finds a level by its own size, and layers by the stride.
    for (const Format f : {Format::D16_UNORM, Format::D32_FLOAT, Format::S8_UINT}) {
        const auto r = AgxResource::create(
            *device, layered(image_desc(f, 301, 140, 5, kZs), ResourceKind::Tex2DArray, 2));
        REQUIRE(r);
        for (uint32_t level = 0; level < 5; ++level) {
            CAPTURE(level);
            Picture p = fill(*r, level, random);
            set(r.get(), {}, level);
            REQUIRE(hw::unpack(&c.isp_zls_pixels, &pixels));
            pipe::AgxLayoutDesc d;
            d.image.format = f;
            d.image.width = pixels.width;
            d.image.height = pixels.height;
            d.image.tiling = pipe::Tiling::Twiddled;
            const auto& buffer = f == Format::S8_UINT ? c.stencil : c.depth;
            std::string why;
            for (uint32_t z = 0; z < 2; ++z) {
                sim::StoredImage image;
                REQUIRE(image.init(d, buffer.base + uint64_t(z) * buffer.stride, 0, &why));
                CHECK(has_pixels(*r, image, 0, 0, p, z));
            }
        }
    }
}

TEST_CASE("agx images: samplers") {
    auto device = open_agx_device();
    const auto unpacked_sampler = [](const uint32_t* words) {
        hw::Sampler s;
        REQUIRE(hw::unpack(words, &s));
        return s;
    };
    pipe::SamplerDesc d;
    d.min = pipe::Filter::Linear;
    d.mip = pipe::MipFilter::Nearest;
    d.wrap_s = pipe::Wrap::MirroredRepeat;
    d.wrap_t = pipe::Wrap::ClampToEdge;
    d.min_lod = 1.5f;
    d.max_anisotropy = 7;
    d.compare_enable = true;
    d.compare = pipe::Compare::GreaterEqual;
    const AgxSampler sampler(d);
    const hw::Sampler s = unpacked_sampler(sampler.words);
    CHECK(s.minify == hw::Filter::Linear);
    CHECK(s.magnify == hw::Filter::Linear);
    CHECK(s.mip_filter == hw::MipFilter::Nearest);
    CHECK(s.wrap_s == hw::Wrap::MirroredRepeat);
    CHECK(s.wrap_t == hw::Wrap::ClampToEdge);
    CHECK(s.wrap_r == hw::Wrap::Repeat);
    CHECK(s.minimum_lod == 1.5f);
    CHECK(s.maximum_lod == doctest::Approx(1023.0 / 64));
    CHECK(s.maximum_anisotropy == 4);
    CHECK(s.compare_enable);
    CHECK(s.compare_func == hw::CompareFunc::Gequal);
    CHECK(s.seamful_cube_maps);
    CHECK(!sampler.custom_border);

    // Borders.
    d.wrap_s = pipe::Wrap::ClampToBorder;
    CHECK(unpacked_sampler(AgxSampler(d).words).border_color == hw::BorderColor::TransparentBlack);
    d.border = {1, 1, 1, 1};
    CHECK(unpacked_sampler(AgxSampler(d).words).border_color == hw::BorderColor::OpaqueWhite);
    d.border = {0.25f, 0.5f, 1, 0};
    const AgxSampler own(d);
    CHECK(own.custom_border);
    const auto border_for = [&](Format f) {
        const auto r = AgxResource::create(*device, image_desc(f, 8, 8));
        REQUIRE(r);
        const auto view = AgxSamplerView::create(*device, r, view_desc(*r));
        REQUIRE(view);
        uint32_t words[kExtendedSampler_dw];
        own.write(view.get(), words);
        CHECK(unpacked_sampler(words).border_color ==
              (f == Format::ASTC_4x4_UNORM ? hw::BorderColor::TransparentBlack : hw::BorderColor::Custom));
        return std::array{words[2], words[3], words[4], words[5]};
    };
    using Words = std::array<uint32_t, 4>;
    CHECK(border_for(Format::R8G8B8A8_UNORM) == Words{64, 128, 255, 0});
    CHECK(border_for(Format::B8G8R8A8_UNORM) == Words{255, 128, 64, 0});
    CHECK(border_for(Format::A4B4G4R4_UNORM) == Words{0, 15, 8, 4});
    CHECK(border_for(Format::R8G8B8A8_SRGB) == Words{1024, 2048, 4095, 0});
    CHECK(border_for(Format::R8G8_SNORM) == Words{32, 64, 0, 0});
    CHECK(border_for(Format::R16G16_FLOAT) == Words{0x3400, 0x3800, 0, 0});
    CHECK(border_for(Format::D32_FLOAT) == Words{0x3e800000, 0, 0, 0});
    CHECK(border_for(Format::BC4_UNORM) == Words{4096, 0, 0, 0});
    CHECK(border_for(Format::ASTC_4x4_UNORM) == Words{});
}
