// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/images/resource.h"

#include <unistd.h>

#include "drivers/mali/images/target.h"
#include "drivers/mali/images/texture.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;

namespace {}  // namespace

TEST_CASE("resource: which images are interleaved; offsets of levels and layers") {
    auto device = open_device("noop:mali-g610");
    struct Row {
        Format format;
        uint32_t width, height, bind;
        pipe::Tiling tiling;
        uint32_t stride_B;
        uint64_t size_B;
    };
    constexpr auto kTiled = pipe::Tiling::Interleaved;
    constexpr auto kLinear = pipe::Tiling::Linear;
    const Row rows[] = {
        {Format::R8G8B8A8_UNORM, 100, 50, bind::kSampled, kTiled, 7 * 16 * 16 * 4, 7 * 4 * 16 * 16 * 4},
        {Format::R8G8B8A8_UNORM, 100, 50, bind::kSampled | bind::kLinear, kLinear, 448, 448 * 50},
        {Format::R8G8B8A8_UNORM, 100, 50, bind::kColor | bind::kScanout, kLinear, 448, 448 * 50},
        {Format::R8G8B8A8_UNORM, 100, 1, bind::kSampled, kLinear, 448, 448},
        {Format::R8G8B8A8_UNORM, 1, 5, bind::kSampled, kLinear, 64, 64 * 5},
        {Format::R32G32B32_FLOAT, 16, 16, bind::kSampled, kLinear, 192, 192 * 16},
        {Format::D24_UNORM_S8_UINT, 17, 16, bind::kDepthStencil, kTiled, 2048, 2048},
        {Format::ETC1_RGB8, 20, 8, bind::kSampled, kTiled, 2 * 16 * 8, 2 * 16 * 8},
        {Format::ETC1_RGB8, 20, 4, bind::kSampled, kLinear, 64, 64},
    };
    for (const Row& row : rows) {
        INFO(std::string(pipe::format_name(row.format)) << " " << row.width << "x" << row.height);
        auto r = MaliResource::create(*device, image_desc(row.format, row.width, row.height, 1, row.bind));
        REQUIRE(r);
        CHECK(r->layout.tiling == row.tiling);
        CHECK(r->layout.level[0].row_stride_B == row.stride_B);
        CHECK(r->layout.size_B == row.size_B);
        CHECK(r->bo()->size_B >= row.size_B);
    }
    pipe::ResourceDesc cube = image_desc(Format::R8_UNORM, 20, 20, 3);
    cube.kind = ResourceKind::Cube;
    cube.layers = 6;
    auto r = MaliResource::create(*device, cube);
    REQUIRE(r);
    CHECK(r->layout.level[1].offset_B == 4 * 256);
    CHECK(r->layout.level[2].offset_B == 5 * 256);
    CHECK(r->layout.layer_stride_B == 6 * 256);
    CHECK(r->image_va(1, 2) == r->va() + 2 * 6 * 256 + 4 * 256);
}

TEST_CASE("resource: bad descriptors are refused, with a reason") {
    std::string said;
    const pipe::Log log{
        [](void* data, pipe::Severity, std::string_view text) { *static_cast<std::string*>(data) = text; },
        &said};
    auto device = open_device("noop:mali-g610", log);
    pipe::ResourceDesc d = image_desc(Format::R8G8B8A8_UNORM, 16, 16, 6);
    CHECK(!MaliResource::create(*device, d));
    CHECK(said == "mali: cannot create a resource: more levels than the size has");
    d.levels = 1;
    d.width = 100000;
    CHECK(!MaliResource::create(*device, d));
    CHECK(said == "mali: cannot create a resource: the surface is too large");
    d.width = 16;
    d.samples = 2;
    CHECK(!MaliResource::create(*device, d));
    CHECK(said == "mali: cannot create a resource: its number of samples is not supported");
}

