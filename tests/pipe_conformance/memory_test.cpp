// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resources and the CPU's maps of them, compared with a model of their bytes.
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
using pipe::Format;
using pipe::ResourceKind;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

namespace {

struct Size {
    uint32_t w, h;
};
constexpr Size kSizes[] = {{1, 1}, {3, 5}, {70, 70}, {257, 129}, {2000, 3}};

/// How images of a format can be bound.
constexpr uint32_t kBinds[] = {bind::kSampled, bind::kSampled | bind::kLinear, bind::kSampled | bind::kColor,
                               bind::kSampled | bind::kDepthStencil, bind::kSampled | bind::kImage};

/// Padding bits, which belong to no channel. A device may keep them or not.
bool has_padding(const pipe::FormatInfo& f) {
    unsigned bits = 0;
    for (unsigned i = 0; i < f.channel_count; ++i)
        bits += f.channel[i].type == pipe::ChannelType::None ? 0 : f.channel[i].bits;
    return f.layout == pipe::FormatLayout::Plain && bits < f.block_B * 8u;
}

/// Bytes that each format can store. Padding is 0. Floats are no NaNs, because devices may change a
/// signalling NaN into a quiet one.
Picture content(const pipe::FormatInfo& f, const pipe::Box& box, std::mt19937& random) {
    Picture p = random_picture(f.format, box, random);
    if (!has_padding(f)) return p;
    for (size_t at = 0; at < p.bytes.size(); at += f.block_B)
        for (unsigned bit = 0; bit < f.block_B * 8u; ++bit) {
            bool used = false;
            for (unsigned i = 0; i < f.channel_count; ++i)
                used |= f.channel[i].type != pipe::ChannelType::None && bit >= f.channel[i].shift &&
                        bit < unsigned(f.channel[i].shift) + f.channel[i].bits;
            if (!used) p.bytes[at + bit / 8] &= uint8_t(~(1u << bit % 8));
        }
    return p;
}

pipe::ResourceDesc kind_desc(ResourceKind kind, Format f, uint32_t levels, uint32_t binds) {
    pipe::ResourceDesc d{
        .kind = kind, .format = f, .width = 53, .height = 37, .levels = levels, .bind = binds};
    switch (kind) {
        case ResourceKind::Buffer:
        case ResourceKind::Tex2D:
            break;
        case ResourceKind::Tex3D:
            d.depth = 5;
            break;
        case ResourceKind::Cube:
            d.height = d.width, d.layers = 6;
            break;
        case ResourceKind::Tex2DArray:
            d.layers = 7;
            break;
        case ResourceKind::CubeArray:
            d.height = d.width, d.layers = 12;
            break;
    }
    return d;
}

}  // namespace

TEST_SUITE_BEGIN("memory");

TEST_CASE("resources: images of every format and size keep what was written") {
    Memory m;
    unsigned images = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const pipe::FormatInfo& f = pipe::format_info(Format(n));
        CAPTURE(std::string(f.name));
        if (f.is_vertex_only) continue;
        for (const uint32_t binds : kBinds) {
            CAPTURE(binds);
            // All combinations of bindings at one size, and all sizes with one binding.
            for (const Size& size : kSizes) {
                if (binds != bind::kSampled && size.w != 70) continue;
                CAPTURE(size.w);
                const auto r =
                    m.image({.format = Format(n), .width = size.w, .height = size.h, .bind = binds});
                if (!r) continue;
                ++images;
                const pipe::Box all = level_box(r->desc, 0);
                Picture p = content(f, all, m.random);
                write_picture(*m.context, *r, 0, all, p);
                CHECK(read_picture(*m.context, *r, 0, all) == p);
            }
        }
    }
    CHECK(images > 300);
}

TEST_CASE("resources: boxes written in any kind of image read back; nothing else changes") {
    Memory m;
    for (const Format f :
         {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
          Format::R32G32B32A32_FLOAT, Format::D16_UNORM, Format::D24_UNORM_S8_UINT, Format::S8_UINT,
          Format::ETC1_RGB8, Format::ETC2_RGBA8_UNORM, Format::ASTC_8x5_UNORM})
        for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D,
                                        ResourceKind::Tex2DArray, ResourceKind::CubeArray})
            for (const uint32_t binds : {bind::kSampled, bind::kSampled | bind::kLinear}) {
                CAPTURE(std::string(pipe::format_name(f)));
                CAPTURE(unsigned(kind));
                CAPTURE(binds);
                const auto r = m.image(kind_desc(kind, f, 3, binds));
                if (!r) continue;
                std::vector<Picture> model;
                for (uint32_t level = 0; level < 3; ++level) {
                    const pipe::Box all = level_box(r->desc, level);
                    model.push_back(random_picture(f, all, m.random));
                    write_picture(*m.context, *r, level, all, model[level]);
                }
                for (unsigned i = 0; i < 8; ++i) {
                    const uint32_t level = m.random() % 3;
                    const pipe::Box box = random_box(r->desc, level, m.random);
                    Picture part = random_picture(f, box, m.random);
                    constexpr uint32_t kFlags[] = {flag::kWrite, flag::kWrite | flag::kDiscardRange,
                                                   flag::kWrite | flag::kRead,
                                                   flag::kWrite | flag::kUnsynchronized};
                    write_picture(*m.context, *r, level, box, part, kFlags[i % 4]);
                    put(model[level], f, box, part);
                    const pipe::Box other = random_box(r->desc, level, m.random);
                    REQUIRE(read_picture(*m.context, *r, level, other) == get(model[level], f, other));
                }
                for (uint32_t level = 0; level < 3; ++level)
                    REQUIRE(read_picture(*m.context, *r, level, level_box(r->desc, level)) == model[level]);
            }
}

