// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes the tile buffer to memory: linear, interleaved and AFBC surfaces; depth and stencil; the mean of
// samples (of depth and stencil the first one), or a surface for each sample. Transaction
// elimination: a 64-bit number for each 16x16 pixels says whether memory has them already (the form of the
// hardware's CRC is not known; this one is our own).
#include <algorithm>
#include <bit>
#include <utility>

#include "drivers/common/units/color.h"
#include "drivers/common/units/rows.h"
#include "drivers/mali/hw/formats.h"
#include "drivers/mali/sim/afbc/codec.h"
#include "drivers/mali/sim/fragment/area.h"
#include "pipe/layout/interleaved.h"
#include "pipe/layout/linear.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::raster::PixelRect;

constexpr unsigned kTilePixels = kTile_px * kTile_px;

/// A surface to write to.
struct Surface {
    hw::BlockFormat format = hw::BlockFormat::NO_WRITE;
    uint64_t base = 0;
    uint32_t row_stride_B = 0, body_offset_B = 0;
    unsigned pixel_B = 4;
    hw::Msaa msaa = hw::Msaa::Single;
    uint32_t sample_stride_B = 0;  // Layered: from a sample's surface to the next one's
    bool wide = false;
    /// The surfaces that are written, one for each sample.
    unsigned surfaces(const FramebufferState& fb) const { return msaa == hw::Msaa::Layered ? fb.samples : 1; }
    bool afbc() const { return format == hw::BlockFormat::AFBC || format == hw::BlockFormat::AFBC_TILED; }
};

bool write_interleaved(Window& memory, const Surface& s, const Area& area, const PixelRect& r,
                       const uint8_t* pixels, const char* what, Fault* fault) {
    const unsigned n = s.pixel_B;
    const uint64_t va =
        s.base + uint64_t(r.y0 / kTile_px) * s.row_stride_B + uint64_t(r.x0 / kTile_px) * kTilePixels * n;
    alignas(64) uint8_t part[kTilePixels * kMaxPixel_B];
    uint8_t* whole = memory.at(va, uint64_t(kTilePixels) * n, Access::Write);
    uint8_t* tile = whole ? whole : part;  // null: it crosses mappings
    if (!whole && !memory.read(va, part, size_t(kTilePixels) * n)) return report_access(fault, memory, what);
    pipe::detail::RowCopy copy;
    copy.surface = tile;
    copy.rows = const_cast<uint8_t*>(pixels) + size_t(area.index(r.x0, r.y0)) * n;  // only read
    copy.rows_stride_B = ptrdiff_t(kArea_px) * n;
    copy.block_B = n;
    copy.tile_el = kTile_px;
    copy.x_el = uint32_t(r.x0 % kTile_px), copy.y_el = uint32_t(r.y0 % kTile_px);
    copy.w_el = uint32_t(r.x1 - r.x0), copy.h_el = uint32_t(r.y1 - r.y0);
    pipe::detail::interleaved_tile(copy);
    if (!whole && !memory.write(va, part, size_t(kTilePixels) * n)) return report_access(fault, memory, what);
    return true;
}

// `pixels`: rows of the area, kArea_px each. `r` is within a tile of 16x16.
bool write_rows(Window& memory, const Surface& s, const Area& area, const PixelRect& r, const uint8_t* pixels,
                const char* what, Fault* fault) {
    if (s.format != hw::BlockFormat::LINEAR)
        return write_interleaved(memory, s, area, r, pixels, what, fault);
    const unsigned n = s.pixel_B;
    for (int32_t y = r.y0; y < r.y1; ++y) {
        const uint8_t* from = pixels + size_t(area.index(r.x0, y)) * n;
        const uint64_t va = s.base + uint64_t(y) * s.row_stride_B + uint64_t(r.x0) * n;
        if (!memory.write(va, from, size_t(r.x1 - r.x0) * n)) return report_access(fault, memory, what);
    }
    return true;
}

