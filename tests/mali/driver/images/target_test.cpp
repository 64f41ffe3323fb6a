// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Clear values compared with vectors of Mesa 25.0.7 (src/panfrost/lib/tests/test-clear.c), descriptors, and
// frames without draws on the virtual GPU's fragment units.
#include "drivers/mali/images/target.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/mali/hw/formats.h"
#include "drivers/mali/sim/jobs.h"
#include "drivers/mali/sim/units/texture.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;

namespace {

pipe::Attachment attachment(MaliResource& r, pipe::LoadOp load = pipe::LoadOp::Clear) {
    pipe::Attachment a;
    a.resource = &r;
    a.format = r.desc.format;
    a.load = load;
    return a;
}

struct FrameHost : sim::Host {
    BoSpace memory;
    sim::Space& space() override { return memory; }
    uint64_t grow_heap(uint64_t, uint32_t, uint32_t) override { return 0; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return false; }
};

// A framebuffer on a device, without draws.
struct Frame {
    pipe::Ref<Device> device = open_device("noop:mali-g610");
    FrameHost host;
    pipe::Ref<Bo> memory = device->create_bo(4096, 0);
    sim::Machine machine{*hw::find_chip("mali-g610"), host, 1};
    std::unique_ptr<sim::Jobs> jobs = sim::make_jobs(machine);
    hw::FramebufferParameters parameters;
    hw::ZsCrcExtension zs;
    std::vector<hw::RenderTarget> targets;

