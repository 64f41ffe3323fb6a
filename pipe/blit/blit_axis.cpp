// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The mapping of one dimension: the centre of destination pixel i lies at (2(i - dst) + 1) * src_size / (2
// dst_size) from src.
#include "pipe/blit/blit_axis.h"

#include <algorithm>

namespace terrazzo::pipe::detail {

namespace {

// API coordinates have 32 bits, so their products need more than 64.
__extension__ typedef __int128 Wide;

Wide floor_div(Wide a, Wide b) {
    const Wide q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

}  // namespace

BlitAxis::BlitAxis(int64_t src, int64_t src_size, int64_t dst, int64_t dst_size, int64_t low, int64_t high,
                   int64_t src_limit)
    : src_(src), src_size_(src_size), dst_(dst), dst_size_(dst_size), src_limit_(src_limit) {
    if (src_size == 0 || dst_size == 0) return;
    int64_t b = std::max(low, std::min(dst, dst + dst_size)),
            e = std::min(high, std::max(dst, dst + dst_size));
    if (b >= e) return;
    // The source position is monotone in i, so the pixels inside the source are consecutive: bisection finds
    // the first and the last one.
    const auto inside_from = [&](int64_t i) { return nearest(int32_t(i)); };
    const bool rising = !is_mirrored();
    const auto first_where = [&](auto&& predicate) {  // predicate is false, then true
        int64_t lo = b, hi = e;
        while (lo < hi) {
            const int64_t mid = lo + (hi - lo) / 2;
            if (predicate(inside_from(mid)))
                hi = mid;
            else
                lo = mid + 1;
        }
        return lo;
    };
    const int64_t from = first_where([&](int64_t s) { return rising ? s >= 0 : s < src_limit; });
    const int64_t to = first_where([&](int64_t s) { return rising ? s >= src_limit : s < 0; });
    if (from >= to) return;
    begin = int32_t(from);
    end = int32_t(to);
    const int32_t s0 = nearest(begin), s1 = nearest(end - 1);
    src_begin = std::min(s0, s1);
    src_end = std::max(s0, s1) + 1;
}

int32_t BlitAxis::nearest(int32_t i) const {
    const Wide at = src_ + floor_div(Wide(2 * (i - dst_) + 1) * src_size_, 2 * dst_size_);
    return int32_t(std::clamp<Wide>(at, INT32_MIN, INT32_MAX));
}

void BlitAxis::linear(int32_t i, int32_t* first, int32_t* second, float* weight) const {
    const Wide numerator = Wide(2 * (i - dst_) + 1) * src_size_ - dst_size_, denominator = 2 * dst_size_;
    const Wide whole = floor_div(numerator, denominator);
    *weight = float(double(numerator - whole * denominator) / double(denominator));
    *first = int32_t(std::clamp<Wide>(src_ + whole, 0, src_limit_ - 1));
    *second = int32_t(std::clamp<Wide>(src_ + whole + 1, 0, src_limit_ - 1));
}

}  // namespace terrazzo::pipe::detail
