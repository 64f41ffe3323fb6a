// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads arrays of a caller's structs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt {

/// The largest allocation of the kernel: a request that needs more fails with -ENOMEM.
constexpr uint64_t kMaxKernelAllocation_B = 4 << 20;

/// Calls `each(T, index)` for every struct of an array, in order, until it returns an error. Returns 0, that
/// error, or -EFAULT at the first struct that cannot be read.
template <typename T, typename F>
[[nodiscard]] int for_each_struct(const UserMemory& user, uint64_t address, uint32_t count, F&& each) {
    constexpr uint32_t kPart = 32;
    T part[kPart];
    for (uint32_t first = 0; first < count; first += kPart) {
        const uint32_t n = std::min(kPart, count - first);
        const uint64_t at = address + uint64_t{first} * sizeof(T);
        const bool whole = user.read(part, at, n * sizeof(T)) == 0;
        for (uint32_t i = 0; i < n; i++) {
            if (!whole)
                if (const int error = user.read(&part[i], at + i * sizeof(T), sizeof(T))) return error;
            if (const int error = each(part[i], first + i)) return error;
        }
    }
    return 0;
}

}  // namespace terrazzo::winsys::virt