TEST_CASE("resources: the levels of a complete mipmap chain do not overlap") {
    Memory m;
    for (const Size& size : kSizes)
        for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Tex2DArray, ResourceKind::Tex3D}) {
            CAPTURE(size.w);
            CAPTURE(unsigned(kind));
            pipe::ResourceDesc d{.kind = kind,
                                 .format = Format::R8G8_UNORM,
                                 .width = size.w,
                                 .height = size.h,
                                 .bind = bind::kSampled};
            if (kind == ResourceKind::Tex3D) d.depth = 6;
            if (kind == ResourceKind::Tex2DArray) d.layers = 3;
            d.levels = uint32_t(std::bit_width(std::max({size.w, size.h, d.depth})));
            const auto r = m.image(d);
            REQUIRE(r);
            std::vector<Picture> model;
            for (uint32_t level = 0; level < d.levels; ++level) {
                model.push_back(random_picture(d.format, level_box(d, level), m.random));
                write_picture(*m.context, *r, level, level_box(d, level), model[level]);
            }
            for (uint32_t level = 0; level < d.levels; ++level)
                CHECK(read_picture(*m.context, *r, level, level_box(d, level)) == model[level]);
        }
}

TEST_CASE("resources: a map for writing keeps the bytes that are not written") {
    Memory m;
    for (const uint32_t binds :
         {bind::kSampled, bind::kSampled | bind::kLinear, bind::kSampled | bind::kColor}) {
        const auto r = m.image({.format = Format::R8G8B8A8_UNORM, .width = 40, .height = 40, .bind = binds});
        REQUIRE(r);
        const pipe::Box all = level_box(r->desc, 0);
        Picture p = random_picture(r->desc.format, all, m.random);
        write_picture(*m.context, *r, 0, all, p);
        const pipe::Mapping map = m.context->map(*r, 0, {3, 5, 0, 20, 20, 1}, flag::kWrite);
        REQUIRE(map.data);
        static_cast<uint8_t*>(map.data)[0] ^= 0xff;
        m.context->unmap(*r, map);
        p.row(5, 0)[3 * 4] ^= 0xff;
        CHECK(read_picture(*m.context, *r, 0, all) == p);
    }
}

TEST_CASE("resources: new ones read as zero") {
    Memory m;
    const pipe::ResourceDesc buffer{.kind = ResourceKind::Buffer, .width = 5000, .bind = bind::kVertex};
    const pipe::ResourceDesc image{
        .format = Format::R8G8B8A8_UNORM, .width = 61, .height = 33, .levels = 3, .bind = bind::kSampled};
    for (const pipe::ResourceDesc& d : {buffer, image})
        for (unsigned round = 0; round < 5; ++round) {
            const auto r = m.screen->create_resource(d);
            REQUIRE(r);
            for (uint32_t level = 0; level < d.levels; ++level) {
                const pipe::Box all = level_box(d, level);
                const Format as = d.kind == ResourceKind::Buffer ? Format::R8_UINT : d.format;
                Picture p(as, all);
                const pipe::Mapping map = m.context->map(*r, level, all, flag::kRead | flag::kWrite);
                REQUIRE(map.data);
                bool zero = true;
                for (uint32_t y = 0; y < p.rows; ++y) {
                    auto* const row = static_cast<uint8_t*>(map.data) + size_t(y) * map.row_stride_B;
                    for (uint32_t i = 0; i < p.row_B; ++i)
                        zero &= row[i] == 0;
                    std::memset(row, 0xa5, p.row_B);  // the next resource must not show it
                }
                CHECK(zero);
                m.context->unmap(*r, map);
            }
        }
}

