// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whether the calling thread's arithmetic flushes denormal floats: operands and results. On x86 alone.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace terrazzo::core {

/// Sets the mode, and restores the one before it at the end of the scope.
class DenormalMode {
  public:
    enum class Mode : uint8_t { Keep, Flush };
#if defined(__x86_64__)
    explicit DenormalMode(Mode mode) : before_(_mm_getcsr()) {
        constexpr unsigned kFlushBits = 0x8040;  // results (FTZ) and operands (DAZ)
        _mm_setcsr(mode == Mode::Flush ? before_ | kFlushBits : before_ & ~kFlushBits);
    }
    ~DenormalMode() {
        _mm_setcsr(before_);
    }
#else
    explicit DenormalMode(Mode) {}
    ~DenormalMode() {}
#endif
    DenormalMode(const DenormalMode&) = delete;
    DenormalMode& operator=(const DenormalMode&) = delete;

  private:
#if defined(__x86_64__)
    const unsigned before_;
#endif
};

}  // namespace terrazzo::core
