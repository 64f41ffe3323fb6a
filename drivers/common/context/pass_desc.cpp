// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/pass_desc.h"

#include <algorithm>
#include <cmath>

namespace terrazzo::contexts {

using namespace pipe::attachment_bit;

namespace {

bool same_image(const pipe::Attachment& a, const pipe::Attachment& b) {
    return a.resource == b.resource &&
           (!a.resource || (a.format == b.format && a.level == b.level && a.first_layer == b.first_layer &&
                            a.samples == b.samples));
}

int32_t to_px(float v) {
    return int32_t(std::lrint(std::clamp(v, -32768.0f, 32767.0f)));
}

}  // namespace

bool OpenPass::has_target(const pipe::Resource& r) const {
    bool found = false;
    for_each_attachment(desc_, [&](const pipe::Attachment& a) { found |= a.resource == &r; });
    return found;
}

pipe::raster::PixelRect OpenPass::viewport_px(const pipe::Viewport& v) const {
    const float w = std::abs(v.scale[0]), h = std::abs(v.scale[1]);
    return pipe::raster::intersect({to_px(v.translate[0] - w), to_px(v.translate[1] - h),
                                    to_px(v.translate[0] + w), to_px(v.translate[1] + h)},
                                   extent());
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

void ContinuedPass::open(const pipe::RenderPassDesc& desc) {
    OpenPass::open(desc);
    draws_ = 0;
    uses_depth_stencil_ = false;
    formats_.fill(pipe::Format::None);
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (desc.color[i].resource) formats_[i] = desc.color[i].format;
}

void ContinuedPass::drop() {
    close();
    draws_ = 0;
    desc_ = {};
}

std::span<const pipe::Format> ContinuedPass::color_formats(uint32_t least) const {
    return {formats_.data(), std::max(desc_.color_count, least)};
}

bool ContinuedPass::continues(const pipe::RenderPassDesc& desc) const {
    if (!active_ || desc.color_count != desc_.color_count || desc.width != desc_.width ||
        desc.height != desc_.height || desc.samples != desc_.samples)
        return false;
    const auto keeps = [&](pipe::LoadOp op) { return fresh() || op != pipe::LoadOp::Clear; };
    for (uint32_t i = 0; i < desc.color_count; ++i)
        if (!same_image(desc.color[i], desc_.color[i]) || !keeps(desc.color[i].load)) return false;
    return same_image(desc.depth_stencil, desc_.depth_stencil) && keeps(desc.depth_stencil.load) &&
           keeps(desc.stencil_load);
}

void ContinuedPass::go_on(const pipe::RenderPassDesc& desc) {
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        if (desc.color[i].load == pipe::LoadOp::Clear) {
            desc_.color[i].load = pipe::LoadOp::Clear;
            desc_.clear_color[i] = desc.clear_color[i];
        }
        desc_.color[i].store = desc.color[i].store;
    }
    if (desc.depth_stencil.load == pipe::LoadOp::Clear) {
        desc_.depth_stencil.load = pipe::LoadOp::Clear;
        desc_.clear_depth = desc.clear_depth;
    }
    if (desc.stencil_load == pipe::LoadOp::Clear) {
        desc_.stencil_load = pipe::LoadOp::Clear;
        desc_.clear_stencil = desc.clear_stencil;
    }
    desc_.depth_stencil.store = desc.depth_stencil.store;
    desc_.stencil_store = desc.stencil_store;
    desc_.area = {std::min(desc_.area.x0, desc.area.x0), std::min(desc_.area.y0, desc.area.y0),
                  std::max(desc_.area.x1, desc.area.x1), std::max(desc_.area.y1, desc.area.y1)};
    discarded_ = 0;
}

void ContinuedPass::clear_on_load(const pipe::ClearInfo& info, uint32_t attachments) {
    for (uint32_t i = 0; i < desc_.color_count; ++i)
        if (attachments & kColor0 << i) {
            desc_.color[i].load = pipe::LoadOp::Clear;
            desc_.clear_color[i] = info.color[i];
        }
    if (attachments & kDepth) {
        desc_.depth_stencil.load = pipe::LoadOp::Clear;
        desc_.clear_depth = info.depth;
    }
    if (attachments & kStencil) {
        desc_.stencil_load = pipe::LoadOp::Clear;
        desc_.clear_stencil = info.stencil;
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