PixelRect tile_rect(const Area& area, unsigned tile) {
    const int32_t x = area.x0 + int32_t(tile % 2) * kTile_px, y = area.y0 + int32_t(tile / 2) * kTile_px;
    return pipe::raster::intersect(area.rect, {x, y, x + kTile_px, y + kTile_px});
}

// Writes the superblocks that touch the tiles of `mask`.
bool write_afbc(Window& memory, const Surface& s, const Area& area, uint32_t mask, const uint8_t* pixels,
                const char* what, Fault* fault) {
    const int32_t w = s.wide ? 32 : 16, h = s.wide ? 8 : 16;
    const unsigned n = s.pixel_B;
    pipe::AfbcLayout layout;
    layout.mode = {.wide = s.wide, .tiled = s.format == hw::BlockFormat::AFBC_TILED};
    layout.level[0].header_row_stride_B = s.row_stride_B;
    uint8_t payload[kSuperblockPixels * kMaxPixel_B];
    for (unsigned t = 0; t < Area::kTiles; ++t)
        if (tile_rect(area, t).empty()) mask &= ~(1u << t);
    for (int32_t y = area.y0; y < std::min(area.y0 + kArea_px, area.rect.y1); y += h)
        for (int32_t x = area.x0; x < std::min(area.x0 + kArea_px, area.rect.x1); x += w) {
            uint32_t touched = 1u << Area::tile_of(area.index(x, y));
            if (s.wide) touched |= 1u << Area::tile_of(area.index(x + kTile_px, y));
            if (!(mask & touched)) continue;
            const uint32_t index = layout.header_index(0, uint32_t(x / w), uint32_t(y / h));
            const uint32_t body = s.body_offset_B + index * kSuperblockPixels * n;
            uint32_t header[4];
            const uint32_t size = afbc_encode(pixels + size_t(area.index(x, y)) * n, size_t(kArea_px) * n, n,
                                              s.wide, body, payload, header);
            if ((size && !memory.write(s.base + body, payload, size)) ||
                !memory.write(s.base + uint64_t(index) * pipe::kAfbcHeader_B, header, sizeof(header)))
                return report_access(fault, memory, what);
        }
    return true;
}

bool write_surface(Window& memory, const Surface& s, const Area& area, uint32_t mask, const uint8_t* pixels,
                   const char* what, Fault* fault) {
    if (!mask || s.format == hw::BlockFormat::NO_WRITE) return true;
    if (s.afbc()) return write_afbc(memory, s, area, mask, pixels, what, fault);
    for (unsigned t = 0; t < Area::kTiles; ++t) {
        const PixelRect r = tile_rect(area, t);
        if (!(mask >> t & 1) || r.empty()) continue;
        if (!write_rows(memory, s, area, r, pixels, what, fault)) return false;
    }
    return true;
}

// Extends to tiles of the framebuffer's size: if a part was touched, the whole tile was.
uint32_t whole_tiles(const FramebufferState& fb, uint32_t mask) {
    if (fb.tile_h_px == 32) return mask ? 15 : 0;
    if (fb.tile_w_px == 32) return (mask & 3 ? 3u : 0) | (mask & 12 ? 12u : 0);
    return mask;
}

// Clean tiles of AFBC are written, too, if they are not superblocks (Mesa 25.0.7, pan_desc.c).
bool writes_clean_tiles(const FramebufferState& fb, const Surface& s) {
    return s.afbc() && fb.tile_w_px * fb.tile_h_px != (s.wide ? 2 : 1) * kTilePixels;
}

