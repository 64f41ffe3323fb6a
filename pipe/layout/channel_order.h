// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of channels in Adreno's tiled images. Their colour cache knows one order, R lowest, then G, B, A
// (SWAP = WZYX): of an image that is tiled all levels are stored so, small linear ones too, whatever the
// format's own order. Descriptors then say WZYX. So the CPU's copies reorder pixels of B8G8R8A8, B5G6R5 and
// the like. Source: Mesa 25.0.7, fd6_pipe2swap in src/freedreno/fdl/fd6_format_table.c, and why
// src/freedreno/vulkan/tu_image.cc refuses such formats for copies by the host.
#pragma once

#include "pipe/layout/linear.h"

namespace terrazzo::pipe {

/// Whether the format's channels stand in the order R, G, B, A (or X), L, A. True for all that have no such
/// channels: depth, compressed blocks.
bool format_in_rgba_order(Format format);

/// Pixels of a format that is not in that order, to it and back. `from` and `to` may be the same, but not
/// overlap otherwise.
void pixels_to_rgba_order(Format format, const void* from, void* to, uint32_t count);
void pixels_from_rgba_order(Format format, const void* from, void* to, uint32_t count);

namespace detail {

/// A copy whose elements are one or more samples, whose surface is in RGBA order and whose rows are in the format's: through a small buffer. `copy` is
/// the tiling's, into (`to_surface`) or out of the surface.
void copy_reordered(Format format, const RowCopy& c, bool to_surface, void (*copy)(const RowCopy& c));

}  // namespace detail

}  // namespace terrazzo::pipe
