// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/state/vertex_layout.h"

namespace terrazzo::agx {

namespace {

using Kind = compiler::Attribute::Kind;

/// Whether the components in memory are R, G, B, A in this order, of 8, 16 or 32 bits.
bool has_plain_components(const pipe::FormatInfo& f) {
    if (f.layout != pipe::FormatLayout::Plain || !f.channel_count) return false;
    for (unsigned c = 0; c < f.channel_count; ++c)
        if (f.channel[c].bits != f.channel[0].bits || f.channel[c].type != f.channel[0].type ||
            f.swizzle[c] != pipe::Swizzle(c))
            return false;
    return true;
}

}  // namespace

compiler::Attribute four_floats() {
    return {.components = 4, .format = isa::Format::kI32, .kind = Kind::Bits};
}

std::optional<compiler::Attribute> fetched_attribute(pipe::Format format) {
    using enum pipe::ChannelType;
    const pipe::FormatInfo& f = pipe::format_info(format);
    if (!has_plain_components(f)) return std::nullopt;
    const unsigned bits = f.channel[0].bits;
    if (bits != 8 && bits != 16 && bits != 32) return std::nullopt;
    compiler::Attribute a;
    a.components = f.channel_count;
    a.format = bits == 8 ? isa::Format::kI8 : bits == 16 ? isa::Format::kI16 : isa::Format::kI32;
    switch (f.channel[0].type) {
        case Float:
            if (bits == 8) return std::nullopt;
            if (bits == 16) a.format = isa::Format::kF16;
            return a;
        case Unorm:
            if (bits == 32) return std::nullopt;
            a.format = bits == 8 ? isa::Format::kU8Norm : isa::Format::kU16Norm;
            return a;
        case Snorm:
            if (bits == 32) return std::nullopt;
            a.format = bits == 8 ? isa::Format::kS8Norm : isa::Format::kS16Norm;
            return a;
        case Uint:
            a.integer = true;
            return a;
        case Sint:
            a.integer = true;
            a.kind = Kind::SignedBits;
            return a;
        case Uscaled:
            a.kind = Kind::UnsignedToFloat;
            return a;
        case Sscaled:
            a.kind = Kind::SignedToFloat;
            return a;
        default:
            return std::nullopt;
    }
}

AgxVertexLayout::AgxVertexLayout(const pipe::VertexLayoutDesc& d) : desc(d) {
    add_all(d, [this](uint32_t location, const pipe::VertexElement& e) {
        const std::optional<compiler::Attribute> fetched = fetched_attribute(e.format);
        attributes[location] = fetched.value_or(four_floats());
        attributes[location].location = uint8_t(location);
        attributes[location].divisor = e.divisor;
        return fetched.has_value();
    });
}

}  // namespace terrazzo::agx
