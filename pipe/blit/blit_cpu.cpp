// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU engine, used if no other supports the copy: maps both sides and works row by row. Unscaled rows are
// converted by convert_rect. Others are unpacked to float, integer, depth or stencil values (or stay bytes if
// the format does not change), gathered or filtered, and packed. In multisampled maps the samples of a pixel
// are adjacent.
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "pipe/blit/blit.h"
#include "pipe/blit/blit_plan.h"
#include "pipe/blit/map_scope.h"

namespace terrazzo::pipe {

namespace {

using detail::BlitAxis;
using detail::BlitPlan;
using detail::BlitValue;

// One 2D image of the source, for the row functions: `data` is pixel (x0, y0) of the level.
struct SourceImage {
    const uint8_t* data = nullptr;
    ptrdiff_t stride_B = 0;
    int32_t x0 = 0, y0 = 0, width = 0;
    uint32_t pixel_B = 0;  // of all samples
    uint32_t samples = 1;
    const uint8_t* row(int32_t y) const { return data + ptrdiff_t(y - y0) * stride_B; }
};

struct TargetImage {
    uint8_t* data = nullptr;  // pixel (plan.x.begin, plan.y.begin)
    ptrdiff_t stride_B = 0;
    uint8_t* row(int32_t i) const { return data + ptrdiff_t(i) * stride_B; }
};

void blit_raw(const BlitPlan& plan, const SourceImage& src, const TargetImage& dst) {
    const int32_t count = plan.x.end - plan.x.begin;
    const bool straight = !plan.x.is_scaled() && !plan.x.is_mirrored();
    std::vector<uint32_t> from(straight ? 0 : size_t(count));
    for (size_t i = 0; i < from.size(); ++i)
        from[i] = uint32_t(plan.x.nearest(plan.x.begin + int32_t(i)) - src.x0) * src.pixel_B;
    for (int32_t y = plan.y.begin; y < plan.y.end; ++y) {
        const uint8_t* s = src.row(plan.y.nearest(y));
        uint8_t* d = dst.row(y - plan.y.begin);
        if (straight) {
            std::memcpy(d, s + size_t(plan.x.src_begin - src.x0) * src.pixel_B, size_t(count) * src.pixel_B);
            continue;
        }
        for (int32_t i = 0; i < count; ++i, d += src.pixel_B)
            std::memcpy(d, s + from[size_t(i)], src.pixel_B);
    }
}

// The last two unpacked source rows: N values of T per pixel.
template <class T, unsigned N>
class RowCache {
  public:
    using Unpack = void (*)(T* dst, const void* src, size_t count);
    RowCache(const SourceImage& src, Unpack unpack)
        : src_(src), unpack_(unpack), samples_(size_t(src.width) * src.samples * N) {
        for (Row& r : rows_)
            r.values.resize(size_t(src.width) * N);
    }
    const T* get(int32_t y) {
        // Replaces the row that was not requested last: linear filtering needs two rows.
        for (unsigned i = 0; i < 2; ++i) {
            if (!rows_[i].filled || rows_[i].y != y) continue;
            next_ = i ^ 1;
            return rows_[i].values.data();
        }
        Row& r = rows_[next_];
        next_ ^= 1;
        r.y = y;
        r.filled = true;
        if (src_.samples == 1)
            unpack_(r.values.data(), src_.row(y), size_t(src_.width));
        else
            resolve(r.values.data(), y);
        return r.values.data();
    }