uint64_t hash_tile(const Area& area, const PixelRect& r, const uint8_t* pixels, unsigned n) {
    constexpr size_t kStreams = 4;  // the CPU computes them in parallel
    uint64_t h[kStreams] = {0xcbf29ce484222325, 0x9ae16a3b2f90404f, 0xc949c7defebb5a21, 0x84222325cbf29ce4};
    const auto add = [](uint64_t* to, uint64_t v) {
        *to = std::rotl(*to ^ v * 0x9e3779b97f4a7c15ull, 27) * 0x3c79ac492ba7b653ull;
    };
    for (int32_t y = r.y0; y < r.y1; ++y) {
        const uint8_t* p = pixels + size_t(area.index(r.x0, y)) * n;
        const size_t size = size_t(r.x1 - r.x0) * n;
        size_t i = 0;
        for (; i + sizeof h <= size; i += sizeof h)
            for (size_t k = 0; k < kStreams; ++k) {
                uint64_t v;
                std::memcpy(&v, p + i + k * sizeof v, sizeof v);
                add(&h[k], v);
            }
        for (; i < size; ++i)
            h[0] = (h[0] ^ p[i]) * 0x100000001b3ull;
    }
    for (size_t k = 1; k < kStreams; ++k)
        add(&h[0], h[k]);
    return h[0] ^ h[0] >> 29;
}

// Removes from the mask the tiles that memory has already. A tile's CRC is that of all its samples:
// surface(n) returns those of surface n.
template <class Pixels>
bool eliminate(Window& memory, const FramebufferState& fb, const Area& area, unsigned surfaces,
               const Pixels& surface, unsigned pixel_B, uint32_t* mask, Fault* fault) {
    uint64_t hashes[Area::kTiles]{};
    for (unsigned n = 0; n < surfaces; ++n) {
        const uint8_t* const pixels = surface(n);
        for (unsigned t = 0; t < Area::kTiles; ++t)
            if (const PixelRect r = tile_rect(area, t); (*mask >> t & 1) && !r.empty())
                hashes[t] = std::rotl(hashes[t], 1) ^ hash_tile(area, r, pixels, pixel_B);
    }
    for (unsigned t = 0; t < Area::kTiles; ++t) {
        const PixelRect r = tile_rect(area, t);
        if (!(*mask >> t & 1) || r.empty()) continue;
        const uint64_t va =
            fb.zs.crc_base + uint64_t(r.y0 / kTile_px) * fb.zs.crc_row_stride + uint64_t(r.x0 / kTile_px) * 8;
        const uint64_t now = hashes[t];
        uint64_t before = 0;
        if (fb.p.crc_read_enable) {
            if (!memory.read(va, &before, 8)) return report_access(fault, memory, "CRC buffer");
            if (before == now) *mask &= ~(1u << t);
        }
        if (fb.p.crc_write_enable && (*mask >> t & 1) && !memory.write(va, &now, 8))
            return report_access(fault, memory, "CRC buffer");
    }
    return true;
}

// Copies one sample of all pixels of an area.
void copy_sample(const uint8_t* samples, unsigned size_B, unsigned count, unsigned sample, uint8_t* out) {
    samples += size_t(sample) * size_B;
    for (unsigned i = 0; i < Area::kPixels; ++i, samples += size_t(count) * size_B, out += size_B)
        std::memcpy(out, samples, size_B);
}

// The means of all pixels of an area. A sample in the tile buffer may be larger than its format's pixels.
void resolve(const TargetState& t, const uint8_t* samples, unsigned count, uint8_t* out) {
    const units::FormatReader& format = t.d.srgb ? t.tile.srgb : t.tile.format;
    const unsigned size_B = t.tile.size_B;
    if (format.size_B == size_B) return units::resolve_row(format, samples, count, true, Area::kPixels, out);
    uint8_t packed[units::kMaxSamples * kMaxPixel_B];
    for (unsigned i = 0; i < Area::kPixels; ++i, out += size_B) {
        for (unsigned n = 0; n < count; ++n, samples += size_B)
            std::memcpy(packed + size_t(n) * format.size_B, samples, format.size_B);
        units::resolve_pixel(format, packed, count, out);
    }
}

