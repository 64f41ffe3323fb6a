// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attributes of eight vertices from memory. Formats are state of a draw, not of a shader, so that one
// compiled shader serves every layout; the common formats have their own loops.
#include <algorithm>
#include <cstring>

#include "drivers/soft/interp/interface.h"

namespace terrazzo::soft {

namespace {

struct Source {
    const uint8_t* vertex[kLanes];
};

void set_constant(float out[4][kLanes], bool integer) {
    const float one = integer ? std::bit_cast<float>(uint32_t(1)) : 1.0f;
    for (unsigned i = 0; i < kLanes; ++i) {
        out[0][i] = out[1][i] = out[2][i] = 0;
        out[3][i] = one;
    }
}

template <unsigned kComponents>
void fetch_floats(const Source& s, float out[4][kLanes]) {
    for (unsigned i = 0; i < kLanes; ++i) {
        float v[4] = {0, 0, 0, 1};
        std::memcpy(v, s.vertex[i], kComponents * sizeof(float));
        for (unsigned c = 0; c < 4; ++c)
            out[c][i] = v[c];
    }
}

/// kNormalized: [0,255] to [0,1] by a division, which alone is exact.
template <bool kNormalized>
void fetch_bytes4(const Source& s, float out[4][kLanes]) {
    for (unsigned i = 0; i < kLanes; ++i) {
        uint8_t v[4];
        std::memcpy(v, s.vertex[i], 4);
        for (unsigned c = 0; c < 4; ++c)
            out[c][i] = float(v[c]);
    }
    if (!kNormalized) return;
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < kLanes; ++i)
            out[c][i] = out[c][i] / 255.0f;
}

void fetch_any(pipe::Format format, const Source& s, float out[4][kLanes]) {
    const pipe::FormatOps& ops = pipe::format_ops(format);
    const pipe::FormatInfo& info = pipe::format_info(format);
    for (unsigned i = 0; i < kLanes; ++i) {
        float v[4] = {0, 0, 0, 1};
        uint32_t u[4];
        int32_t n[4];
        if (info.is_pure_uint && ops.unpack_u32) {
            ops.unpack_u32(u, s.vertex[i], 1);
            std::memcpy(v, u, sizeof v);
        } else if (info.is_pure_sint && ops.unpack_s32) {
            ops.unpack_s32(n, s.vertex[i], 1);
            std::memcpy(v, n, sizeof v);
        } else if (ops.unpack_f32) {
            ops.unpack_f32(v, s.vertex[i], 1);
        }
        for (unsigned c = 0; c < 4; ++c)
            out[c][i] = v[c];
    }
}

}  // namespace

void fetch_attribute(const VertexFetch& fetch, const uint32_t ids[kLanes], uint32_t instance,
                     float out[4][kLanes]) {
    if (!fetch.base || fetch.format == pipe::Format::None)
        return set_constant(
            out, fetch.format != pipe::Format::None && pipe::format_info(fetch.format).is_pure_int());
    Source s;
    for (unsigned i = 0; i < kLanes; ++i) {
        const uint32_t index = std::min(fetch.divisor ? instance / fetch.divisor : ids[i], fetch.max_index);
        s.vertex[i] = fetch.base + uint64_t(index) * fetch.stride_B;
    }
    switch (fetch.format) {
        case pipe::Format::R32_FLOAT:
            return fetch_floats<1>(s, out);
        case pipe::Format::R32G32_FLOAT:
            return fetch_floats<2>(s, out);
        case pipe::Format::R32G32B32_FLOAT:
            return fetch_floats<3>(s, out);
        case pipe::Format::R32G32B32A32_FLOAT:
            return fetch_floats<4>(s, out);
        case pipe::Format::R8G8B8A8_UNORM:
            return fetch_bytes4<true>(s, out);
        case pipe::Format::R8G8B8A8_USCALED:
            return fetch_bytes4<false>(s, out);
        default:
            return fetch_any(fetch.format, s, out);
    }
}

}  // namespace terrazzo::soft
