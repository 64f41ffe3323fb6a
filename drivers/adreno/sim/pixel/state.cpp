// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterizer, tests and shader. Sources: Mesa 25.0.7, a6xx.xml, fd6_rasterizer.cc, fd6_zsa.cc,
// fd6_program.cc, fd6_gmem.cc (emit_msaa), and the default places of samples from freedreno_screen.c.
#include "drivers/adreno/sim/pixel/state.h"

#include <cmath>

#include "drivers/adreno/sim/read.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::adreno::sim {

namespace {

using pipe::raster::PixelRect;

static_assert(unsigned(hw::CompareFunc::FUNC_NOTEQUAL) == unsigned(pipe::Compare::NotEqual) &&
              unsigned(hw::CompareFunc::FUNC_LEQUAL) == unsigned(pipe::Compare::LessEqual) &&
              unsigned(hw::CompareFunc::FUNC_ALWAYS) == unsigned(pipe::Compare::Always));
pipe::Compare compare_of(hw::CompareFunc f) {
    return pipe::Compare(unsigned(f) & 7);
}

static_assert(unsigned(hw::StencilOp::STENCIL_REPLACE) == unsigned(pipe::StencilOp::Replace) &&
              unsigned(hw::StencilOp::STENCIL_DECR_CLAMP) == unsigned(pipe::StencilOp::DecrClamp) &&
              unsigned(hw::StencilOp::STENCIL_DECR_WRAP) == unsigned(pipe::StencilOp::DecrWrap));
pipe::StencilOp stencil_of(hw::StencilOp op) {
    return pipe::StencilOp(unsigned(op) & 7);
}

void default_places(unsigned samples, units::SamplePattern* out) {
    out->count = samples;
    for (unsigned i = 0; i < samples; ++i) {
        const pipe::raster::SamplePosition& at = pipe::raster::sample_at(samples, i);
        out->x[i] = uint8_t((8 + at.x) * 16);
        out->y[i] = uint8_t((8 + at.y) * 16);
    }
}

bool load_samples(Machine& m, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    const auto ras = in.get<hw::RB_RAS_MSAA_CNTL>();
    const auto dest = in.get<hw::RB_DEST_MSAA_CNTL>();
    const auto gras = in.get<hw::GRAS_RAS_MSAA_CNTL>();
    if (!in) return false;
    if (ras.samples != dest.samples || gras.samples != ras.samples)
        return fail(fault, "RB_RAS_MSAA_CNTL, RB_DEST_MSAA_CNTL and GRAS_RAS_MSAA_CNTL differ in samples");
    if (ras.samples == hw::MsaaSamples::MSAA_EIGHT)
        return fail(fault, "RB_RAS_MSAA_CNTL: 8 samples, of which a6xx's GLES drivers have no images");
    out->samples = 1u << unsigned(ras.samples);
    default_places(out->samples, &out->pattern);
    if (!m.registers.get<hw::RB_SAMPLE_CONFIG>().value.location_enable) return true;
    const hw::SampleLocations l = in.get<hw::RB_SAMPLE_LOCATION_0>().value;
    if (!in) return false;
    const float x[4] = {l.sample_0_x, l.sample_1_x, l.sample_2_x, l.sample_3_x};
    const float y[4] = {l.sample_0_y, l.sample_1_y, l.sample_2_y, l.sample_3_y};
    for (unsigned i = 0; i < out->samples; ++i) {
        out->pattern.x[i] = uint8_t(x[i] * 256);
        out->pattern.y[i] = uint8_t(y[i] * 256);
    }
    return true;
}

bool load_scissors(Machine& m, unsigned views, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    out->bounds = in.rect<hw::GRAS_SC_WINDOW_SCISSOR_TL, hw::GRAS_SC_WINDOW_SCISSOR_BR>();
    if (!in) return false;
    if (views > 16) return fail(fault, "a primitive of view ", views);
    for (unsigned i = 0; i < views; ++i) {
        const PixelRect screen = in.rect<hw::GRAS_SC_SCREEN_SCISSOR_TL, hw::GRAS_SC_SCREEN_SCISSOR_BR>(i);
        const PixelRect view = in.rect<hw::GRAS_SC_VIEWPORT_SCISSOR_TL, hw::GRAS_SC_VIEWPORT_SCISSOR_BR>(i);
        if (!in) return false;
        out->viewport[i] = intersect(screen, intersect(view, out->bounds));
    }
    out->views = views;
    out->ordered = m.registers.get<hw::GRAS_SC_CNTL>().single_prim_mode != hw::SinglePrimMode::NO_FLUSH;
    return true;
}

// GMEM holds one bin; the window's scissor must be within it.
bool load_place(Machine& m, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    const auto bin = in.get<hw::RB_BIN_CONTROL>();
    if (!in) return false;
    if (bin.render_mode == hw::RenderMode::BINNING_PASS)
        return fail(fault, "pixels while RB_BIN_CONTROL says BINNING_PASS");
    out->in_gmem = bin.buffers_location == hw::BuffersLocation::BUFFERS_IN_GMEM;
    const auto offset = in.get<hw::RB_WINDOW_OFFSET>().value;
    if (!in || !out->in_gmem) return bool(in);
    out->offset_x = int32_t(offset.x);
    out->offset_y = int32_t(offset.y);
    const PixelRect& b = out->bounds;
    if (!b.empty() && (b.x0 < out->offset_x || b.y0 < out->offset_y ||
                       b.x1 > out->offset_x + int32_t(bin.binw) || b.y1 > out->offset_y + int32_t(bin.binh)))
        return fail(fault,
                    "GRAS_SC_WINDOW_SCISSOR leaves the bin that RB_WINDOW_OFFSET and RB_BIN_CONTROL say");
    return true;
}

pipe::Format bias_format(hw::DepthFormat f) {
    return f == hw::DepthFormat::DEPTH6_16     ? pipe::Format::D16_UNORM
           : f == hw::DepthFormat::DEPTH6_24_8 ? pipe::Format::D24_UNORM_X8
                                               : pipe::Format::D32_FLOAT;
}

bool load_bias(Machine& m, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    out->bias.enable = in.get<hw::GRAS_SU_CNTL>().poly_offset;
    if (!out->bias.enable) return bool(in);
    out->bias.factor = in.get<hw::GRAS_SU_POLY_OFFSET_SCALE>().value;
    out->bias.units = in.get<hw::GRAS_SU_POLY_OFFSET_OFFSET>().value;
    out->bias.clamp = in.get<hw::GRAS_SU_POLY_OFFSET_OFFSET_CLAMP>().value;
    out->bias.format = bias_format(in.get<hw::GRAS_SU_DEPTH_BUFFER_INFO>().depth_format);
    return bool(in);
}

bool load_stencil(Machine& m, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    const auto s = in.get<hw::RB_STENCIL_CONTROL>();
    const bool has = out->tests.layout == units::DepthLayout::D24S8 || out->stencil_target.used;
    out->tests.desc.stencil_test = s.stencil_enable && has;
    if (!s.stencil_enable) return bool(in);
    const auto ref = in.get<hw::RB_STENCILREF>();
    const auto mask = in.get<hw::RB_STENCILMASK>();
    const auto write = in.get<hw::RB_STENCILWRMASK>();
    if (!in) return false;
    out->tests.desc.front = {compare_of(s.func),  stencil_of(s.fail), stencil_of(s.zfail),
                             stencil_of(s.zpass), uint8_t(mask.mask), uint8_t(write.wrmask)};
    out->tests.desc.back = out->tests.desc.front;
    out->tests.reference[0] = out->tests.reference[1] = uint8_t(ref.ref);
    if (!s.stencil_enable_bf) return true;
    out->tests.desc.back = {compare_of(s.func_bf),  stencil_of(s.fail_bf), stencil_of(s.zfail_bf),
                            stencil_of(s.zpass_bf), uint8_t(mask.bfmask),  uint8_t(write.bfwrmask)};
    out->tests.reference[1] = uint8_t(ref.bfref);
    return true;
}

bool load_depth(Machine& m, PixelState* out, Fault* fault) {
    FieldReader in(m.registers, fault);
    const auto d = in.get<hw::RB_DEPTH_CNTL>();
    const bool has = out->tests.layout != units::DepthLayout::None;
    out->tests.desc.depth_test = d.z_test_enable && has;
    out->tests.desc.depth_write = d.z_write_enable && has;
    out->tests.desc.depth_compare = compare_of(d.zfunc);
    if (d.z_clamp_enable) {
        out->tests.depth.low = in.get<hw::RB_Z_CLAMP_MIN>().value;
        out->tests.depth.high = in.get<hw::RB_Z_CLAMP_MAX>().value;
    }
    out->tests.bounds = d.z_bounds_enable && has;
    if (out->tests.bounds) {
        out->tests.least = in.get<hw::RB_Z_BOUNDS_MIN>().value;
        out->tests.most = in.get<hw::RB_Z_BOUNDS_MAX>().value;
    }
    return bool(in);
}

}  // namespace

