// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/stored.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::mali::compiler {

namespace {

/// Every field but the uniforms, in order. A new field of Info does not compile until it is named here.
template <class Stream, class I>
void visit(Stream& s, I& info) {
    auto& [work_registers, preload, fau, attributes, varyings, textures, cube_textures, volume_textures,
           colors, colors_read, half_colors, second_color, reads_uniform_buffer, writes_point_size,
           writes_depth, writes_stencil, discards, uses_derivatives, tls_B, statistics] = info;
    (void)fau;
    s.field(work_registers, 64), s.field(preload), s.field(attributes), s.field(varyings);
    s.field(textures), s.field(cube_textures), s.field(volume_textures), s.field(colors),
        s.field(colors_read), s.field(half_colors), s.field(second_color);
    s.field(reads_uniform_buffer), s.field(writes_point_size), s.field(writes_depth);
    s.field(writes_stencil), s.field(discards), s.field(uses_derivatives), s.field(tls_B);
    auto& [instructions, blocks, loops, spilled_words, fma, cvt, sfu, v, t, ls, alone] = statistics;
    for (auto* n : {&instructions, &blocks, &loops, &spilled_words, &fma, &cvt, &sfu, &v, &t, &ls, &alone})
        s.field(*n);
}

constexpr size_t kFetch_dw = 16;
constexpr size_t kMaxCode_dw = size_t(1) << 20;
constexpr unsigned kLastKind = unsigned(UniformWord::Kind::Halves);

}  // namespace

void write_binary(const Binary& b, ir::BinaryWriter* out) {
    visit(*out, b.info);
    out->number(b.info.fau.size());
    for (const UniformWord& w : b.info.fau)
        out->field(w.kind), out->field(w.value);
    // The zeroes at the end go without saying.
    size_t used = b.code.size();
    while (used && !b.code[used - 1])
        --used;
    out->number(b.code.size());
    out->number(used);
    out->bytes(b.code.data(), used * sizeof(uint64_t));
}

bool read_binary(ir::BinaryReader* in, Binary* out) {
    Binary b;
    visit(*in, b.info);
    b.info.fau.resize(in->number(kMaxUniformWords));
    for (UniformWord& w : b.info.fau) {
        in->field(w.kind, kLastKind), in->field(w.value);
        if (w.kind == UniformWord::Kind::Sysval && w.value >= kSysvalCount) in->fail();
    }
    const size_t size = in->number(kMaxCode_dw), used = in->number(size);
    const uint8_t* bytes = in->bytes(used * sizeof(uint64_t));
    const bool good = b.info.work_registers == 32 || b.info.work_registers == 64;
    if (!in->ok() || !good || size % kFetch_dw) return false;
    b.code.resize(size);
    if (used) std::memcpy(b.code.data(), bytes, used * sizeof(uint64_t));
    *out = std::move(b);
    return true;
}

}  // namespace terrazzo::mali::compiler