    Frame() {
        REQUIRE(memory);
        host.memory.add(*memory);
    }
    template <class T>
    uint64_t place(uint32_t at_B, const T& s) {
        uint32_t words[T::kSize_dw];
        hw::pack(s, words);
        std::memcpy(memory->cpu + at_B, words, sizeof(words));
        return memory->va + at_B;
    }
    void run(uint32_t width, uint32_t height) {
        hw::TilerHeap heap;
        heap.size = 1024;
        heap.base = memory->va + 2048;
        heap.bottom = heap.base + 64;
        heap.top = heap.base + 1024;
        hw::TilerContext tiler;
        tiler.hierarchy_mask = 1;
        tiler.fb_width = width;
        tiler.fb_height = height;
        tiler.heap = place(1024, heap);
        parameters.tiler = place(1280, tiler);
        parameters.width = width;
        parameters.height = height;
        parameters.bound_max_x = width - 1;
        parameters.bound_max_y = height - 1;
        if (!parameters.has_zs_crc_extension) parameters.z_internal_format = hw::ZInternalFormat::D24;
        parameters.effective_tile_size = 256;
        parameters.render_target_count = uint32_t(targets.size());
        const uint64_t fb = place(0, hw::Framebuffer{.parameters = parameters});
        uint32_t at_B = hw::Framebuffer::kSize_B;
        if (parameters.has_zs_crc_extension) place(at_B, zs), at_B += hw::ZsCrcExtension::kSize_B;
        for (const hw::RenderTarget& t : targets)
            place(at_B, t), at_B += hw::RenderTarget::kSize_B;
        hw::FramebufferPointer pointer;
        pointer.pointer = fb;
        pointer.render_target_count = uint32_t(targets.size());
        pointer.zs_crc_extension_present = parameters.has_zs_crc_extension;
        sim::CsRegisters registers;
        hw::pack(pointer, &registers.r[hw::FragmentRegisters::framebuffer]);
        registers.r[hw::FragmentRegisters::scissor + 1] = (width - 1) | (height - 1) << 16;
        sim::Fault fault;
        const sim::JobStatus done = jobs->fragment({}, registers, &fault);
        INFO(fault.report);
        REQUIRE(done == sim::JobStatus::Done);
    }
};

// format, dithered, colour, packed value
struct ClearRow {
    Format format;
    bool dithered;
    pipe::ClearColor color;
    uint32_t packed[4];
};
constexpr bool D = true, N = false;
constexpr pipe::ClearColor F(float r, float g, float b, float a) {
    return {.f = {r, g, b, a}};
}
constexpr pipe::ClearColor U(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return {.u = {r, g, b, a}};
}
#define ALL(v) \
    { v, v, v, v }
// For the original's formats that pipe does not have, these rows have the format with red and blue swapped.
// The tile buffer has the same data for both.
const ClearRow kClears[] = {
    {Format::R8G8B8A8_UNORM, D, F(0, 0, 0, 0), ALL(0x00000000)},
    {Format::R8G8B8A8_UNORM, N, F(0, 0, 0, 0), ALL(0x00000000)},
    {Format::R8G8B8A8_UNORM, D, F(1, 0, 0, 1), ALL(0xFF0000FF)},
    {Format::R8G8B8A8_UNORM, N, F(1, 0, 0, 1), ALL(0xFF0000FF)},
    {Format::B8G8R8A8_UNORM, D, F(1, 0, 0, 1), ALL(0xFF0000FF)},
    {Format::B8G8R8A8_UNORM, N, F(1, 0, 0, 1), ALL(0xFF0000FF)},
    {Format::R8G8B8A8_UNORM, D, F(0.664f, 0, 0, 0), ALL(0x000000A9)},
    {Format::R8G8B8A8_UNORM, N, F(0.664f, 0, 0, 0), ALL(0x000000A9)},
    {Format::B4G4R4A4_UNORM, D, F(0.664f, 0, 0, 0), ALL(0x0000009F)},
    {Format::B4G4R4A4_UNORM, N, F(0.664f, 0, 0, 0), ALL(0x000000A0)},
    {Format::B4G4R4A4_UNORM, D, F(0.41875f, 0, 0, 1), ALL(0xF0000064)},
    {Format::B4G4R4A4_UNORM, D, F(0.40625f, 0, 0, 1), ALL(0xF0000062)},
    {Format::B4G4R4A4_UNORM, N, F(0.03125f, 0, 0, 1), ALL(0xF0000000)},
    {Format::B4G4R4A4_UNORM, N, F(0.03333f, 0, 0, 1), ALL(0xF0000000)},
    {Format::B4G4R4A4_UNORM, N, F(0.03334f, 0, 0, 1), ALL(0xF0000010)},
    {Format::B4G4R4A4_UNORM, N, F(0.09375f, 0, 0, 1), ALL(0xF0000010)},
    {Format::R8G8B8A8_SRGB, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x8000FF64)},
    {Format::R8G8B8A8_SRGB, D, F(0.718f, 0.18f, 1, 2), ALL(0xFFFF76DC)},
    {Format::R8G8B8A8_SRGB, N, F(0.718f, 0.18f, 1, 2), ALL(0xFFFF76DC)},
    {Format::R10G10B10A2_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x800FFC82)},
    {Format::R10G10B10A2_UNORM, D, F(0.718f, 0.18f, 1, 2), ALL(0xFFF2E2DF)},
    {Format::R10G10B10A2_UNORM, N, F(0.718f, 0.18f, 1, 2), ALL(0xFFF2E2DF)},
    {Format::B4G4R4A4_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x7800F01E)},
    {Format::A4B4G4R4_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x7800F01E)},
    {Format::B5G5R5A1_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x400F807E)},
    {Format::B5G6R5_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x000FC07E)},
    {Format::B10G10R10A2_UNORM, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x800FFC82)},
    {Format::B8G8R8A8_SRGB, D, F(0.127f, 2.4f, -1, 0.5f), ALL(0x8000FF64)},
    {Format::B4G4R4A4_UNORM, D, F(0.718f, 0.18f, 1, 2), ALL(0xF0F02BAC)},
    {Format::B5G6R5_UNORM, D, F(0.718f, 0.18f, 1, 2), ALL(0x3E02D6C8)},
    {Format::B5G5R5A1_UNORM, D, F(0.718f, 0.18f, 1, 2), ALL(0xBE02CEC8)},
    {Format::B10G10R10A2_UNORM, D, F(0.718f, 0.18f, 1, 2), ALL(0xFFF2E2DF)},
    {Format::B8G8R8A8_SRGB, D, F(0.718f, 0.18f, 1, 2), ALL(0xFFFF76DC)},
    {Format::B4G4R4A4_UNORM, N, F(0.718f, 0.18f, 1, 2), ALL(0xF0F030B0)},
    {Format::B5G6R5_UNORM, N, F(0.718f, 0.18f, 1, 2), ALL(0x3E02C2C0)},
    {Format::B5G5R5A1_UNORM, N, F(0.718f, 0.18f, 1, 2), ALL(0xBE0302C0)},
    {Format::B10G10R10A2_UNORM, N, F(0.718f, 0.18f, 1, 2), ALL(0xFFF2E2DF)},
    {Format::B8G8R8A8_SRGB, N, F(0.718f, 0.18f, 1, 2), ALL(0xFFFF76DC)},
    {Format::R8G8B8A8_UINT, D, U(0xCA, 0xFE, 0xBA, 0xBE), ALL(0xBEBAFECA)},
    {Format::R8G8B8A8_UINT, N, U(0xCA, 0xFE, 0xBA, 0xBE), ALL(0xBEBAFECA)},
    {Format::R16G16B16A16_UINT,
     N,
     U(0xCAFE, 0xBABE, 0xABAD, 0x1DEA),
     {0xBABECAFE, 0x1DEAABAD, 0xBABECAFE, 0x1DEAABAD}},
    {Format::R32G32B32A32_UINT,
     N,
     U(0xCAFEBABE, 0xABAD1DEA, 0xDEADBEEF, 0xABCDEF01),
     {0xCAFEBABE, 0xABAD1DEA, 0xDEADBEEF, 0xABCDEF01}},
};

}  // namespace

