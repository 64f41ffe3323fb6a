// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mipmap generation: each texel of a level is the average of the area that it covers in the level above. The
// arithmetic is float, or integer for 8-bit formats with even sizes. Drivers may generate levels of half the
// size themselves (Context::try_blit).
#include <algorithm>
#include <vector>

#include "pipe/blit/blit.h"
#include "pipe/blit/blit_plan.h"
#include "pipe/blit/map_scope.h"

namespace terrazzo::pipe {

namespace {

// The source texels of one destination texel: `first` and up to two more. A level has floor(size / 2) texels,
// so a size of 2n + 1 leads to windows of 2 + 1/n texels.
struct Window {
    int32_t first = 0, count = 0;
    float weight[3] = {};
};

std::vector<Window> make_windows(int32_t src_size, int32_t dst_size) {
    std::vector<Window> windows(static_cast<size_t>(dst_size));
    for (int64_t i = 0; i < dst_size; ++i) {
        // In units of 1 / dst_size source texels.
        const int64_t low = i * src_size, high = low + src_size;
        Window& w = windows[size_t(i)];
        w.first = int32_t(low / dst_size);
        const int64_t last = (high - 1) / dst_size;
        for (int64_t k = w.first; k <= last && w.count < 3; ++k) {
            const int64_t overlap = std::min(high, (k + 1) * dst_size) - std::max(low, k * dst_size);
            w.weight[w.count++] = float(double(overlap) / double(src_size));
        }
    }
    return windows;
}

bool is_bytes(const FormatInfo& f) {
    if (f.layout != FormatLayout::Plain || f.is_srgb) return false;
    for (unsigned i = 0; i < f.channel_count; ++i)
        if (f.channel[i].bits != 8 || (f.channel[i].type != ChannelType::Unorm && f.channel[i].letter != 'X'))
            return false;
    return true;
}

// Rounds to nearest, ties to even, as float packing does.
uint8_t average4(unsigned sum) {
    return uint8_t((sum + 1 + (sum >> 2 & 1)) >> 2);
}

// `twin_B`: the distance between the two averaged texels of a row; 0 if there is only one.
template <unsigned kPixel_B>
void halve_bytes(uint8_t* dst, const uint8_t* r0, const uint8_t* r1, int32_t count, unsigned twin_B) {
    for (int32_t x = 0; x < count; ++x, dst += kPixel_B, r0 += 2 * kPixel_B, r1 += 2 * kPixel_B)
        for (unsigned c = 0; c < kPixel_B; ++c)
            dst[c] = average4(unsigned(r0[c]) + r0[c + twin_B] + r1[c] + r1[c + twin_B]);
}

bool halves(int32_t from, int32_t to) {
    return from == 2 * to || from == 1;
}

void halve_image(const MapScope& src, const MapScope& dst, const Box& from, const Box& to, int32_t z,
                 unsigned pixel_B) {
    const unsigned twin_B = from.width == 1 ? 0 : pixel_B;
    for (int32_t y = 0; y < to.height; ++y) {
        const uint8_t *r0 = src.row(2 * y, z), *r1 = from.height == 1 ? r0 : src.row(2 * y + 1, z);
        uint8_t* out = dst.row(y, z);
        switch (pixel_B) {
            case 1:
                halve_bytes<1>(out, r0, r1, to.width, twin_B);
                break;
            case 2:
                halve_bytes<2>(out, r0, r1, to.width, twin_B);
                break;
            case 3:
                halve_bytes<3>(out, r0, r1, to.width, twin_B);
                break;
            default:
                halve_bytes<4>(out, r0, r1, to.width, twin_B);
                break;
        }
    }
}

class Averager {
  public:
    Averager(const FormatOps& ops, const Box& from, const Box& to, bool is_3d)
        : ops_(ops),
          columns_(make_windows(from.width, to.width)),
          rows_(make_windows(from.height, to.height)),
          unpacked_(size_t(from.width) * 4),
          sum_(size_t(from.width) * 4),
          out_(size_t(to.width) * 4) {
        if (is_3d) slices_ = make_windows(from.depth, to.depth);
    }

