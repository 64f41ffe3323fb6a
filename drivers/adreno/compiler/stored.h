// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders as bytes (drivers/common/backend/stored.h).
#pragma once

#include "drivers/adreno/compiler/compile.h"
#include "drivers/common/backend/stored.h"

namespace terrazzo::adreno::compiler {

using backend::read_binary, backend::write_binary;

// The fields of each structure, in order. A new field does not compile until it is named here.

template <class Stream, class C>
void visit_constants(Stream& s, C& c) {
    auto& [uniforms_dw, params_at_dw, params, immediates_at_dw, immediates, vec4s] = c;
    s.field(uniforms_dw, kMaxUniforms_dw), s.field(params_at_dw), s.field(immediates_at_dw), s.field(vec4s);
    backend::visit_all(s, params, [&](auto& p) { s.field(p, unsigned(kLastParam)); });
    backend::visit_all(s, immediates, [&](auto& v) { s.field(v); });
}

template <class Stream, class I>
void visit_interface(Stream& s, I& info) {
    backend::visit_all(s, info.attributes, [&](auto& a) {
        auto& [location, mask, reg] = a;
        s.field(location, 31), s.field(mask, 15), s.field(reg);
    });
    backend::visit_all(s, info.varyings, [&](auto& v) {
        auto& [kind, slot, inloc, mask, n, flat, no_perspective] = v;
        s.field(kind, unsigned(VaryingInput::Kind::Viewport)), s.field(slot), s.field(inloc, 124);
        s.field(mask, 15), s.field(n, 4), s.field(flat), s.field(no_perspective);
    });
    backend::visit_all(s, info.prefetches, [&](auto& p) {
        auto& [inloc, texture, mask, reg, half] = p;
        s.field(inloc, 124), s.field(texture, 15), s.field(mask, 15), s.field(reg, 63), s.field(half);
    });
    backend::visit_all(s, info.outputs, [&](auto& o) {
        auto& [slot, mask, reg, half] = o;
        s.field(slot), s.field(mask, 15), s.field(reg), s.field(half);
    });
}

template <class Stream, class S>
void visit_system(Stream& s, S& system) {
    auto& [vertex_id, instance_id, ij_pixel, ij_centroid, ij_sample, ij_linear_pixel, ij_linear_centroid,
           ij_linear_sample, coord_xy, coord_zw, front_face, sample_id, sample_mask, local_id, workgroup_id,
           header, relative_patch, primitive_id, tess_coord, vertex_flags] = system;
    for (auto* r : {&vertex_id,       &instance_id,        &ij_pixel,         &ij_centroid, &ij_sample,
                    &ij_linear_pixel, &ij_linear_centroid, &ij_linear_sample, &coord_xy,    &coord_zw,
                    &front_face,      &sample_id,          &sample_mask,      &local_id,    &workgroup_id,
                    &header,          &relative_patch,     &primitive_id,     &tess_coord,  &vertex_flags})
        s.field(*r);
}

template <class Stream, class S>
void visit_statistics(Stream& s, S& statistics) {
    auto& [instructions, preamble, words, nops, blocks, loops, ss, sy, cat, full, half, spilled_words] =
        statistics;
    for (auto* n :
         {&instructions, &preamble, &words, &nops, &blocks, &loops, &ss, &sy, &full, &half, &spilled_words})
        s.field(*n);
    for (auto& n : cat)
        s.field(n);
}

template <class Stream, class I>
void visit(Stream& s, I& info) {
    auto& [full_registers, branch_stack, constants, attributes, varyings, varying_dw, prefetches, helpers_end,
           outputs, system, textures, fetched, fetched_apart, colors_read, uniform_blocks, buffers, images,
           written_buffers, written_images, first_buffer, first_image, reads_default_block, discards,
           needs_helpers, writes_depth, writes_stencil, writes_sample_mask, writes_point_size, per_sample,
           early_tests, writes_memory, has_barrier, private_B, shared_B, workgroup_size, statistics] = info;
    s.field(full_registers, 48), s.field(branch_stack), s.field(varying_dw);
    s.field(first_buffer, kVertexIbos), s.field(first_image, kVertexIbos + kMaxBuffers);
    visit_constants(s, constants);
    (void)attributes, (void)varyings, (void)prefetches, (void)outputs;
    visit_interface(s, info);
    visit_system(s, system);
    for (auto* n : {&textures, &fetched, &fetched_apart, &colors_read, &uniform_blocks, &buffers, &images,
                    &written_buffers, &written_images, &private_B, &shared_B})
        s.field(*n);
    for (auto* b :
         {&helpers_end, &reads_default_block, &discards, &needs_helpers, &writes_depth, &writes_stencil,
          &writes_sample_mask, &writes_point_size, &per_sample, &early_tests, &writes_memory, &has_barrier})
        s.field(*b);
    for (auto& n : workgroup_size)
        s.field(n);
    visit_statistics(s, statistics);
}

}  // namespace terrazzo::adreno::compiler
