// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/uniform_runs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/half.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace terrazzo::programs {

using Kind = UniformWord::Kind;

namespace {

uint32_t halves_of(std::span<const uint32_t> uniforms, uint32_t places) {
    const auto half = [&](uint32_t at) {
        return at < uniforms.size() ? uint32_t(pipe::float_to_half(std::bit_cast<float>(uniforms[at]))) : 0;
    };
    return half(places & 0xffff) | half(places >> 16) << 16;
}

#if defined(__x86_64__)
/// Clang 14's __builtin_cpu_supports does not know f16c.
const bool kHasF16c = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}();

/// Equal to halves_of(), except that more bits of NaNs are kept.
[[gnu::target("f16c")]] uint32_t* put_halves_f16c(const uint32_t* uniforms, const uint32_t* places,
                                                  uint32_t count, uint32_t* out) {
    const auto from = [&](uint32_t at) { return std::bit_cast<float>(uniforms[at]); };
    for (; count; out += 2, places += 2) {
        const uint32_t a = places[0], b = places[count > 1];
        const __m128i four =
            _mm_cvtps_ph(_mm_set_ps(from(b >> 16), from(b & 0xffff), from(a >> 16), from(a & 0xffff)),
                         _MM_FROUND_TO_NEAREST_INT);
        if (count == 1) {
            const int low = _mm_cvtsi128_si32(four);
            std::memcpy(out++, &low, 4);
            break;
        }
        _mm_storel_epi64(reinterpret_cast<__m128i*>(out), four);
        count -= 2;
    }
    return out;
}
#endif

uint32_t* put_halves(const UniformLayout& layout, const UniformRun& r, std::span<const uint32_t> uniforms,
                     uint32_t* out) {
    const uint32_t* const places = layout.halves.data() + r.from;
#if defined(__x86_64__)
    if (kHasF16c && uniforms.size() >= layout.halves_end_dw)
        return put_halves_f16c(uniforms.data(), places, r.count, out);
#endif
    for (uint32_t i = 0; i < r.count; ++i)
        *out++ = halves_of(uniforms, places[i]);
    return out;
}

}  // namespace

UniformLayout lay_out_uniforms(std::span<const UniformWord> words) {
    UniformLayout layout;
    const auto add = [&](Kind kind, uint32_t from) {
        if (!layout.runs.empty()) {
            UniformRun& last = layout.runs.back();
            if (last.kind == kind && last.from + last.count == from) {
                ++last.count;
                return;
            }
        }
        layout.runs.push_back({kind, from, 1});
    };
    const auto add_constant = [&](uint32_t value) {
        layout.constants.push_back(value);
        add(Kind::Constant, uint32_t(layout.constants.size() - 1));
    };
    for (const UniformWord& w : words) {
        switch (w.kind) {
            case Kind::Constant:
                add_constant(w.value);
                break;
            case Kind::Halves:
                layout.halves.push_back(w.value);
                layout.halves_end_dw =
                    std::max({layout.halves_end_dw, (w.value & 0xffff) + 1, (w.value >> 16) + 1});
                add(Kind::Halves, uint32_t(layout.halves.size() - 1));
                break;
            case Kind::Sysval:
                layout.reads_sysvals = true;
                add(w.kind, w.value);
                break;
            case Kind::Uniform:
                layout.uniforms_end_dw = std::max(layout.uniforms_end_dw, w.value + 1);
                add(w.kind, w.value);
                break;
        }
    }
    layout.uniforms_end_dw = std::max(layout.uniforms_end_dw, layout.halves_end_dw);
    if (words.size() % 2) add_constant(0);
    return layout;
}

namespace {

/// As memcpy, for a few contiguous words.
uint32_t* put_words(uint32_t* out, const void* words, uint32_t count) {
    const auto* from = static_cast<const uint8_t*>(words);
    for (; count >= 4; count -= 4, out += 4, from += 16)
        std::memcpy(out, from, 16);
    if (count & 2) {
        std::memcpy(out, from, 8);
        out += 2, from += 8;
    }
    if (count & 1) std::memcpy(out++, from, 4);
    return out;
}

}  // namespace

void write_uniforms(const UniformLayout& layout, std::span<const uint32_t> uniforms, const void* sysvals,
                    uint32_t* out) {
    const auto size_dw = uint32_t(uniforms.size());
    for (const UniformRun& r : layout.runs) {
        switch (r.kind) {
            case Kind::Uniform: {
                const uint32_t have = r.from < size_dw ? std::min(r.count, size_dw - r.from) : 0;
                out = put_words(out, uniforms.data() + (have ? r.from : 0), have);
                for (uint32_t i = have; i < r.count; ++i)
                    *out++ = 0;
                break;
            }
            case Kind::Constant:
                out = put_words(out, layout.constants.data() + r.from, r.count);
                break;
            case Kind::Halves:
                out = put_halves(layout, r, uniforms, out);
                break;
            case Kind::Sysval:
                out = put_words(out, static_cast<const uint8_t*>(sysvals) + size_t(r.from) * 4, r.count);
                break;
        }
    }
}

}  // namespace terrazzo::programs