    void image(const MapScope& src, const MapScope& dst, int32_t z) {
        Window slice;
        slice.first = z, slice.count = 1, slice.weight[0] = 1;
        if (!slices_.empty()) slice = slices_[size_t(z)];
        for (size_t y = 0; y < rows_.size(); ++y) {
            std::fill(sum_.begin(), sum_.end(), 0.0f);
            for (int32_t k = 0; k < slice.count; ++k)
                for (int32_t j = 0; j < rows_[y].count; ++j)
                    add_row(src.row(rows_[y].first + j, slice.first + k),
                            slice.weight[k] * rows_[y].weight[j]);
            reduce_columns();
            ops_.pack_f32(dst.row(int64_t(y), z), out_.data(), columns_.size());
        }
    }

  private:
    void add_row(const uint8_t* row, float weight) {
        ops_.unpack_f32(unpacked_.data(), row, unpacked_.size() / 4);
        for (size_t i = 0; i < sum_.size(); ++i)
            sum_[i] += weight * unpacked_[i];
    }
    void reduce_columns() {
        for (size_t x = 0; x < columns_.size(); ++x) {
            const Window& w = columns_[x];
            const float* in = &sum_[size_t(w.first) * 4];
            float value[4] = {};
            for (int32_t k = 0; k < w.count; ++k, in += 4)
                for (unsigned c = 0; c < 4; ++c)
                    value[c] += w.weight[k] * in[c];
            std::copy_n(value, 4, &out_[x * 4]);
        }
    }
    const FormatOps& ops_;
    const std::vector<Window> columns_, rows_;
    std::vector<Window> slices_;
    std::vector<float> unpacked_, sum_, out_;
};

BlitStatus generate_level(Context& context, const MipmapInfo& info, uint32_t level) {
    const ResourceDesc& d = info.resource->desc;
    const bool is_3d = d.kind == ResourceKind::Tex3D;
    Box from = detail::level_box(d, level - 1), to = detail::level_box(d, level);
    if (!is_3d) {
        from.z = to.z = int32_t(info.first_layer);
        from.depth = to.depth = int32_t(info.layer_count);
    }
    const FormatInfo& f = format_info(info.format);
    const bool halved = !is_3d && halves(from.width, to.width) && halves(from.height, to.height);
    if (halved && context.try_blit({.src = {info.resource, info.format, level - 1, from},
                                    .dst = {info.resource, info.format, level, to},
                                    .filter = Filter::Linear}))
        return BlitStatus::Ok;
    Averager averager(format_ops(info.format), from, to, is_3d);
    const MapScope src(context, *info.resource, level - 1, from, map_flag::kRead);
    if (!src) return BlitStatus::OutOfMemory;
    const MapScope dst(context, *info.resource, level, to, map_flag::kWrite | map_flag::kDiscardRange);
    if (!dst) return BlitStatus::OutOfMemory;
    for (int32_t z = 0; z < to.depth; ++z) {
        if (halved && is_bytes(f))
            halve_image(src, dst, from, to, z, f.block_B);
        else
            averager.image(src, dst, z);
    }
    return BlitStatus::Ok;
}

}  // namespace

bool can_generate_mipmap(Format format) {
    const FormatInfo& f = format_info(format);
    return f.is_color && !f.is_pure_int() && !f.is_compressed && !f.is_vertex_only;
}

BlitStatus generate_mipmap(Context& context, const MipmapInfo& info) {
    if (!info.resource || !can_generate_mipmap(info.format)) return BlitStatus::Unsupported;
    const ResourceDesc& d = info.resource->desc;
    const uint64_t end_layer = uint64_t(info.first_layer) + info.layer_count;
    if (format_info(d.format).block_B != format_info(info.format).block_B || d.samples != 1 ||
        info.last_level >= d.levels || (d.kind != ResourceKind::Tex3D && end_layer > d.layers))
        return BlitStatus::Unsupported;
    for (uint32_t level = info.base_level + 1; level <= info.last_level; ++level)
        if (const BlitStatus s = generate_level(context, info, level); s != BlitStatus::Ok) return s;
    return BlitStatus::Ok;
}

}  // namespace terrazzo::pipe
