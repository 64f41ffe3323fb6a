// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/texture.h"

namespace terrazzo::st {

bool cube_complete(const Texture& t) {
    const TextureImage* first = t.image(0, 0);
    if (!first || !first->resource || first->width != first->height) return false;
    for (unsigned f = 1; f < t.faces(); ++f) {
        const TextureImage* face = t.image(f, 0);
        if (!face || !face->resource || !face->same_shape(*first)) return false;
    }
    return true;
}

namespace {

Completeness incomplete(const char* why) {
    return {false, 0, why};
}

}  // namespace

uint32_t consistent_levels(const Texture& t) {
    const TextureImage* base = t.image(0, 0);
    if (!base || !base->resource) return 0;
    const uint32_t full = full_level_count(base->width, base->height);
    for (uint32_t level = 0; level < full; ++level)
        for (unsigned f = 0; f < t.faces(); ++f) {
            const TextureImage* i = t.image(f, level);
            if (!i || !i->resource || i->format != base->format || i->width != minify(base->width, level) ||
                i->height != minify(base->height, level))
                return level;
        }
    return full;
}

Completeness texture_completeness(const Context& ctx, const Texture& t) {
    const TextureImage* base = t.image(0, 0);
    if (!base) return incomplete("level 0 is not defined");
    if (!base->resource) return incomplete("level 0 is empty");
    if (t.faces() == 6 && !cube_complete(t))
        return incomplete("the cube's faces are not all of one size and format");
    if (t.params.linear()) {
        const bool filters =
            base->format->has(format_flag::kFilter) ||
            (base->format->has(format_flag::kFilterFloat) && ctx.screen.caps().float_textures_linear);
        if (!filters) return incomplete("its format cannot be filtered, and its filters are not all NEAREST");
    }
    Completeness c{true, 1, nullptr};
    if (t.params.mipmapped()) {
        c.levels = t.immutable ? t.immutable_levels : full_level_count(base->width, base->height);
        if (consistent_levels(t) < c.levels)
            return incomplete("its minification filter needs mipmaps, and they are not complete");
    }
    return c;
}

}  // namespace terrazzo::st
