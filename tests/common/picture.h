// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The bytes of a box of an image, and maps that read and write them through a context.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "pipe/context.h"

namespace terrazzo::test {

/// Rows of blocks of a box, tightly packed.
struct Picture {
    uint32_t row_B = 0, rows = 0, images = 0;
    std::vector<uint8_t> bytes;
    Picture(pipe::Format f, const pipe::Box& b)
        : row_B(uint32_t(pipe::format_row_B(f, uint32_t(b.width)))),
          rows(pipe::format_block_rows(f, uint32_t(b.height))),
          images(uint32_t(b.depth)),
          bytes(size_t(row_B) * rows * images) {}
    uint8_t* row(uint32_t y, uint32_t z) { return bytes.data() + (size_t(z) * rows + y) * row_B; }
    bool operator==(const Picture&) const = default;
};

inline Picture random_picture(pipe::Format f, const pipe::Box& b, std::mt19937& random) {
    Picture p(f, b);
    size_t i = 0;
    for (; i + 4 <= p.bytes.size(); i += 4) {
        const auto word = uint32_t(random());
        std::memcpy(&p.bytes[i], &word, 4);
    }
    for (; i < p.bytes.size(); ++i)
        p.bytes[i] = uint8_t(random());
    return p;
}

/// The box of a whole level.
inline pipe::Box level_box(const pipe::ResourceDesc& d, uint32_t level) {
    const auto size = [&](uint32_t all) { return int32_t(std::max(1u, all >> level)); };
    return {0,
            0,
            0,
            size(d.width),
            size(d.height),
            d.kind == pipe::ResourceKind::Tex3D ? size(d.depth) : int32_t(d.layers)};
}

/// A box of whole blocks, clipped at the level's edge.
inline pipe::Box random_box(const pipe::ResourceDesc& d, uint32_t level, std::mt19937& random) {
    const pipe::Box all = level_box(d, level);
    const pipe::FormatInfo& f = pipe::format_info(d.format);
    const auto range = [&](int32_t size, int32_t block, int32_t* at, int32_t* length) {
        const int32_t blocks = (size + block - 1) / block;
        const int32_t first = int32_t(random() % unsigned(blocks));
        const int32_t count = 1 + int32_t(random() % unsigned(blocks - first));
        *at = first * block;
        *length = std::min(count * block, size - *at);
    };
    pipe::Box b;
    range(all.width, f.block_w_px, &b.x, &b.width);
    range(all.height, f.block_h_px, &b.y, &b.height);
    range(all.depth, 1, &b.z, &b.depth);
    return b;
}

/// Replaces a box of a level's bytes.
inline void put(Picture& all, pipe::Format f, const pipe::Box& box, Picture& part) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    for (uint32_t z = 0; z < part.images; ++z)
        for (uint32_t y = 0; y < part.rows; ++y)
            std::memcpy(all.row(uint32_t(box.y) / info.block_h_px + y, uint32_t(box.z) + z) +
                            uint32_t(box.x) / info.block_w_px * info.block_B,
                        part.row(y, z), part.row_B);
}

inline Picture get(Picture& all, pipe::Format f, const pipe::Box& box) {
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

/// `map` and `unmap` of a context (or of a layer below it), with the resource bound.
template <class Map, class Unmap>
void read_mapped(Picture& p, uint32_t level, const pipe::Box& box, Map&& map, Unmap&& unmap) {
    const pipe::Mapping m = map(level, box, pipe::map_flag::kRead);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < p.images; ++z)
        for (uint32_t y = 0; y < p.rows; ++y)
            std::memcpy(p.row(y, z),
                        static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                        p.row_B);
    unmap(m);
}
template <class Map, class Unmap>
void write_mapped(Picture& p, uint32_t level, const pipe::Box& box, uint32_t flags, Map&& map,
                  Unmap&& unmap) {
    const pipe::Mapping m = map(level, box, flags);
    REQUIRE(m.data);
    for (uint32_t z = 0; z < p.images; ++z)
        for (uint32_t y = 0; y < p.rows; ++y)
            std::memcpy(static_cast<uint8_t*>(m.data) + z * m.layer_stride_B + uint64_t(y) * m.row_stride_B,
                        p.row(y, z), p.row_B);
    unmap(m);
}

inline Picture read_picture(pipe::Context& c, pipe::Resource& r, uint32_t level, const pipe::Box& box) {
    Picture p(r.desc.format, box);
    read_mapped(
        p, level, box, [&](uint32_t l, const pipe::Box& b, uint32_t f) { return c.map(r, l, b, f); },
        [&](const pipe::Mapping& m) { c.unmap(r, m); });
    return p;
}
inline void write_picture(pipe::Context& c, pipe::Resource& r, uint32_t level, const pipe::Box& box,
                          Picture& p,
                          uint32_t flags = pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange) {
    write_mapped(
        p, level, box, flags, [&](uint32_t l, const pipe::Box& b, uint32_t f) { return c.map(r, l, b, f); },
        [&](const pipe::Mapping& m) { c.unmap(r, m); });
}

}  // namespace terrazzo::test
