// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render targets, depth and stencil buffers, and how colours are blended. RB has no sizes of images: scissors
// keep pixels within. Sources: Mesa 25.0.7, fd6_gmem.cc (emit_mrt, emit_zs), fd6_blend.cc, a6xx.xml.
#include <iterator>

#include "drivers/adreno/sim/read.h"
#include "drivers/common/units/find_value.h"

#include "drivers/adreno/sim/pixel/state.h"

namespace terrazzo::adreno::sim {

namespace {

pipe::BlendFactor factor_of(hw::BlendFactor f) {
    using enum pipe::BlendFactor;
    // By the registers' numbers. 2, 3 and 0x11 to 0x13 have no meaning: take() refuses them.
    constexpr pipe::BlendFactor kFactors[] = {Zero,
                                              One,
                                              Zero,
                                              Zero,
                                              SrcColor,
                                              OneMinusSrcColor,
                                              SrcAlpha,
                                              OneMinusSrcAlpha,
                                              DstColor,
                                              OneMinusDstColor,
                                              DstAlpha,
                                              OneMinusDstAlpha,
                                              ConstColor,
                                              OneMinusConstColor,
                                              ConstAlpha,
                                              OneMinusConstAlpha,
                                              SrcAlphaSaturate,
                                              Zero,
                                              Zero,
                                              Zero,
                                              Src1Color,
                                              OneMinusSrc1Color,
                                              Src1Alpha,
                                              OneMinusSrc1Alpha};
    static_assert(std::size(kFactors) == size_t(hw::BlendFactor::FACTOR_ONE_MINUS_SRC1_ALPHA) + 1 &&
                  kFactors[size_t(hw::BlendFactor::FACTOR_DST_COLOR)] == DstColor &&
                  kFactors[size_t(hw::BlendFactor::FACTOR_SRC_ALPHA_SATURATE)] == SrcAlphaSaturate &&
                  kFactors[size_t(hw::BlendFactor::FACTOR_SRC1_COLOR)] == Src1Color);
    return kFactors[size_t(f)];
}

static_assert(unsigned(hw::BlendOpcode::BLEND_DST_MINUS_SRC) == unsigned(pipe::BlendOp::ReverseSubtract) &&
              unsigned(hw::BlendOpcode::BLEND_MAX_DST_SRC) == unsigned(pipe::BlendOp::Max));
pipe::BlendOp op_of(hw::BlendOpcode op) {
    return pipe::BlendOp(op);
}

// The part that all targets share; the rest of `desc` is set.
bool finish(Machine& m, const PixelState& s, const char* name, unsigned number, Target* t, Fault* fault) {
    SurfaceDesc& d = t->desc;
    d.samples = s.samples;
    if (s.in_gmem) {
        FieldReader in(m.registers, fault);
        const auto bin = in.get<hw::RB_BIN_CONTROL>();
        if (!in) return false;
        // In GMEM, RB stores R first; only loads and stores use the image's order of channels.
        const bool srgb = d.srgb;
        d = gmem_surface(bin.binw, bin.binh, d.gmem_offset_B, d.format, s.samples);
        d.srgb = srgb;
        const uint64_t end_B = uint64_t(d.gmem_offset_B) + uint64_t(d.pitch_B) * d.height_px;
        if (!d.pitch_B || end_B > m.gmem.size())
            return fail(fault, name, ": a bin of ", d.width_px, "x", d.height_px, " ends beyond GMEM");
    } else {
        d.swap = ccu_swap(d.tile_mode, d.swap);
        d.width_px = uint32_t(std::max(s.bounds.x1, 1));
        d.height_px = uint32_t(std::max(s.bounds.y1, 1));
    }
    std::string why;
    if (!t->surface.init(d, m.chip, &why)) return fail(fault, name, "[", number, "]: ", why);
    t->used = true;
    t->name = name;
    t->number = number;
    t->sample_B = t->surface.pixel_B() / s.samples;
    return true;
}

/// Sizes of flags' layers are in words before they lose their low bits (Mesa 25.0.7, fd6_gmem.cc).
constexpr uint64_t kFlagsLayerUnit_B = 4;

void set_flags_pitch(const auto& pitch, Target* t) {
    t->desc.has_flags = true;
    t->desc.flags_pitch_B = pitch.pitch;
    t->flags_layer_B = pitch.array_pitch * kFlagsLayerUnit_B;
}

bool load_flags(Machine& m, unsigned i, Target* t, Fault* fault) {
    FieldReader in(m.registers, fault);
    if (!(in.get<hw::RB_RENDER_CNTL>().flag_mrts >> i & 1)) return bool(in);
    t->desc.flags_va = in.get<hw::RB_MRT_FLAG_BUFFER_ADDR>(i).value;
    set_flags_pitch(in.get<hw::RB_MRT_FLAG_BUFFER_PITCH>(i), t);
    return bool(in);
}

bool load_blend(const Registers& r, unsigned i, const hw::RB_MRT_CONTROL& control,
                const hw::RB_BLEND_CNTL& all, units::ColorTarget* out, Fault* fault) {
    // The codes are tables of their results (a6xx.xml: a3xx_rop_code).
    static_assert(unsigned(hw::RopCode::ROP_COPY) == units::kLogicCopy &&
                  unsigned(hw::RopCode::ROP_NOR) == 1 && unsigned(hw::RopCode::ROP_AND_INVERTED) == 2 &&
                  unsigned(hw::RopCode::ROP_AND) == 8);
    if (control.rop_enable) out->logic = uint8_t(control.rop_code);
    pipe::BlendTargetDesc& b = out->blend;
    if (out->format.kind != units::NumberKind::Float || !control.blend || !(all.enable_blend >> i & 1))
        return true;
    b.enable = true;
    FieldReader in(r, fault);
    const auto e = in.get<hw::RB_MRT_BLEND_CONTROL>(i);
    if (!in) return false;
    b.op_rgb = op_of(e.rgb_blend_opcode);
    b.src_rgb = factor_of(e.rgb_src_factor);
    b.dst_rgb = factor_of(e.rgb_dest_factor);
    b.op_alpha = op_of(e.alpha_blend_opcode);
    b.src_alpha = factor_of(e.alpha_src_factor);
    b.dst_alpha = factor_of(e.alpha_dest_factor);
    return true;
}

bool load_color(Machine& m, unsigned i, uint32_t components, uint32_t srgb, const hw::RB_BLEND_CNTL& all,
                PixelState* s, Fault* fault) {
    const Registers& r = m.registers;
    ColorOutput& out = s->color[i];
    FieldReader in(r, fault);
    const auto control = in.get<hw::RB_MRT_CONTROL>(i);
    if (!in) return false;
    const auto write_mask = uint8_t(control.component_enable & (components >> 4 * i & 15));
    if (!write_mask || s->out.color[i].reg == kNoRegister) return true;
    const auto info = in.get<hw::RB_MRT_BUF_INFO>(i);
    const auto seen = in.get<hw::SP_FS_MRT>(i);
    if (!in) return false;
    if (info.color_format == hw::Format::FMT6_NONE) return true;
    if (seen.color_format != info.color_format)
        return fail(fault, "SP_FS_MRT and RB_MRT_BUF_INFO differ in the format of target ", i);
    SurfaceDesc& d = out.target.desc;
    d.format = info.color_format;
    d.srgb = srgb >> i & 1;
    d.tile_mode = info.color_tile_mode;
    d.swap = info.color_swap;
    if (s->in_gmem) {
        d.gmem_offset_B = in.get<hw::RB_MRT_BASE_GMEM>(i).value;
    } else {
        d.va = in.get<hw::RB_MRT_BASE>(i).value;
        d.pitch_B = in.get<hw::RB_MRT_PITCH>(i).value;
        out.target.layer_B = r.get<hw::RB_MRT_ARRAY_PITCH>(i).value;
        if (in && !load_flags(m, i, &out.target, fault)) return false;
    }
    if (!in || !finish(m, *s, "RB_MRT_BASE", i, &out.target, fault)) return false;
    if (!units::color_target(out.target.surface.format(), &out.how))
        return fail(fault, "RB_MRT_BUF_INFO[", i, "]: no format of colours");
    out.how.blend.write_mask = write_mask;
    out.how.alpha_to_one = s->alpha_to_one;
    return load_blend(r, i, control, all, &out.how, fault);
}

bool load_constant(const Registers& r, float out[4], Fault* fault) {
    FieldReader in(r, fault);
    out[0] = in.get<hw::RB_BLEND_RED_F32>().value;
    out[1] = in.get<hw::RB_BLEND_GREEN_F32>().value;
    out[2] = in.get<hw::RB_BLEND_BLUE_F32>().value;
    out[3] = in.get<hw::RB_BLEND_ALPHA_F32>().value;
    return bool(in);
}

bool uses_constant(const pipe::BlendTargetDesc& b) {
    const auto is = [](pipe::BlendFactor f) {
        return f >= pipe::BlendFactor::ConstColor && f <= pipe::BlendFactor::OneMinusConstAlpha;
    };
    return b.enable && (is(b.src_rgb) || is(b.dst_rgb) || is(b.src_alpha) || is(b.dst_alpha));
}

}  // namespace

bool load_colors(Machine& m, PixelState* s, Fault* fault) {
    const Registers& r = m.registers;
    FieldReader in(r, fault);
    const auto all = in.get<hw::RB_BLEND_CNTL>();
    const auto sp = in.get<hw::SP_BLEND_CNTL>();
    if (!in) return false;
    s->sample_mask = all.sample_mask;
    s->alpha_to_coverage = all.alpha_to_coverage && s->samples > 1;
    s->alpha_to_one = all.alpha_to_one;
    s->dual_source = all.dual_color_in_enable;
    if (all.dual_color_in_enable != sp.dual_color_in_enable || all.alpha_to_coverage != sp.alpha_to_coverage)
        return fail(fault, "RB_BLEND_CNTL and SP_BLEND_CNTL differ");
    if (!s->shader.enabled || !s->color_count) return true;
    const uint32_t channels = pack32(in.get<hw::RB_RENDER_COMPONENTS>());
    const uint32_t srgb = pack32(in.get<hw::RB_SRGB_CNTL>()), sp_srgb = pack32(in.get<hw::SP_SRGB_CNTL>());
    if (!in) return false;
    if (srgb != sp_srgb) return fail(fault, "RB_SRGB_CNTL and SP_SRGB_CNTL differ");
    // The second source colour replaces a second target.
    const unsigned count = s->dual_source ? 1 : s->color_count;
    bool constants = false;
    for (unsigned i = 0; i < count; ++i) {
        if (!load_color(m, i, channels, srgb, all, s, fault)) return false;
        constants |= uses_constant(s->color[i].how.blend);
    }
    float constant[4] = {};
    if (constants && !load_constant(r, constant, fault)) return false;
    for (unsigned i = 0; i < count; ++i)
        std::copy_n(constant, 4, s->color[i].how.constant);
    return true;
}

namespace {

bool load_depth_place(Machine& m, const PixelState& s, Target* t, Fault* fault) {
    FieldReader in(m.registers, fault);
    SurfaceDesc* const d = &t->desc;
    d->tile_mode = hw::TileMode::TILE6_3;
    if (s.in_gmem) {
        d->gmem_offset_B = in.get<hw::RB_DEPTH_BUFFER_BASE_GMEM>().value;
        return bool(in);
    }
    d->va = in.get<hw::RB_DEPTH_BUFFER_BASE>().value;
    d->pitch_B = in.get<hw::RB_DEPTH_BUFFER_PITCH>().value;
    t->layer_B = m.registers.get<hw::RB_DEPTH_BUFFER_ARRAY_PITCH>().value;
    if (!in.get<hw::RB_RENDER_CNTL>().flag_depth) return bool(in);
    d->flags_va = in.get<hw::RB_DEPTH_FLAG_BUFFER_BASE>().value;
    set_flags_pitch(in.get<hw::RB_DEPTH_FLAG_BUFFER_PITCH>(), t);
    return bool(in);
}

bool load_stencil_target(Machine& m, PixelState* s, Fault* fault) {
    FieldReader in(m.registers, fault);
    SurfaceDesc& d = s->stencil_target.desc;
    d.format = hw::Format::FMT6_8_UINT;
    d.tile_mode = hw::TileMode::TILE6_3;
    if (s->in_gmem) {
        d.gmem_offset_B = in.get<hw::RB_STENCIL_BUFFER_BASE_GMEM>().value;
    } else {
        d.va = in.get<hw::RB_STENCIL_BUFFER_BASE>().value;
        d.pitch_B = in.get<hw::RB_STENCIL_BUFFER_PITCH>().value;
        s->stencil_target.layer_B = m.registers.get<hw::RB_STENCIL_BUFFER_ARRAY_PITCH>().value;
    }
    return in && finish(m, *s, "RB_STENCIL_BUFFER_BASE", 0, &s->stencil_target, fault);
}

struct DepthRow {
    units::DepthLayout layout;
    units::DepthFormat format;
    hw::Format in_memory;
};
constexpr std::pair<hw::DepthFormat, DepthRow> kDepthRows[] = {
    {hw::DepthFormat::DEPTH6_16,
     {units::DepthLayout::D16, units::DepthFormat::Unorm16, hw::Format::FMT6_16_UNORM}},
    {hw::DepthFormat::DEPTH6_24_8,
     {units::DepthLayout::D24S8, units::DepthFormat::Unorm24, hw::Format::FMT6_Z24_UNORM_S8_UINT}},
    {hw::DepthFormat::DEPTH6_32,
     {units::DepthLayout::Word, units::DepthFormat::Float32, hw::Format::FMT6_32_FLOAT}},
};

}  // namespace

bool load_depth_target(Machine& m, PixelState* s, Fault* fault) {
    FieldReader in(m.registers, fault);
    const auto info = in.get<hw::RB_DEPTH_BUFFER_INFO>();
    const auto stencil = in.get<hw::RB_STENCIL_INFO>();
    const auto depth_test = in.get<hw::RB_DEPTH_CNTL>();
    const auto stencil_test = in.get<hw::RB_STENCIL_CONTROL>();
    if (!in) return false;
    const bool wants_depth = depth_test.z_test_enable || depth_test.z_bounds_enable;
    if (stencil.separate_stencil && stencil_test.stencil_enable && !load_stencil_target(m, s, fault))
        return false;
    SurfaceDesc& d = s->depth_target.desc;
    const auto row = units::find_value(kDepthRows, info.depth_format);
    if (!row) return true;
    s->tests.layout = row->layout;
    s->tests.format = row->format;
    d.format = row->in_memory;
    const bool has_stencil = s->tests.layout == units::DepthLayout::D24S8 && !stencil.separate_stencil;
    if (!wants_depth && !(has_stencil && stencil_test.stencil_enable)) {
        // Depth is neither read nor written: a separate stencil buffer needs no depth buffer.
        s->tests.layout = units::DepthLayout::None;
        return true;
    }
    return load_depth_place(m, *s, &s->depth_target, fault) &&
           finish(m, *s, "RB_DEPTH_BUFFER_BASE", 0, &s->depth_target, fault);
}

}  // namespace terrazzo::adreno::sim