bool write_target(Window& memory, const FramebufferState& fb, unsigned index, const Area& area,
                  TargetWatcher* watcher, Fault* fault) {
    const TargetState& t = fb.targets[index];
    if (!t.writes) return true;
    Surface s;
    s.format = t.d.writeback_block_format;
    s.pixel_B = t.pixel_B;
    s.msaa = t.d.writeback_msaa;
    if (s.afbc()) {
        s.base = t.d.afbc_header;
        s.row_stride_B = t.d.afbc_row_stride;
        s.body_offset_B = t.d.afbc_body_offset;
        s.wide = t.d.afbc_wide_block;
    } else {
        s.base = t.d.rgb_base;
        s.row_stride_B = t.d.rgb_row_stride;
        s.sample_stride_B = t.d.rgb_surface_stride;
    }
    uint32_t mask = whole_tiles(fb, area.touched_color);
    if (t.d.clean_pixel_write_enable || writes_clean_tiles(fb, s)) mask = 15;
    if (!mask) return true;
    const std::string name = "render target " + std::to_string(index);
    const bool has_crc = (fb.p.crc_read_enable || fb.p.crc_write_enable) && fb.zs.crc_render_target == index;
    const unsigned surfaces = s.surfaces(fb);
    if (surfaces > 1 && s.afbc()) return report(fault, name, ": AFBC of a surface for each sample");
    if (has_crc && surfaces * s.pixel_B > hw::kMaxCrcPixel_B)
        return report(fault, name, ": CRC of ", surfaces * s.pixel_B, " bytes a pixel");
    uint8_t one[Area::kPixels * kMaxPixel_B], converted[Area::kPixels * kMaxPixel_B];
    unsigned made = ~0u;  // which surface's pixels were made last
    const uint8_t* pixels = nullptr;
    const auto surface = [&](unsigned n) {
        if (made == n) return pixels;
        made = n;
        pixels = area.color[index].data();
        if (fb.samples > 1) {
            pixels = one;
            if (s.msaa == hw::Msaa::Layered)
                copy_sample(area.color[index].data(), t.tile.size_B, fb.samples, n, one);
            else
                resolve(t, area.color[index].data(), fb.samples, one);
        }
        if (watcher) std::exchange(watcher, nullptr)->wrote(fb, index, area, pixels, mask);
        if (!writes_copies(t.tile, t.d.writeback_format, t.d.swizzle)) {
            write_pixels(t.tile, pixels, Area::kPixels, t.d.writeback_format, t.d.swizzle, converted);
            pixels = converted;
        }
        return pixels;
    };
    if (has_crc && !eliminate(memory, fb, area, surfaces, surface, s.pixel_B, &mask, fault)) return false;
    for (unsigned n = 0; n < surfaces; ++n, s.base += s.sample_stride_B)
        if (!write_surface(memory, s, area, mask, surface(n), name.c_str(), fault)) return false;
    return true;
}

unsigned depth_B(hw::ZsWriteFormat f) {
    constexpr unsigned kSmall[] = {0, 2, 3};  // NONE, D16, D24; the others have words
    return unsigned(f) < std::size(kSmall) ? kSmall[unsigned(f)] : 4;
}

// Writes one sample of the pixels' depths in the format of memory. Stencil is above 24 bits of depth.
template <unsigned kSize_B>
void fill_depths(const FramebufferState& fb, const Area& area, unsigned sample, bool with_stencil,
                 uint8_t* out) {
    const hw::ZsWriteFormat f = fb.zs.zs_write_format;
    const unsigned bits = f == hw::ZsWriteFormat::D32 ? 32 : f == hw::ZsWriteFormat::D16 ? 16 : 24;
    const hw::ZInternalFormat same = bits == 32   ? hw::ZInternalFormat::D32
                                     : bits == 24 ? hw::ZInternalFormat::D24
                                                  : hw::ZInternalFormat::D16;
    const bool converts = fb.p.z_internal_format != same;
    if (kSize_B == 2 && !converts && fb.samples == 1) {
        for (unsigned i = 0; i < Area::kPixels; i += 2) {
            uint64_t two;
            std::memcpy(&two, &area.depth[i], sizeof two);
            const uint32_t words = uint16_t(two) | uint32_t(uint16_t(two >> 32)) << 16;
            std::memcpy(out + size_t(i) * kSize_B, &words, sizeof words);
        }
        return;
    }
    for (unsigned i = 0; i < Area::kPixels; ++i) {
        const size_t at = size_t(i) * fb.samples + sample;
        uint32_t word = area.depth[at];
        if (converts) {
            const float z = units::decode_depth(fb.depth_format, word);
            word = bits == 32 ? std::bit_cast<uint32_t>(z) : to_unorm(z, bits);
        }
        if (with_stencil) word |= uint32_t(area.stencil[at]) << 24;
        std::memcpy(out + size_t(i) * kSize_B, &word, kSize_B);
    }
}