TEST_CASE("target: clear values") {
    for (const ClearRow& row : kClears) {
        uint32_t packed[4];
        pack_clear_color(row.format, row.color, packed, row.dithered);
        INFO(std::string(pipe::format_name(row.format))
             << " dithered " << row.dithered << " " << row.color.f[0]);
        for (unsigned i = 0; i < 4; ++i)
            CHECK(packed[i] == row.packed[i]);
    }
    uint32_t packed[4];
    pack_clear_color(Format::R8G8B8A8_UNORM, F(NAN, 0, 0, 0.5f), packed);
    CHECK(packed[0] == 0x80000000);
    pack_clear_color(Format::R8G8B8X8_UNORM, F(0, 0, 0, 0), packed);
    CHECK(packed[0] == 0xff000000);
    pack_clear_color(Format::R16_FLOAT, F(1, 0, 0, 0), packed);
    CHECK(packed[0] == 0x3c003c00);
}

TEST_CASE("target: a clear on the virtual GPU leaves the colour in every format and tiling") {
    const pipe::ClearColor color = F(0.718f, 0.18f, 0.9f, 0.4f);
    unsigned count = 0;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const auto f = Format(i);
        const pipe::FormatInfo& info = pipe::format_info(f);
        if (info.is_pure_int() ||
            !format_supported(*hw::find_chip("mali-g610"), f, ResourceKind::Tex2D, 1, pipe::bind::kColor))
            continue;
        ++count;
        for (const uint32_t bind : {pipe::bind::kColor, pipe::bind::kColor | pipe::bind::kLinear}) {
            INFO(std::string(info.name) << " linear " << (bind & pipe::bind::kLinear));
            Frame frame;
            auto r = MaliResource::create(*frame.device, image_desc(f, 50, 37, 2, bind));
            REQUIRE(r);
            frame.host.memory.add(*r->bo());
            pipe::Attachment a = attachment(*r);
            a.level = 1;
            frame.targets.push_back(render_target(a, 1));
            CHECK(frame.targets[0].write_enable);
            CHECK(frame.targets[0].clean_pixel_write_enable);
            pack_clear_color(f, color, frame.targets[0].clear);
            frame.run(25, 18);
            uint8_t want[16];
            pipe::pack_rgba_f32(f, want, color.f, 1);
            Picture p = read_image(*r, 1, level_box(*r, 1));
            Picture base = read_image(*r, 0, level_box(*r, 0));
            CHECK(base == Picture(f, level_box(*r, 0)));
            float expected[4], got[4];
            pipe::unpack_rgba_f32(f, expected, want, 1);
            for (uint32_t y = 0; y < 18; ++y)
                for (uint32_t x = 0; x < 25; ++x) {
                    pipe::unpack_rgba_f32(f, got, p.row(y, 0) + x * info.block_B, 1);
                    for (unsigned c = 0; c < 4; ++c)
                        REQUIRE(got[c] == expected[c]);
                }
        }
    }
    CHECK(count > 30);
}

