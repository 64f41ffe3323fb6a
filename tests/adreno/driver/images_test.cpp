// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resources, their maps, and their descriptors and registers. The compared words come from streams of Mesa
// 25.0.7's freedreno on noop:adreno-630, for our example scenes at 64x64; each has the scene's name next to
// it.
#include <unistd.h>

#include <cstring>
#include <vector>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/images/target.h"
#include "drivers/adreno/images/texture.h"
#include "drivers/common/images/transfer.h"
#include "tests/adreno/driver/decoded.h"
#include "tests/adreno/driver/device_fixture.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

pipe::ResourceDesc image_desc(pipe::Format format, uint32_t w, uint32_t h, uint32_t levels = 1) {
    pipe::ResourceDesc d;
    d.format = format;
    d.width = w;
    d.height = h;
    d.levels = levels;
    d.bind = pipe::bind::kSampled | pipe::bind::kColor;
    return d;
}

hw::TexConst descriptor(const AdrenoSamplerView& view) {
    uint32_t words[kTexture_dw];
    view.write(words);
    hw::TexConst t;
    fields::ReservedBits found;
    CHECK(unpack(words, &t, &found));
    CHECK(!found.any());
    return t;
}

pipe::Ref<AdrenoSamplerView> view_of(Device& device, const pipe::Ref<AdrenoResource>& r) {
    pipe::SamplerViewDesc d;
    d.kind = r->desc.kind;
    d.format = r->desc.format;
    d.last_level = uint8_t(r->desc.levels - 1);
    d.last_layer = uint16_t(r->desc.layers - 1);
    return AdrenoSamplerView::create(device, r, d);
}

}  // namespace

TEST_CASE("images: maps of tiled and linear images read the written data, level by level") {
    const auto device = open_adreno();
    for (const uint32_t bind : {0u, pipe::bind::kLinear})
        for (const pipe::Format format :
             {pipe::Format::R8_UNORM, pipe::Format::R8G8_UNORM, pipe::Format::B5G6R5_UNORM,
              pipe::Format::B8G8R8A8_UNORM, pipe::Format::R16G16B16A16_FLOAT}) {
            CAPTURE(bind);
            CAPTURE(pipe::format_name(format));
            pipe::ResourceDesc d = image_desc(format, 100, 70, 3);
            d.bind |= bind;
            const auto r = AdrenoResource::create(*device, d);
            REQUIRE(r);
            CHECK((r->layout.tiling == pipe::Tiling::Linear) == (bind != 0));
            for (uint32_t level = 0; level < 3; ++level) {
                const int w = 100 >> level, h = 70 >> level;
                const pipe::Box box{1, 2, 0, w - 3, h - 3, 1};
                const size_t row_B = size_t(pipe::format_row_B(format, uint32_t(box.width)));
                pipe::Mapping m = images::map_resource(*r, level, box, pipe::map_flag::kWrite);
                REQUIRE(m.data);
                for (int y = 0; y < box.height; ++y)
                    std::memset(static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B, int(level) + y,
                                row_B);
                images::unmap_resource(*r, m);
                m = images::map_resource(*r, level, {0, 0, 0, w, h, 1}, pipe::map_flag::kRead);
                REQUIRE(m.data);
                const auto* rows = static_cast<const uint8_t*>(m.data);
                const size_t pixel_B = pipe::format_info(format).block_B;
                CHECK(rows[0] == 0);
                CHECK(rows[2 * size_t(m.row_stride_B) + pixel_B] == level);
                CHECK(rows[(2 + 5) * size_t(m.row_stride_B) + pixel_B] == level + 5);
                images::unmap_resource(*r, m);
            }
        }
}

TEST_CASE("images: invalid descriptors are refused with a reason") {
    std::string said;
    const pipe::Log log{
        [](void* to, pipe::Severity, std::string_view text) { *static_cast<std::string*>(to) = text; },
        &said};
    const auto device = open_adreno("noop:adreno-630", log);
    CHECK(!AdrenoResource::create(*device, image_desc(pipe::Format::R8G8B8_UNORM, 16, 16)));
    CHECK(said.find("adreno: cannot create a resource: ") == 0);
    CHECK(!AdrenoResource::create(*device, image_desc(pipe::Format::R8_UNORM, 20000, 16)));
    pipe::SharedImage shared;
    shared.modifier = pipe::kModQcomCompressed;
    shared.stride_B = 256;
    pipe::ImportStatus status{};
    CHECK(!AdrenoResource::import(*device, image_desc(pipe::Format::R32_FLOAT, 64, 64), shared, &status));
    CHECK(status == pipe::ImportStatus::Modifier);
    const auto r = AdrenoResource::create(*device, image_desc(pipe::Format::R8G8B8A8_UNORM, 16, 16));
    REQUIRE(r);
    CHECK(!AdrenoSamplerView::create(*device, r, {.format = pipe::Format::R8_UNORM}));
    CHECK(!AdrenoSamplerView::create(*device, r, {.format = pipe::Format::R8G8B8A8_UNORM, .last_level = 1}));
    CHECK(said == "adreno: cannot create a sampler view: it has levels that the resource lacks");
}

