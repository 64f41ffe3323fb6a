// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/transfer.h"

#include <algorithm>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/submission/queues.h"
#include "tests/mali/driver/images/images_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::test;
using pipe::Box;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

namespace {

// A box of blocks, or as far as the level goes.
Box random_box(const MaliResource& r, uint32_t level, std::mt19937& random) {
    const Box all = level_box(r, level);
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const auto range = [&](int32_t size, int32_t block, int32_t* at, int32_t* length) {
        const int32_t blocks = (size + block - 1) / block;
        const int32_t first = int32_t(random() % unsigned(blocks));
        const int32_t count = 1 + int32_t(random() % unsigned(blocks - first));
        *at = first * block;
        *length = std::min(count * block, size - *at);
    };
    Box b;
    range(all.width, f.block_w_px, &b.x, &b.width);
    range(all.height, f.block_h_px, &b.y, &b.height);
    range(all.depth, 1, &b.z, &b.depth);
    return b;
}

// What the level has, with a part of it replaced.
void put(Picture& all, Format f, const Box& box, Picture& part) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    for (uint32_t z = 0; z < part.images; ++z)
        for (uint32_t y = 0; y < part.rows; ++y)
            std::memcpy(all.row(uint32_t(box.y) / info.block_h_px + y, uint32_t(box.z) + z) +
                            uint32_t(box.x) / info.block_w_px * info.block_B,
                        part.row(y, z), part.row_B);
}
Picture get(Picture& all, Format f, const Box& box) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    Picture part(f, box);
    for (uint32_t z = 0; z < part.images; ++z)
        for (uint32_t y = 0; y < part.rows; ++y)
            std::memcpy(part.row(y, z),
                        all.row(uint32_t(box.y) / info.block_h_px + y, uint32_t(box.z) + z) +
                            uint32_t(box.x) / info.block_w_px * info.block_B,
                        part.row_B);
    return part;
}

struct Setup {
    pipe::Ref<Device> device = open_device("noop:mali-g610");
    std::mt19937 random{7};
    pipe::Ref<MaliResource> image(Format f, uint32_t w, uint32_t h, bool linear,
                                  ResourceKind kind = ResourceKind::Tex2D, uint32_t levels = 1) {
        pipe::ResourceDesc d = image_desc(f, w, h, levels, bind::kSampled | (linear ? bind::kLinear : 0));
        d.kind = kind;
        if (kind == ResourceKind::Cube) d.layers = 6;
        if (kind == ResourceKind::Tex3D) d.depth = 5;
        auto r = MaliResource::create(*device, d);
        REQUIRE(r);
        CHECK(r->layout.tiling == (linear ? pipe::Tiling::Linear : pipe::Tiling::Interleaved));
        return r;
    }
    pipe::Ref<MaliResource> buffer(uint32_t size_B) {
        pipe::ResourceDesc d;
        d.kind = ResourceKind::Buffer;
        d.width = size_B;
        auto r = MaliResource::create(*device, d);
        REQUIRE(r);
        return r;
    }
};

uint64_t move(unsigned r, uint64_t v) {
    return hw::pack64(hw::CsMove{.immediate = v, .destination = r});
}

// Work that ends when it is told to.
struct BusySetup : Setup {
    BusySetup() {
        device = open_device("sim:mali-g610");
        queues = Queues::create(device, 1);
        memory = device->create_bo(4096, 0);
        REQUIRE(queues);
        REQUIRE(memory);
    }
    ~BusySetup() { finish(); }
    void keep_busy(MaliResource& r, bool write) {
        const uint64_t stream[] = {
            move(10, memory->va), move(12, ++round),
            hw::pack64(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = 12, .address = 10})};
        uint8_t* at = memory->cpu + 64 * round;
        std::memcpy(at, stream, sizeof(stream));
        const uint64_t point =
            queues->submit({Stream{}, Stream{memory->va + 64 * round, sizeof(stream)}, Stream{}}, {});
        REQUIRE(point);
        r.bo()->uses.note(queues->timeline(), point, write);
    }
    void finish() {
        const uint64_t value = round + 1;
        std::memcpy(memory->cpu, &value, 8);
    }
    std::unique_ptr<Queues> queues;
    pipe::Ref<Bo> memory;
    uint64_t round = 0;
};

}  // namespace

