// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Arguments for random API calls: usually plausible, sometimes at a limit, sometimes nonsense. They come from
// a seed or from bytes. As few bytes as possible are used, so that a fuzzer that changes a byte changes one
// argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>

namespace fuzz {

/// Memory that any pointer argument may point into. The beginning has random bytes, the rest zeros. A call
/// with plausible arguments reads only inside of it.
struct Arena {
    static constexpr size_t kSize_B = size_t(64) << 20, kRandom_B = size_t(1) << 20;
    uint8_t* bytes;
};

class Random {
  public:
    Random(uint64_t seed, Arena arena) : state_(seed * 0x9e3779b97f4a7c15u + 1), arena_(arena) {}

    Random(std::span<const uint8_t> bytes, Arena arena) : state_(0), bytes_(bytes), arena_(arena) {}

    /// Whether bytes are left, if it draws from bytes. After the end all answers are 0.
    [[nodiscard]] bool has_more() const { return !bytes_.empty(); }

    uint32_t bits() {
        if (!state_) return take(4);
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return uint32_t(state_ >> 16);
    }
    /// A number in [0, n).
    uint32_t below(uint32_t n) {
        if (!n) return 0;
        return (state_ ? bits() : take(n == 1 ? 0 : n <= 0x100 ? 1 : n <= 0x10000 ? 2 : 4)) % n;
    }
    bool one_in(uint32_t n) { return below(n) == 0; }

    /// Usually in [0, n); sometimes negative, n, or huge.
    int32_t count(uint32_t n) {
        switch (below(40)) {
            case 0:
                return -int32_t(below(3)) - 1;
            case 1:
                return int32_t(n);
            case 2:
                return std::numeric_limits<int32_t>::max() - int32_t(below(2));
            case 3:
                return std::numeric_limits<int32_t>::min();
            default:
                return int32_t(below(n));
        }
    }
    /// Like count(), but never more than n: for sizes of the memory at a pointer.
    int32_t bounded(uint32_t n) { return one_in(40) ? -int32_t(below(3)) - 1 : int32_t(below(n + 1)); }

    /// One of `likely`, or sometimes any enumerator of the API.
    uint32_t pick(std::initializer_list<uint32_t> likely) {
        if (one_in(25)) return one_in(2) ? below(0x9600) : bits();
        return likely.begin()[below(uint32_t(likely.size()))];
    }
    /// An object's name. There are only a few, so that calls use the same objects.
    uint32_t name() { return one_in(60) ? bits() : below(12); }

    float real() {
        switch (below(30)) {
            case 0:
                return std::numeric_limits<float>::quiet_NaN();
            case 1:
                return std::numeric_limits<float>::infinity();
            case 2:
                return -3e38f;
            case 3:
                return 0;
            case 4:
                return 1;
            default:
                return float(int32_t(below(4001)) - 2000) * (one_in(2) ? 0.0005f : 0.1f);
        }
    }
    bool boolean() { return one_in(2); }

    uint8_t* pointer() { return arena_.bytes + below(uint32_t(Arena::kRandom_B)); }
    uint8_t* aligned_pointer() { return arena_.bytes + (below(uint32_t(Arena::kRandom_B)) & ~15u); }
    template <typename T>
    T* array() {
        return reinterpret_cast<T*>(aligned_pointer());
    }

  private:
    uint32_t take(unsigned bytes) {
        uint32_t v = 0;
        for (unsigned i = 0; i < bytes && !bytes_.empty(); ++i, bytes_ = bytes_.subspan(1))
            v |= uint32_t(bytes_[0]) << 8 * i;
        return v;
    }

    uint64_t state_;  // 0: use bytes_ instead
    std::span<const uint8_t> bytes_;
    Arena arena_;
};

}  // namespace fuzz