TEST_CASE("target: depth and stencil, cleared on the virtual GPU") {
    for (const Format f : {Format::D16_UNORM, Format::D24_UNORM_X8, Format::D24_UNORM_S8_UINT,
                           Format::D32_FLOAT, Format::S8_UINT})
        for (const uint32_t bind :
             {pipe::bind::kDepthStencil, pipe::bind::kDepthStencil | pipe::bind::kLinear}) {
            INFO(std::string(pipe::format_name(f)));
            Frame frame;
            auto r = MaliResource::create(*frame.device, image_desc(f, 45, 33, 1, bind));
            REQUIRE(r);
            frame.host.memory.add(*r->bo());
            depth_stencil_target(attachment(*r), &frame.zs, &frame.parameters);
            frame.parameters.has_zs_crc_extension = true;
            frame.parameters.z_write_enable = f != Format::S8_UINT;
            frame.parameters.s_write_enable = pipe::format_info(f).has_stencil;
            frame.parameters.z_clear = 0.25f;
            frame.parameters.s_clear = 0x5a;
            frame.targets.push_back(null_render_target());
            frame.run(45, 33);
            Picture p = read_image(*r, 0, level_box(*r, 0));
            const unsigned n = pipe::format_info(f).block_B;
            for (uint32_t y = 0; y < 33; ++y)
                for (uint32_t x = 0; x < 45; ++x) {
                    if (pipe::format_info(f).has_depth) {
                        float d;
                        pipe::unpack_depth_f32(f, &d, p.row(y, 0) + x * n, 1);
                        REQUIRE(std::abs(d - 0.25f) < 1e-5f);
                    }
                    if (pipe::format_info(f).has_stencil) {
                        uint8_t s;
                        pipe::unpack_stencil_u8(f, &s, p.row(y, 0) + x * n, 1);
                        REQUIRE(s == 0x5a);
                    }
                }
        }
}

TEST_CASE("target: descriptors of layers and slices") {
    auto device = open_device("noop:mali-g610");
    pipe::ResourceDesc d = image_desc(Format::B8G8R8A8_UNORM, 64, 64, 2, pipe::bind::kColor);
    d.kind = ResourceKind::Cube;
    d.layers = 6;
    auto cube = MaliResource::create(*device, d);
    REQUIRE(cube);
    pipe::Attachment a = attachment(*cube, pipe::LoadOp::Load);
    a.level = 1;
    a.first_layer = 4;
    a.store = pipe::StoreOp::DontCare;
    hw::RenderTarget t = render_target(a, 1);
    CHECK(t.rgb_base == cube->image_va(1, 4));
    CHECK(t.rgb_row_stride == 2 * 16 * 16 * 4);
    CHECK(!t.write_enable);
    CHECK(!t.clean_pixel_write_enable);
    CHECK(t.writeback_block_format == hw::BlockFormat::TILED_U_INTERLEAVED);
    CHECK(t.internal_format == hw::ColorBufferInternalFormat::R8G8B8A8);
    CHECK(t.swizzle == hw::component_swizzle(hw::Channel::B, hw::Channel::G, hw::Channel::R, hw::Channel::A));
    d.kind = ResourceKind::Tex3D;
    d.layers = 1;
    d.depth = 8;
    d.format = Format::R16G16B16A16_FLOAT;
    auto volume = MaliResource::create(*device, d);
    REQUIRE(volume);
    a = attachment(*volume);
    a.first_layer = 5;
    t = render_target(a, 1);
    CHECK(t.rgb_base == volume->va() + 5 * 64 * 64 * 8);
    CHECK(t.internal_format == hw::ColorBufferInternalFormat::RAW64);
    CHECK(t.writeback_format == hw::ColorFormat::RAW64);
    CHECK(!null_render_target().write_enable);
}

TEST_CASE("target: tiles that fit into the tile buffer twice") {
    auto device = open_device("noop:mali-g610");
    CHECK(tile_buffer_B(Format::B5G6R5_UNORM, 1) == 4);
    CHECK(tile_buffer_B(Format::R8_UNORM, 1) == 4);
    CHECK(tile_buffer_B(Format::R8_UINT, 1) == 1);
    CHECK(tile_buffer_B(Format::R16G16B16A16_FLOAT, 1) == 8);
    CHECK(tile_buffer_B(Format::R32G32B32_FLOAT, 1) == 16);
    CHECK(tile_buffer_B(Format::R8G8B8A8_UNORM, 4) == 16);
    auto narrow = MaliResource::create(*device, image_desc(Format::R8G8B8A8_UNORM, 16, 16));
    auto wide = MaliResource::create(*device, image_desc(Format::R32G32B32A32_FLOAT, 16, 16));
    pipe::RenderPassDesc pass;
    CHECK(choose_tile_px(device->chip(), pass) == 1024);
    pass.color_count = 1;
    pass.color[0] = attachment(*narrow);
    CHECK(choose_tile_px(device->chip(), pass) == 1024);
    pass.color_count = 2;
    pass.color[1] = attachment(*wide);
    CHECK(choose_tile_px(device->chip(), pass) == 512);  // 20 bytes for each pixel, of 16384
    pass.color_count = 8;
    for (auto& a : pass.color)
        a = attachment(*wide);
    CHECK(choose_tile_px(device->chip(), pass) == 128);
}

