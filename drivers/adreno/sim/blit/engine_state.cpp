// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, fd6_blitter.cc, tu_clear_blit.cc (r2d_*), a6xx.xml.
#include "drivers/adreno/sim/blit/engine_state.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/adreno/sim/read.h"
#include "pipe/half.h"

namespace terrazzo::adreno::sim {

namespace {

using pipe::raster::PixelRect;
using F = hw::Format;

constexpr uint32_t kKeepStencil = 0x08000041, kKeepDepth = 0x00084001;

template <class... Part>
bool refuse(Fault* fault, const char* what, const Part&... why) {
    return fail(fault, "2D blit: ", what, ": ", why...);
}

// For the engine, depth with stencil is bytes, whatever format drivers write.
bool is_packed_depth(F f) {
    return f == F::FMT6_Z24_UNORM_S8_UINT || f == F::FMT6_Z24_UNORM_S8_UINT_AS_R8G8B8A8;
}
F as_bytes(F f) {
    return is_packed_depth(f) ? F::FMT6_8_8_8_8_UNORM : f;
}

bool decode_control(const Registers& r, EngineState* s, Fault* fault) {
    RegisterReader in(r, fault);
    s->cntl = in.get<hw::RB_2D_BLIT_CNTL>().value;
    in.get<hw::GRAS_2D_BLIT_CNTL>();
    const auto sp = in.get<hw::SP_2D_DST_FORMAT>();
    if (!in) return false;
    if (r.value(hw::RB_2D_BLIT_CNTL::kRegister) != r.value(hw::GRAS_2D_BLIT_CNTL::kRegister))
        return refuse(fault, "RB_2D_BLIT_CNTL", "not what GRAS_2D_BLIT_CNTL has");
    hw::Ifmt2d ifmt;
    if (!hw::blit_format(s->cntl.color_format, &ifmt))
        return refuse(fault, "RB_2D_BLIT_CNTL", "the engine has no format ", unsigned(s->cntl.color_format));
    const bool srgb = s->cntl.ifmt == hw::Ifmt2d::R2D_UNORM8_SRGB && ifmt == hw::Ifmt2d::R2D_UNORM8;
    const bool bytes = s->cntl.ifmt == hw::Ifmt2d::R2D_UNORM8 && is_packed_depth(s->cntl.color_format);
    if (s->cntl.ifmt != ifmt && !srgb && !bytes)
        return refuse(fault, "RB_2D_BLIT_CNTL", "IFMT ", unsigned(s->cntl.ifmt), " does not go with format ",
                      unsigned(s->cntl.color_format));
    if (s->cntl.mask != 0xf || sp.value.mask != 0xf)
        return refuse(fault, s->cntl.mask != 0xf ? "RB_2D_BLIT_CNTL" : "SP_2D_DST_FORMAT",
                      "a mask that leaves out channels");
    using enum hw::Rotation;
    const hw::Rotation r2d = s->cntl.rotate;
    return r2d == ROTATE_0 || r2d == ROTATE_180 || r2d == ROTATE_HFLIP || r2d == ROTATE_VFLIP ||
           refuse(fault, "RB_2D_BLIT_CNTL", "a rotation that the model does not know");
}

bool decode_rect(const Registers& r, EngineState* s, Fault* fault) {
    RegisterReader in(r, fault);
    s->rect = s->clipped = in.rect<hw::GRAS_2D_DST_TL, hw::GRAS_2D_DST_BR>();
    if (s->cntl.scissor)
        s->clipped = intersect(s->rect, in.rect<hw::GRAS_2D_RESOLVE_CNTL_1, hw::GRAS_2D_RESOLVE_CNTL_2>());
    return bool(in);
}

bool decode_target(const Machine& m, EngineState* s, Fault* fault) {
    const Registers& r = m.registers;
    RegisterReader in(r, fault);
    const hw::Dst2dSurfInfo i = in.get<hw::RB_2D_DST_INFO>().value;
    SurfaceDesc d;
    d.va = in.get<hw::RB_2D_DST>().value;
    d.pitch_B = in.get<hw::RB_2D_DST_PITCH>().value;
    if (!in) return false;
    if (i.samples != hw::MsaaSamples::MSAA_ONE)
        return refuse(fault, "RB_2D_DST_INFO", "the engine writes one sample");
    if (as_bytes(i.color_format) != as_bytes(s->cntl.color_format))
        return refuse(fault, "RB_2D_DST_INFO", "another format than RB_2D_BLIT_CNTL has");
    d.format = as_bytes(i.color_format);
    d.srgb = i.srgb && !s->cntl.solid_color;
    d.tile_mode = i.tile_mode;
    d.swap = ccu_swap(i.tile_mode, i.color_swap);
    d.width_px = uint32_t(s->clipped.x1), d.height_px = uint32_t(s->clipped.y1);
    d.has_flags = i.flags;
    d.is_fill = s->cntl.solid_color;
    if (i.flags) {
        d.flags_va = in.get<hw::RB_2D_DST_FLAGS>().value;
        d.flags_pitch_B = in.get<hw::RB_2D_DST_FLAGS_PITCH>().pitch;
        if (!in) return false;
    }
    std::string why;
    if (!s->target.init(d, m.chip, &why)) return refuse(fault, "RB_2D_DST_INFO", why);
    const units::NumberKind kind = s->target.format().kind;
    const hw::Sp2dDstFormat sp = r.get<hw::SP_2D_DST_FORMAT>().value;
    if ((sp.uint && kind != units::NumberKind::Uint) || (sp.sint && kind != units::NumberKind::Sint))
        return refuse(fault, "SP_2D_DST_FORMAT", "integers, which RB_2D_DST_INFO has not");
    if (!r.is_set(hw::RB_2D_UNKNOWN_8C01::kRegister))
        return refuse(fault, "RB_2D_UNKNOWN_8C01", "never written");
    const uint32_t keep = r.value(hw::RB_2D_UNKNOWN_8C01::kRegister);
    if (keep == 0) return true;
    if ((keep != kKeepStencil && keep != kKeepDepth) || d.format != F::FMT6_8_8_8_8_UNORM)
        return refuse(fault, "RB_2D_UNKNOWN_8C01", "a value that the model does not know");
    s->whole = false;
    units::component_bits(s->target.format(), keep == kKeepStencil ? 7 : 8, s->bits);
    return true;
}

// The pixel of a fill, in its format.
bool decode_solid(const Registers& r, EngineState* s, Fault* fault) {
    uint32_t c[4];
    for (unsigned i = 0; i < 4; ++i) {
        const uint16_t reg = uint16_t(hw::RB_2D_SRC_SOLID_C0::kRegister + i);
        if (!r.is_set(reg)) return refuse(fault, hw::register_name(reg).c_str(), "never written");
        c[i] = r.value(reg);
    }
    const units::FormatReader& format = s->target.format();
    const pipe::FormatInfo& info = pipe::format_info(format.format);
    const bool is_signed = info.channel[0].type == pipe::ChannelType::Snorm;
    for (uint32_t& v : c) {
        if (format.kind != units::NumberKind::Float) break;
        switch (s->cntl.ifmt) {
            case hw::Ifmt2d::R2D_UNORM8:
            case hw::Ifmt2d::R2D_UNORM8_SRGB:
            case hw::Ifmt2d::R2D_INT8:
                v = std::bit_cast<uint32_t>(is_signed ? float(int8_t(v)) / 127.0f : float(v & 0xff) / 255.0f);
                break;
            case hw::Ifmt2d::R2D_FLOAT16:
                v = std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(v)));
                break;
            default:
                break;  // floats already
        }
    }
    format.write(c, s->pixel);
    return true;
}

