// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Numbers from a fuzz target's input, first byte first. After the end all bytes are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fuzz {

class Bytes {
  public:
    Bytes(const uint8_t* data, size_t size) : left_(data, size) {}
    [[nodiscard]] bool empty() const { return left_.empty(); }
    [[nodiscard]] std::span<const uint8_t> rest() const { return left_; }

    uint8_t u8() { return number<uint8_t>(); }
    uint16_t u16() { return number<uint16_t>(); }
    uint32_t u32() { return number<uint32_t>(); }
    uint64_t u64() { return number<uint64_t>(); }
    /// A number in [0, n), n up to 65536, from as few bytes as possible.
    uint32_t below(uint32_t n) { return n < 2 ? 0 : (n <= 0x100 ? u8() : u16()) % n; }
    /// One element of a list, chosen by a byte.
    template <class T, size_t kCount>
    const T& pick(const T (&list)[kCount]) {
        return list[below(kCount)];
    }

  private:
    template <class T>
    T number() {
        T v = 0;
        const size_t n = left_.size() < sizeof v ? left_.size() : sizeof v;
        std::memcpy(&v, left_.data(), n);
        left_ = left_.subspan(n);
        return v;
    }
    std::span<const uint8_t> left_;
};

}  // namespace fuzz
