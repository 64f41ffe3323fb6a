// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/quad_half.h"

#include "drivers/common/wave/avx2.h"

namespace terrazzo::units {

namespace {

#if defined(__x86_64__)
// False: a value is a NaN, which the instruction converts differently from to_halves().
[[gnu::target("avx2,f16c")]] bool pack_halves_f16c(const QuadF32* v, unsigned count, QuadU32* out) {
    using Shorts [[gnu::vector_size(16)]] = short;
    Shorts half[4] = {};
    QuadI32 is_nan{};
    for (unsigned c = 0; c < count; ++c) {
        is_nan |= v[c] != v[c];
        half[c] = __builtin_ia32_vcvtps2ph(v[c], 0);
    }
    if (sign_bits(is_nan)) return false;
    for (unsigned c = 0; c < count; c += 2)
        out[c / 2] = QuadU32(__builtin_shufflevector(half[c], half[c + 1], 0, 8, 1, 9, 2, 10, 3, 11));
    return true;
}
#endif

}  // namespace

void pack_halves_portable(const QuadF32* v, unsigned count, QuadU32* out) {
    for (unsigned c = 0; c < count; c += 2)
        out[c / 2] = to_halves(v[c]) | (c + 1 < count ? to_halves(v[c + 1]) << 16 : QuadU32{});
}

void pack_halves(const QuadF32* v, unsigned count, QuadU32* out) {
#if defined(__x86_64__)
    if (wave::kHasAvx2 && pack_halves_f16c(v, count, out)) return;
#endif
    pack_halves_portable(v, count, out);
}

}  // namespace terrazzo::units
