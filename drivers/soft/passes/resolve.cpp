// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/resolve.h"

#include <algorithm>
#include <cstring>

#include "drivers/soft/binning/pipeline_limits.h"

namespace terrazzo::soft {

namespace {

/// The mean of `samples` rows of pixels that are `stride_B` apart, for formats with float-valued colours.
void average_rows(const pipe::FormatOps& from, const pipe::FormatOps& to, const uint8_t* src,
                  uint64_t stride_B, uint32_t src_pixel_B, uint8_t* dst, uint32_t dst_pixel_B,
                  uint32_t samples, uint32_t count) {
    constexpr uint32_t kChunk_px = 64;
    float sum[kChunk_px * 4], one[kChunk_px * 4];
    const float scale = 1.0f / float(samples);
    for (uint32_t x = 0; x < count; x += kChunk_px) {
        const uint32_t n = std::min(kChunk_px, count - x);
        from.unpack_f32(sum, src + size_t(x) * src_pixel_B, n);
        for (uint32_t s = 1; s < samples; ++s) {
            from.unpack_f32(one, src + s * stride_B + size_t(x) * src_pixel_B, n);
            for (uint32_t i = 0; i < n * 4; ++i)
                sum[i] += one[i];
        }
        for (uint32_t i = 0; i < n * 4; ++i)
            sum[i] *= scale;
        to.pack_f32(dst + size_t(x) * dst_pixel_B, sum, n);
    }
}

constexpr uint32_t kChunk_px = 256, kChunk_B = kChunk_px * 4;

bool has_four_bytes(const pipe::FormatInfo& f) {
    if (f.is_srgb || f.block_B != 4 || f.is_compressed || f.layout != pipe::FormatLayout::Plain) return false;
    for (unsigned c = 0; c < f.channel_count; ++c)
        if (f.channel[c].bits != 8) return false;
    return f.channel[0].type == pipe::ChannelType::Unorm;
}

/// The same for four bytes per pixel in fixed point; ties go to even, as packing from floats rounds. The
/// chunk's length is constant, so that compilers vectorise the loop.
template <uint32_t kSamples>
void average_bytes(const uint8_t* src, uint64_t stride_B, uint8_t* dst) {
    constexpr uint32_t kShift = uint32_t(__builtin_ctz(kSamples)), kHalf = kSamples / 2;
    for (uint32_t i = 0; i < kChunk_B; ++i) {
        uint16_t sum = 0;
        for (uint32_t s = 0; s < kSamples; ++s)
            sum = uint16_t(sum + src[s * stride_B + i]);
        dst[i] = uint8_t((sum + kHalf - 1 + (sum >> kShift & 1)) >> kShift);
    }
}

/// Rows of pixels with four bytes in source and destination.
void average_bytes(pipe::Format to, uint8_t* dst, pipe::Format from, const uint8_t* src, uint64_t stride_B,
                   uint32_t samples, uint32_t count) {
    alignas(32) uint8_t texels[kMaxSamples * kChunk_B], mean[kChunk_B];
    for (uint32_t done = 0; done < count; done += kChunk_px) {
        const uint32_t part = std::min(kChunk_px, count - done);
        const uint8_t* p = src + size_t(done) * 4;
        uint64_t chunk_stride_B = stride_B;
        if (part < kChunk_px) {
            std::memset(texels, 0, sizeof texels);
            for (uint32_t s = 0; s < samples; ++s)
                std::memcpy(texels + s * kChunk_B, p + s * stride_B, part * 4);
            p = texels;
            chunk_stride_B = kChunk_B;
        }
        (samples == 2   ? average_bytes<2>
         : samples == 4 ? average_bytes<4>
                        : average_bytes<8>)(p, chunk_stride_B, mean);
        (void)pipe::convert_rect(to, dst + size_t(done) * 4, kChunk_B, from, mean, kChunk_B, part, 1);
    }
}

}  // namespace

bool can_resolve(pipe::Format to, pipe::Format from) {
    return pipe::format_ops(from).unpack_f32 && pipe::format_ops(to).pack_f32 &&
           !pipe::format_info(from).is_depth_stencil() && !pipe::format_info(to).is_depth_stencil();
}

void resolve_samples(const PixelRows& to, const PixelRows& from, uint64_t sample_stride_B, uint32_t samples,
                     uint32_t width_px, uint32_t height_px) {
    const pipe::FormatInfo &from_info = pipe::format_info(from.format),
                           &to_info = pipe::format_info(to.format);
    const pipe::FormatOps &from_ops = pipe::format_ops(from.format), &to_ops = pipe::format_ops(to.format);
    const bool bytes = has_four_bytes(from_info) && has_four_bytes(to_info);
    for (uint32_t y = 0; y < height_px; ++y) {
        const uint8_t* const p = from.data + y * from.row_stride_B;
        uint8_t* const q = to.data + y * to.row_stride_B;
        if (bytes)
            average_bytes(to.format, q, from.format, p, sample_stride_B, samples, width_px);
        else
            average_rows(from_ops, to_ops, p, sample_stride_B, from_info.block_B, q, to_info.block_B, samples,
                         width_px);
    }
}

}  // namespace terrazzo::soft
