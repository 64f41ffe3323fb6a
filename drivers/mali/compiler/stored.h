// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders as bytes (drivers/common/backend/stored.h).
#pragma once

#include "drivers/common/backend/stored.h"
#include "drivers/mali/compiler/compile.h"

namespace terrazzo::mali::compiler {

using backend::read_binary, backend::write_binary;

/// Every field, in order. A new field of Info does not compile until it is named here.
template <class Stream, class I>
void visit(Stream& s, I& info) {
    auto& [work_registers, preload, fau, attributes, varyings, textures, cube_textures, volume_textures,
           colors, colors_read, half_colors, integer_colors, second_color, reads_uniform_buffer,
           reads_system_block, writes_point_size, writes_depth, writes_stencil, discards, writes_layer,
           writes_coverage, per_sample, uses_derivatives, early_tests, uses_barriers, tls_B, uniform_blocks,
           storage_buffers, written_buffers, images, written_images, shared_B, workgroup_size, statistics] =
        info;
    s.field(work_registers, 64);
    if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
        if (work_registers != 32 && work_registers != 64) s.fail();
    s.field(preload), s.field(attributes), s.field(varyings);
    s.field(textures), s.field(cube_textures), s.field(volume_textures), s.field(colors),
        s.field(colors_read), s.field(half_colors), s.field(second_color);
    s.field(integer_colors), s.field(reads_uniform_buffer), s.field(reads_system_block);
    s.field(writes_point_size), s.field(writes_depth), s.field(writes_stencil), s.field(discards);
    s.field(writes_layer), s.field(writes_coverage), s.field(per_sample), s.field(uses_derivatives);
    s.field(early_tests), s.field(uses_barriers);
    s.field(tls_B), s.field(uniform_blocks), s.field(storage_buffers), s.field(written_buffers);
    s.field(images), s.field(written_images), s.field(shared_B);
    for (auto& n : workgroup_size)
        s.field(n);
    auto& [instructions, blocks, loops, spilled_words, fma, cvt, sfu, v, t, ls, alone] = statistics;
    for (auto* n : {&instructions, &blocks, &loops, &spilled_words, &fma, &cvt, &sfu, &v, &t, &ls, &alone})
        s.field(*n);
    backend::visit_all(s, fau, [&](auto& w) {
        s.field(w.kind, unsigned(UniformWord::Kind::Halves)), s.field(w.value);
        if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
            if (w.kind == UniformWord::Kind::Sysval && w.value >= kSysvalCount) s.fail();
    });
    if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
        if (fau.size() > kMaxUniformWords) s.fail();
}

}  // namespace terrazzo::mali::compiler
