// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies by the virtual GPU give what copies by the CPU give; and nobody waits for them.
#include "drivers/mali/copy.h"

#include <algorithm>

#include "tests/mali/driver/images_fixture.h"

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
    /// Whole blocks, of that size at most (blocks; 0: any), or as far as the level goes.
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

Picture rows_at(const RowsInMemory& m, Format f, const Box& box) {
    Picture p(f, box);
    for (uint32_t z = 0; z < p.images; ++z)
        for (uint32_t y = 0; y < p.rows; ++y)
            std::memcpy(p.row(y, z), m.bo->cpu + m.offset_B + z * m.image_stride_B + y * m.row_stride_B,
                        p.row_B);
    return p;
}

// Blocks of every size, compressed ones among them.
constexpr Format kFormats[] = {
    Format::R8_UNORM,           Format::B5G6R5_UNORM,      Format::R8G8B8_SNORM,      Format::R8G8B8A8_SRGB,
    Format::R16G16B16A16_FLOAT, Format::R32G32B32_FLOAT,   Format::R32G32B32A32_UINT, Format::D16_UNORM,
    Format::D24_UNORM_S8_UINT,  Format::ETC2_RGB8_UNORM,   Format::ASTC_6x5_UNORM,    Format::S8_UINT,
    Format::R11G11B10_FLOAT,    Format::R10G10B10A2_UNORM,
};
constexpr ResourceKind kKinds[] = {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D};

}  // namespace

TEST_CASE_FIXTURE(CopySetup, "mali copy: images to rows, rows to images") {
    for (const Format f : kFormats)
        for (const ResourceKind kind : kKinds)
            for (const bool linear : {false, true}) {
                CAPTURE(pipe::format_info(f).name);
                CAPTURE(int(kind));
                CAPTURE(linear);
                const auto r = image(f, linear, kind, 40 + below(60), 33 + below(50));
                const uint32_t level = below(r->desc.levels);
                const Box b = box(*r, level);
                RowsInMemory rows;
                rows.row_stride_B =
                    uint32_t(pipe::format_row_B(f, uint32_t(b.width)) + 63 + 64 * below(2)) & ~63u;
                rows.image_stride_B =
                    uint64_t(rows.row_stride_B) * pipe::format_block_rows(f, uint32_t(b.height));
                rows.offset_B = 64 * below(3);
                rows.bo = device->create_bo(rows.offset_B + rows.image_stride_B * uint32_t(b.depth), 0);
                REQUIRE(rows.bo);
                CHECK(gpu_can_read(*r) ==
                      (r->layout.tiling == pipe::Tiling::Linear || !pipe::format_info(f).is_compressed));
                if (gpu_can_read(*r)) {
                    copy_image_to_rows(*recorder, shaders, *r, level, b, rows);
                    CHECK(recorder->uses(*rows.bo, false));
                    submit();
                    CHECK(rows.bo->uses.wait(false, UINT64_MAX) == WaitResult::Done);
                    CHECK(rows_at(rows, f, b) == read_image(*r, level, b));
                }
                Picture fresh = random_picture(f, b, random);
                const Box all = level_box(*r, level);
                Picture expected = read_image(*r, level, all);
                for (uint32_t z = 0; z < fresh.images; ++z)
                    for (uint32_t y = 0; y < fresh.rows; ++y)
                        std::memcpy(
                            rows.bo->cpu + rows.offset_B + z * rows.image_stride_B + y * rows.row_stride_B,
                            fresh.row(y, z), fresh.row_B);
                copy_rows_to_image(*recorder, shaders, *r, level, b, rows);
                submit();
                CHECK(read_image(*r, level, b) == fresh);
                // The rest is as it was.
                write_image(*r, level, b, fresh);
                Picture now = read_image(*r, level, all);
                const pipe::FormatInfo& info = pipe::format_info(f);
                for (uint32_t z = 0; z < fresh.images; ++z)
                    for (uint32_t y = 0; y < fresh.rows; ++y)
                        std::memcpy(expected.row(uint32_t(b.y) / info.block_h_px + y, uint32_t(b.z) + z) +
                                        uint32_t(b.x) / info.block_w_px * info.block_B,
                                    fresh.row(y, z), fresh.row_B);
                CHECK(now == expected);
            }
}

TEST_CASE_FIXTURE(CopySetup, "mali copy: images to images") {
    for (const Format f : kFormats)
        for (unsigned round = 0; round < 12; ++round) {
            CAPTURE(pipe::format_info(f).name);
            CAPTURE(round);
            const auto src = image(f, round & 1, kKinds[below(3)], 20 + below(60), 20 + below(50));
            const auto dst = image(f, round & 2, kKinds[below(3)], 20 + below(60), 20 + below(50));
            if (!gpu_can_read(*src)) continue;
            const uint32_t src_level = below(src->desc.levels), dst_level = below(dst->desc.levels);
            const pipe::FormatInfo& info = pipe::format_info(f);
            Box to = box(*dst, dst_level);
            const uint32_t most[3] = {uint32_t(to.width) / info.block_w_px,
                                      uint32_t(to.height) / info.block_h_px, uint32_t(to.depth)};
            if (!most[0] || !most[1]) continue;
            const Box from = box(*src, src_level, most);
            to.width = (from.width + info.block_w_px - 1) / info.block_w_px * info.block_w_px;
            to.height = (from.height + info.block_h_px - 1) / info.block_h_px * info.block_h_px;
            to.depth = from.depth;
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
}
