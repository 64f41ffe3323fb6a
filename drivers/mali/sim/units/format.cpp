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

// The unit reads integers as they are.
bool is_scaled(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    return std::any_of(info.channel, info.channel + info.channel_count, [](const pipe::ChannelInfo& c) {
        return c.type == pipe::ChannelType::Uscaled || c.type == pipe::ChannelType::Sscaled;
    });
}

constexpr uint32_t kOrder = 0xfff, kAnyOrder = 1u << 31;  // in numbers of formats

uint32_t number_of(uint32_t pixel_format, ClumpFormat clump) {
    return pixel_format | unsigned(clump) << 24;
}

struct Numbers {
    units::FormatNumbers attributes, textures;

    Numbers() {
        for (size_t i = 1; i < pipe::kFormatCount; ++i) {
            const auto f = pipe::Format(i);
            const hw::FormatRow* const row = hw::format_row(f);
            if (!row || is_scaled(f)) continue;
            const uint32_t number = row->pixel_format;
            if (row->is_vertex) attributes.add(number, f);
            if (row->is_texture || row->is_render_target) textures.add(number_of(number, row->clump), f);
            // With its components in order, for formats with others.
            const ComponentOrder order = hw::pixel_format_order(number);
            const pipe::FormatInfo& info = pipe::format_info(f);
            if (info.is_compressed || info.has_stencil ||
                (order != ComponentOrder::RGBA && order != ComponentOrder::RGB1))
                continue;
            if (row->is_vertex) attributes.add((number & ~kOrder) | kAnyOrder, f);
            if (row->is_texture) textures.add((number & ~kOrder) | kAnyOrder, f);
        }
    }
    static const Numbers& get() {
        static const Numbers numbers;
        return numbers;
    }
};

// A format that is only known with another order of components.
FormatReader reordered(const units::FormatNumbers& numbers, uint32_t pixel_format) {
    const auto order = std::find_if(std::begin(kOrders), std::end(kOrders), [&](const OrderRow& o) {
        return o.order == hw::pixel_format_order(pixel_format);
    });
    if (order == std::end(kOrders) || (pixel_format & 0xf00)) return {};
    return units::format_reader(numbers.find((pixel_format & ~kOrder) | kAnyOrder), order->from);
}

}  // namespace

FormatReader attribute_format(uint32_t pixel_format) {
    const units::FormatNumbers& numbers = Numbers::get().attributes;
    const pipe::Format f = numbers.find(pixel_format);
    return f != pipe::Format::None ? units::format_reader(f) : reordered(numbers, pixel_format);
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
    const units::FormatNumbers& numbers = Numbers::get().textures;
    const pipe::Format f = numbers.find(number_of(pixel_format, clump));
    return f != pipe::Format::None ? units::format_reader(f) : reordered(numbers, pixel_format);
}

FormatReader memory_format(uint32_t pixel_format) {
    FormatReader format = attribute_format(pixel_format);
    for (const ClumpFormat clump : {ClumpFormat::RAW32, ClumpFormat::A8})
        if (!format) format = texture_format(pixel_format, clump);
    return format;
}

units::ColorRegisters registers_of(const wave::U32* in, unsigned count, isa::RegisterFormat f) {
    units::ColorRegisters out;
    out.halves = is_half(f);
    out.kind = f == isa::RegisterFormat::kS16   ? NumberKind::Sint
               : f == isa::RegisterFormat::kU16 ? NumberKind::Uint
                                                : NumberKind::Float;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned reg = out.halves ? c / 2 : c;
        out.channel[c] = reg < count ? &in[reg] : nullptr;
        out.shift[c] = out.halves ? uint8_t(c % 2 * 16) : uint8_t(0);
    }
    return out;
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
