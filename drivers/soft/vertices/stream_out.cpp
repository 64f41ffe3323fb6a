// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/vertices/stream_out.h"

#include <algorithm>
#include <cstring>

#include "drivers/soft/resources/resource.h"

namespace terrazzo::soft {

void StreamOut::set_buffers(std::span<const pipe::BufferRange> ranges) {
    active_ = !ranges.empty();
    ranges_ = {};
    used_B_ = {};
    for (size_t i = 0; i < std::min(ranges.size(), ranges_.size()); ++i) {
        if (!ranges[i].resource) continue;
        // Never more than the buffer's size, whatever the caller passes.
        const uint64_t size_B = soft(*ranges[i].resource).size_B();
        if (ranges[i].offset_B >= size_B) continue;
        ranges_[i] = ranges[i];
        ranges_[i].size_B = std::min(ranges[i].size_B, size_B - ranges[i].offset_B);
    }
}

void StreamOut::write(const StreamPlan& plan, const VertexColumns& from, const uint32_t* order,
                      uint32_t count, uint32_t of_primitive) {
    uint64_t room = count / of_primitive;
    for (size_t i = 0; i < ranges_.size(); ++i)
        if (plan.stride_B[i])
            room = std::min(room,
                            (ranges_[i].size_B - used_B_[i]) / (uint64_t(plan.stride_B[i]) * of_primitive));
    const uint32_t n = uint32_t(room) * of_primitive;
    if (!n) return;
    for (const StreamLink& link : plan.links) {
        const size_t stride_B = plan.stride_B[link.buffer];
        const pipe::BufferRange& range = ranges_[link.buffer];
        uint8_t* to =
            soft(*range.resource).data() + range.offset_B + used_B_[link.buffer] + size_t(link.offset_dw) * 4;
        if (link.source == kNoOutput) {
            for (uint32_t i = 0; i < n; ++i, to += stride_B)
                std::memset(to, 0, 4);
            continue;
        }
        const float* const column = from.outputs + size_t(link.source) * from.stride;
        for (uint32_t i = 0; i < n; ++i, to += stride_B)
            // Copied as bits: the value may be an integer.
            std::memcpy(to, column + (order ? order[i] : i), 4);
    }
    for (size_t i = 0; i < ranges_.size(); ++i)
        used_B_[i] += uint64_t(plan.stride_B[i]) * n;
    primitives_ += room;
}

}  // namespace terrazzo::soft
