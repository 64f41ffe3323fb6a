// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by the virtual GPU give the same result as copies by the CPU, and the CPU does not wait for them.
#include "drivers/mali/transfers/copy.h"

#include <algorithm>

#include "drivers/mali/screen.h"
#include "pipe/blit/blit.h"
#include "tests/common/memory/controlled_drm.h"
#include "tests/common/messages.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Box;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;

namespace {

struct CopySetup {
    pipe::Ref<Device> device = open_device("sim:mali-g610");
    InternalShaders shaders{*device};
    std::unique_ptr<Recorder> recorder = std::make_unique<Recorder>(device, Queues::create(device, 1));
    std::mt19937 random{11};

    uint32_t below(uint32_t n) { return uint32_t(random() % n); }
    pipe::Ref<MaliResource> image(Format f, bool linear, ResourceKind kind, uint32_t width, uint32_t height) {
        const pipe::FormatInfo& info = pipe::format_info(f);
        pipe::ResourceDesc d = image_desc(f, width, height, 1, bind::kSampled | (linear ? bind::kLinear : 0));
        d.kind = kind;
        if (kind == ResourceKind::Cube) d.layers = 6, d.height = d.width;
        if (kind == ResourceKind::Tex3D) d.depth = 5;
        if (!info.is_compressed) d.levels = 3;
        auto r = MaliResource::create(*device, d);
        REQUIRE(r);
        for (uint32_t level = 0; level < d.levels; ++level) {
            const Box all = level_box(*r, level);
            Picture p = random_picture(f, all, random);
            write_image(*r, level, all, p);
        }
        return r;
    }
    /// A box of complete blocks with at most that size (in blocks; 0: any), or up to the level's end.
    Box box(const MaliResource& r, uint32_t level, const uint32_t most[3] = nullptr) {
        const Box all = level_box(r, level);
        const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
        const auto range = [&](int32_t size, uint32_t block, uint32_t limit, int32_t* at, int32_t* length) {
            const uint32_t blocks = (uint32_t(size) + block - 1) / block;
            uint32_t first = below(blocks), count = 1 + below(blocks - first);
            if (limit) count = std::min(count, limit);
            *at = int32_t(first * block);
            *length = std::min(int32_t(count * block), size - *at);
        };
        Box b;
        range(all.width, f.block_w_px, most ? most[0] : 0, &b.x, &b.width);
        range(all.height, f.block_h_px, most ? most[1] : 0, &b.y, &b.height);
        range(all.depth, 1, most ? most[2] : 0, &b.z, &b.depth);
        return b;
    }
    void submit() { REQUIRE(recorder->submit()); }
};

// Blocks of every size, including compressed ones.
constexpr Format kFormats[] = {
    Format::R8_UNORM,           Format::B5G6R5_UNORM,      Format::R8G8B8_SNORM,      Format::R8G8B8A8_SRGB,
    Format::R16G16B16A16_FLOAT, Format::R32G32B32_FLOAT,   Format::R32G32B32A32_UINT, Format::D16_UNORM,
    Format::D24_UNORM_S8_UINT,  Format::ETC2_RGB8_UNORM,   Format::ASTC_6x5_UNORM,    Format::S8_UINT,
    Format::R11G11B10_FLOAT,    Format::R10G10B10A2_UNORM,
};
constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D};

}  // namespace

TEST_CASE_FIXTURE(CopySetup, "mali copy: images to images") {
    size_t copied_whole = 0;
    for (const Format f : kFormats)
        for (unsigned round = 0; round < 12; ++round) {
            CAPTURE(pipe::format_info(f).name);
            CAPTURE(round);
            const bool whole = round % 4 == 3;
            const ResourceKind kind = kKinds[below(3)];
            const uint32_t width = 20 + below(60), height = 20 + below(50);
            const auto src = image(f, round & 1, kind, width, height);
            const auto dst = whole ? image(f, round & 1, kind, width, height)
                                   : image(f, round & 2, kKinds[below(3)], 20 + below(60), 20 + below(50));
            const uint32_t src_level = below(src->desc.levels),
                           dst_level = whole ? src_level : below(dst->desc.levels);
            const pipe::FormatInfo& info = pipe::format_info(f);
            Box to = whole ? level_box(*dst, dst_level) : box(*dst, dst_level), from = to;
            if (!whole) {
                const uint32_t most[3] = {uint32_t(to.width) / info.block_w_px,
                                          uint32_t(to.height) / info.block_h_px, uint32_t(to.depth)};
                if (!most[0] || !most[1]) continue;
                from = box(*src, src_level, most);
                to.width = (from.width + info.block_w_px - 1) / info.block_w_px * info.block_w_px;
                to.height = (from.height + info.block_h_px - 1) / info.block_h_px * info.block_h_px;
                to.depth = from.depth;
            }
            const bool can = gpu_can_copy(*dst, dst_level, to, *src, src_level, from);
            CHECK((can || pipe::format_info(f).is_compressed));
            if (!can) continue;
            copied_whole += whole;
            const Box all = level_box(*dst, dst_level);
            Picture expected = read_image(*dst, dst_level, all);
            Picture part = read_image(*src, src_level, from);
            for (uint32_t z = 0; z < part.images; ++z)
                for (uint32_t y = 0; y < part.rows; ++y)
                    std::memcpy(expected.row(uint32_t(to.y) / info.block_h_px + y, uint32_t(to.z) + z) +
                                    uint32_t(to.x) / info.block_w_px * info.block_B,
                                part.row(y, z), part.row_B);
            copy_image_to_image(*recorder, shaders, *dst, dst_level, to, *src, src_level, from);
            submit();
            CHECK(read_image(*dst, dst_level, all) == expected);
        }
    CHECK(copied_whole > 2 * std::size(kFormats));
}