TEST_CASE("images: a shared image is imported from its dma-buf") {
    const auto device = open_adreno();
    pipe::ResourceDesc d = image_desc(pipe::Format::B8G8R8A8_UNORM, 65, 33);
    d.bind |= pipe::bind::kShared;
    const auto r = AdrenoResource::create(*device, d);
    REQUIRE(r);
    pipe::SharedImage shared;
    REQUIRE(r->export_to(&shared));
    CHECK(shared.modifier == 0);
    CHECK(shared.stride_B == r->layout.level[0].row_stride_B);
    pipe::ImportStatus status{};
    const auto again = AdrenoResource::import(*device, d, shared, &status);
    REQUIRE(again);
    CHECK(again->va() == r->va());
    CHECK(!again->rename());
    close(shared.fd);
}

TEST_CASE("textures: descriptors of levels, swizzles, formats") {
    const auto device = open_adreno();
    auto r = AdrenoResource::create(*device, image_desc(pipe::Format::B8G8R8A8_UNORM, 64, 32, 7));
    auto view = view_of(*device, r);
    REQUIRE(view);
    hw::TexConst t = descriptor(*view);
    CHECK(t.width == 64);
    CHECK(t.height == 32);
    CHECK(t.miplvls == 6);
    CHECK(t.tile_mode == hw::TileMode::TILE6_3);
    CHECK(t.swap == hw::ColorSwap::WZYX);  // tiled images have red first
    CHECK(t.base == r->va());
    CHECK(t.depth == 1);
    CHECK(t.type == hw::TexType::A6XX_TEX_2D);
    CHECK(t.pitch == r->layout.level[0].row_stride_B);
    // Scene mipmaps: luminance and alpha are stored in red and green.
    pipe::ResourceDesc d = image_desc(pipe::Format::L8A8_UNORM, 16, 16);
    d.bind = pipe::bind::kSampled | pipe::bind::kLinear;
    r = AdrenoResource::create(*device, d);
    view = view_of(*device, r);
    REQUIRE(view);
    t = descriptor(*view);
    CHECK(t.fmt == hw::Format::FMT6_8_8_UNORM);
    CHECK(t.swiz_z == hw::TexSwiz::A6XX_TEX_X);
    CHECK(t.swiz_w == hw::TexSwiz::A6XX_TEX_Y);
    CHECK(t.tile_mode == hw::TileMode::TILE6_LINEAR);
    d = image_desc(pipe::Format::B8G8R8X8_UNORM, 16, 16);
    d.bind |= pipe::bind::kLinear;
    r = AdrenoResource::create(*device, d);
    view = view_of(*device, r);
    REQUIRE(view);
    t = descriptor(*view);
    CHECK(t.swap == hw::ColorSwap::WXYZ);
    CHECK(t.swiz_x == hw::TexSwiz::A6XX_TEX_X);
    CHECK(t.swiz_w == hw::TexSwiz::A6XX_TEX_ONE);
}

TEST_CASE("textures: small levels are linear, except those of depth") {
    const auto device = open_adreno();
    auto r = AdrenoResource::create(*device, image_desc(pipe::Format::R8G8B8A8_UNORM, 64, 64, 7));
    CHECK(!descriptor(*view_of(*device, r)).tile_all);
    CHECK(r->layout.level[6].tiling == pipe::Tiling::Linear);
    r = AdrenoResource::create(*device, image_desc(pipe::Format::D16_UNORM, 64, 64, 7));
    CHECK(descriptor(*view_of(*device, r)).tile_all);
    CHECK(r->layout.level[6].tiling == pipe::Tiling::Macrotiled);
}