bool in_draw(uint32_t draw, Fault* fault) {
    fault->report.insert(0, "draw " + std::to_string(draw) + ": ");
    return false;
}

bool load_raster(Machine& m, unsigned views, PixelState* out, Fault* fault) {
    if (!load_samples(m, out, fault)) return false;
    out->tests.samples = out->samples;
    for (unsigned i = 0; i < out->pattern.count; ++i) {
        out->tests.sample_x[i] = out->pattern.x[i] / 256.0;
        out->tests.sample_y[i] = out->pattern.y[i] / 256.0;
    }
    return load_scissors(m, views, out, fault) && load_place(m, out, fault) && load_bias(m, out, fault);
}

bool load_lrz_raster(Machine& m, unsigned views, PixelState* out, Fault* fault) {
    return load_samples(m, out, fault) && load_scissors(m, views, out, fault) && load_bias(m, out, fault) &&
           load_depth(m, out, fault);
}

bool load_tests(Machine& m, PixelState* out, Fault* fault) {
    if (!load_stencil(m, out, fault) || !load_depth(m, out, fault)) return false;
    FieldReader in(m.registers, fault);
    const auto plane = in.get<hw::RB_DEPTH_PLANE_CNTL>();
    const auto alpha = in.get<hw::RB_ALPHA_CONTROL>();
    if (!in) return false;
    if (plane.z_mode == hw::ZtestMode::A6XX_INVALID_ZTEST)
        return fail(fault, "RB_DEPTH_PLANE_CNTL: A6XX_INVALID_ZTEST");
    out->alpha_test = alpha.alpha_test;
    out->alpha_compare = compare_of(alpha.alpha_test_func);
    out->alpha_reference = float(alpha.alpha_ref) / 255.0f;
    const bool from_shader = out->out.depth != kNoRegister || out->out.stencil != kNoRegister;
    out->early = plane.z_mode == hw::ZtestMode::A6XX_EARLY_Z && !from_shader;
    out->tests.decide();
    // A driver that never counts samples does not write the register.
    out->counts = !m.registers.get<hw::RB_SAMPLE_COUNT_CONTROL>().disable;
    return true;
}

