// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace terrazzo::test {

/// As the pointers in requests.
template <typename T>
uint64_t address_of(const T* p) {
    return reinterpret_cast<uintptr_t>(p);
}

}  // namespace terrazzo::test
