// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptions, and what all surfaces share: GMEM, the order of channels, rectangles. Alignments:
// pipe/layout/a6xx.h.
#include "drivers/adreno/sim/surface/surface.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/common/units/refuse.h"
#include "pipe/layout/channel_order.h"

namespace terrazzo::adreno::sim {

using units::refuse;

namespace {

constexpr uint32_t kMaxSize_px = 1u << 16, kMaxSamples = 8, kAlign_B = 64;

// Moves components of `size_B` bytes each from place[c] to c, or back.
void reorder(const ChannelOrder& o, uint8_t* pixels, size_t count, bool to_memory) {
    const uint32_t n = o.component_B;
    uint8_t pixel[16];
    for (size_t i = 0; i < count; ++i, pixels += n * 4) {
        std::memcpy(pixel, pixels, n * 4);
        for (uint32_t c = 0; c < 4; ++c) {
            const uint32_t from = to_memory ? c : o.place[c], to = to_memory ? o.place[c] : c;
            std::memcpy(pixels + to * n, pixel + from * n, n);
        }
    }
}

}  // namespace

SurfaceDesc gmem_surface(uint32_t bin_w_px, uint32_t bin_h_px, uint32_t base_B, hw::Format format,
                         uint32_t samples) {
    SurfaceDesc d;
    d.in_gmem = true;
    d.gmem_offset_B = base_B;
    d.format = format;
    d.width_px = bin_w_px, d.height_px = bin_h_px;
    d.samples = samples;
    units::FormatReader reader;
    if (surface_format(format, hw::ColorSwap::WZYX, false, &reader))
        d.pitch_B = bin_w_px * reader.size_B * samples;
    return d;
}

bool Surface::init(const SurfaceDesc& desc, const hw::Chip& chip, std::string* why) {
    desc_ = desc;
    order_ = {};
    elements_px_ = 1;
    folded_ = false;
    map_.reset();
    if (desc_.in_gmem) {
        desc_.swap = hw::ColorSwap::WZYX;
        desc_.tile_mode = hw::TileMode::TILE6_LINEAR;
        if (desc_.has_flags) return refuse(why, "GMEM is not compressed");
    }
    if (desc_.width_px > kMaxSize_px || desc_.height_px > kMaxSize_px)
        return refuse(why, "more than 65536 pixels in a row or column");
    if (desc_.samples == 0 || desc_.samples > kMaxSamples || !std::has_single_bit(desc_.samples))
        return refuse(why, "no such number of samples");
    if (!choose_order(why)) return false;
    pixel_B_ = format_.size_B * desc_.samples;
    if (desc_.tile_mode == hw::TileMode::TILE6_LINEAR) return check_linear(why);
    return check_tiled(chip, why);
}

bool Surface::choose_order(std::string* why) {
    hw::Format format = desc_.format;
    if (!channel_order(format, desc_.swap, desc_.srgb, &order_))
        return refuse(why, "the format ", unsigned(format), " has no such order of channels");
    // The same with A in the highest bits, as rows have it.
    if (format == hw::Format::FMT6_1_5_5_5_UNORM && !order_.is_plain())
        format = hw::Format::FMT6_5_5_5_1_UNORM;
    if (!surface_format(format, hw::ColorSwap::WZYX, desc_.srgb, &format_))
        return refuse(why, "no surface has the format ", unsigned(format), desc_.srgb ? " as sRGB" : "");
    return true;
}

bool Surface::check_linear(std::string* why) const {
    if (desc_.has_flags) return refuse(why, "a linear image is not compressed");
    const uint64_t row_B = uint64_t(desc_.width_px) * pixel_B_;
    if (desc_.height_px > 1 && desc_.pitch_B < row_B)
        return refuse(why, "the pitch of ", desc_.pitch_B, " bytes is less than a row of ", row_B);
    return true;
}

bool Surface::check_tiled(const hw::Chip& chip, std::string* why) {
    if (desc_.tile_mode != hw::TileMode::TILE6_3)
        return refuse(why, "memory is not tiled as TILE mode ", unsigned(desc_.tile_mode));
    if (!std::has_single_bit(pixel_B_) || pixel_B_ > 128)
        return refuse(why, "pixels of ", pixel_B_, " bytes are not tiled");
    const pipe::FormatInfo& info = pipe::format_info(format_.format);
    macrotile_.highest_bank_bit = uint8_t(chip.highest_bank_bit);
    macrotile_.bank_swizzle = uint8_t(chip.ubwc_swizzle);
    macrotile_.eight_channels = chip.macrotile_mode != 0;
    macrotile_.split_channels = pixel_B_ == 2 && info.channel_count == 2;
    const bool r8g8 = format_.size_B == 2 && info.channel_count == 2;
    const bool by_samples = format_.size_B > 1 && !r8g8;
    elements_px_ = by_samples ? desc_.samples : 1;
    element_B_ = pixel_B_ / elements_px_;
    const uint32_t log2 = uint32_t(std::countr_zero(pixel_B_));
    const uint32_t align_B = 64u << (pixel_B_ == 1 || macrotile_.split_channels ? 1
                                     : pixel_B_ == 2                            ? 2
                                                                                : log2);
    if (desc_.pitch_B == 0 || desc_.pitch_B % align_B)
        return refuse(why, "the pitch of ", desc_.pitch_B, " bytes is no multiple of ", align_B);
    if (desc_.pitch_B < uint64_t(desc_.width_px) * pixel_B_)
        return refuse(why, "the pitch of ", desc_.pitch_B, " bytes is less than a row");
    if (desc_.va % kAlign_B) return refuse(why, "the address of a tiled image is no multiple of 64");
    map_.emplace(element_B_, desc_.pitch_B, macrotile_);
    return !desc_.has_flags || check_flags(why);
}

bool Surface::check_flags(std::string* why) {
    constexpr uint32_t kBlockRow_B = 64, kFolded_B = 32;
    const bool wide = desc_.samples > 1 && elements_px_ > 1;
    block_ = pipe::ubwc_block_shape(pixel_B_, desc_.samples, macrotile_.split_channels);
    if (!block_.w_px) return refuse(why, "pixels of ", pixel_B_, " bytes are not compressed");
    if (wide && pixel_B_ == kFolded_B) {
        block_ = pipe::ubwc_block_shape(element_B_, 1, false);
        folded_ = desc_.pitch_B / kBlockRow_B > desc_.flags_pitch_B;
    } else {
        block_.w_px *= elements_px_;
    }
    const uint32_t blocks = (desc_.width_px * elements_px_ + block_.w_px - 1) / block_.w_px;
    if (desc_.is_fill && element_B_ >= 4 && blocks > desc_.flags_pitch_B) folded_ = true;
    if (desc_.flags_pitch_B * (folded_ ? 2u : 1u) < blocks)
        return refuse(why, "the pitch of flags, ", desc_.flags_pitch_B, ", is less than ", blocks, " blocks");
    return true;
}

bool Surface::inside(const PixelRect& r, std::string* why) const {
    if (r.x0 >= 0 && r.y0 >= 0 && r.x1 <= int64_t(desc_.width_px) && r.y1 <= int64_t(desc_.height_px))
        return true;
    return refuse(why, "pixels outside the surface");
}

bool Surface::address(uint32_t x, uint32_t y, uint64_t* va) const {
    if (desc_.in_gmem || desc_.has_flags || (map_ && macrotile_.split_channels)) return false;
    *va = desc_.va + (map_ ? map_->element_offset_B(x * elements_px_, y)
                           : uint64_t(y) * desc_.pitch_B + uint64_t(x) * pixel_B_);
    return true;
}

uint8_t* Surface::gmem_at(std::vector<uint8_t>& gmem, const PixelRect& r, std::string* why) const {
    if (!inside(r, why)) return nullptr;
    const uint64_t begin = desc_.gmem_offset_B + uint64_t(r.y0) * desc_.pitch_B + uint64_t(r.x0) * pixel_B_;
    const uint64_t end = begin + uint64_t(r.y1 - r.y0 - 1) * desc_.pitch_B + uint64_t(r.x1 - r.x0) * pixel_B_;
    if (end <= gmem.size()) return gmem.data() + begin;
    refuse(why, "byte ", end, " of GMEM, which has ", gmem.size());
    return nullptr;
}

pipe::UbwcRect Surface::elements(const PixelRect& r) const {
    return {uint32_t(r.x0) * elements_px_, uint32_t(r.y0), uint32_t(r.x1 - r.x0) * elements_px_,
            uint32_t(r.y1 - r.y0)};
}

bool Surface::copy(window::Window& memory, const PixelRect& r, uint8_t* rows, size_t row_B, bool to_memory,
                   std::string* why) const {
    if (desc_.tile_mode == hw::TileMode::TILE6_LINEAR)
        return copy_linear(memory, r, rows, row_B, to_memory, why);
    if (!desc_.has_flags) return copy_tiled(memory, r, rows, row_B, to_memory, why);
    pipe::UbwcImage image;
    const window::Access access = to_memory ? window::Access::Write : window::Access::Read;
    if (!compressed(memory, r, access, &image, why)) return false;
    const bool known = to_memory ? pipe::ubwc_write(image, elements(r), rows, ptrdiff_t(row_B))
                                 : pipe::ubwc_read(image, elements(r), rows, ptrdiff_t(row_B));
    return known || refuse(why, "a compression flag that was never written");
}

bool Surface::read(window::Window& memory, const std::vector<uint8_t>& gmem, const PixelRect& r,
                   uint8_t* rows, size_t row_B, std::string* why) const {
    if (r.empty()) return true;
    if (!inside(r, why)) return false;
    const size_t w = size_t(r.x1 - r.x0);
    const int32_t h = r.y1 - r.y0;
    if (desc_.in_gmem) {
        const uint8_t* at = gmem_at(const_cast<std::vector<uint8_t>&>(gmem), r, why);  // only read
        if (!at) return false;
        for (int32_t y = 0; y < h; ++y)
            std::memcpy(rows + size_t(y) * row_B, at + size_t(y) * desc_.pitch_B, w * pixel_B_);
        return true;
    }
    if (!copy(memory, r, rows, row_B, false, why)) return false;
    for (int32_t y = 0; y < h && !order_.is_plain(); ++y, rows += row_B) {
        if (order_.component_B)
            reorder(order_, rows, w * desc_.samples, false);
        else
            pipe::pixels_to_rgba_order(order_.format, rows, rows, uint32_t(w * desc_.samples));
    }
    return true;
}

bool Surface::write(window::Window& memory, std::vector<uint8_t>& gmem, const PixelRect& r,
                    const uint8_t* rows, size_t row_B, std::string* why) const {
    if (r.empty()) return true;
    if (!inside(r, why)) return false;
    const size_t w = size_t(r.x1 - r.x0), size_B = w * pixel_B_;
    const size_t h = size_t(r.y1 - r.y0);
    if (desc_.in_gmem) {
        uint8_t* const at = gmem_at(gmem, r, why);
        for (size_t y = 0; at && y < h; ++y)
            std::memcpy(at + y * desc_.pitch_B, rows + y * row_B, size_B);
        return at != nullptr;
    }
    if (order_.is_plain()) return copy(memory, r, const_cast<uint8_t*>(rows), row_B, true, why);  // only read
    // A few rows at a time: whole blocks and tiles.
    constexpr size_t kRows = 32;
    std::vector<uint8_t> ordered(std::min(h, kRows) * size_B);
    for (int32_t y0 = r.y0; y0 < r.y1;) {
        const int32_t y1 = std::min(r.y1, (y0 / int32_t(kRows) + 1) * int32_t(kRows));
        for (int32_t y = y0; y < y1; ++y) {
            uint8_t* const to = ordered.data() + size_t(y - y0) * size_B;
            std::memcpy(to, rows + size_t(y - r.y0) * row_B, size_B);
            if (order_.component_B)
                reorder(order_, to, w * desc_.samples, true);
            else
                pipe::pixels_from_rgba_order(order_.format, to, to, uint32_t(w * desc_.samples));
        }
        if (!copy(memory, {r.x0, y0, r.x1, y1}, ordered.data(), size_B, true, why)) return false;
        y0 = y1;
    }
    return true;
}

bool Surface::fill(window::Window& memory, std::vector<uint8_t>& gmem, const PixelRect& r,
                   const uint8_t* pixel, std::string* why) const {
    if (r.empty()) return true;
    if (!inside(r, why)) return false;
    const uint8_t* const one = pixel + format_.size_B;
    const bool same = std::equal(pixel, pixel + pixel_B_ - format_.size_B, one);
    if (desc_.has_flags && order_.is_plain() && (same || elements_px_ == 1)) {
        pipe::UbwcImage image;
        if (!compressed(memory, r, window::Access::Write, &image, why)) return false;
        return pipe::ubwc_fill(image, elements(r), pixel) ||
               refuse(why, "a compression flag that was never written");
    }
    constexpr int32_t kRows = 32;
    const size_t row_B = size_t(r.x1 - r.x0) * pixel_B_;
    const size_t h = size_t(std::min(kRows, r.y1 - r.y0));
    std::vector<uint8_t> rows(row_B * h);
    for (size_t at = 0; at < row_B; at += pixel_B_)
        std::memcpy(rows.data() + at, pixel, pixel_B_);
    for (size_t y = 1; y < h; ++y)
        std::memcpy(rows.data() + y * row_B, rows.data(), row_B);
    for (int32_t y0 = r.y0; y0 < r.y1; y0 += kRows)
        if (!write(memory, gmem, {r.x0, y0, r.x1, std::min(r.y1, y0 + kRows)}, rows.data(), row_B, why))
            return false;
    return true;
}

}  // namespace terrazzo::adreno::sim