bool write_depth(Window& memory, const FramebufferState& fb, const Area& area, uint32_t mask, Fault* fault) {
    const unsigned n = depth_B(fb.zs.zs_write_format);
    const bool with_stencil = fb.zs.zs_write_format == hw::ZsWriteFormat::D24S8;
    if (!n || !mask || !(fb.p.z_write_enable || (fb.p.s_write_enable && with_stencil))) return true;
    Surface s{fb.zs.zs_block_format, fb.zs.zs_writeback_base, fb.zs.zs_writeback_row_stride, 0, n};
    if (s.afbc())
        s.body_offset_B = fb.zs.zs_afbc_body_offset;
    else
        s.sample_stride_B = fb.zs.zs_writeback_surface_stride;
    s.msaa = fb.zs.zs_msaa;
    if (s.surfaces(fb) > 1 && s.afbc()) return report(fault, "AFBC of a depth surface for each sample");
    if (writes_clean_tiles(fb, s)) mask = 15;
    uint8_t pixels[Area::kPixels * 4];
    for (unsigned sample = 0; sample < s.surfaces(fb); ++sample, s.base += s.sample_stride_B) {
        (n == 2   ? fill_depths<2>
         : n == 3 ? fill_depths<3>
                  : fill_depths<4>)(fb, area, sample, with_stencil, pixels);
        if (!write_surface(memory, s, area, mask, pixels, "depth", fault)) return false;
    }
    return true;
}

bool write_stencil(Window& memory, const FramebufferState& fb, const Area& area, uint32_t mask,
                   Fault* fault) {
    if (!fb.p.s_write_enable || fb.zs.s_write_format == hw::StencilWriteFormat::NONE || !mask) return true;
    if (fb.zs.s_write_format == hw::StencilWriteFormat::X24S8) {
        // Combined with depth, which has written it.
        if (fb.zs.zs_write_format == hw::ZsWriteFormat::D24S8) return true;
        return report(fault, "stencil combined with depth that is not written is not executed");
    }
    Surface s{fb.zs.s_block_format, fb.zs.s_writeback_base, fb.zs.s_writeback_row_stride, 0, 1};
    if (s.afbc()) return report(fault, "stencil in AFBC is not executed");
    s.sample_stride_B = fb.zs.s_writeback_surface_stride;
    s.msaa = fb.zs.s_msaa;
    uint8_t pixels[Area::kPixels];
    for (unsigned n = 0; n < s.surfaces(fb); ++n, s.base += s.sample_stride_B) {
        copy_sample(area.stencil.data(), 1, fb.samples, n, pixels);
        if (!write_surface(memory, s, area, mask, pixels, "stencil", fault)) return false;
    }
    return true;
}

}  // namespace

bool write_back(Window& memory, const FramebufferState& fb, Area& area, TargetWatcher* watcher,
                Fault* fault) {
    for (unsigned i = 0; i < fb.targets.size(); ++i)
        if (!write_target(memory, fb, i, area, watcher, fault)) return false;
    if (!fb.has_zs) return true;
    uint32_t mask = whole_tiles(fb, area.touched_zs);
    if (fb.zs.zs_clean_pixel_write_enable) mask = 15;
    return write_depth(memory, fb, area, mask, fault) && write_stencil(memory, fb, area, mask, fault);
}

}  // namespace terrazzo::mali::sim