namespace {

/// A context with a count of its requests to the kernel.
struct ContextSetup {
    DrmControl control;
    Messages messages;
    std::unique_ptr<MaliScreen> screen;
    std::unique_ptr<pipe::Context> context;
    std::mt19937 random{5};

    ContextSetup() {
        std::string why;
        auto virtual_device = winsys::virt::create_device("sim:mali-g610", mali::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(virtual_device, why);
        const pipe::Log log = messages.log();
        auto drm =
            std::make_unique<ControlledDrm>(winsys::open_virtual_drm(std::move(virtual_device)), control);
        auto device = Device::create(std::move(drm), log, &why);
        REQUIRE_MESSAGE(device, why);
        screen = std::make_unique<MaliScreen>(std::move(device));
        context = screen->create_context({.log = log});
        REQUIRE(context);
    }
    pipe::Ref<pipe::Resource> image(Format f, uint32_t w, uint32_t h, uint32_t levels = 1,
                                    uint32_t bind = bind::kSampled | bind::kColor) {
        auto r = screen->create_resource(image_desc(f, w, h, levels, bind));
        REQUIRE(r);
        return r;
    }
    Box all(pipe::Resource& r, uint32_t level = 0) { return level_box(mali::mali(r), level); }
    Picture read(pipe::Resource& r, uint32_t level = 0) {
        const Box b = all(r, level);
        Picture p(r.desc.format, b);
        const pipe::Mapping m = context->map(r, level, b, pipe::map_flag::kRead);
        REQUIRE(m.data);
        for (uint32_t z = 0; z < p.images; ++z)
            for (uint32_t y = 0; y < p.rows; ++y)
                std::memcpy(
                    p.row(y, z),
                    static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                    p.row_B);
        context->unmap(r, m);
        return p;
    }
    void fill(pipe::Resource& r, uint32_t level = 0) {
        const Box b = all(r, level);
        Picture p = random_picture(r.desc.format, b, random);
        const pipe::Mapping m = context->map(r, level, b, pipe::map_flag::kWrite);
        REQUIRE(m.data);
        for (uint32_t z = 0; z < p.images; ++z)
            for (uint32_t y = 0; y < p.rows; ++y)
                std::memcpy(
                    static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                    p.row(y, z), p.row_B);
        context->unmap(r, m);
    }
    /// A pass that clears the whole image, or the scissor's part.
    void clear(pipe::Resource& r, std::array<float, 4> rgba) {
        pipe::RenderPassDesc pass;
        pass.color[0].resource = &r;
        pass.color[0].format = r.desc.format;
        pass.color[0].load = pipe::LoadOp::Clear;
        std::copy_n(rgba.data(), 4, pass.clear_color[0].f);
        pass.color_count = 1;
        pass.width = r.desc.width;
        pass.height = r.desc.height;
        context->begin_render_pass(pass);
        context->end_render_pass();
    }
    pipe::BlitInfo blit(pipe::Resource& dst, pipe::Resource& src) {
        pipe::BlitInfo info;
        info.src = {&src, src.desc.format, 0, all(src)};
        info.dst = {&dst, dst.desc.format, 0, all(dst)};
        return info;
    }
};

}  // namespace

TEST_CASE_FIXTURE(ContextSetup, "mali copy: copies between passes wait for nothing and stay in order") {
    const auto target = image(Format::R8G8B8A8_UNORM, 40, 24), first = image(Format::R8G8B8A8_UNORM, 40, 24),
               second = image(Format::R8G8B8A8_UNORM, 40, 24), narrow = image(Format::B5G6R5_UNORM, 40, 24);
    const Box box = all(*target);
    const auto round = [&] {
        clear(*target, {1, 0, 0, 1});
        context->copy_region(*first, 0, 0, 0, 0, *target, 0, box);
        REQUIRE(context->try_blit(blit(*narrow, *target)));
        // The source is drawn again, the first copy is copied to another image, and replaced.
        clear(*target, {0, 1, 0, 1});
        context->copy_region(*second, 0, 0, 0, 0, *first, 0, box);
        context->copy_region(*first, 0, 0, 0, 0, *target, 0, box);
        clear(*target, {0, 0, 1, 1});
    };
    // Shaders are compiled, and memory of the pool is returned.
    for (unsigned i = 0; i < 3; ++i) {
        round();
        const pipe::Mapping pixel = context->map(*second, 0, {0, 0, 0, 1, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(pixel.data);
        context->unmap(*second, pixel);
    }
    const unsigned before = control.calls;
    round();
    CHECK(control.calls == before);
    const auto is = [&](pipe::Resource& r, auto pixel) {
        Picture p = read(r);
        for (size_t at = 0; at < p.bytes.size(); at += sizeof(pixel))
            if (std::memcmp(&p.bytes[at], &pixel, sizeof(pixel)) != 0) return false;
        return true;
    };
    CHECK(is(*second, 0xff0000ffu));
    CHECK(is(*first, 0xff00ff00u));
    CHECK(is(*target, 0xffff0000u));
    CHECK(is(*narrow, uint16_t(0xf800)));
    CHECK(messages == "");
}

TEST_CASE_FIXTURE(ContextSetup, "mali copy: formats are converted as the CPU does it") {
    constexpr Format kFrom[] = {Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM,       Format::B4G4R4A4_UNORM,
                                Format::A8_UNORM,       Format::R10G10B10A2_UNORM,  Format::L8_UNORM,
                                Format::R8G8B8X8_UNORM, Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_SRGB};
    constexpr Format kTo[] = {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::B5G6R5_UNORM,
                              Format::A4B4G4R4_UNORM, Format::B5G5R5A1_UNORM, Format::L8_UNORM,
                              Format::A8_UNORM,       Format::R8G8_UNORM,     Format::R10G10B10A2_UNORM,
                              Format::B8G8R8X8_UNORM};
    for (const Format from : kFrom)
        for (const Format to : kTo) {
            if (from == to) continue;
            CAPTURE(pipe::format_info(from).name);
            CAPTURE(pipe::format_info(to).name);
            const auto src = image(from, 200, 110, 1, bind::kSampled),
                       dst = image(to, 200, 110, 1, bind::kSampled),
                       expected = image(to, 200, 110, 1, bind::kSampled);
            fill(*src);
            pipe::BlitInfo info = blit(*dst, *src);
            info.depth = info.stencil = true;
            pipe::BlitPath path{};
            CHECK(pipe::blit(*context, info, {}, &path) == pipe::BlitStatus::Ok);
            CHECK(path == pipe::BlitPath::Driver);
            info.dst.resource = expected.get();
            CHECK(pipe::blit_cpu(*context, info) == pipe::BlitStatus::Ok);
            CHECK(read(*dst) == read(*expected));
        }
    CHECK(messages == "");
}

TEST_CASE_FIXTURE(ContextSetup, "mali copy: the GPU's mipmaps equal the CPU's") {
    for (const Format f :
         {Format::R8G8B8A8_UNORM, Format::B8G8R8X8_UNORM, Format::R8G8_UNORM, Format::L8_UNORM,
          Format::B5G6R5_UNORM, Format::B4G4R4A4_UNORM, Format::R10G10B10A2_UNORM, Format::R8G8B8A8_SRGB})
        for (const auto& size : {std::pair{32u, 64u}, {60u, 44u}, {64u, 4u}}) {
            const uint32_t w = size.first, h = size.second;
            CAPTURE(pipe::format_info(f).name);
            CAPTURE(w);
            const uint32_t levels = uint32_t(std::bit_width(std::max(w, h)));
            const auto gpu = image(f, w, h, levels), cpu = image(f, w, h, levels, bind::kSampled);
            fill(*cpu);
            // All levels of an idle image are too small for the GPU; this image is busy.
            clear(*gpu, {0, 0, 0, 0});
            context->copy_region(*gpu, 0, 0, 0, 0, *cpu, 0, all(*cpu));
            pipe::MipmapInfo info{.resource = gpu.get(), .format = f, .last_level = levels - 1};
            CHECK(pipe::generate_mipmap(*context, info) == pipe::BlitStatus::Ok);
            // The GPU generated all of them: the image is still busy.
            pipe::BlitInfo halved = blit(*gpu, *gpu);
            halved.dst.level = 1;
            halved.dst.box = all(*gpu, 1);
            halved.filter = pipe::Filter::Linear;
            if (w != 60) CHECK(context->try_blit(halved));
            std::vector<Picture> made;
            for (uint32_t level = 0; level < levels; ++level)
                made.push_back(read(*gpu, level));
            CHECK(made[0] == read(*cpu));
            info.resource = cpu.get();
            for (uint32_t level = 1; level < levels; ++level) {
                info.base_level = level - 1;
                info.last_level = level;
                CHECK(pipe::generate_mipmap(*context, info) == pipe::BlitStatus::Ok);
                CAPTURE(level);
                const Picture want = read(*cpu, level);
                REQUIRE(made[level].bytes.size() == want.bytes.size());
                // sRGB is drawn: render targets round differently.
                const int tolerance = f == Format::R8G8B8A8_SRGB ? 1 : 0;
                size_t wrong = 0;
                for (size_t i = 0; i < want.bytes.size(); ++i)
                    wrong += std::abs(int(made[level].bytes[i]) - int(want.bytes[i])) > tolerance;
                CHECK(wrong == 0);
                if (tolerance) context->copy_region(*cpu, level, 0, 0, 0, *gpu, level, all(*gpu, level));
            }
        }
    CHECK(messages == "");
}