bool load_shader(Machine& m, PixelState* out, Fault* fault) {
    const Registers& r = m.registers;
    FieldReader in(r, fault);
    FragmentShader& s = out->shader;
    s.enabled = in.get<hw::SP_FS_CONFIG>().value.enabled;
    const auto constants = in.get<hw::HLSQ_FS_CNTL>().value;
    if (!in) return false;
    if (s.enabled != constants.enabled)
        return fail(fault, "SP_FS_CONFIG and HLSQ_FS_CNTL differ in `enabled`");
    if (!s.enabled) return true;
    const auto control = in.get<hw::SP_FS_CTRL_REG0>();
    const auto dispatch = in.get<hw::HLSQ_FS_CNTL_0>().value;
    s.code_va = in.get<hw::SP_FS_OBJ_START>().value + r.get<hw::SP_FS_OBJ_FIRST_EXEC_OFFSET>().value;
    if (!in) return false;
    if (control.threadsize != dispatch.threadsize)
        return fail(fault, "SP_FS_CTRL_REG0 and HLSQ_FS_CNTL_0 differ in `threadsize`");
    s.lanes = control.threadsize == hw::Threadsize::THREAD128 ? 128 : 64;
    s.constant_words = constants.constlen * 4;
    s.full_registers = control.fullregfootprint;
    s.half_registers = control.halfregfootprint;
    s.branch_stack = control.branchstack;
    s.merged_registers = control.mergedregs;
    s.private_B = r.get<hw::SP_FS_PVT_MEM_PARAM>().value.memsizeperitem;
    if (!s.private_B) return true;
    s.private_va = in.get<hw::SP_FS_PVT_MEM_ADDR>().value;
    s.private_total_B = in.get<hw::SP_FS_PVT_MEM_SIZE>().value.totalpvtmemsize * uint64_t(m.chip.sp_count);
    return bool(in);
}

bool load_pixel_state(Machine& m, uint32_t draw, unsigned views, PixelState* out, Fault* fault) {
    out->draw = draw;
    return (load_raster(m, views, out, fault) && load_shader(m, out, fault) && load_inputs(m, out, fault) &&
            load_depth_target(m, out, fault) && load_tests(m, out, fault) && load_colors(m, out, fault)) ||
           in_draw(draw, fault);
}

}  // namespace terrazzo::adreno::sim