bool source_rect(const Registers& r, EngineSource* s, Fault* fault) {
    RegisterReader in(r, fault);
    s->rect = {in.get<hw::GRAS_2D_SRC_TL_X>().value, in.get<hw::GRAS_2D_SRC_TL_Y>().value,
               in.get<hw::GRAS_2D_SRC_BR_X>().value + 1, in.get<hw::GRAS_2D_SRC_BR_Y>().value + 1};
    const auto size = in.get<hw::SP_PS_2D_SRC_SIZE>();
    if (!in) return false;
    s->width_px = size.width, s->height_px = size.height;
    if (s->rect.empty()) return refuse(fault, "GRAS_2D_SRC_BR", "before GRAS_2D_SRC_TL");
    if (s->rect.x0 < 0 || s->rect.y0 < 0 || s->rect.x1 > int64_t(size.width) ||
        s->rect.y1 > int64_t(size.height))
        return refuse(fault, "GRAS_2D_SRC_TL and _BR", "pixels outside SP_PS_2D_SRC_SIZE");
    return true;
}

bool gmem_source(const Machine& m, uint64_t va, EngineSource* s, SurfaceDesc* d, Fault* fault) {
    const uint64_t base = gmem_base_va(m.chip);
    if (va < base || va - base >= m.gmem.size())
        return refuse(fault, "SP_PS_2D_SRC", "TILE6_2 is GMEM's, which is not there");
    if (s->filter) return refuse(fault, "SP_PS_2D_SRC_INFO", "FILTER of GMEM");
    RegisterReader in(m.registers, fault);
    const auto offset = in.get<hw::SP_WINDOW_OFFSET>().value;
    if (!in) return false;
    s->offset_x = int32_t(offset.x), s->offset_y = int32_t(offset.y);
    d->in_gmem = true;
    d->gmem_offset_B = uint32_t(va - base);
    units::FormatReader format;
    if (d->pitch_B == 0 || !surface_format(d->format, hw::ColorSwap::WZYX, d->srgb, &format))
        return refuse(fault, "SP_PS_2D_SRC_INFO", "no rows of GMEM");
    // Rows that begin in GMEM; each access is checked.
    d->width_px = d->pitch_B / (format.size_B * d->samples);
    d->height_px = uint32_t((m.gmem.size() - d->gmem_offset_B + d->pitch_B - 1) / d->pitch_B);
    return true;
}

