// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whether the CPU has AVX2, for functions that have a second implementation with it.
#pragma once

namespace terrazzo::wave {

#if defined(__x86_64__)
/// Every CPU with AVX2 has F16C, too (x86-64-v3). Clang 14's __builtin_cpu_supports() does not know "f16c".
inline const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif

}  // namespace terrazzo::wave