TEST_CASE_FIXTURE(Setup, "transfer: what is written into a box is read, and nothing else changes") {
    for (const Format f :
         {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
          Format::R32G32B32A32_FLOAT, Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::S8_UINT,
          Format::ETC1_RGB8, Format::ETC2_RGBA8_UNORM, Format::ASTC_8x5_UNORM, Format::R32G32B32_FLOAT})
        for (const bool linear : {false, true})
            for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D}) {
                if (!linear && f == Format::R32G32B32_FLOAT) continue;
                const uint32_t h = kind == ResourceKind::Cube ? 53 : 37;
                auto r = image(f, 53, h, linear, kind, 3);
                INFO(std::string(pipe::format_name(f)) << " linear " << linear << " kind " << int(kind));
                std::vector<Picture> model;
                for (uint32_t level = 0; level < 3; ++level) {
                    model.push_back(random_picture(f, level_box(*r, level), random));
                    write_image(*r, level, level_box(*r, level), model[level]);
                }
                for (int i = 0; i < 20; ++i) {
                    const uint32_t level = random() % 3;
                    const Box box = random_box(*r, level, random);
                    Picture part = random_picture(f, box, random);
                    const uint32_t flags[] = {flag::kWrite, flag::kWrite | flag::kDiscardRange,
                                              flag::kWrite | flag::kRead,
                                              flag::kWrite | flag::kUnsynchronized};
                    write_image(*r, level, box, part, flags[i % 4]);
                    put(model[level], f, box, part);
                    const Box other = random_box(*r, level, random);
                    REQUIRE(read_image(*r, level, other) == get(model[level], f, other));
                }
                for (uint32_t level = 0; level < 3; ++level)
                    REQUIRE(read_image(*r, level, level_box(*r, level)) == model[level]);
            }
}

TEST_CASE_FIXTURE(Setup, "transfer: what a writing map does not write stays") {
    auto r = image(Format::R8G8B8A8_UNORM, 40, 40, false);
    Picture all = random_picture(Format::R8G8B8A8_UNORM, level_box(*r, 0), random);
    write_image(*r, 0, level_box(*r, 0), all);
    const pipe::Mapping m = images::map_resource(*r, 0, {3, 5, 0, 20, 20, 1}, flag::kWrite);
    REQUIRE(m.data);
    static_cast<uint8_t*>(m.data)[0] ^= 0xff;
    images::unmap_resource(*r, m);
    all.row(5, 0)[3 * 4] ^= 0xff;
    CHECK(read_image(*r, 0, level_box(*r, 0)) == all);
}

TEST_CASE_FIXTURE(Setup, "transfer: copies between tilings") {
    for (const Format f : {Format::R8_UNORM, Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT,
                           Format::ETC1_RGB8, Format::ASTC_8x5_UNORM})
        for (const bool src_linear : {false, true})
            for (const bool dst_linear : {false, true})
                for (int i = 0; i < 10; ++i) {
                    INFO(std::string(pipe::format_name(f)) << " " << src_linear << " to " << dst_linear);
                    auto src = image(f, 53, 45, src_linear, ResourceKind::Tex3D);
                    auto dst = image(f, 53, 45, dst_linear, ResourceKind::Tex3D);
                    Picture from = random_picture(f, level_box(*src, 0), random);
                    Picture to = random_picture(f, level_box(*dst, 0), random);
                    write_image(*src, 0, level_box(*src, 0), from);
                    write_image(*dst, 0, level_box(*dst, 0), to);
                    const Box box = random_box(*src, 0, random);
                    // To the other end of the image, where that is a block's corner.
                    const int32_t bw = pipe::format_info(f).block_w_px, bh = pipe::format_info(f).block_h_px;
                    const Box at{box.x + box.width == 53 ? box.x : (53 - box.width) / bw * bw,
                                 box.y + box.height == 45 ? box.y : (45 - box.height) / bh * bh,
                                 5 - box.depth,
                                 box.width,
                                 box.height,
                                 box.depth};
                    images::copy_region_cpu(*dst, 0, at.x, at.y, at.z, *src, 0, box);
                    Picture part = get(from, f, box);
                    put(to, f, at, part);
                    REQUIRE(read_image(*dst, 0, level_box(*dst, 0)) == to);
                }
}

