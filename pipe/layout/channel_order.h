// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of channels in Adreno's tiled images. Their colour cache has one order: R lowest, then G, B, A
// (SWAP = WZYX). All levels of a tiled image are stored in this order, including small linear ones, whatever
// the format's order is. Descriptors then say WZYX. So the CPU's copies reorder pixels of B8G8R8A8, B5G6R5
// and similar formats. Source: Mesa 25.0.7, fd6_pipe2swap in src/freedreno/fdl/fd6_format_table.c, and the
// reason why src/freedreno/vulkan/tu_image.cc refuses such formats for copies by the host.
#pragma once

#include "pipe/layout/linear.h"

namespace terrazzo::pipe {

/// Whether the format's channels have the order R, G, B, A (or X), or L, A. Also true for formats without
/// such channels: depth, compressed blocks.
bool format_in_rgba_order(Format format);

/// Convert pixels of a format with another order to RGBA order, and back. `from` and `to` may be equal, but
/// must not overlap otherwise.
void pixels_to_rgba_order(Format format, const void* from, void* to, uint32_t count);
void pixels_from_rgba_order(Format format, const void* from, void* to, uint32_t count);

namespace detail {

/// Copies between a surface in RGBA order and rows in the format's order, through a small buffer. An element
/// is one or more samples. `copy` is the tiling's copy into the surface (`to_surface`) or out of it.
void copy_reordered(Format format, const RowCopy& c, bool to_surface, void (*copy)(const RowCopy& c));

}  // namespace detail

}  // namespace terrazzo::pipe
