// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Packs descriptors into GPU memory, which is written once, in order.
#pragma once

#include "drivers/mali/hw/descriptors.h"

#include <cstdint>
#include <cstring>

namespace terrazzo::mali {

template <class T>
void put(const T& descriptor, void* out) {
    uint32_t words[T::kSize_dw];
    pack(descriptor, words);
    std::memcpy(out, words, sizeof words);
}
/// A descriptor of one word, or of two.
template <class T>
[[nodiscard]] constexpr uint32_t word_of(const T& descriptor) {
    static_assert(T::kSize_dw == 1);
    uint32_t word;
    pack(descriptor, &word);
    return word;
}
template <class T>
[[nodiscard]] uint64_t words_of(const T& descriptor) {
    static_assert(T::kSize_dw == 2);
    uint32_t words[2];
    pack(descriptor, words);
    return words[0] | uint64_t(words[1]) << 32;
}
inline void put_buffer(uint64_t va, uint32_t size_B, void* out) {
    put(hw::Buffer{.size = size_B, .address = va}, out);
}

}  // namespace terrazzo::mali
