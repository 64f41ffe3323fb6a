// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/core/memory_format.h"

#include <bit>
#include <cstring>

#include "pipe/half.h"

namespace terrazzo::agx::sim {

namespace {

using isa::Format;

/// A register's float.
float number_of(uint32_t bits, unsigned size) {
    return size == 16 ? pipe::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits);
}
uint32_t bits_of(float v, unsigned size) {
    return size == 16 ? pipe::float_to_half(v) : std::bit_cast<uint32_t>(v);
}

MemoryFormat numbers(unsigned component_B, pipe::Format format) {
    return {component_B, true, units::format_reader(format)};
}

}  // namespace

std::optional<MemoryFormat> memory_format(Format format) {
    switch (format) {
        case Format::kI8:
            return MemoryFormat{1, false, {}};
        case Format::kI16:
            return MemoryFormat{2, false, {}};
        case Format::kI32:
            return MemoryFormat{4, false, {}};
        case Format::kF16:
            return numbers(2, pipe::Format::R16_FLOAT);
        case Format::kU8Norm:
            return numbers(1, pipe::Format::R8_UNORM);
        case Format::kS8Norm:
            return numbers(1, pipe::Format::R8_SNORM);
        case Format::kU16Norm:
            return numbers(2, pipe::Format::R16_UNORM);
        case Format::kS16Norm:
            return numbers(2, pipe::Format::R16_SNORM);
        case Format::kSrgba8:
            return numbers(1, pipe::Format::R8_SRGB);
        case Format::kRgb10A2:
            return numbers(0, pipe::Format::R10G10B10A2_UNORM);
        case Format::kRg11B10F:
            return numbers(0, pipe::Format::R11G11B10_FLOAT);
        case Format::kRgb9E5:
            return numbers(0, pipe::Format::R9G9B9E5_FLOAT);
        default:
            return std::nullopt;  // those that round to zero
    }
}

void store_pixel(const MemoryFormat& f, unsigned mask, unsigned size, const uint32_t* registers,
                 uint8_t* memory) {
    if (!f.component_B) {
        uint32_t v[4] = {0, 0, 0, std::bit_cast<uint32_t>(1.0f)};
        for (unsigned c = 0; c < 4; ++c)
            if (mask >> c & 1) v[c] = std::bit_cast<uint32_t>(number_of(*registers++, size));
        return f.reader.write(v, memory);
    }
    for (unsigned c = 0; c < 4; ++c) {
        if (!(mask >> c & 1)) continue;
        const uint32_t bits = *registers++;
        uint8_t* const to = memory + c * f.component_B;
        if (!f.is_number) {
            std::memcpy(to, &bits, f.component_B);
        } else if (f.reader.format == pipe::Format::R8_SRGB && c == 3) {
            const uint32_t v[4] = {std::bit_cast<uint32_t>(number_of(bits, size))};
            units::format_reader(pipe::Format::R8_UNORM).write(v, to);  // alpha is linear
        } else {
            const uint32_t v[4] = {std::bit_cast<uint32_t>(number_of(bits, size))};
            f.reader.write(v, to);
        }
    }
}

void load_pixel(const MemoryFormat& f, unsigned mask, unsigned size, const uint8_t* memory, uint32_t* out) {
    uint32_t v[4];
    if (!f.component_B) {
        f.reader.read(memory, v);
        for (unsigned c = 0; c < 4; ++c)
            out[c] = bits_of(std::bit_cast<float>(v[c]), size);
        return;
    }
    for (unsigned c = 0; c < 4; ++c) {
        out[c] = 0;
        if (!(mask >> c & 1)) continue;
        const uint8_t* const from = memory + c * f.component_B;
        if (!f.is_number) {
            std::memcpy(&out[c], from, f.component_B);
        } else {
            (f.reader.format == pipe::Format::R8_SRGB && c == 3 ? units::format_reader(pipe::Format::R8_UNORM)
                                                                : f.reader)
                .read(from, v);
            out[c] = bits_of(std::bit_cast<float>(v[0]), size);
        }
    }
}

}  // namespace terrazzo::agx::sim
