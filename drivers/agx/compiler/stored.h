// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders as bytes (drivers/common/backend/stored.h).
#pragma once

#include "drivers/agx/compiler/compile.h"
#include "drivers/common/backend/stored.h"

namespace terrazzo::agx::compiler {

using backend::read_binary, backend::write_binary;

/// Every field, in order. A new field of Info does not compile until it is named here.
template <class Stream, class I>
void visit(Stream& s, I& info) {
    auto& [registers, uniforms, attributes, attribute_components, outputs, smooth_words, flat_words,
           linear_words, output_words, writes_point_size, coefficients, textures, cube_textures,
           volume_textures, colors, second_color, writes_depth, discards, runs_tests, uses_derivatives,
           stack_B, statistics] = info;
    s.field(registers, 128), s.field(attributes), s.field(textures), s.field(cube_textures),
        s.field(volume_textures), s.field(colors, 255);
    for (auto& n : attribute_components)
        s.field(n, 15);
    for (auto& o : outputs)
        s.field(o.word), s.field(o.count, 4);
    for (auto* n : {&smooth_words, &flat_words, &linear_words, &output_words})
        s.field(*n);
    s.field(writes_point_size), s.field(second_color), s.field(writes_depth), s.field(discards);
    s.field(runs_tests), s.field(uses_derivatives), s.field(stack_B);
    auto& [instructions, blocks, loops, spilled_words, bytes] = statistics;
    for (auto* n : {&instructions, &blocks, &loops, &spilled_words, &bytes})
        s.field(*n);
    backend::visit_all(s, uniforms, [&](auto& w) {
        s.field(w.kind, unsigned(UniformWord::Kind::Halves)), s.field(w.value);
        if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
            if (w.kind == UniformWord::Kind::Sysval && w.value >= kSysvalCount) s.fail();
    });
    backend::visit_all(s, coefficients, [&](auto& c) {
        s.field(c.source, unsigned(CoefficientGroup::Source::Varying));
        s.field(c.varying, ir::kMaxVaryings - 1), s.field(c.component, 3), s.field(c.count, 4);
        s.field(c.interp, unsigned(ir::Interp::NoPerspective)), s.field(c.first_register);
    });
    if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
        if (uniforms.size() > kBlendUniformWord) s.fail();
}

}  // namespace terrazzo::agx::compiler
