// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <algorithm>

#include "state_tracker/images/texture.h"

namespace terrazzo::st {

bool cube_complete(const Texture& t, uint32_t first) {
    const TextureImage* base = t.image(0, first);
    if (!base || !base->resource || base->width != base->height) return false;
    for (unsigned f = 1; f < t.faces(); ++f) {
        const TextureImage* face = t.image(f, first);
        if (!face || !face->resource || !face->same_shape(*base)) return false;
    }
    return true;
}

namespace {

Completeness incomplete(const char* why) {
    return {false, 0, 0, why};
}

/// Number of levels of the full chain that begins with `base`.
uint32_t full_chain(const Texture& t, const TextureImage& base) {
    return full_level_count(base.width, base.height, t.is_volume() ? base.depth : 1);
}

}  // namespace

uint32_t consistent_levels(const Texture& t, uint32_t first) {
    const TextureImage* base = t.image(0, first);
    if (!base || !base->resource) return 0;
    const uint32_t full = full_chain(t, *base);
    for (uint32_t n = 0; n < full; ++n)
        for (unsigned f = 0; f < t.faces(); ++f) {
            const TextureImage* i = t.image(f, first + n);
            if (!i || !i->resource || i->format != base->format || i->width != minify(base->width, n) ||
                i->height != minify(base->height, n) ||
                i->depth != (t.is_volume() ? minify(base->depth, n) : base->depth))
                return n;
        }
    return full;
}

Completeness texture_completeness(const Texture& t, bool mipmapped) {
    const uint32_t first = t.first_level(), last = t.last_level();
    if (first > last) return incomplete("its base level is above its maximal level");
    const TextureImage* base = t.image(0, first);
    if (!base) return incomplete("its base level is not defined");
    if (!base->resource) return incomplete("its base level is empty");
    if (t.faces() == 6 && !cube_complete(t, first))
        return incomplete("the cube's faces are not all of one size and format");
    Completeness c{true, first, 1, nullptr};
    if (mipmapped) {
        c.levels = std::min(full_chain(t, *base), last - first + 1);
        if (consistent_levels(t, first) < c.levels)
            return incomplete("its minification filter needs mipmaps, and they are not complete");
    }
    return c;
}

bool shows_stencil(const Texture& t, uint32_t level) {
    using namespace format_flag;
    const TextureImage* const i = t.image(0, level);
    return i && i->format->has(kStencil) &&
           (!i->format->has(kDepth) || t.depth_stencil_mode == GL_STENCIL_INDEX);
}

const char* broken_filter_rule(const Context& ctx, const Texture& t, const SamplerParams& p) {
    const TextureImage* base = t.image(0, t.first_level());
    if (!base || !p.linear() || t.is_multisample()) return nullptr;
    if (shows_stencil(t, t.first_level()))
        return "stencil cannot be filtered, and its filters are not all NEAREST";
    if (!texture_filterable(ctx, *base->format))
        return "its format cannot be filtered, and its filters are not all NEAREST";
    // Unsized depth formats belong to OES_depth_texture, which does not have this rule.
    if (ctx.config.version >= 30 && base->format->has(format_flag::kDepth) &&
        base->internal_format != base->format->base && p.compare_mode == GL_NONE)
        return "its depths are not compared, and its filters are not all NEAREST";
    return nullptr;
}

}  // namespace terrazzo::st