TEST_CASE("resource: each sample is an image of its own, which targets and textures describe") {
    auto device = open_device("noop:mali-g610");
    pipe::ResourceDesc d = image_desc(Format::R8G8B8A8_UNORM, 40, 20, 1);
    d.samples = 4;
    d.bind = pipe::bind::kColor | pipe::bind::kSampled | pipe::bind::kLinear;
    const auto r = MaliResource::create(*device, d);
    REQUIRE(r);
    const uint64_t sample_B = uint64_t(48) * 32 * 4;
    CHECK(r->layout.tiling == pipe::Tiling::Interleaved);
    CHECK(r->layout.size_B == 4 * sample_B);
    pipe::Attachment a;
    a.resource = r.get();
    a.format = d.format;
    const hw::RenderTarget t = render_target(a, 4);
    CHECK(t.writeback_msaa == hw::Msaa::Layered);
    CHECK(t.rgb_surface_stride == sample_B);
    TexelFormat texels;
    REQUIRE(texel_format(*r, d.format, false, &texels));
    CHECK(make_plane(*r, texels, 0, 0).slice_stride == int32_t(sample_B));
    constexpr pipe::Swizzle kNone[4] = {};
    CHECK(make_texture(*r, texels, ResourceKind::Tex2D, kNone, 0, 1, 1).sample_count == 4);
    // A pass with samples that the image does not have writes their mean.
    d.samples = 1;
    const auto one = MaliResource::create(*device, d);
    REQUIRE(one);
    a.resource = one.get();
    CHECK(render_target(a, 4).writeback_msaa == hw::Msaa::Average);
    CHECK(render_target(a, 1).writeback_msaa == hw::Msaa::Single);
    a.samples = 2;
    pipe::RenderPassDesc pass;
    pass.color[0] = a;
    pass.color_count = 1;
    CHECK(pass_samples(pass) == 4);
    pass.color_count = 0;
    pass.samples = 5;
    CHECK(pass_samples(pass) == 8);
}

TEST_CASE("resource: new memory is zero, also if it had other content before") {
    auto device = open_device("noop:mali-g610");
    for (int i = 0; i < 3; ++i) {
        auto r = MaliResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 70, 70, 1));
        REQUIRE(r);
        Picture p = read_image(*r, 0, level_box(*r, 0));
        CHECK(p == Picture(Format::R8G8B8A8_UNORM, level_box(*r, 0)));
        std::fill(p.bytes.begin(), p.bytes.end(), uint8_t(0xab));
        write_image(*r, 0, level_box(*r, 0), p);
    }
    pipe::ResourceDesc d;
    d.kind = ResourceKind::Buffer;
    d.width = 0;
    CHECK(MaliResource::create(*device, d));
}

