// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See index_range.h.
#include "state_tracker/vertices/index_range.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::st {
namespace {

template <class T, bool kRestart>
IndexRange scan(const void* data, uint32_t count) {
    T low = T(~T(0)), high = 0;
    const auto* p = static_cast<const char*>(data);
    for (uint32_t i = 0; i < count; ++i) {
        T v;
        std::memcpy(&v, p + size_t(i) * sizeof(T), sizeof(T));
        low = std::min(low, v);  // the restart index is the largest value, so it never lowers the minimum
        high = std::max(high, kRestart && v == T(~T(0)) ? T(0) : v);
    }
    if (kRestart && low == T(~T(0))) return {UINT32_MAX, 0};
    return {low, high};
}

template <class T>
IndexRange scan(const void* data, uint32_t count, bool restart) {
    return restart ? scan<T, true>(data, count) : scan<T, false>(data, count);
}

}  // namespace

IndexRange scan_indices(const void* data, uint32_t count, pipe::IndexType type, bool restart) {
    switch (type) {
        case pipe::IndexType::None:
            break;
        case pipe::IndexType::U8:
            return scan<uint8_t>(data, count, restart);
        case pipe::IndexType::U16:
            return scan<uint16_t>(data, count, restart);
        case pipe::IndexType::U32:
            return scan<uint32_t>(data, count, restart);
    }
    return {};
}

IndexRange copy_indices(void* to, const void* from, uint32_t count, pipe::IndexType type, bool restart) {
    // The scanned indices are a private copy, which cannot change. `to` is only written, since it may be the
    // device's memory.
    alignas(8) uint8_t part[4096];
    const size_t size_B = size_t(count) * index_size_B(type);
    IndexRange all = {UINT32_MAX, 0};
    for (size_t at_B = 0; at_B < size_B; at_B += sizeof part) {
        const size_t part_B = std::min(size_B - at_B, sizeof part);
        std::memcpy(part, static_cast<const uint8_t*>(from) + at_B, part_B);
        const IndexRange r = scan_indices(part, uint32_t(part_B / index_size_B(type)), type, restart);
        all = {std::min(all.min, r.min), std::max(all.max, r.max)};
        std::memcpy(static_cast<uint8_t*>(to) + at_B, part, part_B);
    }
    return all;
}

}  // namespace terrazzo::st
