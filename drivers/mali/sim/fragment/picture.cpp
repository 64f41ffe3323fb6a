// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/fragment/picture.h"

#include <bit>
#include <utility>

namespace terrazzo::mali::sim {

namespace {

void read_pixel(const TileFormat& f, const uint8_t* from, uint8_t* rgba) {
    uint32_t value[4];
    f.format.read(from, value);
    for (unsigned c = 0; c < 4; ++c)
        rgba[c] = uint8_t(std::bit_cast<float>(value[c]) * 255 + 0.5f);
}

}  // namespace

void TargetPictures::wrote(const FramebufferState& fb, unsigned target, const Area& area,
                           const uint8_t* pixels, uint32_t tiles) {
    const TargetState& t = fb.targets[target];
    const std::lock_guard lock(mutex_);
    if (t.tile.raw) {
        // Bytes whose meaning only the API knows.
        why_ = "colours of " + std::to_string(t.pixel_B) + " bytes that are no fixed-point numbers";
        return;
    }
    const bool afbc = t.d.writeback_block_format == hw::BlockFormat::AFBC ||
                      t.d.writeback_block_format == hw::BlockFormat::AFBC_TILED;
    const uint64_t va = afbc ? t.d.afbc_header : t.d.rgb_base;
    if (by_address_.size() >= kMostPictures && !by_address_.count(va)) {
        by_address_.clear();
        last_ = nullptr;
    }
    host::Picture& picture = by_address_[va];
    picture.resize(fb.p.width, fb.p.height);
    last_ = &picture;
    for (int32_t y = area.rect.y0; y < area.rect.y1; ++y)
        for (int32_t x = area.rect.x0; x < area.rect.x1; ++x) {
            const unsigned index = area.index(x, y);
            if (!(tiles >> Area::tile_of(index) & 1) || uint32_t(x) >= picture.width_px ||
                uint32_t(y) >= picture.height_px)
                continue;
            read_pixel(t.tile, pixels + size_t(index) * t.tile.size_B, picture.at(uint32_t(x), uint32_t(y)));
        }
}

bool TargetPictures::take_last(host::Picture* out, std::string* why) {
    const std::lock_guard lock(mutex_);
    *why = last_ ? std::string() : why_;
    why_.clear();
    if (last_) *out = *last_;
    return std::exchange(last_, nullptr) != nullptr;
}

}  // namespace terrazzo::mali::sim