TEST_CASE("resource: export and import of a dma-buf") {
    auto device = open_device("noop:mali-g610");
    const pipe::ResourceDesc d =
        image_desc(Format::R8G8B8A8_UNORM, 100, 50, 1, bind::kSampled | bind::kColor | bind::kShared);
    auto out = MaliResource::create(*device, d);
    REQUIRE(out);
    pipe::SharedImage shared;
    REQUIRE(out->export_to(&shared));
    CHECK(shared.modifier == pipe::kModifierLinear);
    CHECK(shared.offset_B == 0);
    CHECK(shared.stride_B == 448);
    CHECK(!out->rename());

    pipe::ImportStatus status{};
    auto in = MaliResource::import(*device, d, shared, &status);
    REQUIRE(in);
    std::mt19937 random(1);
    Picture p = random_picture(d.format, level_box(*out, 0), random);
    write_image(*out, 0, level_box(*out, 0), p);
    CHECK(read_image(*in, 0, level_box(*in, 0)) == p);
    CHECK(!in->rename());

    // The other modifier: 100 pixels are seven tiles, and a row of tiles has sixteen rows of pixels.
    pipe::SharedImage tiled = shared;
    tiled.modifier = pipe::kModArmInterleaved;
    pipe::ResourceDesc small = d;
    small.height = 30;
    auto in_tiled = MaliResource::import(*device, small, tiled, &status);
    REQUIRE(in_tiled);
    CHECK(in_tiled->layout.tiling == pipe::Tiling::Interleaved);
    CHECK(in_tiled->layout.level[0].row_stride_B == 448 * 16);
    Picture q = random_picture(d.format, level_box(*in_tiled, 0), random);
    write_image(*in_tiled, 0, level_box(*in_tiled, 0), q);
    CHECK(read_image(*in_tiled, 0, level_box(*in_tiled, 0)) == q);
    pipe::SharedImage again;
    REQUIRE(in_tiled->export_to(&again));
    CHECK(again.modifier == pipe::kModArmInterleaved);
    CHECK(again.stride_B == 448);
    close(again.fd);

    struct Spoiled {
        void (*spoil)(pipe::ResourceDesc&, pipe::SharedImage&);
        pipe::ImportStatus why;
    };
    using enum pipe::ImportStatus;
    for (const auto& [spoil, why] : std::initializer_list<Spoiled>{
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.modifier = 1; }, Modifier},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.stride_B = 384; }, StrideTooSmall},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.stride_B = 450; }, StrideUnsuited},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.offset_B = 32; }, Offset},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.offset_B = 1 << 20; }, TooSmall},
             {[](pipe::ResourceDesc&r, pipe::SharedImage&) { r.height = 500; }, TooSmall},
             {[](pipe::ResourceDesc&r, pipe::SharedImage&) { r.levels = 2; }, Kind},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.fd = -1; }, NotShared},
         }) {
        pipe::ResourceDesc bad = d;
        pipe::SharedImage image = shared;
        spoil(bad, image);
        CHECK(!MaliResource::import(*device, bad, image, &status));
        CHECK(status == why);
    }
    close(shared.fd);
}

TEST_CASE("resource: renamed, unless the memory is shared or has two views") {
    auto device = open_device("noop:mali-g610");
    auto r = MaliResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 32, 32));
    REQUIRE(r);
    const uint64_t va = r->va();
    const uint32_t serial = r->storage_serial();
    const pipe::Ref<Bo> old = r->bo();
    REQUIRE(r->rename());
    CHECK(r->va() != va);
    CHECK(r->storage_serial() != serial);
    CHECK(old->va == va);
    pipe::ResourceDesc d;
    d.kind = ResourceKind::Buffer;
    d.width = 4096;
    auto buffer = MaliResource::create(*device, d);
    const pipe::Mapping m = images::map_resource(*buffer, 0, {16, 0, 0, 100, 1, 1},
                                                 pipe::map_flag::kWrite | pipe::map_flag::kPersistent);
    REQUIRE(m.data == buffer->cpu() + 16);
    CHECK(!buffer->rename());
    images::unmap_resource(*buffer, m);
    CHECK(buffer->rename());
}