// For compressed images drivers write the size in pixels and everything else in blocks (Mesa 25.0.7,
// fd6_blitter.cc): memory that is not read need not exist.
void cut_to_pitch(const SurfaceDesc& d, EngineSource* s) {
    units::FormatReader format;
    if (!d.pitch_B || !surface_format(d.format, hw::ColorSwap::WZYX, d.srgb, &format)) return;
    const uint32_t row_px = d.pitch_B / (format.size_B * d.samples);
    s->width_px = std::min(s->width_px, std::max(row_px, uint32_t(s->rect.x1)));
}

bool decode_source(const Machine& m, EngineSource* s, Fault* fault) {
    if (!source_rect(m.registers, s, fault)) return false;
    RegisterReader in(m.registers, fault);
    const hw::Src2dSurfInfo i = in.get<hw::SP_PS_2D_SRC_INFO>().value;
    SurfaceDesc d;
    d.va = in.get<hw::SP_PS_2D_SRC>().value;
    d.pitch_B = in.get<hw::SP_PS_2D_SRC_PITCH>().pitch;
    if (!in) return false;
    s->samples = 1u << unsigned(i.samples);
    s->filter = i.filter;
    s->average = i.samples_average;
    d.format = as_bytes(i.color_format);
    d.srgb = i.srgb;
    d.tile_mode = i.tile_mode;
    d.swap = i.color_swap;
    d.samples = s->samples;
    cut_to_pitch(d, s);
    d.width_px = s->width_px, d.height_px = s->height_px;
    d.has_flags = i.flags;
    if (i.tile_mode == hw::TileMode::TILE6_2 && !gmem_source(m, d.va, s, &d, fault)) return false;
    if (i.flags) {
        d.flags_va = in.get<hw::SP_PS_2D_SRC_FLAGS>().value;
        d.flags_pitch_B = in.get<hw::SP_PS_2D_SRC_FLAGS_PITCH>().value;
        if (!in) return false;
    }
    std::string why;
    if (!s->surface.init(d, m.chip, &why)) return refuse(fault, "SP_PS_2D_SRC_INFO", why);
    const units::FormatReader& format = s->surface.format();
    if (format.depth || format.stencil || format.size_B > units::kMaxPixel_B ||
        pipe::format_info(format.format).is_compressed)
        return refuse(fault, "SP_PS_2D_SRC_INFO", "a format that the engine does not read");
    return true;
}

}  // namespace

bool decode_engine(const Machine& m, EngineState* s, Fault* fault) {
    if (!decode_control(m.registers, s, fault) || !decode_rect(m.registers, s, fault)) return false;
    if (s->clipped.empty()) return true;
    if (!decode_target(m, s, fault)) return false;
    if (s->cntl.solid_color) return decode_solid(m.registers, s, fault);
    if (!decode_source(m, &s->source, fault)) return false;
    const units::NumberKind from = s->source.surface.format().kind, to = s->target.format().kind;
    if ((from == units::NumberKind::Float) != (to == units::NumberKind::Float))
        return refuse(fault, "SP_PS_2D_SRC_INFO", "integers on one side alone");
    if (s->source.filter && from != units::NumberKind::Float)
        return refuse(fault, "SP_PS_2D_SRC_INFO", "FILTER of integers");
    return true;
}

}  // namespace terrazzo::adreno::sim