  private:
    struct Row {
        int32_t y = 0;
        bool filled = false;
        std::vector<T> values;
    };
    // Colours are averaged. For integers, depth (N == 1) and stencil the result is sample 0.
    void resolve(T* out, int32_t y) {
        unpack_(samples_.data(), src_.row(y), size_t(src_.width) * src_.samples);
        const T* in = samples_.data();
        for (int32_t x = 0; x < src_.width; ++x, out += N, in += N * src_.samples)
            for (unsigned c = 0; c < N; ++c) {
                T sum = in[c];
                if constexpr (std::is_same_v<T, float> && N == 4) {
                    for (uint32_t s = 1; s < src_.samples; ++s)
                        sum += in[s * N + c];
                    sum /= T(src_.samples);
                }
                out[c] = sum;
            }
    }
    const SourceImage& src_;
    Unpack unpack_;
    std::vector<T> samples_;
    Row rows_[2];
    unsigned next_ = 0;
};

template <class T, unsigned N>
void blit_nearest(const BlitPlan& plan, const SourceImage& src, const TargetImage& dst,
                  typename RowCache<T, N>::Unpack unpack, void (*pack)(void*, const T*, size_t)) {
    RowCache<T, N> rows(src, unpack);
    const size_t count = size_t(plan.x.end - plan.x.begin);
    std::vector<size_t> from(count);
    std::vector<T> out(count * N);
    for (size_t i = 0; i < count; ++i)
        from[i] = size_t(plan.x.nearest(plan.x.begin + int32_t(i)) - src.x0) * N;
    for (int32_t y = plan.y.begin; y < plan.y.end; ++y) {
        const T* row = rows.get(plan.y.nearest(y));
        for (size_t i = 0; i < count; ++i)
            for (unsigned c = 0; c < N; ++c)
                out[i * N + c] = row[from[i] + c];
        pack(dst.row(y - plan.y.begin), out.data(), count);
    }
}

void blit_linear(const BlitPlan& plan, const SourceImage& src, const TargetImage& dst, const FormatOps& from,
                 const FormatOps& to) {
    struct Tap {
        size_t a, b;
        float weight;
    };
    RowCache<float, 4> rows(src, from.unpack_f32);
    const size_t count = size_t(plan.x.end - plan.x.begin);
    std::vector<Tap> taps(count);
    std::vector<float> out(count * 4);
    int32_t a, b;
    for (size_t i = 0; i < count; ++i) {
        plan.x.linear(plan.x.begin + int32_t(i), &a, &b, &taps[i].weight);
        taps[i].a = size_t(a - src.x0) * 4, taps[i].b = size_t(b - src.x0) * 4;
    }
    for (int32_t y = plan.y.begin; y < plan.y.end; ++y) {
        float v;
        plan.y.linear(y, &a, &b, &v);
        const float *r0 = rows.get(a), *r1 = rows.get(b);
        for (size_t i = 0; i < count; ++i) {
            const Tap& t = taps[i];
            for (unsigned c = 0; c < 4; ++c) {
                const float top = r0[t.a + c] + (r0[t.b + c] - r0[t.a + c]) * t.weight;
                const float bottom = r1[t.a + c] + (r1[t.b + c] - r1[t.a + c]) * t.weight;
                out[i * 4 + c] = top + (bottom - top) * v;
            }
        }
        to.pack_f32(dst.row(y - plan.y.begin), out.data(), count);
    }
}

// Handles copies of the same size, which may be upside down, without buffers of values.
bool try_convert_rect(const BlitInfo& info, const BlitPlan& plan, const SourceImage& src,
                      const TargetImage& dst) {
    if (src.samples != 1 || plan.x.is_scaled() || plan.y.is_scaled() || plan.x.is_mirrored()) return false;
    if (plan.value == BlitValue::DepthStencil) {
        const FormatInfo &from = format_info(info.src.format), &to = format_info(info.dst.format);
        if (plan.depth != (from.has_depth && to.has_depth) ||
            plan.stencil != (from.has_stencil && to.has_stencil))
            return false;
    }
    const uint8_t* first =
        src.row(plan.y.nearest(plan.y.begin)) + size_t(plan.x.src_begin - src.x0) * src.pixel_B;
    return convert_rect(info.dst.format, dst.data, dst.stride_B, info.src.format, first,
                        plan.y.is_mirrored() ? -src.stride_B : src.stride_B,
                        uint32_t(plan.x.end - plan.x.begin), uint32_t(plan.y.end - plan.y.begin));
}

void blit_image(const BlitInfo& info, const BlitPlan& plan, const SourceImage& src, const TargetImage& dst,
                Format src_format) {
    if (plan.value == BlitValue::Raw) return blit_raw(plan, src, dst);
    if (src_format == info.src.format && try_convert_rect(info, plan, src, dst)) return;
    const FormatOps &from = format_ops(src_format), &to = format_ops(info.dst.format);
    switch (plan.value) {
        case BlitValue::Raw:
            break;
        case BlitValue::Float:
            if (plan.linear)
                blit_linear(plan, src, dst, from, to);
            else
                blit_nearest<float, 4>(plan, src, dst, from.unpack_f32, to.pack_f32);
            break;
        case BlitValue::Uint:
            blit_nearest<uint32_t, 4>(plan, src, dst, from.unpack_u32, to.pack_u32);
            break;
        case BlitValue::Sint:
            blit_nearest<int32_t, 4>(plan, src, dst, from.unpack_s32, to.pack_s32);
            break;
        case BlitValue::DepthStencil:
            if (plan.depth) blit_nearest<float, 1>(plan, src, dst, from.unpack_depth, to.pack_depth);
            if (plan.stencil) blit_nearest<uint8_t, 1>(plan, src, dst, from.unpack_stencil, to.pack_stencil);
            break;
    }
}

// The part of the source level that is read, in whole blocks, with a margin for linear filtering.
Box source_box(const BlitInfo& info, const BlitPlan& plan) {
    const Box level = detail::level_box(info.src.resource->desc, info.src.level);
    const FormatInfo& f = format_info(info.src.format);
    const int32_t margin = plan.linear ? 1 : 0;
    const auto range = [&](int32_t begin, int32_t end, int32_t size, int32_t block, int32_t* at,
                           int32_t* extent) {
        begin = std::max(begin - margin, 0) / block * block;
        end = std::min((end + margin + block - 1) / block * block, size);
        *at = begin;
        *extent = end - begin;
    };
    Box b;
    range(plan.x.src_begin, plan.x.src_end, level.width, f.block_w_px, &b.x, &b.width);
    range(plan.y.src_begin, plan.y.src_end, level.height, f.block_h_px, &b.y, &b.height);
    b.z = plan.z.src_begin;
    b.depth = plan.z.src_end - plan.z.src_begin;
    return b;
}

// Copies the rectangle between compressed images, in whole blocks.
void copy_blocks(const BlitInfo& info, const BlitPlan& plan, const SourceImage& src, const TargetImage& dst) {
    const FormatInfo& f = format_info(info.dst.format);
    const uint8_t* s = src.data + ptrdiff_t((plan.y.src_begin - src.y0) / f.block_h_px) * src.stride_B +
                       size_t((plan.x.src_begin - src.x0) / f.block_w_px) * f.block_B;
    const bool copied =
        convert_rect(info.dst.format, dst.data, dst.stride_B, info.src.format, s, src.stride_B,
                     uint32_t(plan.x.end - plan.x.begin), uint32_t(plan.y.end - plan.y.begin));
    (void)copied;  // never fails for equal formats
}

// A temporary copy of source pixels: of an image that is also written, or of decoded blocks.
struct TemporaryCopy {
    std::vector<uint8_t> bytes;
    ptrdiff_t row_B = 0;
    size_t image_B = 0;
};

TemporaryCopy copy_source(const MapScope& map, const Box& box, const FormatInfo& f, uint32_t samples,
                          bool decode) {
    TemporaryCopy a;
    const uint32_t rows = decode ? uint32_t(box.height) : format_block_rows(f.format, uint32_t(box.height));
    a.row_B =
        decode ? ptrdiff_t(box.width) * 16 : ptrdiff_t(format_row_B(f.format, uint32_t(box.width)) * samples);
    a.image_B = size_t(a.row_B) * rows;
    a.bytes.resize(a.image_B * size_t(box.depth));
    for (int32_t z = 0; z < box.depth; ++z) {
        uint8_t* out = a.bytes.data() + size_t(z) * a.image_B;
        if (decode) {
            const bool decoded =
                unpack_rect_f32(f.format, reinterpret_cast<float*>(out), a.row_B, map.row(0, z),
                                map.row_stride_B(), uint32_t(box.width), uint32_t(box.height));
            (void)decoded;  // plan_blit checked can_convert
            continue;
        }
        for (uint32_t y = 0; y < rows; ++y)
            std::memcpy(out + size_t(y) * size_t(a.row_B), map.row(y, z), size_t(a.row_B));
    }
    return a;
}

}  // namespace

BlitStatus blit_cpu(Context& context, const BlitInfo& info) {
    const BlitPlan plan = detail::plan_blit(info);
    if (!plan.possible) return BlitStatus::Unsupported;
    if (plan.empty()) return BlitStatus::Ok;
    Resource &src_resource = *info.src.resource, &dst_resource = *info.dst.resource;
    const FormatInfo& f = format_info(info.src.format);
    const Box from = source_box(info, plan);
    const Box to = {plan.x.begin,
                    plan.y.begin,
                    plan.z.begin,
                    plan.x.end - plan.x.begin,
                    plan.y.end - plan.y.begin,
                    plan.z.end - plan.z.begin};
    const bool decode = plan.src_is_compressed && !plan.dst_is_compressed;
    const bool same_image = &src_resource == &dst_resource && info.src.level == info.dst.level;
    TemporaryCopy copy;
    if (decode || same_image) {
        const MapScope map(context, src_resource, info.src.level, from, map_flag::kRead);
        if (!map) return BlitStatus::OutOfMemory;
        copy = copy_source(map, from, f, src_resource.desc.samples, decode);
    }
    const bool is_copied = !copy.bytes.empty();
    std::optional<MapScope> src_map;
    if (!is_copied && !src_map.emplace(context, src_resource, info.src.level, from, map_flag::kRead))
        return BlitStatus::OutOfMemory;
    const uint32_t write =
        plan.whole_pixels ? map_flag::kWrite | map_flag::kDiscardRange : map_flag::kWrite | map_flag::kRead;
    const MapScope dst_map(context, dst_resource, info.dst.level, to, write);
    if (!dst_map) return BlitStatus::OutOfMemory;
    for (int32_t z = plan.z.begin; z < plan.z.end; ++z) {
        const int32_t src_z = plan.z.nearest(z) - from.z;
        SourceImage src;
        src.samples = src_resource.desc.samples;
        src.pixel_B = decode ? 16 : f.block_B * src.samples;
        src.data = is_copied ? copy.bytes.data() + size_t(src_z) * copy.image_B : src_map->row(0, src_z);
        src.stride_B = is_copied ? copy.row_B : src_map->row_stride_B();
        src.x0 = from.x, src.y0 = from.y, src.width = from.width;
        const TargetImage dst = {dst_map.row(0, z - plan.z.begin), dst_map.row_stride_B()};
        if (plan.dst_is_compressed)
            copy_blocks(info, plan, src, dst);
        else
            blit_image(info, plan, src, dst, decode ? Format::R32G32B32A32_FLOAT : info.src.format);
    }
    return BlitStatus::Ok;
}

}  // namespace terrazzo::pipe