TEST_CASE("resource: the uses of formats") {
    const hw::Chip& chip = *hw::find_chip("mali-g610");
    constexpr uint32_t kTexel = bind::kSampled, kTarget = bind::kSampled | bind::kColor;
    constexpr uint32_t kDepth = bind::kSampled | bind::kDepthStencil;
    struct Row {
        Format format;
        uint32_t bind;
        bool good;
    };
    const Row rows[] = {
        {Format::R8G8B8A8_UNORM, kTarget, true},
        {Format::B8G8R8A8_UNORM, kTarget | bind::kScanout, true},
        {Format::R8G8B8X8_UNORM, kTarget, true},
        {Format::R8G8B8A8_SRGB, kTarget, true},
        {Format::A4B4G4R4_UNORM, kTarget, true},
        {Format::A1B5G5R5_UNORM, kTexel, false},  // the state tracker uses B5G5R5A1
        {Format::B5G6R5_UNORM, kTarget, true},
        {Format::A8_UNORM, kTexel, true},
        {Format::L8_UNORM, kTexel, true},
        {Format::L8A8_UNORM, kTexel, false},  // R8G8 and a swizzle
        {Format::R8G8_UNORM, kTarget, true},
        {Format::R8_UNORM, kTarget, true},
        {Format::R16_FLOAT, kTarget, true},
        {Format::R16G16B16A16_FLOAT, kTarget, true},
        {Format::R16G16B16X16_FLOAT, kTexel, true},
        {Format::R32G32B32A32_FLOAT, kTarget, true},
        {Format::R32G32B32_FLOAT, kTexel, true},
        {Format::R32_FLOAT, kTexel, true},
        {Format::R10G10B10A2_UNORM, kTarget, true},
        {Format::D16_UNORM, kDepth, true},
        {Format::D24_UNORM_X8, kDepth, true},
        {Format::D24_UNORM_S8_UINT, kDepth, true},
        {Format::D32_FLOAT, kDepth, true},
        {Format::S8_UINT, bind::kDepthStencil, true},
        {Format::D32_FLOAT_S8X24_UINT, kDepth, true},
        {Format::ETC1_RGB8, kTexel, true},
        {Format::ETC2_RGBA8_UNORM, kTexel, true},
        {Format::ASTC_8x5_UNORM, kTexel, true},
        {Format::ETC1_RGB8, kTarget, false},
        {Format::ETC1_RGB8, kTexel | bind::kShared, false},
        {Format::BC1_RGBA_UNORM, kTexel, true},
        {Format::R8G8B8_UNORM, kTexel, false},
        {Format::R32_FIXED, kTexel, false},
        {Format::R8G8B8A8_UNORM, bind::kDepthStencil, false},
        {Format::D16_UNORM, bind::kColor, false},
        {Format::D32_FLOAT_S8X24_UINT, bind::kDepthStencil | bind::kShared, false},
        {Format::R8G8B8A8_UNORM, bind::kImage, true},
        {Format::B8G8R8A8_UNORM, bind::kImage, false},  // OpenGL ES has no such images
        {Format::None, kTexel, false},
    };
    for (const Row& row : rows) {
        INFO(std::string(pipe::format_name(row.format)));
        CHECK(format_supported(chip, row.format, ResourceKind::Tex2D, 1, row.bind) == row.good);
        CHECK(!format_supported(chip, row.format, ResourceKind::Tex2D, 2, row.bind));
        CHECK(!format_supported(chip, row.format, ResourceKind::Cube, 4, row.bind));
    }
    CHECK(format_supported(chip, Format::None, ResourceKind::Buffer, 1, bind::kVertex | bind::kIndex));
    CHECK(format_supported(chip, Format::R32_FIXED, ResourceKind::Buffer, 1, bind::kVertex));
    CHECK(format_supported(chip, Format::None, ResourceKind::Buffer, 1, bind::kStorage | bind::kStreamOut));
    CHECK(format_supported(chip, Format::R8G8B8A8_UNORM, ResourceKind::Cube, 1, kTarget));
    hw::Chip bare = chip;
    bare.texture_features[0] = 0;
    CHECK(!format_supported(bare, Format::ETC1_RGB8, ResourceKind::Tex2D, 1, kTexel));
}

TEST_CASE("resource: stencil follows depth of 32 bits, in a plane of its own") {
    const auto device = test::open_device("noop:mali-g610");
    pipe::ResourceDesc d;
    d.kind = ResourceKind::Tex2DArray;
    d.format = Format::D32_FLOAT_S8X24_UINT;
    d.width = 40, d.height = 24, d.layers = 3, d.levels = 2;
    d.bind = bind::kDepthStencil;
    const auto r = MaliResource::create(*device, d);
    REQUIRE(r);
    CHECK(r->layout.format == Format::D32_FLOAT);
    CHECK(r->stencil.format == Format::S8_UINT);
    CHECK(r->stencil_begin_B >= r->layout.size_B);
    CHECK(r->bo()->size_B >= r->stencil_begin_B + r->stencil.size_B);
    CHECK(r->stencil_va(1, 2) == r->va() + r->stencil_begin_B + r->stencil.image_offset_B(1, 2));
    CHECK(!r->afbc_form);
}
