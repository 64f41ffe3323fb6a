// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Works in bands of rows: a band of the source with its samples resolved, rows of numbers if formats differ
// or pixels are filtered, a band of the target.
#include "drivers/adreno/sim/blit/engine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/adreno/sim/blit/engine_state.h"
#include "pipe/blit/blit_axis.h"

namespace terrazzo::adreno::sim {

namespace {

using pipe::detail::BlitAxis;
using pipe::raster::PixelRect;

constexpr int32_t kBandRows = 32;

class Blit {
  public:
    Blit(Machine& machine, const EngineState& state);
    bool run(Fault* fault);

  private:
    void find_taps();
    bool load(int32_t y, Fault* fault);                // loads source row y into the band
    const uint32_t* numbers(int32_t y, Fault* fault);  // row y as four numbers per pixel; null: fault
    bool make_row(int32_t y, uint8_t* out, Fault* fault);
    bool make_numbers(int32_t y, Fault* fault);
    bool store(int32_t y, int32_t end, uint8_t* rows, Fault* fault);
    const uint8_t* band_row(int32_t y) const { return band_.data() + size_t(y - band_y0_) * band_row_B_; }
    bool memory_fault(Fault* fault, const char* what) const {
        return fail(fault, FaultKind::Memory, std::string("2D blit: ") + what + ": " + why_);
    }

