// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Parts of images, for the hazards of work that accesses only some levels or layers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pipe/context.h"
#include "pipe/state.h"

namespace terrazzo::images {

/// Levels, and layers or slices, of an image. The default is all of them; it is used for buffers, too.
struct ImagePart {
    uint16_t first_level = 0, last_level = 0xffff, first_layer = 0, last_layer = 0xffff;

    [[nodiscard]] static ImagePart of(uint32_t level, uint32_t first_layer, uint32_t layer_count) {
        return {uint16_t(level), uint16_t(level), uint16_t(first_layer),
                uint16_t(first_layer + layer_count - 1)};
    }
    [[nodiscard]] bool overlaps(ImagePart o) const {
        return first_level <= o.last_level && o.first_level <= last_level && first_layer <= o.last_layer &&
               o.first_layer <= last_layer;
    }
    /// The smallest part that contains both.
    [[nodiscard]] ImagePart joined(ImagePart o) const {
        return {std::min(first_level, o.first_level), std::max(last_level, o.last_level),
                std::min(first_layer, o.first_layer), std::max(last_layer, o.last_layer)};
    }
    bool operator==(const ImagePart&) const = default;
};
/// The part of an image that a box of a level touches.
[[nodiscard]] inline ImagePart part_of(uint32_t level, const pipe::Box& box) {
    return box.z < 0 || box.depth < 1 ? ImagePart{}
                                      : ImagePart::of(level, uint32_t(box.z), uint32_t(box.depth));
}
/// The part that a view reads.
[[nodiscard]] inline ImagePart part_of(const pipe::SamplerViewDesc& d) {
    if (d.kind == pipe::ResourceKind::Buffer) return {};
    if (d.kind == pipe::ResourceKind::Tex3D)
        return {.first_level = d.first_level, .last_level = d.last_level};
    return {d.first_level, d.last_level, d.first_layer, d.last_layer};
}

}  // namespace terrazzo::images