TEST_CASE("resources: ranges of buffers, with any flags") {
    Memory m;
    for (const uint32_t size_B : {1u, 7u, 400u, 70000u}) {
        CAPTURE(size_B);
        const auto r = m.screen->create_resource({.kind = ResourceKind::Buffer,
                                                  .width = size_B,
                                                  .bind = bind::kVertex | bind::kIndex | bind::kConstant});
        REQUIRE(r);
        std::vector<uint8_t> model(size_B);
        const auto write = [&](uint32_t at, uint32_t count, uint32_t flags) {
            const pipe::Mapping map = m.context->map(*r, 0, {int32_t(at), 0, 0, int32_t(count), 1, 1}, flags);
            REQUIRE(map.data);
            for (uint32_t i = 0; i < count; ++i)
                static_cast<uint8_t*>(map.data)[i] = model[at + i] = uint8_t(m.random());
            m.context->unmap(*r, map);
        };
        write(0, size_B, flag::kWrite | flag::kDiscardWhole);
        for (unsigned i = 0; i < 40; ++i) {
            constexpr uint32_t kFlags[] = {flag::kWrite, flag::kWrite | flag::kDiscardRange,
                                           flag::kWrite | flag::kRead, flag::kWrite | flag::kUnsynchronized};
            const uint32_t at = m.random() % size_B;
            write(at, 1 + m.random() % (size_B - at), kFlags[i % 4]);
            const uint32_t from = m.random() % size_B, length = 1 + m.random() % (size_B - from);
            const pipe::Mapping map =
                m.context->map(*r, 0, {int32_t(from), 0, 0, int32_t(length), 1, 1}, flag::kRead);
            REQUIRE(map.data);
            CHECK(std::memcmp(map.data, &model[from], length) == 0);
            m.context->unmap(*r, map);
        }
    }
}

TEST_CASE("copies: boxes between images of any layout, kind and level") {
    Memory m;
    for (const Format f : {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM,
                           Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_UINT, Format::ETC1_RGB8,
                           Format::ASTC_8x5_UNORM, Format::D24_UNORM_S8_UINT, Format::D16_UNORM})
        for (const ResourceKind kind : {ResourceKind::Tex2D, ResourceKind::Tex3D, ResourceKind::Tex2DArray})
            for (const unsigned way : {0u, 1u, 2u, 3u}) {
                CAPTURE(std::string(pipe::format_name(f)));
                CAPTURE(unsigned(kind));
                CAPTURE(way);
                const uint32_t src_bind = way & 1 ? bind::kSampled | bind::kLinear : bind::kSampled,
                               dst_bind = way & 2 ? bind::kSampled | bind::kLinear : bind::kSampled;
                const auto src = m.image(kind_desc(kind, f, 2, src_bind)),
                           dst = m.image(kind_desc(kind, f, 2, dst_bind));
                if (!src || !dst) continue;
                const uint32_t level = m.random() % 2,
                               dst_level = kind == ResourceKind::Tex2D ? m.random() % 2 : level;
                const pipe::Box from_all = level_box(src->desc, level),
                                to_all = level_box(dst->desc, dst_level);
                Picture from = random_picture(f, from_all, m.random),
                        to = random_picture(f, to_all, m.random);
                write_picture(*m.context, *src, level, from_all, from);
                write_picture(*m.context, *dst, dst_level, to_all, to);
                for (unsigned i = 0; i < 3; ++i) {
                    pipe::Box box = random_box(src->desc, std::max(level, dst_level), m.random);
                    // Boxes of whole blocks that fit into both images.
                    const pipe::FormatInfo& info = pipe::format_info(f);
                    const pipe::Box at{
                        int32_t(m.random() % unsigned(box.x / info.block_w_px + 1)) * info.block_w_px,
                        int32_t(m.random() % unsigned(box.y / info.block_h_px + 1)) * info.block_h_px,
                        int32_t(m.random() % unsigned(box.z + 1)),
                        box.width,
                        box.height,
                        box.depth};
                    if (info.is_compressed && (box.width % info.block_w_px || box.height % info.block_h_px) &&
                        (at.x != box.x || at.y != box.y || level != dst_level))
                        continue;  // a partial block can only be copied to a partial block at the same edge
                    m.context->copy_region(*dst, dst_level, at.x, at.y, at.z, *src, level, box);
                    Picture part = get(from, f, box);
                    put(to, f, at, part);
                }
                REQUIRE(read_picture(*m.context, *dst, dst_level, to_all) == to);
                REQUIRE(read_picture(*m.context, *src, level, from_all) == from);
            }
}

