// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The blit works on bands of rows. It reads a band of the source, and resolves its samples. If formats differ
// or pixels are filtered, it converts rows to numbers. Then it writes a band of the target.
#include "drivers/common/units/blit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "pipe/blit/blit_axis.h"

namespace terrazzo::units {

namespace {

using pipe::detail::BlitAxis;
using pipe::raster::PixelRect;

constexpr int32_t kBandRows = 32;

class Blit {
  public:
    Blit(const BlitDesc& desc, BlitMemory& memory);
    bool run();

  private:
    void find_taps();
    bool load(int32_t y);                // loads source row y into the band
    const uint32_t* numbers(int32_t y);  // row y as four numbers per pixel; null: memory refused
    bool make_row(int32_t y, uint8_t* out);
    bool make_numbers(int32_t y);
    const uint8_t* band_row(int32_t y) const { return band_.data() + size_t(y - band_y0_) * band_row_B_; }

    const BlitDesc& d_;
    BlitMemory& memory_;
    BlitAxis x_, y_;
    uint32_t from_B_, to_B_;  // the sizes of a pixel of one sample
    uint32_t width_px_ = 0;   // of the target
    bool raw_ = false, straight_ = false, filtered_ = false;
    // Filters whole bytes, which is exact. A result halfway between two bytes is rounded to even, as numbers
    // are when other formats store them.
    bool bytes_ = false;
    int32_t column0_ = 0, columns_ = 0;  // the source's columns that are read
    // The two source columns of a column of the target, as indices into a row of the columns that are read.
    struct Tap {
        size_t first = 0, second = 0;
        float weight = 0;
    };
    std::vector<Tap> taps_;
    std::vector<uint8_t> samples_, band_;
    size_t band_row_B_ = 0;
    int32_t band_y0_ = 0, band_y1_ = 0;
    struct Row {
        int32_t y = INT32_MIN;
        std::vector<uint32_t> values;
    } rows_[2];
    unsigned next_ = 0;
    std::vector<uint32_t> out_;
};

float between(uint32_t a, uint32_t b, float weight) {
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    return x + (y - x) * weight;
}

BlitAxis axis(int32_t s0, int32_t s1, bool mirrored, int32_t d0, int32_t d1, int32_t low, int32_t high,
              uint32_t limit) {
    return {mirrored ? s1 : s0, mirrored ? s0 - s1 : s1 - s0, d0, d1 - d0, low, high, int64_t(limit)};
}

Blit::Blit(const BlitDesc& d, BlitMemory& memory)
    : d_(d),
      memory_(memory),
      x_(axis(d.source_rect.x0, d.source_rect.x1, d.flips_x, d.rect.x0, d.rect.x1, d.clipped.x0, d.clipped.x1,
              d.source_w_px)),
      y_(axis(d.source_rect.y0, d.source_rect.y1, d.flips_y, d.rect.y0, d.rect.y1, d.clipped.y0, d.clipped.y1,
              d.source_h_px)),
      from_B_(d.source.size_B),
      to_B_(d.target.size_B) {
    filtered_ = d.filter && (x_.is_scaled() || y_.is_scaled());
    const FormatReader &from = d.source, &to = d.target;
    raw_ = !filtered_ && from.format == to.format && std::equal(from.from, from.from + 4, to.from);
    bytes_ = filtered_ && is_unorm_bytes(from) && is_unorm_bytes(to);
    straight_ = !x_.is_scaled() && !x_.is_mirrored();
    width_px_ = uint32_t(x_.end - x_.begin);
    const int32_t margin = filtered_ ? 1 : 0;
    column0_ = std::max(0, x_.src_begin - margin);
    columns_ = std::min(int32_t(d.source_w_px), x_.src_end + margin) - column0_;
    if (x_.empty() || y_.empty()) return;
    band_row_B_ = size_t(columns_) * from_B_;
    band_.resize(band_row_B_ * kBandRows);
    if (d.samples > 1) samples_.resize(band_.size() * d.samples);
    if (!raw_ || !straight_) find_taps();
    if (raw_) return;
    for (Row& r : rows_)
        r.values.resize(size_t(columns_) * 4);
    out_.resize(size_t(width_px_) * 4);
}

void Blit::find_taps() {
    taps_.resize(width_px_);
    for (uint32_t i = 0; i < width_px_; ++i) {
        const int32_t x = x_.begin + int32_t(i);
        int32_t first = x_.nearest(x), second = first;
        if (filtered_) x_.linear(x, &first, &second, &taps_[i].weight);
        taps_[i].first = size_t(first - column0_), taps_[i].second = size_t(second - column0_);
    }
}

bool Blit::load(int32_t y) {
    if (y >= band_y0_ && y < band_y1_) return true;
    band_y0_ = y / kBandRows * kBandRows;
    band_y1_ = std::min(band_y0_ + kBandRows, int32_t(d_.source_h_px));
    // Only the needed rows.
    band_y0_ = std::max(band_y0_, y_.src_begin - int32_t(d_.filter));
    band_y1_ = std::min(band_y1_, y_.src_end + int32_t(d_.filter));
    uint8_t* const to = d_.samples > 1 ? samples_.data() : band_.data();
    if (!memory_.read_source({column0_, band_y0_, column0_ + columns_, band_y1_}, to,
                             band_row_B_ * d_.samples))
        return false;
    if (d_.samples > 1)
        resolve_row(d_.source, to, d_.samples, d_.average, uint32_t(columns_) * uint32_t(band_y1_ - band_y0_),
                    band_.data());
    return true;
}

const uint32_t* Blit::numbers(int32_t y) {
    // The row of the previous call stays: filtering uses two rows.
    for (unsigned i = 0; i < 2; ++i)
        if (rows_[i].y == y) {
            next_ = i ^ 1;
            return rows_[i].values.data();
        }
    if (!load(y)) return nullptr;
    Row& row = rows_[next_];
    next_ ^= 1;
    row.y = y;
    d_.source.read_row(band_row(y), uint32_t(columns_), row.values.data());
    if (bytes_)
        for (uint32_t& v : row.values)
            v = std::bit_cast<uint32_t>(std::nearbyint(std::bit_cast<float>(v) * 255));
    return row.values.data();
}

// Computes row y of the target, as numbers.
bool Blit::make_numbers(int32_t y) {
    int32_t a = y_.nearest(y), b = a;
    float v = 0;
    if (filtered_) y_.linear(y, &a, &b, &v);
    const uint32_t* const top = numbers(a);
    const uint32_t* const bottom = top ? numbers(b) : nullptr;
    if (!bottom) return false;
    for (uint32_t i = 0; i < width_px_; ++i) {
        const Tap& x = taps_[i];
        if (!filtered_) {
            std::memcpy(&out_[i * 4], top + x.first * 4, 4 * sizeof(uint32_t));
            continue;
        }
        for (unsigned c = 0; c < 4; ++c) {
            const float t = between(top[x.first * 4 + c], top[x.second * 4 + c], x.weight);
            const float w = between(bottom[x.first * 4 + c], bottom[x.second * 4 + c], x.weight);
            const float mean = t + (w - t) * v;
            out_[i * 4 + c] = std::bit_cast<uint32_t>(bytes_ ? std::nearbyint(mean) / 255 : mean);
        }
    }
    return true;
}

bool Blit::make_row(int32_t y, uint8_t* out) {
    if (!raw_) {
        if (!make_numbers(y)) return false;
        d_.target.write_row(out_.data(), width_px_, out);
        return true;
    }
    const int32_t from_y = y_.nearest(y);
    if (!load(from_y)) return false;
    const uint8_t* const in = band_row(from_y);
    if (straight_) {
        std::memcpy(out, in + size_t(x_.src_begin - column0_) * from_B_, size_t(width_px_) * from_B_);
        return true;
    }
    for (uint32_t i = 0; i < width_px_; ++i)
        std::memcpy(out + size_t(i) * from_B_, in + taps_[i].first * from_B_, from_B_);
    return true;
}

// Stores consecutive rows of the target. May change the contents of `rows`.
bool store(const BlitDesc& d, BlitMemory& memory, const PixelRect& r, uint8_t* rows) {
    const uint32_t width = uint32_t(r.x1 - r.x0);
    const size_t row_B = size_t(width) * d.target.size_B;
    if (!d.whole) {
        std::vector<uint8_t> old(row_B * size_t(r.y1 - r.y0));
        if (!memory.read_target(r, old.data(), row_B)) return false;
        merge_row(d.bits, d.target.size_B, rows, width * uint32_t(r.y1 - r.y0), old.data());
        std::memcpy(rows, old.data(), old.size());
    }
    return memory.write_target(r, rows, row_B);
}

bool Blit::run() {
    if (x_.empty() || y_.empty()) return true;
    const size_t row_B = size_t(width_px_) * to_B_;
    std::vector<uint8_t> rows(row_B * kBandRows);
    for (int32_t y = y_.begin; y < y_.end;) {
        const int32_t end = std::min(y_.end, (y / kBandRows + 1) * kBandRows);
        if (memory_.should_stop()) return false;
        for (int32_t i = y; i < end; ++i)
            if (!make_row(i, rows.data() + size_t(i - y) * row_B)) return false;
        if (!store(d_, memory_, {x_.begin, y, x_.end, end}, rows.data())) return false;
        y = end;
    }
    return true;
}

}  // namespace

bool blit(const BlitDesc& desc, BlitMemory& memory) {
    return Blit(desc, memory).run();
}

bool fill(const BlitDesc& d, const uint8_t* pixel, BlitMemory& memory) {
    const PixelRect& r = d.clipped;
    const uint32_t pixel_B = d.target.size_B;
    std::vector<uint8_t> rows(size_t(r.x1 - r.x0) * pixel_B * kBandRows);
    for (int32_t y = r.y0; y < r.y1; y += kBandRows) {
        replicate_row(pixel_B, pixel, uint32_t(r.x1 - r.x0) * kBandRows, 1, rows.data());
        if (!store(d, memory, {r.x0, y, r.x1, std::min(r.y1, y + kBandRows)}, rows.data())) return false;
    }
    return true;
}

}  // namespace terrazzo::units
