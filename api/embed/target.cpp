// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/embed/target.h"

#include <cstring>
#include <new>

namespace terrazzo::embed {

pipe::Ref<TargetDrawable> TargetDrawable::create(pipe::Screen& screen, pipe::Format color,
                                                 pipe::Format depth_stencil, uint32_t width_px,
                                                 uint32_t height_px) {
    auto d = pipe::Ref<TargetDrawable>::adopt(new (std::nothrow) TargetDrawable);
    if (!d) return nullptr;
    pipe::ResourceDesc desc;
    desc.width = width_px;
    desc.height = height_px;
    desc.format = color;
    desc.bind = pipe::bind::kColor | pipe::bind::kSampled;
    d->buffers_.color = screen.create_resource(desc);
    if (!d->buffers_.color) return nullptr;
    if (depth_stencil != pipe::Format::None) {
        desc.format = depth_stencil;
        desc.bind = pipe::bind::kDepthStencil;
        d->buffers_.depth_stencil = screen.create_resource(desc);
        if (!d->buffers_.depth_stencil) return nullptr;
    }
    d->buffers_.width_px = width_px;
    d->buffers_.height_px = height_px;
    d->color_format = color;
    d->depth_stencil_format = depth_stencil;
    d->double_buffered = false;
    return d;
}

bool TargetDrawable::copy_to(pipe::Context& context, const terrazzo_target& t) const {
    const pipe::Box box{0, 0, 0, int32_t(t.width_px), int32_t(t.height_px), 1};
    pipe::Mapping m = context.map(*buffers_.color, 0, box, pipe::map_flag::kRead);
    if (!m.data) return false;
    const auto* from = static_cast<const uint8_t*>(m.data);
    auto* to = static_cast<uint8_t*>(t.pixels);
    for (uint32_t y = 0; y < t.height_px; ++y) {
        const uint32_t row = t.origin == TERRAZZO_TOP_DOWN ? t.height_px - 1 - y : y;
        std::memcpy(to + row * t.stride_B, from + uint64_t(y) * m.row_stride_B, size_t(t.width_px) * 4);
    }
    context.unmap(*buffers_.color, m);
    return true;
}

}  // namespace terrazzo::embed
