// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/resources/stored_image.h"

#include "drivers/common/units/refuse.h"

namespace terrazzo::agx::sim {

using units::refuse;

bool StoredImage::init(const pipe::AgxLayoutDesc& desc, uint64_t va, std::string* why) {
    va_ = va;
    const pipe::LayoutStatus status = pipe::agx_layout_compute(desc, &layout_);
    return status == pipe::LayoutStatus::Ok ||
           refuse(why, "no image has this layout: ", pipe::layout_status_text(status));
}

uint8_t* StoredImage::map(window::Window& memory, window::Access access, std::string* why) const {
    uint8_t* const p = memory.at(va_, layout_.surface.size_B, access);
    if (!p) refuse(why, "the image's ", layout_.surface.size_B, " bytes: ", memory.fault());
    return p;
}

namespace {

pipe::Box box_of(const pipe::raster::PixelRect& r, uint32_t layer) {
    return {r.x0, r.y0, int32_t(layer), r.x1 - r.x0, r.y1 - r.y0, 1};
}

}  // namespace

bool StoredImage::load(window::Window& memory, uint32_t level, uint32_t layer,
                       const pipe::raster::PixelRect& rect, uint8_t* rows, size_t row_B,
                       std::string* why) const {
    const uint8_t* const p = map(memory, window::Access::Read, why);
    if (!p) return false;
    return pipe::detile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
}

bool StoredImage::store(window::Window& memory, uint32_t level, uint32_t layer,
                        const pipe::raster::PixelRect& rect, const uint8_t* rows, size_t row_B,
                        std::string* why) const {
    uint8_t* const p = map(memory, window::Access::Write, why);
    if (!p) return false;
    return pipe::tile_rect(layout_.surface, p, level, box_of(rect, layer), rows, ptrdiff_t(row_B), 0) ||
           refuse(why, "pixels outside of the image");
}

}  // namespace terrazzo::agx::sim
