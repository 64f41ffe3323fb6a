// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/zls.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "drivers/agx/sim/resources/stored_image.h"
#include "drivers/common/units/refuse.h"

namespace terrazzo::agx::sim {

using pipe::raster::PixelRect;
using units::refuse;

namespace {

/// A sample in memory.
uint32_t sample_B(const ZlsSurface& s) {
    return s.is_stencil ? 1 : s.is_unorm16 ? 2 : 4;
}

bool open(const ZlsSurface& s, uint32_t layer, StoredImage* out, std::string* why) {
    if (s.is_compressed) return refuse(why, "compressed buffers are not modelled");
    pipe::AgxLayoutDesc d;
    d.image.format = s.is_stencil   ? pipe::Format::S8_UINT
                     : s.is_unorm16 ? pipe::Format::D16_UNORM
                                    : pipe::Format::D32_FLOAT;
    d.image.width = s.width_px;
    d.image.height = s.height_px;
    d.image.samples = s.samples;
    d.image.tiling = pipe::Tiling::Twiddled;
    return out->init(d, s.buffer.base + uint64_t(layer) * s.buffer.stride, 0, why);
}
PixelRect inside(const ZlsSurface& s, const PixelRect& rect) {
    return intersect(rect, {0, 0, int32_t(s.width_px), int32_t(s.height_px)});
}

/// `tile_B`: of a sample in the tile.
bool load(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect, uint8_t* out,
          size_t row_B, uint32_t tile_B, std::string* why) {
    StoredImage image;
    if (!open(s, layer, &image, why)) return false;
    for (int32_t y = rect.y0; y < rect.y1; ++y)
        std::memset(out + size_t(y - rect.y0) * row_B, 0, row_B);
    const PixelRect r = inside(s, rect);
    if (r.empty()) return true;
    const auto width = size_t(r.x1 - r.x0) * s.samples;
    std::vector<uint8_t> rows(width * sample_B(s) * size_t(r.y1 - r.y0));
    if (!image.load(memory, 0, 0, r, rows.data(), width * sample_B(s), why)) return false;
    const uint8_t* from = rows.data();
    for (int32_t y = r.y0; y < r.y1; ++y) {
        uint8_t* to = out + size_t(y - rect.y0) * row_B + size_t(r.x0 - rect.x0) * s.samples * tile_B;
        for (size_t n = 0; n < width; ++n, from += sample_B(s), to += tile_B)
            std::memcpy(to, from, sample_B(s));
    }
    return true;
}
bool store(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect,
           const uint8_t* in, size_t row_B, uint32_t tile_B, std::string* why) {
    StoredImage image;
    if (!open(s, layer, &image, why)) return false;
    const PixelRect r = inside(s, rect);
    if (r.empty()) return true;
    const auto width = size_t(r.x1 - r.x0) * s.samples;
    std::vector<uint8_t> rows(width * sample_B(s) * size_t(r.y1 - r.y0));
    uint8_t* to = rows.data();
    for (int32_t y = r.y0; y < r.y1; ++y) {
        const uint8_t* from = in + size_t(y - rect.y0) * row_B + size_t(r.x0 - rect.x0) * s.samples * tile_B;
        for (size_t n = 0; n < width; ++n, from += tile_B, to += sample_B(s))
            std::memcpy(to, from, sample_B(s));
    }
    return image.store(memory, 0, 0, r, rows.data(), width * sample_B(s), why);
}

}  // namespace

bool load_depth(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect,
                uint8_t* words, size_t row_B, std::string* why) {
    return load(memory, s, layer, rect, words, row_B, 4, why);
}
bool store_depth(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect,
                 const uint8_t* words, size_t row_B, std::string* why) {
    return store(memory, s, layer, rect, words, row_B, 4, why);
}
bool load_stencil(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect,
                  uint8_t* bytes, size_t row_B, std::string* why) {
    return load(memory, s, layer, rect, bytes, row_B, 1, why);
}
bool store_stencil(window::Window& memory, const ZlsSurface& s, uint32_t layer, const PixelRect& rect,
                   const uint8_t* bytes, size_t row_B, std::string* why) {
    return store(memory, s, layer, rect, bytes, row_B, 1, why);
}

}  // namespace terrazzo::agx::sim
