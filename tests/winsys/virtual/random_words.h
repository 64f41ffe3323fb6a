// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared by the tests of random requests.
#pragma once

#include <dirent.h>

#include <cstdint>
#include <cstring>
#include <random>

#include "tests/common/sanitizers.h"

namespace terrazzo::test {

inline int open_descriptors() {
    DIR* dir = opendir("/proc/self/fd");
    int count = 0;
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/// Small numbers, likely handles, valid and invalid pointers, and random words.
inline uint32_t some_word(std::mt19937& random, uint64_t pointer) {
    switch (random() % 12) {
        case 0:
        case 1:
        case 2:
            return random() % 5;
        case 3:
            return 1u << (random() % 32);
        case 4:
            return static_cast<uint32_t>(pointer);
        case 5:
            return static_cast<uint32_t>(pointer >> 32);
        case 6:
            return (random() % 64) << 12;
        case 7:
            return random();
        default:
            return 0;
    }
}

/// No request may write to this process' own memory, except for the page at `own`. Random words are sometimes
/// addresses there, and the damage is noticed much later. Such words are replaced by unused addresses.
inline void avoid_own_memory(uint32_t* words, size_t count, uint64_t own) {
    // AddressSanitizer's shadow of the heap is at low addresses.
    constexpr uint64_t kFirst = kAddressSanitizer ? 0x7fff8000 : uint64_t(1) << 40, kEnd = uint64_t(1) << 47;
    for (size_t i = 0; i + 1 < count; i++) {  // a struct may begin at any word
        uint64_t value;
        memcpy(&value, words + i, sizeof value);
        if (value < kFirst || value >= kEnd || (value >= own && value < own + 4096)) continue;
        value |= kEnd;
        memcpy(words + i, &value, sizeof value);
    }
}

}  // namespace terrazzo::test
