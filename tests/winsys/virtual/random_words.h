// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What tests of random requests share.
#pragma once

#include <dirent.h>

#include <cstdint>
#include <random>

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

}  // namespace terrazzo::test
