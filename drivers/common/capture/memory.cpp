// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/memory.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace terrazzo::capture {

void Ranges::put(uint64_t va, std::span<const uint8_t> bytes) {
    bytes = bytes.first(size_t(std::min<uint64_t>(bytes.size(), ~va)));
    while (!bytes.empty()) {
        const auto next = ranges_.upper_bound(va);
        size_t count = bytes.size();
        if (next != ranges_.begin()) {
            auto& [begin, old] = *std::prev(next);
            if (va - begin < old.size()) {
                const size_t offset = size_t(va - begin);
                count = std::min(count, old.size() - offset);
                std::memcpy(old.data() + offset, bytes.data(), count);
                va += count;
                bytes = bytes.subspan(count);
                continue;
            }
        }
        if (next != ranges_.end()) count = size_t(std::min<uint64_t>(count, next->first - va));
        ranges_.emplace(va, std::vector<uint8_t>(bytes.begin(), bytes.begin() + ptrdiff_t(count)));
        va += count;
        bytes = bytes.subspan(count);
    }
}

bool Ranges::read(uint64_t va, void* dst, size_t size_B) const {
    auto* out = static_cast<uint8_t*>(dst);
    while (size_B) {
        const auto next = ranges_.upper_bound(va);
        if (next == ranges_.begin()) return false;
        const auto& [begin, bytes] = *std::prev(next);
        if (va - begin >= bytes.size()) return false;
        const size_t offset = size_t(va - begin), count = std::min(size_B, bytes.size() - offset);
        std::memcpy(out, bytes.data() + offset, count);
        out += count;
        va += count;
        size_B -= count;
    }
    return true;
}

}  // namespace terrazzo::capture
