// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/uniforms.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipe/half.h"

namespace terrazzo::mali {

using Kind = compiler::UniformWord::Kind;

namespace {

uint32_t halves_of(std::span<const uint32_t> uniforms, uint32_t places) {
    const auto half = [&](uint32_t at) {
        return at < uniforms.size() ? uint32_t(pipe::float_to_half(std::bit_cast<float>(uniforms[at]))) : 0;
    };
    return half(places & 0xffff) | half(places >> 16) << 16;
}

}  // namespace

UniformLayout lay_out_uniforms(std::span<const compiler::UniformWord> words) {
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
    for (const compiler::UniformWord& w : words) {
        switch (w.kind) {
            case Kind::Constant:
                add_constant(w.value);
                break;
            case Kind::Halves:
                layout.halves.push_back(w.value);
                add(Kind::Halves, uint32_t(layout.halves.size() - 1));
                break;
            case Kind::Sysval:
                layout.reads_sysvals = true;
                [[fallthrough]];
            case Kind::Uniform:
                add(w.kind, w.value);
                break;
        }
    }
    if (words.size() % 2) add_constant(0);
    return layout;
}

void write_uniforms(const UniformLayout& layout, std::span<const uint32_t> uniforms,
                    const SysvalValues& sysvals, uint32_t* out) {
    uint32_t sysval_words[compiler::kSysvalCount];
    if (layout.reads_sysvals) std::memcpy(sysval_words, &sysvals, sizeof(sysval_words));
    const auto size_dw = uint32_t(uniforms.size());
    for (const UniformRun& r : layout.runs) {
        const uint32_t* from = nullptr;
        uint32_t count = r.count;
        switch (r.kind) {
            case Kind::Uniform:
                count = r.from < size_dw ? std::min(count, size_dw - r.from) : 0;
                if (count) from = uniforms.data() + r.from;
                break;
            case Kind::Constant:
                from = layout.constants.data() + r.from;
                break;
            case Kind::Halves:
                for (uint32_t i = 0; i < count; ++i)
                    out[i] = halves_of(uniforms, layout.halves[r.from + i]);
                out += count;
                continue;
            case Kind::Sysval:
                from = sysval_words + r.from;
                break;
        }
        for (uint32_t i = 0; i < count; ++i)
            out[i] = from[i];
        for (uint32_t i = count; i < r.count; ++i)
            out[i] = 0;
        out += r.count;
    }
}

}  // namespace terrazzo::mali
