// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/pass_desc.h"

#include <algorithm>

namespace terrazzo::contexts {

using namespace pipe::attachment_bit;

namespace {

bool same_image(const pipe::Attachment& a, const pipe::Attachment& b) {
    return a.resource == b.resource &&
           (!a.resource || (a.format == b.format && a.level == b.level && a.first_layer == b.first_layer &&
                            a.samples == b.samples));
}

}  // namespace

bool OpenPass::has_target(const pipe::Resource& r) const {
    bool found = false;
    for_each_attachment(desc_, [&](const pipe::Attachment& a) { found |= a.resource == &r; });
    return found;
}

void OpenPass::open(const pipe::RenderPassDesc& desc) {
    desc_ = desc;
    held_ = {};
    for (uint32_t i = 0; i < desc.color_count; ++i)
        held_[i] = pipe::Ref<pipe::Resource>(desc.color[i].resource);
    held_.back() = pipe::Ref<pipe::Resource>(desc.depth_stencil.resource);
    discarded_ = 0;
    active_ = true;
}

void OpenPass::close() {
    active_ = false;
    held_ = {};
}

bool continues(const pipe::RenderPassDesc& pass, const pipe::RenderPassDesc& desc, bool fresh) {
    if (desc.color_count != pass.color_count || desc.width != pass.width || desc.height != pass.height ||
        desc.samples != pass.samples)
        return false;
    const auto keeps = [&](pipe::LoadOp op) { return fresh || op != pipe::LoadOp::Clear; };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (!same_image(desc.color[i], pass.color[i]) || !keeps(desc.color[i].load)) return false;
    return same_image(desc.depth_stencil, pass.depth_stencil) && keeps(desc.depth_stencil.load) &&
           keeps(desc.stencil_load);
}

void go_on(pipe::RenderPassDesc* pass, const pipe::RenderPassDesc& desc) {
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        if (desc.color[i].load == pipe::LoadOp::Clear) {
            pass->color[i].load = pipe::LoadOp::Clear;
            pass->clear_color[i] = desc.clear_color[i];
        }
        pass->color[i].store = desc.color[i].store;
    }
    if (desc.depth_stencil.load == pipe::LoadOp::Clear) {
        pass->depth_stencil.load = pipe::LoadOp::Clear;
        pass->clear_depth = desc.clear_depth;
    }
    if (desc.stencil_load == pipe::LoadOp::Clear) {
        pass->stencil_load = pipe::LoadOp::Clear;
        pass->clear_stencil = desc.clear_stencil;
    }
    pass->depth_stencil.store = desc.depth_stencil.store;
    pass->stencil_store = desc.stencil_store;
    pass->area = {std::min(pass->area.x0, desc.area.x0), std::min(pass->area.y0, desc.area.y0),
                  std::max(pass->area.x1, desc.area.x1), std::max(pass->area.y1, desc.area.y1)};
}

void clear_on_load(pipe::RenderPassDesc* pass, const pipe::ClearInfo& info, uint32_t attachments) {
    for (uint32_t i = 0; i < pass->color_count; ++i)
        if (attachments & kColor0 << i) {
            pass->color[i].load = pipe::LoadOp::Clear;
            pass->clear_color[i] = info.color[i];
        }
    if (attachments & kDepth) {
        pass->depth_stencil.load = pipe::LoadOp::Clear;
        pass->clear_depth = info.depth;
    }
    if (attachments & kStencil) {
        pass->stencil_load = pipe::LoadOp::Clear;
        pass->clear_stencil = info.stencil;
    }
}

void drop_stores(pipe::RenderPassDesc* pass, uint32_t attachments) {
    for (uint32_t i = 0; i < pass->color_count; ++i)
        if (attachments & kColor0 << i) pass->color[i].store = pipe::StoreOp::DontCare;
    if (attachments & kDepth) pass->depth_stencil.store = pipe::StoreOp::DontCare;
    if (attachments & kStencil) pass->stencil_store = pipe::StoreOp::DontCare;
}

void load_all(pipe::RenderPassDesc* pass) {
    for (uint32_t i = 0; i < pass->color_count; ++i)
        pass->color[i].load = pipe::LoadOp::Load;
    pass->depth_stencil.load = pass->stencil_load = pipe::LoadOp::Load;
}

}  // namespace terrazzo::contexts