TEST_CASE("target: conversions") {
    CHECK(is_blendable(Format::R8G8B8A8_UNORM));
    CHECK(is_blendable(Format::R8_UNORM));
    CHECK(!is_blendable(Format::R16G16B16A16_FLOAT));
    CHECK(!is_blendable(Format::D16_UNORM));
    using hw::PixelFormatCode;
    const auto code = [](Format f, bool dither) {
        return hw::pixel_format_code(blend_conversion(f, false, dither).memory_format);
    };
    CHECK(code(Format::B8G8R8A8_UNORM, true) == PixelFormatCode::RGBA8_TB);
    CHECK(code(Format::B5G6R5_UNORM, false) == PixelFormatCode::R5G6B5_PU);
    CHECK(code(Format::B5G6R5_UNORM, true) == PixelFormatCode::R5G6B5_AU);
    CHECK(code(Format::R16_FLOAT, true) == PixelFormatCode::R16F);
    CHECK(hw::pixel_format_srgb(blend_conversion(Format::R8G8B8A8_SRGB, false, false).memory_format));
    CHECK(blend_conversion(Format::R8G8B8A8_UNORM, false, false).register_format ==
          hw::RegisterFileFormat::F32);
    CHECK(blend_conversion(Format::R8G8B8A8_UNORM, true, false).register_format ==
          hw::RegisterFileFormat::F16);
    CHECK(blend_conversion(Format::R32_UINT, false, false).register_format == hw::RegisterFileFormat::U32);
}

TEST_CASE("target: load textures have one level of one layer or slice") {
    auto device = open_device("noop:mali-g610");
    for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D}) {
        for (const Format f : {Format::R8G8B8A8_UNORM, Format::D24_UNORM_S8_UINT, Format::S8_UINT}) {
            INFO(int(kind) << std::string(pipe::format_name(f)));
            pipe::ResourceDesc d = image_desc(f, 40, 40, 2);
            d.kind = kind;
            if (kind == ResourceKind::Cube) d.layers = 6;
            if (kind == ResourceKind::Tex3D) d.depth = 8;
            auto r = MaliResource::create(*device, d);
            REQUIRE(r);
            std::mt19937 random(3);
            Picture p = random_picture(f, level_box(*r, 1), random);
            write_image(*r, 1, level_box(*r, 1), p);
            pipe::Attachment a = attachment(*r, pipe::LoadOp::Load);
            a.level = 1;
            a.first_layer = kind == ResourceKind::Tex2D ? 0 : 3;
            for (const bool stencil : {false, true}) {
                if (stencil != pipe::format_info(f).has_stencil) continue;
                Pool pool(device);
                uint32_t words[kTexture_dw];
                write_load_texture(pool, a, stencil, words);
                const Pool::Piece piece = pool.allocate(hw::Texture::kSize_B, 64);
                std::memcpy(piece.cpu, words, sizeof(words));
                std::vector<pipe::Ref<Bo>> chunks;
                pool.detach_chunks(&chunks);
                BoSpace space;
                for (const auto& bo : chunks)
                    space.add(*bo);
                space.add(*r->bo());
                sim::Window window(space);
                sim::TextureState texture;
                std::string why;
                const bool good = texture.load(window, piece.va, &why);
                INFO(why);
                REQUIRE(good);
                CHECK(texture.d.width == 20);
                CHECK(texture.d.levels == 1);
                CHECK(texture.view().shape.kind == ResourceKind::Tex2D);
                const unsigned n = pipe::format_info(f).block_B;
                for (uint32_t y = 0; y < 20; ++y)
                    for (uint32_t x = 0; x < 20; ++x) {
                        const uint32_t* v = texture.texel(window, {}, x, y, &why);
                        REQUIRE(v);
                        const uint8_t* pixel = p.row(y, a.first_layer) + x * n;
                        if (stencil)
                            REQUIRE(v[0] == pixel[n - 1]);
                        else
                            for (unsigned c = 0; c < 4; ++c)
                                REQUIRE(std::bit_cast<float>(v[c]) == float(pixel[c]) / 255);
                    }
            }
        }
    }
}