TEST_CASE("textures: cubes, volumes, layers, stencil") {
    const auto device = open_adreno();
    pipe::ResourceDesc d = image_desc(pipe::Format::R8G8B8A8_UNORM, 32, 32, 6);
    d.kind = pipe::ResourceKind::Cube;
    d.layers = 6;
    auto r = AdrenoResource::create(*device, d);
    REQUIRE(r);
    auto view = view_of(*device, r);
    REQUIRE(view);
    hw::TexConst t = descriptor(*view);
    CHECK(t.type == hw::TexType::A6XX_TEX_CUBE);
    CHECK(t.depth == 1);
    CHECK(t.array_pitch == r->layout.layer_stride_B);
    d = image_desc(pipe::Format::R8_UNORM, 32, 32, 6);
    d.kind = pipe::ResourceKind::Tex3D;
    d.depth = 16;
    r = AdrenoResource::create(*device, d);
    REQUIRE(r);
    view = view_of(*device, r);
    REQUIRE(view);
    t = descriptor(*view);
    CHECK(t.type == hw::TexType::A6XX_TEX_3D);
    CHECK(t.depth == 16);
    CHECK(t.array_pitch == r->layout.level[0].slice_stride_B);
    CHECK(t.min_layersz == 4096);
    d = image_desc(pipe::Format::D24_UNORM_S8_UINT, 32, 32);
    r = AdrenoResource::create(*device, d);
    REQUIRE(r);
    view = view_of(*device, r);
    REQUIRE(view);
    t = descriptor(*view);
    CHECK(t.fmt == hw::Format::FMT6_Z24_UNORM_S8_UINT);
    CHECK(t.swiz_x == hw::TexSwiz::A6XX_TEX_X);
    CHECK(t.swiz_y == hw::TexSwiz::A6XX_TEX_ZERO);
    CHECK(t.swiz_w == hw::TexSwiz::A6XX_TEX_ONE);
    view = AdrenoSamplerView::create(*device, r, {.format = d.format, .stencil = true});
    REQUIRE(view);
    t = descriptor(*view);
    CHECK(t.fmt == hw::Format::FMT6_8_8_8_8_UINT);
    CHECK(t.swap == hw::ColorSwap::XYZW);
    CHECK(t.swiz_x == hw::TexSwiz::A6XX_TEX_X);
    CHECK(t.swiz_y == hw::TexSwiz::A6XX_TEX_ZERO);
    CHECK(view->border == BorderForm::Uint8);
}

TEST_CASE("textures: every supported format has a descriptor in both tilings") {
    const auto device = open_adreno();
    unsigned count = 0;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const auto format = pipe::Format(i);
        if (!format_supported(device->chip(), format, pipe::ResourceKind::Tex2D, 1, pipe::bind::kSampled))
            continue;
        ++count;
        CAPTURE(pipe::format_name(format));
        for (const uint32_t bind : {0u, pipe::bind::kLinear}) {
            pipe::ResourceDesc d = image_desc(format, 64, 64);
            d.bind = pipe::bind::kSampled | bind;
            const auto r = AdrenoResource::create(*device, d);
            REQUIRE(r);
            const auto view = view_of(*device, r);
            REQUIRE(view);
            CHECK(descriptor(*view).fmt != hw::Format::FMT6_NONE);
        }
    }
    CHECK(count > 90);
}

TEST_CASE("targets: registers of colour and depth (scene triangle)") {
    const auto device = open_adreno();
    pipe::RenderPassDesc pass;
    const auto color = AdrenoResource::create(*device, image_desc(pipe::Format::R8G8B8A8_UNORM, 64, 64));
    const auto depth = AdrenoResource::create(*device, image_desc(pipe::Format::D24_UNORM_S8_UINT, 64, 64));
    pass.color[0] = {.resource = color.get(), .format = color->desc.format};
    pass.depth_stencil = {.resource = depth.get(), .format = depth->desc.format};
    pass.color_count = 1;
    Targets targets;
    const char* why = "";
    REQUIRE(describe_targets(pass, &targets, &why));
    CHECK(targets.components == 0xf);
    CHECK(targets.without_alpha == 0);
    CHECK(targets.has_stencil);
    Pool pool(device);
    CsBuilder cs(pool);
    write_targets(cs, targets, {.color_B = {0x4000}, .depth_B = 0});
    const Decoded d = decode_stream(*device, cs.finish());
    INFO(d.text);
    CHECK(d.statistics.problems == 0);
    const auto value = [&](uint16_t reg) {
        return d.registers.is_set(reg) ? d.registers.get(reg) : 0xdeadbeef;
    };
    CHECK(value(hw::RB_MRT_BUF_INFO::at(0)) == 0x330);
    CHECK(value(hw::RB_MRT_PITCH::at(0)) == 4);
    CHECK(value(hw::RB_MRT_ARRAY_PITCH::at(0)) == 0x100);
    CHECK(value(hw::RB_MRT_BASE_GMEM::at(0)) == 0x4000);
    CHECK(value(hw::SP_FS_MRT::at(0)) == 0x30);
    CHECK(value(hw::RB_DEPTH_BUFFER_INFO::kRegister) == 2);
    CHECK(value(hw::RB_DEPTH_BUFFER_PITCH::kRegister) == 4);
    CHECK(value(hw::RB_DEPTH_BUFFER_ARRAY_PITCH::kRegister) == 0x100);
    CHECK(value(hw::GRAS_SU_DEPTH_BUFFER_INFO::kRegister) == 2);
    CHECK(value(hw::RB_STENCIL_INFO::kRegister) == 0);
    CHECK(value(hw::GRAS_LRZ_MRT_BUF_INFO_0::kRegister) == 0x30);
    CHECK(value(hw::GRAS_DEST_MSAA_CNTL::kRegister) == 4);
    CHECK(value(hw::RB_BLIT_GMEM_MSAA_CNTL::kRegister) == 0);
}
