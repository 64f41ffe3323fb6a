// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What tests of random requests share.
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

/// Small numbers, likely handles, pointers good and bad, and noise.
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

/// No request may write where this process has its own memory, but for the page at `own`: random halves of addresses
/// are addresses there now and then, and the damage shows much later. Such words name nothing afterwards.
inline void avoid_own_memory(uint32_t* words, size_t count, uint64_t own) {
    // AddressSanitizer's shadow of the heap lies low.
    constexpr uint64_t kFirst = kAddressSanitizer ? 0x7fff8000 : uint64_t(1) << 40, kEnd = uint64_t(1) << 47;
    for (size_t i = 0; i + 1 < count; i++) {  // a structure may begin at any word
        uint64_t value;
        memcpy(&value, words + i, sizeof value);
        if (value < kFirst || value >= kEnd || (value >= own && value < own + 4096)) continue;
        value |= kEnd;
        memcpy(words + i, &value, sizeof value);
    }
}

}  // namespace terrazzo::test
