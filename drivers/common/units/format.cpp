// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/format.h"

#include <algorithm>
#include <bit>

namespace terrazzo::units {

FormatReader format_reader(pipe::Format format) {
    const pipe::FormatInfo& info = pipe::format_info(format);
    FormatReader r;
    r.format = format;
    r.ops = &pipe::format_ops(format);
    r.size_B = info.block_B;
    r.depth = info.has_depth;
    r.stencil = !info.has_depth && info.has_stencil;
    r.kind = info.is_pure_uint || r.stencil ? NumberKind::Uint
             : info.is_pure_sint            ? NumberKind::Sint
                                            : NumberKind::Float;
    return r;
}

void FormatReader::order(const uint32_t in[4], uint32_t out[4]) const {
    for (unsigned c = 0; c < 4; ++c)
        out[c] = from[c] < 4 ? in[from[c]] : from[c] == 5 ? one() : 0;
}

void FormatReader::read(const void* pixel, uint32_t out[4]) const {
    uint32_t v[4] = {0, 0, 0, one()};
    if (depth) {
        float d;
        ops->unpack_depth(&d, pixel, 1);
        v[0] = std::bit_cast<uint32_t>(d);
    } else if (stencil) {
        uint8_t s;
        ops->unpack_stencil(&s, pixel, 1);
        v[0] = s;
    } else if (kind == NumberKind::Uint) {
        ops->unpack_u32(v, pixel, 1);
    } else if (kind == NumberKind::Sint) {
        int32_t s[4];
        ops->unpack_s32(s, pixel, 1);
        std::copy_n(s, 4, v);
    } else {
        float f[4];
        ops->unpack_f32(f, pixel, 1);
        for (unsigned c = 0; c < 4; ++c)
            v[c] = std::bit_cast<uint32_t>(f[c]);
    }
    order(v, out);
}

void FormatReader::write(const uint32_t in[4], void* pixel) const {
    uint32_t v[4] = {in[0], in[1], in[2], in[3]};
    for (unsigned c = 0; c < 4; ++c)
        if (from[c] < 4) v[from[c]] = in[c];
    switch (kind) {
        case NumberKind::Float: {
            const float values[4] = {std::bit_cast<float>(v[0]), std::bit_cast<float>(v[1]),
                                     std::bit_cast<float>(v[2]), std::bit_cast<float>(v[3])};
            return ops->pack_f32(pixel, values, 1);
        }
        case NumberKind::Uint:
            return ops->pack_u32(pixel, v, 1);
        case NumberKind::Sint: {
            const int32_t values[4] = {int32_t(v[0]), int32_t(v[1]), int32_t(v[2]), int32_t(v[3])};
            return ops->pack_s32(pixel, values, 1);
        }
    }
}

}  // namespace terrazzo::units
