// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See index_range.h.
#include "state_tracker/core/index_range.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::st {
namespace {

template <class T>
IndexRange scan(const void* data, uint32_t count) {
    T low = T(~T(0)), high = 0;
    const auto* p = static_cast<const char*>(data);
    for (uint32_t i = 0; i < count; ++i) {
        T v;
        std::memcpy(&v, p + size_t(i) * sizeof(T), sizeof(T));
        low = std::min(low, v);
        high = std::max(high, v);
    }
    return {low, high};
}

}  // namespace

IndexRange scan_indices(const void* data, uint32_t count, pipe::IndexType type) {
    switch (type) {
        case pipe::IndexType::None:
            break;
        case pipe::IndexType::U8:
            return scan<uint8_t>(data, count);
        case pipe::IndexType::U16:
            return scan<uint16_t>(data, count);
        case pipe::IndexType::U32:
            return scan<uint32_t>(data, count);
    }
    return {};
}

}  // namespace terrazzo::st
