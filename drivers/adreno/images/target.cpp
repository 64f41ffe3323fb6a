// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_gmem.cc (emit_mrt, emit_zs, emit_msaa); captured streams of sysmem and GMEM
// passes.
#include "drivers/adreno/images/target.h"

#include <algorithm>

#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/stream/enums.h"
#include "drivers/common/blend/equation.h"

namespace terrazzo::adreno {

bool describe_surface(const AdrenoResource& r, pipe::Format format, uint32_t level, uint32_t layer,
                      Surface* out, Plane plane) {
    if (format == pipe::Format::None) format = r.desc.format;
    if (r.has_stencil_plane())
        format = plane == Plane::Main ? pipe::Format::D32_FLOAT : pipe::Format::R8_UINT;
    *out = {};
    const hw::FormatRow* row = hw::format_row(format);
    if (!row || !row->is_target() || r.desc.kind == pipe::ResourceKind::Buffer) return false;
    out->is_stencil = plane == Plane::Stencil;
    const pipe::SurfaceLayout& surface = r.plane(plane);
    const pipe::LevelLayout& l = surface.level[level];
    const auto image_mode = tile_mode_of(surface.tiling);
    out->pipe_format = format;
    out->format = row->target;
    out->depth_format = row->depth;
    out->tile_mode = tile_mode_of(l.tiling);
    out->swap = row->target_swap(image_mode);
    out->va = r.plane_va(plane, level, layer);
    out->pitch_B = l.row_stride_B;
    out->array_pitch_B = uint32_t(surface.z_stride_B(level));
    if (plane == Plane::Main && r.is_compressed() && r.ubwc.compressed(level)) {
        out->flags_va = r.va() + r.ubwc.flag_offset_B(level, layer, 0, 0);
        out->flags_pitch_B = r.ubwc.level[level].row_stride_B;
        out->flags_array_pitch_dw = uint32_t(r.ubwc.layer_stride_B / 4);
    }
    out->width_px = l.width;
    out->height_px = l.height;
    out->samples = out->pass_samples = r.desc.samples;
    return true;
}

bool describe_targets(const pipe::RenderPassDesc& desc, Targets* out, const char** why) {
    out->color_count = desc.color_count;
    out->samples = desc.samples;
    out->layers = std::max(1u, desc.layers);
    for (uint32_t i = 0; i < desc.color_count; ++i) {
        const pipe::Attachment& a = desc.color[i];
        out->color[i] = {};
        if (!a.resource) continue;
        if (!describe_surface(adreno(*a.resource), a.format, a.level, a.first_layer, &out->color[i]))
            return *why = "a colour attachment has a format that cannot be drawn into", false;
        out->color[i].layers = a.layer_count;
        out->samples = std::max(out->color[i].samples, std::min(a.samples, kMaxSamples));
        const pipe::FormatInfo& info = pipe::format_info(out->color[i].pipe_format);
        if (!info.has_alpha) out->without_alpha |= 1u << i;
        out->components |= uint32_t(blend::stored_channels(out->color[i].pipe_format)) << (4 * i);
    }
    if (const pipe::Attachment& a = desc.depth_stencil; a.resource) {
        const AdrenoResource& r = adreno(*a.resource);
        out->stencil = {};
        if (!describe_surface(r, a.format, a.level, a.first_layer, &out->depth) ||
            out->depth.depth_format == hw::DepthFormat::DEPTH6_NONE ||
            (r.has_stencil_plane() &&
             !describe_surface(r, a.format, a.level, a.first_layer, &out->stencil, Plane::Stencil)))
            return *why = "the depth attachment has a format that cannot be drawn into", false;
        out->depth.layers = out->stencil.layers = a.layer_count;
        out->has_stencil = pipe::format_info(r.desc.format).has_stencil;
        out->samples = out->depth.samples;
    }
    for (uint32_t i = 0; i < desc.color_count; ++i)
        out->color[i].pass_samples = out->samples;
    return true;
}

namespace {

void write_color(CsBuilder& cs, unsigned i, const Surface& s, uint32_t gmem_B) {
    const pipe::FormatInfo& info = pipe::format_info(s.pipe_format);
    cs.write(Element{i,
                     hw::RB_MRT_BUF_INFO{
                         .color_format = s.format, .color_tile_mode = s.tile_mode, .color_swap = s.swap}},
             Element{i, hw::RB_MRT_PITCH{s.pitch_B}}, Element{i, hw::RB_MRT_ARRAY_PITCH{s.array_pitch_B}},
             Element{i, hw::RB_MRT_BASE{s.va}}, Element{i, hw::RB_MRT_BASE_GMEM{gmem_B}},
             Element{i, hw::SP_FS_MRT{.color_format = s.format,
                                      .color_sint = info.is_pure_sint,
                                      .color_uint = info.is_pure_uint}},
             Element{i, hw::RB_MRT_FLAG_BUFFER_ADDR{s.flags_va}},
             Element{i, hw::RB_MRT_FLAG_BUFFER_PITCH{.pitch = s.flags_pitch_B,
                                                     .array_pitch = s.flags_array_pitch_dw}});
}

void write_samples(CsBuilder& cs, uint32_t count) {
    const hw::MsaaSamples samples = msaa_samples(count);
    const bool off = count == 1;
    cs.write(hw::GRAS_RAS_MSAA_CNTL{.samples = samples},
             hw::GRAS_DEST_MSAA_CNTL{.samples = samples, .msaa_disable = off},
             hw::RB_RAS_MSAA_CNTL{.samples = samples},
             hw::RB_DEST_MSAA_CNTL{.samples = samples, .msaa_disable = off},
             hw::RB_BLIT_GMEM_MSAA_CNTL{.samples = samples}, hw::SP_TP_RAS_MSAA_CNTL{.samples = samples},
             hw::SP_TP_DEST_MSAA_CNTL{.samples = samples, .msaa_disable = off});
}

}  // namespace

void write_targets(CsBuilder& cs, const Targets& t, const GmemPlaces& gmem) {
    const Surface& d = t.depth;
    cs.write(hw::RB_DEPTH_BUFFER_INFO{.depth_format = d.depth_format}, hw::RB_DEPTH_BUFFER_PITCH{d.pitch_B},
             hw::RB_DEPTH_BUFFER_ARRAY_PITCH{d.array_pitch_B}, hw::RB_DEPTH_BUFFER_BASE{d.va},
             hw::RB_DEPTH_BUFFER_BASE_GMEM{gmem.depth_B},
             hw::RB_STENCIL_INFO{.separate_stencil = t.has_stencil_plane()},
             hw::RB_DEPTH_FLAG_BUFFER_BASE{d.flags_va},
             hw::RB_DEPTH_FLAG_BUFFER_PITCH{.pitch = d.flags_pitch_B, .array_pitch = d.flags_array_pitch_dw},
             hw::GRAS_SU_DEPTH_BUFFER_INFO{.depth_format = d.depth_format});
    if (t.has_stencil_plane())
        cs.write(hw::RB_STENCIL_BUFFER_PITCH{t.stencil.pitch_B},
                 hw::RB_STENCIL_BUFFER_ARRAY_PITCH{t.stencil.array_pitch_B},
                 hw::RB_STENCIL_BUFFER_BASE{t.stencil.va}, hw::RB_STENCIL_BUFFER_BASE_GMEM{gmem.stencil_B});
    uint32_t srgb = 0;
    for (unsigned i = 0; i < t.color_count; ++i) {
        const Surface& s = t.color[i];
        if (s.format == hw::Format::FMT6_NONE) {
            // No attachment: writes must be off.
            cs.write(Element{i, hw::RB_MRT_BUF_INFO{}}, Element{i, hw::SP_FS_MRT{}});
            continue;
        }
        write_color(cs, i, s, gmem.color_B[i]);
        if (pipe::format_info(s.pipe_format).is_srgb) srgb |= 1u << i;
    }
    const hw::Format first = t.color_count && t.color[0].format != hw::Format::FMT6_NONE
                                 ? t.color[0].format
                                 : hw::Format::FMT6_NONE;
    cs.write(NumberedRegister{hw::RB_SRGB_CNTL::kRegister, srgb},
             NumberedRegister{hw::SP_SRGB_CNTL::kRegister, srgb},
             hw::GRAS_LRZ_MRT_BUF_INFO_0{.color_format = first}, hw::GRAS_MAX_LAYER_INDEX{t.layers - 1});
    write_samples(cs, t.samples);
}

}  // namespace terrazzo::adreno
