// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, fd6_gmem.cc (emit_blit, emit_subpass_clears, emit_resolve_blit, blit_can_resolve),
// tu_clear_blit.cc, a6xx.xml.
#include "drivers/adreno/sim/blit/event.h"

#include <algorithm>
#include <cstring>

#include "drivers/adreno/sim/read.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/units/rows.h"

namespace terrazzo::adreno::sim {

namespace {

using pipe::raster::PixelRect;

// A resolve handles this many rows at a time: whole macrotiles of most formats.
constexpr int32_t kBandRows = 16;

template <class... Part>
bool refuse(Fault* fault, const char* what, const Part&... why) {
    return fail(fault, "BLIT event: ", what, ": ", why...);
}
bool no_access(Fault* fault, const char* what, const std::string& why) {
    return fail(fault, FaultKind::Memory, "BLIT event: ", what, ": ", why);
}

struct Event {
    Machine& machine;
    hw::RB_BLIT_INFO info;
    hw::RB_BLIT_DST_INFO dst;
    PixelRect rect;                      // of the frame buffer
    int32_t offset_x = 0, offset_y = 0;  // of the bin
    Surface gmem, image;
    uint32_t gmem_samples = 1, image_samples = 1;

    PixelRect in_gmem(const PixelRect& r) const {
        return {r.x0 - offset_x, r.y0 - offset_y, r.x1 - offset_x, r.y1 - offset_y};
    }
    bool prepare(Fault* fault);
    bool prepare_image(Fault* fault);
    bool check_resolve(Fault* fault) const;
    bool clear(Fault* fault);
    bool store(Fault* fault);
    bool load(Fault* fault);
};

bool Event::prepare(Fault* fault) {
    RegisterReader in(machine.registers, fault);
    info = in.get<hw::RB_BLIT_INFO>();
    dst = in.get<hw::RB_BLIT_DST_INFO>();
    const auto bin = in.get<hw::RB_BIN_CONTROL2>();
    const auto offset = in.get<hw::RB_WINDOW_OFFSET2>().value;
    const auto tl = in.get<hw::RB_BLIT_SCISSOR_TL>().value, br = in.get<hw::RB_BLIT_SCISSOR_BR>().value;
    const auto base = in.get<hw::RB_BLIT_BASE_GMEM>();
    gmem_samples = 1u << unsigned(in.get<hw::RB_BLIT_GMEM_MSAA_CNTL>().samples);
    if (!in) return false;
    if (bin.binw == 0 || bin.binh == 0) return refuse(fault, "RB_BIN_CONTROL2", "a bin without pixels");
    offset_x = int32_t(offset.x), offset_y = int32_t(offset.y);
    const PixelRect scissor = rect_of(tl, br);
    const PixelRect pixels = {offset_x, offset_y, offset_x + int32_t(bin.binw), offset_y + int32_t(bin.binh)};
    rect = pipe::raster::intersect(scissor, pixels);
    const bool moves = info.type != hw::BlitEventType::BLIT_EVENT_CLEAR;
    if (moves && (tl.x % hw::Chip::kGmemAlignW_px || tl.y % hw::Chip::kGmemAlignH_px ||
                  (br.x + 1) % hw::Chip::kGmemAlignW_px || (br.y + 1) % hw::Chip::kGmemAlignH_px))
        return refuse(fault, "RB_BLIT_SCISSOR_TL and _BR", "not whole pieces of 16x4 pixels");
    std::string why;
    const SurfaceDesc d = gmem_surface(bin.binw, bin.binh, base.value, dst.color_format, gmem_samples);
    if (!gmem.init(d, machine.chip, &why)) return refuse(fault, "RB_BLIT_DST_INFO", why);
    if (gmem.format().size_B > units::kMaxPixel_B || pipe::format_info(gmem.format().format).is_compressed)
        return refuse(fault, "RB_BLIT_DST_INFO", "GMEM has no such format");
    if (!moves) return true;
    image_samples = 1u << unsigned(dst.samples);
    return rect.empty() || prepare_image(fault);
}

bool Event::prepare_image(Fault* fault) {
    RegisterReader in(machine.registers, fault);
    SurfaceDesc d;
    d.va = in.get<hw::RB_BLIT_DST>().value;
    d.pitch_B = in.get<hw::RB_BLIT_DST_PITCH>().value;
    d.format = dst.color_format;
    d.tile_mode = dst.tile_mode;
    d.swap = ccu_swap(dst.tile_mode, dst.color_swap);
    d.width_px = uint32_t(rect.x1), d.height_px = uint32_t(rect.y1);
    d.samples = image_samples;
    d.has_flags = dst.flags;
    if (dst.flags) {
        d.flags_va = in.get<hw::RB_BLIT_FLAG_DST>().value;
        d.flags_pitch_B = in.get<hw::RB_BLIT_FLAG_DST_PITCH>().pitch;
    }
    if (!in) return false;
    std::string why;
    if (!image.init(d, machine.chip, &why)) return refuse(fault, "RB_BLIT_DST_INFO", why);
    return true;
}

// Refuses resolves that the event cannot do.
bool Event::check_resolve(Fault* fault) const {
    constexpr const char* what = "RB_BLIT_DST_INFO";
    if (image_samples != 1)
        return refuse(fault, what, "a resolve of ", gmem_samples, " samples to ", image_samples);
    const pipe::FormatInfo& f = pipe::format_info(gmem.format().format);
    if (dst.tile_mode != hw::TileMode::TILE6_LINEAR && f.block_B == 2 && f.channel_count == 2)
        return refuse(fault, what, "a resolve of R8G8 that is tiled");
    if (info.sample_0) return true;
    for (unsigned i = 0; i < f.channel_count; ++i) {
        const pipe::ChannelInfo& c = f.channel[i];
        if (c.type != pipe::ChannelType::None && (c.type != pipe::ChannelType::Unorm || c.bits > 10))
            return refuse(fault, what, "the mean of ", f.name);
    }
    if (f.is_depth_stencil()) return refuse(fault, what, "the mean of ", f.name);
    return true;
}

bool Event::clear(Fault* fault) {
    const units::FormatReader& format = gmem.format();
    uint8_t pixel[units::kMaxPixel_B], bits[units::kMaxPixel_B];
    for (uint16_t w = 0; w < (format.size_B + 3) / 4; ++w) {
        const uint16_t reg = uint16_t(hw::RB_BLIT_CLEAR_COLOR_DW0::kRegister + w);
        if (!machine.registers.is_set(reg))
            return fail(fault, "BLIT event: register ", hw::register_name(reg), " was never written");
        const uint32_t word = machine.registers.value(reg);
        std::memcpy(pixel + w * 4, &word, 4);
    }
    uint32_t mask = info.clear_mask;
    const pipe::FormatInfo& f = pipe::format_info(format.format);
    const bool packed = f.has_depth && f.has_stencil;
    if (info.depth && packed)  // depth is three of four components
        mask = (mask & 1 ? 7u : 0u) | (mask & 2 ? 8u : 0u);
    else if (info.depth)
        mask = mask & 1 ? 0xfu : 0u;
    if (packed) {
        std::memset(bits, 0, sizeof(bits));
        for (unsigned c = 0; c < 4; ++c)
            bits[c] = mask >> c & 1 ? 0xff : 0;
    } else {
        units::component_bits(format, f.is_depth_stencil() && mask ? 0xf : mask, bits);
    }
    std::string why;
    const PixelRect r = in_gmem(rect);
    uint8_t* row = gmem.gmem_at(machine.gmem, r, &why);
    if (!row) return no_access(fault, "RB_BLIT_BASE_GMEM", why);
    const uint32_t count = uint32_t(r.x1 - r.x0) * gmem_samples;
    std::vector<uint8_t> line(size_t(count) * format.size_B);
    units::replicate_row(format.size_B, pixel, count, 1, line.data());
    const bool all = std::all_of(bits, bits + format.size_B, [](uint8_t b) { return b == 0xff; });
    for (int32_t y = r.y0; y < r.y1; ++y, row += gmem.desc().pitch_B) {
        if (all)
            std::memcpy(row, line.data(), line.size());
        else
            units::merge_row(bits, format.size_B, line.data(), count, row);
    }
    return true;
}

bool Event::store(Fault* fault) {
    std::string why;
    const PixelRect r = in_gmem(rect);
    const uint8_t* rows = gmem.gmem_at(machine.gmem, r, &why);
    if (!rows) return no_access(fault, "RB_BLIT_BASE_GMEM", why);
    const uint32_t pitch_B = gmem.desc().pitch_B;
    if (gmem_samples == image_samples)
        return image.write(machine.memory, machine.gmem, rect, rows, pitch_B, &why) ||
               no_access(fault, "RB_BLIT_DST", why);
    if (!check_resolve(fault)) return false;
    const uint32_t width = uint32_t(rect.x1 - rect.x0), row_B = width * gmem.format().size_B;
    std::vector<uint8_t> band(size_t(row_B) * kBandRows);
    for (int32_t y = rect.y0; y < rect.y1; y += kBandRows) {
        const int32_t end = std::min(y + kBandRows, rect.y1);
        for (int32_t i = 0; i < end - y; ++i, rows += pitch_B)
            units::resolve_row(gmem.format(), rows, gmem_samples, !info.sample_0, width,
                               &band[size_t(i) * row_B]);
        if (!image.write(machine.memory, machine.gmem, {rect.x0, y, rect.x1, end}, band.data(), row_B, &why))
            return no_access(fault, "RB_BLIT_DST", why);
    }
    return true;
}

bool Event::load(Fault* fault) {
    std::string why;
    const PixelRect r = in_gmem(rect);
    uint8_t* rows = gmem.gmem_at(machine.gmem, r, &why);
    if (!rows) return no_access(fault, "RB_BLIT_BASE_GMEM", why);
    const uint32_t pitch_B = gmem.desc().pitch_B;
    if (gmem_samples == image_samples)
        return image.read(machine.memory, machine.gmem, rect, rows, pitch_B, &why) ||
               no_access(fault, "RB_BLIT_DST", why);
    if (image_samples != 1)
        return refuse(fault, "RB_BLIT_DST_INFO", "a load of ", image_samples, " samples to ", gmem_samples);
    const uint32_t width = uint32_t(rect.x1 - rect.x0), row_B = width * image.pixel_B();
    std::vector<uint8_t> band(size_t(row_B) * kBandRows);
    for (int32_t y = rect.y0; y < rect.y1; y += kBandRows) {
        const int32_t end = std::min(y + kBandRows, rect.y1);
        if (!image.read(machine.memory, machine.gmem, {rect.x0, y, rect.x1, end}, band.data(), row_B, &why))
            return no_access(fault, "RB_BLIT_DST", why);
        for (int32_t i = 0; i < end - y; ++i, rows += pitch_B)
            units::replicate_row(image.pixel_B(), &band[size_t(i) * row_B], gmem_samples, width, rows);
    }
    return true;
}

}  // namespace

bool blit_event(Machine& machine, Fault* fault) {
    Event event{machine};
    if (!event.prepare(fault)) return false;
    if (event.rect.empty()) return true;
    switch (event.info.type) {
        case hw::BlitEventType::BLIT_EVENT_STORE:
            return event.store(fault);
        case hw::BlitEventType::BLIT_EVENT_STORE_AND_CLEAR:
            return event.store(fault) && (event.info.clear_mask == 0 || event.clear(fault));
        case hw::BlitEventType::BLIT_EVENT_CLEAR:
            return event.clear(fault);
        case hw::BlitEventType::BLIT_EVENT_LOAD:
            return event.load(fault);
    }
    return false;
}

bool stored_image(Machine& machine, SurfaceDesc* out) {
    Event event{machine};
    Fault fault;
    if (!event.prepare(&fault) || event.rect.empty() || event.info.depth) return false;
    const hw::BlitEventType type = event.info.type;
    if (type != hw::BlitEventType::BLIT_EVENT_STORE && type != hw::BlitEventType::BLIT_EVENT_STORE_AND_CLEAR)
        return false;
    *out = event.image.desc();
    return true;
}

}  // namespace terrazzo::adreno::sim
