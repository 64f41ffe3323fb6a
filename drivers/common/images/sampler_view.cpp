// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/sampler_view.h"

namespace terrazzo::images {

using pipe::ResourceKind;

const char* check_view(const StoredResource& r, const pipe::SamplerViewDesc& d) {
    if ((d.kind == ResourceKind::Buffer) != (r.desc.kind == ResourceKind::Buffer))
        return "a view of a buffer needs a buffer, and vice versa";
    if (d.kind == ResourceKind::Buffer) return nullptr;
    if (d.first_level > d.last_level || d.last_level >= r.desc.levels)
        return "it has levels that the resource lacks";
    if ((d.kind == ResourceKind::Tex3D) != (r.desc.kind == ResourceKind::Tex3D))
        return "a 3D view needs a 3D image, and vice versa";
    if (d.kind == ResourceKind::Tex3D) return nullptr;
    if (d.first_layer > d.last_layer || d.last_layer >= r.desc.layers)
        return "it has layers that the resource lacks";
    if (is_cube(d.kind) && (view_layers(d) % 6 || r.desc.width != r.desc.height))
        return "a cube needs six layers with equal width and height";
    return nullptr;
}

}  // namespace terrazzo::images
