// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/picture.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/blit/event.h"
#include "drivers/adreno/sim/pixel/state.h"
#include "pipe/format.h"

namespace terrazzo::adreno::sim {

namespace {

/// A GPU's largest image.
constexpr uint32_t kMostSide_px = 16384;

}  // namespace

void LastTarget::note(const SurfaceDesc& desc) {
    const bool same = desc_.va == desc.va && desc_.format == desc.format;
    const uint32_t width = same ? desc_.width_px : 0, height = same ? desc_.height_px : 0;
    desc_ = desc;
    // Scissors and tiles are parts of it.
    desc_.width_px = std::max(desc.width_px, width);
    desc_.height_px = std::max(desc.height_px, height);
}

void LastTarget::after_draw(Machine& machine) {
    if (machine.mode != RenderMode::Bypass) return;
    PixelState state;
    Fault fault;
    if (!load_pixel_state(machine, 0, 1, &state, &fault) || state.in_gmem) return;
    for (const ColorOutput& c : state.color)
        if (c.target.used) return note(c.target.desc);
}

void LastTarget::after_blit(Machine& machine) {
    SurfaceDesc desc;
    if (stored_image(machine, &desc)) note(desc);
}

bool read_picture(Machine& machine, const SurfaceDesc& target, host::Picture* out, std::string* why) {
    Surface surface;
    // Bytes are shown as encoded.
    SurfaceDesc desc = target;
    desc.srgb = false;
    if (!surface.init(desc, machine.chip, why)) return false;
    const units::FormatReader& format = surface.format();
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    if (info.is_depth_stencil() || info.is_compressed || format.kind != units::NumberKind::Float ||
        target.width_px > kMostSide_px || target.height_px > kMostSide_px)
        return refuse(why, "a target of ", info.name);
    const uint32_t width = target.width_px, height = target.height_px;
    out->resize(width, height);
    machine.memory.refresh();
    std::vector<uint8_t> row(size_t(width) * surface.pixel_B());
    for (uint32_t y = 0; y < height; ++y) {
        const pipe::raster::PixelRect rect = {0, int32_t(y), int32_t(width), int32_t(y) + 1};
        if (!surface.read(machine.memory, machine.gmem, rect, row.data(), row.size(), why)) return false;
        for (uint32_t x = 0; x < width; ++x) {
            uint32_t color[4];
            format.read(&row[size_t(x) * surface.pixel_B()], color);
            for (unsigned c = 0; c < 4; ++c)
                out->at(x, y)[c] = host::picture_byte(std::bit_cast<float>(color[c]));
        }
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
