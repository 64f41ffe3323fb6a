// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads attributes from memory. Formats are state of a draw, not of a shader, so a compiled shader works with
// every layout. Common formats have kernels (fetch.inc); the others use the formats' conversions.
#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/soft/front/front.h"
#include "pipe/format.h"

namespace terrazzo::soft {

namespace {

void fill(float* out, uint32_t count, const float v[4]) {
    for (unsigned c = 0; c < 4; ++c)
        std::fill_n(out + size_t(c) * kInStride, count, v[c]);
}

/// Uses the format's own conversion; missing components are 0, 0, 0, 1. Integers as bits.
void unpack(const pipe::FormatOps& ops, const pipe::FormatInfo& info, const uint8_t* p, float v[4]) {
    uint32_t u[4];
    int32_t n[4];
    if (info.is_pure_uint && ops.unpack_u32) {
        ops.unpack_u32(u, p, 1);
        std::memcpy(v, u, sizeof u);
    } else if (info.is_pure_sint && ops.unpack_s32) {
        ops.unpack_s32(n, p, 1);
        std::memcpy(v, n, sizeof n);
    } else if (ops.unpack_f32) {
        ops.unpack_f32(v, p, 1);
    }
}

}  // namespace

void fetch_attribute(const FrontKernels& kernels, const FetchArgs& a, uint32_t instance,
                     uint32_t first_instance) {
    const VertexFetch& f = *a.fetch;
    float v[4] = {0, 0, 0, 1};
    if (!f.base || f.format == pipe::Format::None) {
        if (f.format != pipe::Format::None && pipe::format_info(f.format).is_pure_int())
            v[3] = std::bit_cast<float>(uint32_t(1));
        return fill(a.out, a.padded, v);
    }
    const pipe::FormatOps& ops = pipe::format_ops(f.format);
    const pipe::FormatInfo& info = pipe::format_info(f.format);
    if (f.divisor || f.stride_B == 0) {
        const uint32_t id = std::min(f.divisor ? first_instance + instance / f.divisor : 0, f.max_index);
        unpack(ops, info, f.base + uint64_t(id) * f.stride_B, v);
        return fill(a.out, a.padded, v);
    }
    if (kernels.fetch(a)) return;
    for (uint32_t i = 0; i < a.padded; ++i) {
        unpack(ops, info, f.base + uint64_t(std::min(a.ids[i], f.max_index)) * f.stride_B, v);
        for (unsigned c = 0; c < 4; ++c)
            a.out[size_t(c) * kInStride + i] = v[c];
    }
}

}  // namespace terrazzo::soft
