// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes a list of USC words: what a program has bound, and where its code is.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "drivers/agx/asahi.h"
#include "drivers/agx/hw/records.h"
#include "drivers/agx/submission/recorder.h"

namespace terrazzo::agx {

class UscWords {
  public:
    template <class T>
    void add(const T& word) {
        uint32_t packed[T::kSize_dw] = {};
        hw::pack(word, packed);
        assert(size_B_ + T::kSize_B <= bytes_.size());
        std::memcpy(bytes_.data() + size_B_, packed, T::kSize_B);
        size_B_ += T::kSize_B;
    }
    /// Binds `count` words of 32 bits to uniform registers from word `first` on.
    void add_uniforms(unsigned first, unsigned count, uint64_t va) {
        constexpr unsigned kMost = 32, kHalf = 128;  // of one word; where the upper registers begin
        while (count) {
            const unsigned n = std::min({count, kMost, first < kHalf ? kHalf - first : ~0u});
            if (first < kHalf)
                add(hw::UscUniform{.start = 2 * first, .size = 2 * n, .buffer = va});
            else
                add(hw::UscUniformHigh{.start = 2 * (first - kHalf), .size = 2 * n, .buffer = va});
            first += n, count -= n, va += n * sizeof(uint32_t);
        }
    }
    /// `stack_B`: of a thread.
    void add_code(uint64_t va, unsigned registers, uint32_t stack_B, bool fragment,
                  bool loads_varyings = false) {
        hw::UscShader shader;
        shader.code = uint32_t(va - Asahi::kUscBase);
        shader.unknown_10 = fragment ? 2 : 3;
        shader.loads_varyings = loads_varyings;
        add(shader);
        hw::UscRegisters r;
        r.count = registers ? (registers + 7) / 8 * 8 : 8;
        r.unknown_13 = fragment;
        r.unknown_24 = 1;
        // The logarithm of a thread's units of 32 bytes, plus one (Mesa 25.0.7, agx_scratch.c).
        if (stack_B) r.spill_size = unsigned(std::bit_width((stack_B + 31) / 32 - 1)) + 1;
        add(r);
    }
    /// Copies the list to pool memory. Returns its address. Throws std::bad_alloc.
    [[nodiscard]] uint64_t put(Recorder& recorder) const {
        const Recorder::Words to = recorder.allocate((size_B_ + 3) / 4, 64);
        std::memcpy(to.cpu, bytes_.data(), size_B_);
        return to.va;
    }

  private:
    // 512 uniform registers in words of at most 64, and one more word for each range.
    std::array<uint8_t, 256> bytes_;
    unsigned size_B_ = 0;
};

}  // namespace terrazzo::agx