    Machine& machine_;
    const EngineState& s_;
    const EngineSource& src_;
    BlitAxis x_, y_;
    std::string why_;
    uint32_t from_B_, to_B_;  // of a pixel without samples
    uint32_t width_px_ = 0;   // of the target
    bool raw_ = false, straight_ = false, filtered_ = false;
    bool bytes_ =
        // Filtered as whole bytes, which is exact; halfway between two: to even, as numbers are stored
        // elsewhere.
        false;
    int32_t column0_ = 0, columns_ = 0;  // of the source that are read
    // The source columns of a column of the target, among those that are read.
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

bool flips_x(hw::Rotation r) {
    return r == hw::Rotation::ROTATE_HFLIP || r == hw::Rotation::ROTATE_180;
}
bool flips_y(hw::Rotation r) {
    return r == hw::Rotation::ROTATE_VFLIP || r == hw::Rotation::ROTATE_180;
}

Blit::Blit(Machine& machine, const EngineState& s)
    : machine_(machine),
      s_(s),
      src_(s.source),
      x_(axis(src_.rect.x0, src_.rect.x1, flips_x(s.cntl.rotate), s.rect.x0, s.rect.x1, s.clipped.x0,
              s.clipped.x1, src_.width_px)),
      y_(axis(src_.rect.y0, src_.rect.y1, flips_y(s.cntl.rotate), s.rect.y0, s.rect.y1, s.clipped.y0,
              s.clipped.y1, src_.height_px)),
      from_B_(src_.surface.format().size_B),
      to_B_(s.target.format().size_B) {
    filtered_ = src_.filter && (x_.is_scaled() || y_.is_scaled());
    const units::FormatReader &from = src_.surface.format(), &to = s.target.format();
    raw_ = !filtered_ && from.format == to.format && std::equal(from.from, from.from + 4, to.from);
    bytes_ = filtered_ && units::is_unorm_bytes(from) && units::is_unorm_bytes(to);
    straight_ = !x_.is_scaled() && !x_.is_mirrored();
    width_px_ = uint32_t(x_.end - x_.begin);
    const int32_t margin = filtered_ ? 1 : 0;
    column0_ = std::max(0, x_.src_begin - margin);
    columns_ = std::min(int32_t(src_.width_px), x_.src_end + margin) - column0_;
    if (x_.empty() || y_.empty()) return;
    band_row_B_ = size_t(columns_) * from_B_;
    band_.resize(band_row_B_ * kBandRows);
    if (src_.samples > 1) samples_.resize(band_.size() * src_.samples);
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

bool Blit::load(int32_t y, Fault* fault) {
    if (y >= band_y0_ && y < band_y1_) return true;
    band_y0_ = y / kBandRows * kBandRows;
    band_y1_ = std::min(band_y0_ + kBandRows, int32_t(src_.height_px));
    // For GMEM, the bin; for others, only the needed rows.
    band_y0_ = std::max({band_y0_, src_.offset_y, y_.src_begin - int32_t(src_.filter)});
    band_y1_ = std::min(band_y1_, y_.src_end + int32_t(src_.filter));
    const PixelRect r = {column0_ - src_.offset_x, band_y0_ - src_.offset_y,
                         column0_ + columns_ - src_.offset_x, band_y1_ - src_.offset_y};
    uint8_t* const to = src_.samples > 1 ? samples_.data() : band_.data();
    if (!src_.surface.read(machine_.uche, machine_.gmem, r, to, band_row_B_ * src_.samples, &why_))
        return memory_fault(fault, "SP_PS_2D_SRC");
    if (src_.samples > 1)
        units::resolve_row(src_.surface.format(), to, src_.samples, src_.average,
                           uint32_t(columns_) * uint32_t(band_y1_ - band_y0_), band_.data());
    return true;
}

const uint32_t* Blit::numbers(int32_t y, Fault* fault) {
    // The row of the previous call stays: filtering uses two rows.
    for (unsigned i = 0; i < 2; ++i)
        if (rows_[i].y == y) {
            next_ = i ^ 1;
            return rows_[i].values.data();
        }
    if (!load(y, fault)) return nullptr;
    Row& row = rows_[next_];
    next_ ^= 1;
    row.y = y;
    src_.surface.format().read_row(band_row(y), uint32_t(columns_), row.values.data());
    if (bytes_)
        for (uint32_t& v : row.values)
            v = std::bit_cast<uint32_t>(std::nearbyint(std::bit_cast<float>(v) * 255));
    return row.values.data();
}

// Makes row y of the target, as numbers.
bool Blit::make_numbers(int32_t y, Fault* fault) {
    int32_t a = y_.nearest(y), b = a;
    float v = 0;
    if (filtered_) y_.linear(y, &a, &b, &v);
    const uint32_t* const top = numbers(a, fault);
    const uint32_t* const bottom = top ? numbers(b, fault) : nullptr;
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

bool Blit::make_row(int32_t y, uint8_t* out, Fault* fault) {
    if (!raw_) {
        if (!make_numbers(y, fault)) return false;
        s_.target.format().write_row(out_.data(), width_px_, out);
        return true;
    }
    const int32_t from_y = y_.nearest(y);
    if (!load(from_y, fault)) return false;
    const uint8_t* const in = band_row(from_y);
    if (straight_) {
        std::memcpy(out, in + size_t(x_.src_begin - column0_) * from_B_, size_t(width_px_) * from_B_);
        return true;
    }
    for (uint32_t i = 0; i < width_px_; ++i)
        std::memcpy(out + size_t(i) * from_B_, in + taps_[i].first * from_B_, from_B_);
    return true;
}

// Stores rows [y, end) of the target. May change `rows`.
bool Blit::store(int32_t y, int32_t end, uint8_t* rows, Fault* fault) {
    const PixelRect r = {x_.begin, y, x_.end, end};
    const size_t row_B = size_t(width_px_) * to_B_;
    if (!s_.whole) {
        std::vector<uint8_t> old(row_B * size_t(end - y));
        if (!s_.target.read(machine_.memory, machine_.gmem, r, old.data(), row_B, &why_))
            return memory_fault(fault, "RB_2D_DST");
        units::merge_row(s_.bits, to_B_, rows, width_px_ * uint32_t(end - y), old.data());
        std::memcpy(rows, old.data(), old.size());
    }
    return s_.target.write(machine_.memory, machine_.gmem, r, rows, row_B, &why_) ||
           memory_fault(fault, "RB_2D_DST");
}

bool Blit::run(Fault* fault) {
    if (x_.empty() || y_.empty()) return true;
    if (x_.src_begin < src_.offset_x || y_.src_begin < src_.offset_y)
        return fail(fault, FaultKind::Hardware, "2D blit: SP_WINDOW_OFFSET: pixels before the bin");
    const size_t row_B = size_t(width_px_) * to_B_;
    std::vector<uint8_t> rows(row_B * kBandRows);
    for (int32_t y = y_.begin; y < y_.end;) {
        const int32_t end = std::min(y_.end, (y / kBandRows + 1) * kBandRows);
        if (machine_.host.should_stop()) return fail(fault, FaultKind::Hardware, "2D blit: stopped");
        for (int32_t i = y; i < end; ++i)
            if (!make_row(i, rows.data() + size_t(i - y) * row_B, fault)) return false;
        if (!store(y, end, rows.data(), fault)) return false;
        y = end;
    }
    return true;
}

bool fill(Machine& m, const EngineState& s, Fault* fault) {
    std::string why;
    const PixelRect& r = s.clipped;
    const auto refused = [&] { return fail(fault, FaultKind::Memory, "2D blit: RB_2D_DST: " + why); };
    if (s.whole) return s.target.fill(m.memory, m.gmem, r, s.pixel, &why) || refused();
    const uint32_t pixel_B = s.target.pixel_B(), width = uint32_t(r.x1 - r.x0);
    std::vector<uint8_t> rows(size_t(width) * pixel_B * kBandRows), old(rows.size());
    for (size_t at = 0; at < rows.size(); at += pixel_B)
        std::memcpy(&rows[at], s.pixel, pixel_B);
    const size_t row_B = size_t(width) * pixel_B;
    for (int32_t y = r.y0; y < r.y1; y += kBandRows) {
        const PixelRect band = {r.x0, y, r.x1, std::min(r.y1, y + kBandRows)};
        if (!s.target.read(m.memory, m.gmem, band, old.data(), row_B, &why)) return refused();
        units::merge_row(s.bits, pixel_B, rows.data(), width * uint32_t(band.y1 - y), old.data());
        if (!s.target.write(m.memory, m.gmem, band, old.data(), row_B, &why)) return refused();
    }
    return true;
}

}  // namespace

bool blit_2d(Machine& machine, Fault* fault) {
    EngineState state;
    if (!decode_engine(machine, &state, fault)) return false;
    if (state.clipped.empty()) return true;
    return state.cntl.solid_color ? fill(machine, state, fault) : Blit(machine, state).run(fault);
}

}  // namespace terrazzo::adreno::sim
