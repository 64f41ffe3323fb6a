// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptions of AGX images, for tests.
#pragma once

#include <doctest/doctest.h>

#include "pipe/layout/agx.h"

namespace terrazzo::pipe::agx_images {

inline AgxLayoutDesc image(Format format, uint32_t w, uint32_t h, uint32_t levels = 1) {
    AgxLayoutDesc d;
    d.image.format = format;
    d.image.width = w;
    d.image.height = h;
    d.image.levels = levels;
    d.image.tiling = Tiling::Twiddled;
    return d;
}
inline AgxLayoutDesc layered(AgxLayoutDesc d, uint32_t layers) {
    if (layers > 1) d.image.kind = ResourceKind::Tex2DArray;
    d.image.layers = layers;
    return d;
}
inline AgxLayout laid_out(const AgxLayoutDesc& d) {
    AgxLayout a;
    REQUIRE(agx_layout_compute(d, &a) == LayoutStatus::Ok);
    return a;
}

}  // namespace terrazzo::pipe::agx_images
