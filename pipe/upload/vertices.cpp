// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/upload/vertices.h"

#include <algorithm>
#include <cstring>

#include "pipe/format.h"

namespace terrazzo::pipe {

void convert_vertices(const VertexElement& element, const uint8_t* buffer, uint64_t size_B, uint32_t stride_B,
                      uint32_t first, uint32_t count, float* out) {
    constexpr uint32_t kBatch = 64, kLargest_B = 16;
    const uint32_t element_B = format_info(element.format).block_B;
    const FormatOps& ops = format_ops(element.format);
    const FormatInfo& info = format_info(element.format);
    uint8_t packed[kBatch * kLargest_B];
    float rows[kBatch * 4];
    uint32_t unsigned_rows[kBatch * 4];
    int32_t signed_rows[kBatch * 4];
    for (uint32_t done = 0; done < count; done += kBatch) {
        const uint32_t n = std::min(kBatch, count - done);
        for (uint32_t i = 0; i < n; ++i) {
            const uint64_t at = (uint64_t(first) + done + i) * stride_B + element.offset_B;
            uint8_t* to = packed + size_t(i) * element_B;
            if (at + element_B <= size_B)
                std::memcpy(to, buffer + at, element_B);
            else
                std::memset(to, 0, element_B);
        }
        const void* from = rows;
        if (info.is_pure_uint) {
            ops.unpack_u32(unsigned_rows, packed, n);
            from = unsigned_rows;
        } else if (info.is_pure_sint) {
            ops.unpack_s32(signed_rows, packed, n);
            from = signed_rows;
        } else {
            ops.unpack_f32(rows, packed, n);
        }
        std::memcpy(out + size_t(done) * 4, from, size_t(n) * 4 * sizeof(float));  // bits
    }
}

}  // namespace terrazzo::pipe
