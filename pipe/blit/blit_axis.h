// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One dimension of a blit, in exact rational arithmetic: the destination pixels that are written, and the
// position of each one's sample in the source. Internal to pipe/blit and to 2D engines of virtual GPUs.
#pragma once

#include <cstdint>

namespace terrazzo::pipe::detail {

class BlitAxis {
  public:
    /// Maps [src, src + src_size) to [dst, dst + dst_size); sizes may be negative. Destination pixels are
    /// limited to [low, high), source pixels to [0, src_limit).
    BlitAxis(int64_t src, int64_t src_size, int64_t dst, int64_t dst_size, int64_t low, int64_t high,
             int64_t src_limit);

    /// The destination pixels that are written: [begin, end).
    int32_t begin = 0, end = 0;
    /// The source pixels that nearest sampling reads: [src_begin, src_end).
    int32_t src_begin = 0, src_end = 0;

    bool empty() const { return begin >= end; }
    bool is_scaled() const { return src_size_ != dst_size_ && src_size_ != -dst_size_; }
    bool is_mirrored() const { return (src_size_ < 0) != (dst_size_ < 0); }

    /// The source pixel that contains the sample position of destination pixel i.
    int32_t nearest(int32_t i) const;
    /// The two source pixels around the sample position, clamped to the source, and the weight of the second
    /// one.
    void linear(int32_t i, int32_t* first, int32_t* second, float* weight) const;

  private:
    int64_t src_, src_size_, dst_, dst_size_, src_limit_;
};

}  // namespace terrazzo::pipe::detail