TEST_CASE_FIXTURE(Setup, "transfer: copies inside one image may overlap") {
    for (const bool linear : {false, true})
        for (int i = 0; i < 40; ++i) {
            const Format f = Format::R8G8B8A8_UNORM;
            auto r = image(f, 40, 33, linear);
            Picture all = random_picture(f, level_box(*r, 0), random);
            write_image(*r, 0, level_box(*r, 0), all);
            const Box box = random_box(*r, 0, random);
            Box at = box;
            at.x = int32_t(random() % unsigned(40 - box.width + 1));
            at.y = int32_t(random() % unsigned(33 - box.height + 1));
            images::copy_region_cpu(*r, 0, at.x, at.y, 0, *r, 0, box);
            Picture part = get(all, f, box);
            put(all, f, at, part);
            REQUIRE(read_image(*r, 0, level_box(*r, 0)) == all);
        }
    auto b = buffer(1000);
    for (int i = 0; i < 1000; ++i)
        b->cpu()[i] = uint8_t(i * 7);
    images::copy_region_cpu(*b, 0, 10, 0, 0, *b, 0, {0, 0, 0, 500, 1, 1});
    CHECK(b->cpu()[9] == uint8_t(9 * 7));
    CHECK(b->cpu()[10] == 0);
    CHECK(b->cpu()[509] == uint8_t(499 * 7));
    CHECK(b->cpu()[510] == uint8_t(510 * 7));
}

TEST_CASE_FIXTURE(Setup, "transfer: between compressed and plain formats of one size") {
    auto etc = image(Format::ETC1_RGB8, 30, 22, false);
    auto plain = image(Format::R32G32_UINT, 8, 6, false);
    Picture blocks = random_picture(Format::ETC1_RGB8, level_box(*etc, 0), random);
    write_image(*etc, 0, level_box(*etc, 0), blocks);
    images::copy_region_cpu(*plain, 0, 0, 0, 0, *etc, 0, {0, 0, 0, 30, 22, 1});
    CHECK(read_image(*plain, 0, level_box(*plain, 0)).bytes == blocks.bytes);
}

TEST_CASE_FIXTURE(Setup, "transfer: outside is refused") {
    auto r = image(Format::R8G8B8A8_UNORM, 40, 40, false);
    for (const Box& box : {Box{0, 0, 0, 41, 1, 1}, Box{-1, 0, 0, 1, 1, 1}, Box{0, 39, 0, 1, 2, 1},
                           Box{0, 0, 1, 1, 1, 1}, Box{0, 0, 0, 1, 1, 2}})
        CHECK(!images::map_resource(*r, 0, box, flag::kRead).data);
    CHECK(!images::map_resource(*r, 1, {0, 0, 0, 1, 1, 1}, flag::kRead).data);
    auto b = buffer(100);
    CHECK(!images::map_resource(*b, 0, {90, 0, 0, 11, 1, 1}, flag::kRead).data);
    CHECK(images::map_resource(*b, 0, {90, 0, 0, 10, 1, 1}, flag::kRead).data);
}

TEST_CASE_FIXTURE(BusySetup, "transfer: waiting is as the flags say") {
    for (const bool is_buffer : {false, true}) {
        auto r = is_buffer ? buffer(400) : image(Format::R8G8B8A8_UNORM, 10, 10, false);
        const Box box = is_buffer ? Box{0, 0, 0, 400, 1, 1} : level_box(*r, 0);
        const uint64_t va = r->va();
        keep_busy(*r, false);
        // The GPU reads: so may we.
        pipe::Mapping m = images::map_resource(*r, 0, box, flag::kRead);
        CHECK(m.data);
        images::unmap_resource(*r, m);
        CHECK(!images::map_resource(*r, 0, box, flag::kWrite | flag::kDontBlock).data);
        m = images::map_resource(*r, 0, box, flag::kWrite | flag::kUnsynchronized);
        CHECK(m.data);
        images::unmap_resource(*r, m);
        CHECK(r->va() == va);
        keep_busy(*r, true);
        CHECK(!images::map_resource(*r, 0, box, flag::kRead | flag::kDontBlock).data);
        finish();
        m = images::map_resource(*r, 0, box, flag::kRead);
        CHECK(m.data);
        images::unmap_resource(*r, m);
    }
}
