// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inverts hw/format_rows.inc: finds the pipe format for a code, component order and clump.
#include "drivers/mali/sim/units/format.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/common/wave/lanes.h"

namespace terrazzo::mali::sim {

namespace {

using hw::ClumpFormat;
using hw::ComponentOrder;
using hw::PixelFormatCode;

// The source of each of four components, by order; 4: zero, 5: one.
struct OrderRow {
    ComponentOrder order;
    uint8_t from[4];
};
constexpr OrderRow kOrders[] = {
    {ComponentOrder::RGBA, {0, 1, 2, 3}},  {ComponentOrder::GRBA, {1, 0, 2, 3}},
    {ComponentOrder::BGRA, {2, 1, 0, 3}},  {ComponentOrder::ARGB, {3, 0, 1, 2}},
    {ComponentOrder::AGRB, {3, 1, 0, 2}},  {ComponentOrder::ABGR, {3, 2, 1, 0}},
    {ComponentOrder::RGB1, {0, 1, 2, 5}},  {ComponentOrder::GRB1, {1, 0, 2, 5}},
    {ComponentOrder::BGR1, {2, 1, 0, 5}},  {ComponentOrder::N1RGB, {5, 0, 1, 2}},
    {ComponentOrder::N1GRB, {5, 1, 0, 2}}, {ComponentOrder::N1BGR, {5, 2, 1, 0}},
    {ComponentOrder::RRRR, {0, 0, 0, 0}},  {ComponentOrder::RRR1, {0, 0, 0, 5}},
    {ComponentOrder::RRRA, {0, 0, 0, 3}},  {ComponentOrder::N000A, {4, 4, 4, 3}},
    {ComponentOrder::N0001, {4, 4, 4, 5}}, {ComponentOrder::N0000, {4, 4, 4, 4}},
    {ComponentOrder::R000, {0, 4, 4, 4}},  {ComponentOrder::RBGA, {0, 2, 1, 3}},
};

// Of formats that share a row, this selects the one with integers, since the unit reads integers.
bool is_plain(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    for (unsigned c = 0; c < info.channel_count; ++c)
        if (info.channel[c].type == pipe::ChannelType::Uscaled ||
            info.channel[c].type == pipe::ChannelType::Sscaled)
            return false;
    return true;
}

template <class Fits>
pipe::Format find_format(Fits&& fits) {
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const auto f = pipe::Format(i);
        const hw::FormatRow* row = hw::format_row(f);
        if (row && is_plain(f) && fits(f, *row)) return f;
    }
    return pipe::Format::None;
}

// The same code in its default order, then reordered.
FormatReader reordered(uint32_t pixel_format, bool vertex) {
    const auto order = std::find_if(std::begin(kOrders), std::end(kOrders), [&](const OrderRow& o) {
        return o.order == hw::pixel_format_order(pixel_format);
    });
    if (order == std::end(kOrders) || (pixel_format & 0xf00)) return {};
    const uint32_t code = pixel_format & ~0xfffu;
    const pipe::Format plain = find_format([&](pipe::Format f, const hw::FormatRow& row) {
        const ComponentOrder o = hw::pixel_format_order(row.pixel_format);
        return (row.pixel_format & ~0xfffu) == code && (vertex ? row.is_vertex : row.is_texture) &&
               !pipe::format_info(f).is_compressed && !pipe::format_info(f).has_stencil &&
               (o == ComponentOrder::RGBA || o == ComponentOrder::RGB1);
    });
    if (plain == pipe::Format::None) return {};
    FormatReader r = units::format_reader(plain);
    std::copy_n(order->from, 4, r.from);
    return r;
}

}  // namespace

FormatReader attribute_format(uint32_t pixel_format) {
    const pipe::Format f = find_format([&](pipe::Format, const hw::FormatRow& row) {
        return row.is_vertex && row.pixel_format == pixel_format;
    });
    return f != pipe::Format::None ? units::format_reader(f) : reordered(pixel_format, true);
}

FormatReader texture_format(uint32_t pixel_format, ClumpFormat clump) {
    // Stencil combined with depth: the reader reads the whole pixel.
    if (hw::pixel_format_code(pixel_format) == PixelFormatCode::S8) {
        FormatReader r;
        if (clump == ClumpFormat::S8) r = units::format_reader(pipe::Format::S8_UINT);
        if (clump == ClumpFormat::X24S8) r = units::format_reader(pipe::Format::D24_UNORM_S8_UINT);
        if (!r) return r;
        r.depth = false;
        r.stencil = true;
        r.kind = NumberKind::Uint;
        // Stencil is the second component; GRBA has it first.
        const bool first = hw::pixel_format_order(pixel_format) == ComponentOrder::GRBA;
        const uint8_t from[4] = {first ? uint8_t(0) : units::kZero, first ? units::kZero : uint8_t(0),
                                 units::kZero, units::kOne};
        std::copy_n(from, 4, r.from);
        return r;
    }
    const pipe::Format f = find_format([&](pipe::Format, const hw::FormatRow& row) {
        return (row.is_texture || row.is_render_target) && row.pixel_format == pixel_format &&
               row.clump == clump;
    });
    if (f != pipe::Format::None) return units::format_reader(f);
    return reordered(pixel_format, false);
}

FormatReader astc_format(unsigned w, unsigned h, bool srgb) {
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const pipe::FormatInfo& info = pipe::format_info(pipe::Format(i));
        if (info.layout == pipe::FormatLayout::Astc && info.block_w_px == w && info.block_h_px == h &&
            info.is_srgb == srgb)
            return units::format_reader(pipe::Format(i));
    }
    return {};
}

uint32_t to_register(isa::RegisterFormat format, NumberKind kind, uint32_t bits) {
    using F = isa::RegisterFormat;
    const auto as_float = [&] {
        return kind == NumberKind::Float  ? std::bit_cast<float>(bits)
               : kind == NumberKind::Uint ? float(bits)
                                          : float(int32_t(bits));
    };
    switch (format) {
        case F::kAuto:
            return bits;
        case F::kF32:
            return std::bit_cast<uint32_t>(as_float());
        case F::kF16:
            return wave::to_half(double(as_float()));
        case F::kS32:
            return kind == NumberKind::Float ? uint32_t(wave::to_s32(as_float(), wave::Round::NearestEven))
                                             : bits;
        case F::kU32:
            return kind == NumberKind::Float ? wave::to_u32(as_float(), wave::Round::NearestEven) : bits;
        case F::kS16:
            return kind == NumberKind::Float ? uint16_t(wave::to_s16(as_float(), wave::Round::NearestEven))
                                             : uint16_t(std::clamp(int32_t(bits), -32768, 32767));
        case F::kU16:
            return kind == NumberKind::Float ? wave::to_u16(as_float(), wave::Round::NearestEven)
                                             : std::min(bits, 65535u);
    }
    return bits;
}

}  // namespace terrazzo::mali::sim
