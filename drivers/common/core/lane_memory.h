// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Loads and stores of sixteen lanes. The addresses of lanes are usually close to each other, so their memory
// is looked up once for all lanes. If it is not within one mapping, lanes are executed one by one, so that a
// fault names the lane.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "drivers/common/wave/lane_mask.h"
#include "drivers/common/window/window.h"

namespace terrazzo::core {

/// What each lane loads or stores: `size_B` bytes, as at most four elements of `element_B` bytes. `element_B`
/// is at most 4; the last element may be shorter. Element k of lane n is v[k * stride][n]; loads set the
/// remaining bits to 0.
struct LaneElements {
    wave::U32* v = nullptr;
    unsigned stride = 1;
    unsigned size_B = 4, element_B = 4;
};

enum class Direction : uint8_t { Load, Store };

/// Loads or stores the elements of one lane, at `memory`.
template <Direction kDirection>
inline void move_lane(uint8_t* memory, const LaneElements& e, unsigned lane) {
    wave::U32* v = e.v;
    for (unsigned done_B = 0; done_B < e.size_B; done_B += e.element_B, v += e.stride) {
        uint32_t word = kDirection == Direction::Store ? (*v)[lane] : 0;
        const unsigned size_B = std::min(e.element_B, e.size_B - done_B);
        if (kDirection == Direction::Store) {
            window::store_units(memory + done_B, &word, size_B);
        } else {
            window::load_units(memory + done_B, &word, size_B);
            (*v)[lane] = word;
        }
    }
}

/// The range that the lanes access. `lanes` must not be empty. An end that is less than the size of an access
/// has wrapped around: then there is no range.
struct LaneRange {
    uint64_t first, end;
};
inline LaneRange range_of(const uint64_t* at, uint32_t lanes, unsigned size_B) {
    LaneRange r{~uint64_t(0), 0};
    wave::each_lane(lanes, [&](unsigned n) {
        r.first = std::min(r.first, at[n]);
        r.end = std::max(r.end, at[n]);
    });
    r.end += size_B;
    return r;
}

/// For lanes that may all access their memory. Lane n accesses memory + (at[n] - first).
template <Direction kDirection>
inline void move_lanes(uint8_t* memory, const uint64_t* at, uint64_t first, uint32_t lanes,
                       const LaneElements& e) {
    const bool words = e.element_B == 4 && e.size_B % 4 == 0;
    wave::each_lane(lanes, [&](unsigned n) {
        uint8_t* const p = memory + (at[n] - first);
        if (!words || reinterpret_cast<uintptr_t>(p) % 4) return move_lane<kDirection>(p, e, n);
        wave::U32* v = e.v;
        for (unsigned k = 0; k < e.size_B; k += 4, v += e.stride) {
            const std::atomic_ref word(*reinterpret_cast<uint32_t*>(p + k));
            if constexpr (kDirection == Direction::Store)
                word.store((*v)[n], std::memory_order_relaxed);
            else
                (*v)[n] = word.load(std::memory_order_relaxed);
        }
    });
}

/// Loads or stores the elements of the lanes, at the addresses `va`. Returns -1, or the lane whose access was
/// refused: then memory.fault() has the fault, and the accesses of earlier lanes were executed.
template <Direction kDirection>
[[nodiscard]] inline int move_lanes(window::Window& memory, const uint64_t* va, uint32_t lanes,
                                    const LaneElements& e) {
    constexpr auto kAccess = kDirection == Direction::Store ? window::Access::Write : window::Access::Read;
    if (!lanes) return -1;
    const LaneRange r = range_of(va, lanes, e.size_B);
    if (uint8_t* const host = r.end >= e.size_B ? memory.known(r.first, r.end - r.first, kAccess) : nullptr) {
        move_lanes<kDirection>(host, va, r.first, lanes, e);
        return -1;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const auto n = unsigned(std::countr_zero(left));
        uint32_t words[4] = {};
        for (unsigned k = 0; k * e.element_B < e.size_B; ++k) {
            const unsigned size_B = std::min(e.element_B, e.size_B - k * e.element_B);
            uint32_t word = kDirection == Direction::Store ? e.v[k * e.stride][n] : 0;
            const uint64_t at = va[n] + k * e.element_B;
            if (!(kDirection == Direction::Store ? memory.store(at, &word, size_B)
                                                 : memory.load(at, &word, size_B)))
                return int(n);
            words[k] = word;
        }
        for (unsigned k = 0; kDirection == Direction::Load && k * e.element_B < e.size_B; ++k)
            e.v[k * e.stride][n] = words[k];
    }
    return -1;
}

}  // namespace terrazzo::core
