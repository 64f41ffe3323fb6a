// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/sampler_view.h"

namespace terrazzo::images {

using pipe::ResourceKind;

const char* check_view(const StoredResource& r, const pipe::SamplerViewDesc& d) {
    if ((d.kind == ResourceKind::Buffer) != (r.desc.kind == ResourceKind::Buffer))
        return "a buffer is no image";
    if (d.kind == ResourceKind::Buffer) return nullptr;
    if (d.first_level > d.last_level || d.last_level >= r.desc.levels)
        return "it names levels that are not there";
    if ((d.kind == ResourceKind::Tex3D) != (r.desc.kind == ResourceKind::Tex3D))
        return "it makes layers of slices";
    if (d.kind == ResourceKind::Tex3D) return nullptr;
    if (d.first_layer > d.last_layer || d.last_layer >= r.desc.layers)
        return "it names layers that are not there";
    if (is_cube(d.kind) && (view_layers(d) % 6 || r.desc.width != r.desc.height))
        return "it makes a cube of what is none";
    return nullptr;
}

}  // namespace terrazzo::images
