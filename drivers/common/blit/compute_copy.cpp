// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blit/compute_copy.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace terrazzo::blits {

Element element_of(pipe::Format format) {
    const uint32_t block_B = pipe::format_info(format).block_B, parts = block_B >> std::countr_zero(block_B);
    return {block_B / parts, parts};
}

CopyUniforms CopyRegion::uniforms(uint32_t row_stride_B) const {
    return {.from_x = from_x,
            .from_y = from_y,
            .to_x = to_x,
            .to_y = to_y,
            .last_x = width - 1,
            .last_y = height - 1,
            .row_stride_B = row_stride_B,
            .halve_x = halve_x,
            .halve_y = halve_y};
}

CopyRegion copy_region_of(pipe::Format src, const pipe::Box& from, pipe::Format dst, const pipe::Box& to) {
    CopyRegion r;
    const auto place = [](pipe::Format format, const pipe::Box& box, uint32_t* x, uint32_t* y) {
        const pipe::FormatInfo& f = pipe::format_info(format);
        *x = uint32_t(box.x) / f.block_w_px * element_of(format).per_block;
        *y = uint32_t(box.y) / f.block_h_px;
    };
    place(src, from, &r.from_x, &r.from_y);
    place(dst, to, &r.to_x, &r.to_y);
    const pipe::FormatInfo& f = pipe::format_info(dst);
    r.width = (uint32_t(to.width) + f.block_w_px - 1) / f.block_w_px * element_of(dst).per_block;
    r.height = (uint32_t(to.height) + f.block_h_px - 1) / f.block_h_px;
    return r;
}

bool pack_as(pipe::Format format, CopyKey* key) {
    const pipe::FormatInfo& f = pipe::format_info(format);
    if (f.layout != pipe::FormatLayout::Plain || f.is_srgb || !f.is_color ||
        !std::has_single_bit(f.block_B) || f.block_B > 4)
        return false;
    unsigned at = 0;
    for (unsigned c = 0; c < f.channel_count; ++c) {
        const pipe::ChannelInfo& channel = f.channel[c];
        if (channel.shift != at || (channel.type != pipe::ChannelType::Unorm && channel.letter != 'X'))
            return false;
        const std::string_view letters = "RGBA";
        const size_t component = channel.letter == 'L' ? 0 : letters.find(channel.letter);
        key->unorm_bits[c] = channel.bits;
        key->component[c] = component < 4 ? uint8_t(component) : kCopyOne;
        at += channel.bits;
    }
    key->element_B = f.block_B;
    return at == f.block_B * 8u;
}

bool is_bytes(pipe::Format format) {
    CopyKey key;
    return pack_as(format, &key) && std::all_of(key.unorm_bits.begin(), key.unorm_bits.end(),
                                                [](uint8_t bits) { return !bits || bits == 8; });
}

void drop_srgb(pipe::Format* a, pipe::Format* b) {
    if (!pipe::format_info(*a).is_srgb || !pipe::format_info(*b).is_srgb) return;
    *a = pipe::format_to_linear(*a);
    *b = pipe::format_to_linear(*b);
}

bool same_bytes(const CopyLevel& dst, const pipe::Box& to, const CopyLevel& src, const pipe::Box& from) {
    const auto whole = [](const pipe::LevelLayout& l, const pipe::Box& b) {
        return uint32_t(b.width) == l.width && uint32_t(b.height) == l.height;
    };
    const pipe::SurfaceLayout &a = dst.layout, &b = src.layout;
    const pipe::LevelLayout &d = dst.at(), &s = src.at();
    // The memory between the rows of a linear image may contain other data, which must not be overwritten.
    if (a.tiling == pipe::Tiling::Linear && pipe::format_row_B(a.format, d.width) != d.row_stride_B)
        return false;
    return whole(d, to) && whole(s, from) && a.tiling == b.tiling && a.block_w_px == b.block_w_px &&
           a.block_h_px == b.block_h_px && d.row_stride_B == s.row_stride_B &&
           d.slice_stride_B == s.slice_stride_B;
}

bool converts_or_halves(const pipe::BlitInfo& info, const pipe::SurfaceLayout& src,
                        const pipe::SurfaceLayout& dst, bool* halved) {
    const pipe::Box &from = info.src.box, &to = info.dst.box;
    const auto halves = [](int32_t a, int32_t b) { return a == 2 * b || (a == 1 && b == 1); };
    const bool same_size = from.width == to.width && from.height == to.height;
    *halved = !same_size && info.filter == pipe::Filter::Linear && halves(from.width, to.width) &&
              halves(from.height, to.height);
    if (!info.color || info.scissored || from.depth != to.depth || from.width <= 0 || from.height <= 0 ||
        from.depth <= 0 || !(*halved || (same_size && info.src.format != info.dst.format)))
        return false;
    return (info.dst.resource != info.src.resource || info.dst.level != info.src.level) &&
           src.kind != pipe::ResourceKind::Buffer && dst.kind != pipe::ResourceKind::Buffer &&
           pipe::layout_box_valid(src, info.src.level, from) &&
           pipe::layout_box_valid(dst, info.dst.level, to);
}

ByteCopy first_bytes(uint64_t from, uint64_t to, uint64_t rest_B, uint32_t align_B, uint32_t extent) {
    constexpr uint64_t kRow_el = 4096;
    ByteCopy c;
    const auto aligned = unsigned(std::countr_zero(from | to));
    c.element_B = uint8_t(1u << std::min({aligned, 4u, unsigned(std::bit_width(rest_B)) - 1}));
    c.before_B = from % align_B;
    const uint64_t count = rest_B / c.element_B;
    // If the texture begins before the first byte, its rows are longer than the copied ones: several rows
    // would overlap.
    c.region.from_x = uint32_t(c.before_B / c.element_B);
    c.region.height = c.region.from_x ? 1 : uint32_t(std::clamp<uint64_t>(count / kRow_el, 1, extent));
    c.region.width = uint32_t(
        c.region.height > 1 ? kRow_el : std::min<uint64_t>(count, c.region.from_x ? extent / 2 : kRow_el));
    c.stride_B = c.region.width * c.element_B;
    c.size_B = uint64_t(c.stride_B) * c.region.height;
    return c;
}

}  // namespace terrazzo::blits
