// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Images that are bound, drawn into, mapped and copied: the form that they must have, the state to pack again
// when their memory changes, and images with a stencil plane.
#include <algorithm>
#include <bit>

#include "drivers/adreno/passes/draw_context.h"
#include "drivers/common/images/planes.h"

namespace terrazzo::adreno {

void DrawContext::touch_memory(images::StoredResource& r) {
    const auto in = [&](const auto& bound) {
        return std::any_of(bound.begin(), bound.end(), [&](const auto& b) { return b.resource == &r; });
    };
    if (in(state_.vertex_buffers)) state_.dirty |= kVertexBuffers;
    const bool is_buffer = r.desc.kind == pipe::ResourceKind::Buffer;
    for (size_t i = 0; i < state_.stages.size(); ++i) {
        const auto stage = pipe::Stage(i);
        const contexts::BoundStage& s = state_.stages[stage];
        if (in(s.blocks)) state_.touch(stage, StageGroup::Blocks);
        if (in(s.storage_buffers) || in(s.images)) state_.touch(stage, StageGroup::Storage);
        // Views are not examined: those that the program does not use may have been destroyed.
        if (!is_buffer || s.buffer_views) state_.touch(stage, StageGroup::Textures);
    }
}

void DrawContext::begin_drawing(const pipe::Attachment& a) {
    if (!a.resource) return;
    AdrenoResource& r = adreno(*a.resource);
    const pipe::Format format = a.format == pipe::Format::None ? r.desc.format : a.format;
    r.begin_drawing(format);
    if (r.is_compressed() && !r.compresses_alike(format)) (void)make_plain(r);
}

void DrawContext::make_odd_views_plain() {
    std::vector<AdrenoResource*> images;
    const auto add = [&](AdrenoResource& r) {
        if (r.is_compressed()) images.push_back(&r);
    };
    // Only those that the program uses: others may have been destroyed.
    for (size_t stage = 0; stage < state_.stages.size(); ++stage) {
        const contexts::BoundStage& s = state_.stages[pipe::Stage(stage)];
        const compiler::Info& info = state_.program->stages[stage].info;
        for (uint32_t rest = s.odd_views & info.textures; rest; rest &= rest - 1)
            add(static_cast<const AdrenoSamplerView&>(*s.views[size_t(std::countr_zero(rest))]).image());
        for (uint32_t rest = s.odd_images & info.images; rest; rest &= rest - 1)
            add(adreno(*s.images[size_t(std::countr_zero(rest))].resource));
    }
    if (images.empty()) return;
    const PausedPass paused(*this);
    for (AdrenoResource* const r : images)
        if (r->is_compressed()) (void)make_plain(*r);
}

bool DrawContext::copies_compressed(const images::StoredResource& r) const {
    return r.desc.samples == 1 && !pipe::format_info(r.desc.format).is_depth_stencil();
}

namespace {

images::StencilPlane stencil_of(images::StoredResource& r) {
    return {adreno(r).stencil.surface, adreno(r).plane_cpu(Plane::Stencil)};
}

}  // namespace

pipe::Mapping DrawContext::map_now(images::StoredResource& r, uint32_t level, const pipe::Box& box,
                                   uint32_t flags) {
    return adreno(r).has_stencil_plane() ? images::map_planes(r, stencil_of(r), level, box, flags)
                                         : images::map_resource(r, level, box, flags);
}

void DrawContext::unmap_now(images::StoredResource& r, const pipe::Mapping& mapping) {
    if (!adreno(r).has_stencil_plane()) return images::unmap_resource(r, mapping);
    images::unmap_planes(r, stencil_of(r), mapping);
}

void DrawContext::copy_by_cpu(const images::ImageCopy& c) {
    if (!adreno(c.dst).has_stencil_plane() || !adreno(c.src).has_stencil_plane())
        return ImageAccess::copy_by_cpu(c);
    images::copy_planes(c, stencil_of(c.dst), stencil_of(c.src));
}

}  // namespace terrazzo::adreno
