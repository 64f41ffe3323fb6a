// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/recorded_space.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace terrazzo::capture {

namespace {

constexpr uint64_t kMostMemory_B = uint64_t(8) << 30;
constexpr uint64_t kGap_B = uint64_t(1) << 26, kFirst = 4096;

}  // namespace

window::Mapping RecordedSpace::find(uint64_t va) {
    const std::lock_guard lock(mutex_);
    const window::Mapping there = recorded(va);
    return there.end ? there : missing(va);
}

window::Mapping RecordedSpace::recorded(uint64_t va) {
    auto at = blocks_.upper_bound(va);
    if (at == blocks_.begin()) return {};
    --at;
    const uint64_t end = at->first + at->second.size_B;
    if (va >= end) return {};
    return {at->first, end, at->second.bytes.get(), true, true};
}

bool RecordedSpace::map(uint64_t va, uint64_t size_B) {
    if (!size_B) return true;
    uint64_t begin = va, end = va + size_B;
    if (end < begin) return false;
    const window::Mapping there = recorded(va);
    if (there.end >= end) return true;
    // One block replaces all blocks that it overlaps.
    auto first = blocks_.lower_bound(va);
    if (there.end && there.begin < va) --first;
    auto last = first;
    for (; last != blocks_.end() && last->first < end; ++last) {
        begin = std::min(begin, last->first);
        end = std::max(end, last->first + last->second.size_B);
    }
    if (end - begin > kMostMemory_B - total_B_) return false;
    Block block{std::unique_ptr<uint8_t, Free>(static_cast<uint8_t*>(std::calloc(1, end - begin))),
                end - begin};
    if (!block.bytes) return false;
    for (auto at = first; at != last; ++at) {
        std::memcpy(block.bytes.get() + (at->first - begin), at->second.bytes.get(), at->second.size_B);
        total_B_ -= at->second.size_B;
    }
    blocks_.erase(first, last);
    total_B_ += block.size_B;
    blocks_.emplace(begin, std::move(block));
    ++epoch_;
    return true;
}

uint8_t* RecordedSpace::place(uint64_t va, uint64_t size_B) {
    if (!map(va, size_B)) return nullptr;
    uint64_t& end = contents_[va];
    end = std::max(end, va + size_B);
    const window::Mapping there = recorded(va);
    return there.host + (va - there.begin);
}

bool RecordedSpace::put(uint64_t va, std::span<const uint8_t> bytes) {
    if (bytes.empty()) return true;
    uint8_t* const to = place(va, bytes.size());
    if (to) std::memcpy(to, bytes.data(), bytes.size());
    return to;
}

bool RecordedSpace::put_zeros(uint64_t va, uint64_t size_B) {
    if (!size_B) return true;
    // New memory is zero already, and needs no pages.
    const auto next = blocks_.lower_bound(va);
    const bool is_new = !recorded(va).end && (next == blocks_.end() || next->first - va >= size_B);
    uint8_t* const to = place(va, size_B);
    if (to && !is_new) std::memset(to, 0, size_B);
    return to;
}

bool RecordedSpace::has_contents(uint64_t va) const {
    const auto next = contents_.upper_bound(va);
    return next != contents_.begin() && va < std::prev(next)->second;
}

/// A block of zeros around an address between the buffers.
window::Mapping RecordedSpace::missing(uint64_t va) {
    if (!fills_gaps || va < kFirst) return {};
    uint64_t begin = va & ~(kGap_B - 1), end = begin + kGap_B;
    const auto next = blocks_.upper_bound(va);
    if (next != blocks_.end()) end = std::min(end, next->first);
    if (next != blocks_.begin())
        begin = std::max(begin, std::prev(next)->first + std::prev(next)->second.size_B);
    if (end <= va || !map(begin, end - begin)) return {};
    return recorded(va);
}

}  // namespace terrazzo::capture
