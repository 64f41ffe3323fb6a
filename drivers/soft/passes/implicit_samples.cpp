// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/implicit_samples.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "drivers/soft/passes/resolve.h"

namespace terrazzo::soft {

pipe::Ref<ImplicitSamples> ImplicitSamples::make(const pipe::RenderPassDesc& pass,
                                                 const ImplicitSamples* last,
                                                 std::pmr::memory_resource* memory) {
    pipe::Ref<ImplicitSamples> made;
    for (uint32_t i = 0; i < std::min<uint32_t>(pass.color_count, pipe::kMaxColorTargets); ++i) {
        const pipe::Attachment& a = pass.color[i];
        if (!a.resource || a.samples <= a.resource->desc.samples) continue;
        if (!made) made = pipe::Ref<ImplicitSamples>::adopt(new ImplicitSamples);
        Plane& p = made->planes_[i];
        p.to = &soft(*a.resource);
        p.format = a.format;
        p.level = a.level;
        p.layer = a.first_layer;
        p.loads = a.load == pipe::LoadOp::Load;
        const LevelLayout& l = p.to->level(a.level);
        pipe::ResourceDesc d;
        d.format = a.format;
        d.width = l.width;
        d.height = l.height;
        d.samples = std::min<uint32_t>(a.samples, kMaxSamples);
        d.bind = pipe::bind::kColor;
        const pipe::Ref<pipe::Resource>* const old = last ? &last->planes_[i].image : nullptr;
        if (old && *old && (*old)->desc.format == d.format && (*old)->desc.width == d.width &&
            (*old)->desc.height == d.height && (*old)->desc.samples == d.samples)
            p.image = *old;
        else
            p.image = SoftResource::create(d, memory);
        if (!p.image) throw std::bad_alloc();
        const auto tiles = [](uint32_t px) { return (px + kTileSize_px - 1) / kTileSize_px; };
        made->loaded_.resize(
            std::max<size_t>(made->loaded_.size(), size_t(tiles(l.width)) * tiles(l.height)));
    }
    return made;
}

void ImplicitSamples::redirect(pipe::RenderPassDesc* pass) const {
    for (size_t i = 0; i < planes_.size(); ++i) {
        if (!planes_[i].image) continue;
        pass->color[i].resource = planes_[i].image.get();
        pass->color[i].level = pass->color[i].first_layer = 0;
    }
}

uint8_t* ImplicitSamples::at(const SoftResource& r, uint32_t level, uint32_t layer, const Rect& pixels) {
    return r.slice(level, layer) + size_t(pixels.y0) * r.level(level).row_stride_B +
           size_t(pixels.x0) * pipe::format_info(r.desc.format).block_B;
}

void ImplicitSamples::load(uint32_t tile, const Rect& pixels) {
    if (loaded_[tile]) return;
    loaded_[tile] = 1;
    for (const Plane& p : planes_) {
        if (!p.image || !p.loads) continue;
        const SoftResource& image = soft(*p.image);
        const LevelLayout &from = p.to->level(p.level), &to = image.level(0);
        const size_t row_B = size_t(pixels.x1 - pixels.x0) * pipe::format_info(p.format).block_B;
        const uint8_t* const src = at(*p.to, p.level, p.layer, pixels);
        uint8_t* const dst = at(image, 0, 0, pixels);
        for (uint32_t s = 0; s < image.desc.samples; ++s)
            for (size_t y = 0; y < size_t(pixels.y1 - pixels.y0); ++y)
                std::memcpy(dst + s * to.sample_stride_B + y * to.row_stride_B, src + y * from.row_stride_B,
                            row_B);
    }
}

void ImplicitSamples::resolve(const Rect& pixels) const {
    const auto width = uint32_t(pixels.x1 - pixels.x0), height = uint32_t(pixels.y1 - pixels.y0);
    for (const Plane& p : planes_) {
        if (!p.image) continue;
        const SoftResource& image = soft(*p.image);
        const LevelLayout &from = image.level(0), &to = p.to->level(p.level);
        const PixelRows src = {at(image, 0, 0, pixels), from.row_stride_B, p.format};
        const PixelRows dst = {at(*p.to, p.level, p.layer, pixels), to.row_stride_B, p.format};
        if (can_resolve(p.format, p.format)) {
            resolve_samples(dst, src, from.sample_stride_B, image.desc.samples, width, height);
            continue;
        }
        // For integers, the first sample is the result, as in blits.
        for (uint32_t y = 0; y < height; ++y)
            std::memcpy(dst.data + y * dst.row_stride_B, src.data + y * src.row_stride_B,
                        size_t(width) * pipe::format_info(p.format).block_B);
    }
}

}  // namespace terrazzo::soft