TEST_CASE("copies: inside one image, boxes may overlap") {
    Memory m;
    for (const uint32_t binds :
         {bind::kSampled, bind::kSampled | bind::kLinear, bind::kSampled | bind::kColor}) {
        CAPTURE(binds);
        const auto r = m.image({.format = Format::R8G8B8A8_UNORM, .width = 40, .height = 33, .bind = binds});
        REQUIRE(r);
        const pipe::Box whole = level_box(r->desc, 0);
        Picture all = random_picture(r->desc.format, whole, m.random);
        write_picture(*m.context, *r, 0, whole, all);
        for (unsigned i = 0; i < 20; ++i) {
            const pipe::Box box = random_box(r->desc, 0, m.random);
            pipe::Box at = box;
            at.x = int32_t(m.random() % unsigned(40 - box.width + 1));
            at.y = int32_t(m.random() % unsigned(33 - box.height + 1));
            m.context->copy_region(*r, 0, at.x, at.y, 0, *r, 0, box);
            Picture part = get(all, r->desc.format, box);
            put(all, r->desc.format, at, part);
            REQUIRE(read_picture(*m.context, *r, 0, whole) == all);
        }
    }
}

TEST_CASE("copies: blocks of compressed images, to images whose texels have a block's size, and back") {
    Memory m;
    struct Pair {
        Format blocks, texels;
    };
    for (const Pair& pair : {Pair{Format::ETC2_RGB8_UNORM, Format::R16G16B16A16_UINT},
                             {Format::ETC1_RGB8, Format::R32G32_UINT},
                             {Format::ETC2_RGBA8_UNORM, Format::R32G32B32A32_UINT}}) {
        CAPTURE(std::string(pipe::format_name(pair.blocks)));
        const auto blocks =
                       m.image({.format = pair.blocks, .width = 64, .height = 32, .bind = bind::kSampled}),
                   texels =
                       m.image({.format = pair.texels, .width = 16, .height = 8, .bind = bind::kSampled});
        if (!blocks || !texels) continue;
        const pipe::Box all = level_box(blocks->desc, 0);
        Picture p = random_picture(pair.blocks, all, m.random);
        write_picture(*m.context, *blocks, 0, all, p);
        m.context->copy_region(*texels, 0, 1, 2, 0, *blocks, 0, {8, 4, 0, 40, 20, 1});
        CHECK(read_picture(*m.context, *texels, 0, {1, 2, 0, 10, 5, 1}).bytes ==
              get(p, pair.blocks, {8, 4, 0, 40, 20, 1}).bytes);
        m.context->copy_region(*blocks, 0, 4, 8, 0, *texels, 0, {1, 2, 0, 10, 5, 1});
        Picture part = get(p, pair.blocks, {8, 4, 0, 40, 20, 1});
        put(p, pair.blocks, {4, 8, 0, 40, 20, 1}, part);
        CHECK(read_picture(*m.context, *blocks, 0, all) == p);
    }
}

TEST_CASE("copies: between buffers and inside one, small and large") {
    Memory m;
    for (const uint32_t size_B : {64u, 1000u, 256u * 1024}) {
        CAPTURE(size_B);
        std::vector<uint8_t> a(size_B), b(size_B);
        const pipe::ResourceDesc d{.kind = ResourceKind::Buffer, .width = size_B, .bind = bind::kVertex};
        const auto first = m.screen->create_resource(d), second = m.screen->create_resource(d);
        REQUIRE(first);
        REQUIRE(second);
        const pipe::Box all{0, 0, 0, int32_t(size_B), 1, 1};
        for (auto& [r, bytes] : {std::pair{&first, &a}, {&second, &b}}) {
            const pipe::Mapping map = m.context->map(**r, 0, all, flag::kWrite | flag::kDiscardWhole);
            REQUIRE(map.data);
            for (uint32_t i = 0; i < size_B; ++i)
                static_cast<uint8_t*>(map.data)[i] = (*bytes)[i] = uint8_t(m.random());
            m.context->unmap(**r, map);
        }
        const auto copy = [&](bool within, uint32_t to, uint32_t from, uint32_t count) {
            m.context->copy_region(*second, 0, int32_t(to), 0, 0, within ? *second : *first, 0,
                                   {int32_t(from), 0, 0, int32_t(count), 1, 1});
            const std::vector<uint8_t> bytes = within ? b : a;
            std::copy_n(bytes.begin() + from, count, b.begin() + to);
        };
        copy(false, 7, 13, size_B / 2 + 3);
        copy(false, size_B - 5, 3, 5);
        copy(true, size_B / 2, 0, size_B / 2);
        copy(true, 10, 0, size_B / 2);
        copy(true, 0, 1, size_B - 1);
        const pipe::Mapping map = m.context->map(*second, 0, all, flag::kRead);
        REQUIRE(map.data);
        CHECK(std::memcmp(map.data, b.data(), size_B) == 0);
        m.context->unmap(*second, map);
    }
}

TEST_SUITE_END();
