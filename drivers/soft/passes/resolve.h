// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resolves samples to one colour per pixel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipe/format.h"

namespace terrazzo::soft {

/// A rectangle of pixels of `format`.
struct PixelRows {
    uint8_t* data = nullptr;  // the first pixel
    size_t row_stride_B = 0;
    pipe::Format format = pipe::Format::None;
};

/// Whether samples of `from` can be resolved to `to`: both have float-valued colours.
[[nodiscard]] bool can_resolve(pipe::Format to, pipe::Format from);
/// Each pixel becomes the mean of its samples, which are in `samples` planes, `sample_stride_B` apart. 2, 4
/// or 8 samples; can_resolve() must be true.
void resolve_samples(const PixelRows& to, const PixelRows& from, uint64_t sample_stride_B, uint32_t samples,
                     uint32_t width_px, uint32_t height_px);

}  // namespace terrazzo::soft
