// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rasterizer, tests and shader. Sources: Mesa 25.0.7, a6xx.xml, fd6_rasterizer.cc, fd6_zsa.cc,
// fd6_program.cc, fd6_gmem.cc (emit_msaa), and the default places of samples from freedreno_screen.c.
#include "drivers/adreno/sim/pixel/state.h"

#include <cmath>

#include "drivers/adreno/sim/pixel/read.h"
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
    hw::RB_RAS_MSAA_CNTL ras;
    hw::RB_DEST_MSAA_CNTL dest;
    hw::GRAS_RAS_MSAA_CNTL gras;
    const Registers& r = m.registers;
    if (!take_all(r, fault, &ras, &dest, &gras)) return false;
    if (ras.samples != dest.samples || gras.samples != ras.samples)
        return fail(fault, "RB_RAS_MSAA_CNTL, RB_DEST_MSAA_CNTL and GRAS_RAS_MSAA_CNTL differ in samples");
    if (ras.samples == hw::MsaaSamples::MSAA_EIGHT)
        return fail(fault, "RB_RAS_MSAA_CNTL: 8 samples, of which a6xx's GLES drivers have no images");
    out->samples = 1u << unsigned(ras.samples);
    default_places(out->samples, &out->pattern);
    const auto config = r.get<hw::RB_SAMPLE_CONFIG>();
    if (!config.value.location_enable) return true;
    hw::RB_SAMPLE_LOCATION_0 at;
    if (!take(r, &at, fault)) return false;
    const hw::SampleLocations& l = at.value;
    const float x[4] = {l.sample_0_x, l.sample_1_x, l.sample_2_x, l.sample_3_x};
    const float y[4] = {l.sample_0_y, l.sample_1_y, l.sample_2_y, l.sample_3_y};
    for (unsigned i = 0; i < out->samples; ++i) {
        out->pattern.x[i] = uint8_t(x[i] * 256);
        out->pattern.y[i] = uint8_t(y[i] * 256);
    }
    return true;
}

template <class Corner>
PixelRect rect_of(const Corner& tl, const Corner& br) {
    return {int32_t(tl.x), int32_t(tl.y), int32_t(br.x) + 1, int32_t(br.y) + 1};
}

bool load_scissors(Machine& m, unsigned views, PixelState* out, Fault* fault) {
    const Registers& r = m.registers;
    hw::GRAS_SC_WINDOW_SCISSOR_TL window_tl;
    hw::GRAS_SC_WINDOW_SCISSOR_BR window_br;
    if (!take_all(r, fault, &window_tl, &window_br)) return false;
    out->bounds = rect_of(window_tl.value, window_br.value);
    if (views > 16) return fail(fault, "a primitive of view ", views);
    for (unsigned i = 0; i < views; ++i) {
        hw::GRAS_SC_SCREEN_SCISSOR_TL screen_tl;
        hw::GRAS_SC_SCREEN_SCISSOR_BR screen_br;
        hw::GRAS_SC_VIEWPORT_SCISSOR_TL view_tl;
        hw::GRAS_SC_VIEWPORT_SCISSOR_BR view_br;
        if (!take(r, &screen_tl, fault, i) || !take(r, &screen_br, fault, i) ||
            !take(r, &view_tl, fault, i) || !take(r, &view_br, fault, i))
            return false;
        out->viewport[i] = intersect(rect_of(screen_tl.value, screen_br.value),
                                     intersect(rect_of(view_tl.value, view_br.value), out->bounds));
    }
    out->views = views;
    out->ordered = r.get<hw::GRAS_SC_CNTL>().single_prim_mode != hw::SinglePrimMode::NO_FLUSH;
    return true;
}

// GMEM holds one bin; the window's scissor must be within it.
bool load_place(Machine& m, PixelState* out, Fault* fault) {
    hw::RB_BIN_CONTROL bin;
    if (!take(m.registers, &bin, fault)) return false;
    if (bin.render_mode == hw::RenderMode::BINNING_PASS)
        return fail(fault, "pixels while RB_BIN_CONTROL says BINNING_PASS");
    out->in_gmem = bin.buffers_location == hw::BuffersLocation::BUFFERS_IN_GMEM;
    hw::RB_WINDOW_OFFSET offset;
    if (!take(m.registers, &offset, fault)) return false;
    if (!out->in_gmem) return true;
    out->offset_x = int32_t(offset.value.x);
    out->offset_y = int32_t(offset.value.y);
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
    const Registers& r = m.registers;
    hw::GRAS_SU_CNTL su;
    if (!take(r, &su, fault)) return false;
    out->bias.enable = su.poly_offset;
    if (!su.poly_offset) return true;
    hw::GRAS_SU_POLY_OFFSET_SCALE scale;
    hw::GRAS_SU_POLY_OFFSET_OFFSET units;
    hw::GRAS_SU_POLY_OFFSET_OFFSET_CLAMP clamp;
    hw::GRAS_SU_DEPTH_BUFFER_INFO info;
    if (!take_all(r, fault, &scale, &units, &clamp, &info)) return false;
    out->bias.factor = scale.value;
    out->bias.units = units.value;
    out->bias.clamp = clamp.value;
    out->bias.format = bias_format(info.depth_format);
    return true;
}

bool load_stencil(Machine& m, PixelState* out, Fault* fault) {
    const Registers& r = m.registers;
    hw::RB_STENCIL_CONTROL s;
    hw::RB_STENCILREF ref;
    hw::RB_STENCILMASK mask;
    hw::RB_STENCILWRMASK write;
    if (!take(r, &s, fault)) return false;
    const bool has = out->tests.layout == units::DepthLayout::D24S8 || out->stencil_target.used;
    out->tests.desc.stencil_test = s.stencil_enable && has;
    if (!s.stencil_enable) return true;
    if (!take_all(r, fault, &ref, &mask, &write)) return false;
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
    const Registers& r = m.registers;
    hw::RB_DEPTH_CNTL d;
    if (!take(r, &d, fault)) return false;
    const bool has = out->tests.layout != units::DepthLayout::None;
    out->tests.desc.depth_test = d.z_test_enable && has;
    out->tests.desc.depth_write = d.z_write_enable && has;
    out->tests.desc.depth_compare = compare_of(d.zfunc);
    if (d.z_clamp_enable) {
        hw::RB_Z_CLAMP_MIN low;
        hw::RB_Z_CLAMP_MAX high;
        if (!take_all(r, fault, &low, &high)) return false;
        out->tests.depth.low = low.value;
        out->tests.depth.high = high.value;
    }
    out->tests.bounds = d.z_bounds_enable && has;
    if (!out->tests.bounds) return true;
    hw::RB_Z_BOUNDS_MIN low;
    hw::RB_Z_BOUNDS_MAX high;
    if (!take_all(r, fault, &low, &high)) return false;
    out->tests.least = low.value;
    out->tests.most = high.value;
    return true;
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
    const Registers& r = m.registers;
    hw::RB_DEPTH_PLANE_CNTL plane;
    hw::RB_ALPHA_CONTROL alpha;
    if (!load_stencil(m, out, fault) || !load_depth(m, out, fault) || !take_all(r, fault, &plane, &alpha))
        return false;
    if (plane.z_mode == hw::ZtestMode::A6XX_INVALID_ZTEST)
        return fail(fault, "RB_DEPTH_PLANE_CNTL: A6XX_INVALID_ZTEST");
    out->alpha_test = alpha.alpha_test;
    out->alpha_compare = compare_of(alpha.alpha_test_func);
    out->alpha_reference = float(alpha.alpha_ref) / 255.0f;
    const bool from_shader = out->out.depth != kNoRegister || out->out.stencil != kNoRegister;
    out->early = plane.z_mode == hw::ZtestMode::A6XX_EARLY_Z && !from_shader;
    out->tests.decide();
    // A driver that never counts samples does not write the register.
    out->counts = !r.get<hw::RB_SAMPLE_COUNT_CONTROL>().disable;
    return true;
}

bool load_shader(Machine& m, PixelState* out, Fault* fault) {
    const Registers& r = m.registers;
    hw::SP_FS_CONFIG config;
    hw::HLSQ_FS_CNTL constants;
    hw::SP_FS_CTRL_REG0 control;
    hw::HLSQ_FS_CNTL_0 dispatch;
    hw::SP_FS_OBJ_START start;
    if (!take_all(r, fault, &config, &constants)) return false;
    FragmentShader& s = out->shader;
    s.enabled = config.value.enabled;
    if (s.enabled != constants.value.enabled)
        return fail(fault, "SP_FS_CONFIG and HLSQ_FS_CNTL differ in `enabled`");
    if (!s.enabled) return true;
    if (!take_all(r, fault, &control, &dispatch, &start)) return false;
    if (control.threadsize != dispatch.value.threadsize)
        return fail(fault, "SP_FS_CTRL_REG0 and HLSQ_FS_CNTL_0 differ in `threadsize`");
    s.lanes = control.threadsize == hw::Threadsize::THREAD128 ? 128 : 64;
    s.constant_words = constants.value.constlen * 4;
    s.code_va = start.value + r.get<hw::SP_FS_OBJ_FIRST_EXEC_OFFSET>().value;
    s.full_registers = control.fullregfootprint;
    s.half_registers = control.halfregfootprint;
    s.branch_stack = control.branchstack;
    s.merged_registers = control.mergedregs;
    const auto item = r.get<hw::SP_FS_PVT_MEM_PARAM>().value.memsizeperitem;
    if (!item) return true;
    hw::SP_FS_PVT_MEM_ADDR at;
    hw::SP_FS_PVT_MEM_SIZE size;
    if (!take_all(r, fault, &at, &size)) return false;
    s.private_va = at.value;
    s.private_B = item;
    s.private_total_B = uint64_t(size.value.totalpvtmemsize) * m.chip.sp_count;
    return true;
}

bool load_pixel_state(Machine& m, uint32_t draw, unsigned views, PixelState* out, Fault* fault) {
    out->draw = draw;
    return (load_raster(m, views, out, fault) && load_shader(m, out, fault) && load_inputs(m, out, fault) &&
            load_depth_target(m, out, fault) && load_tests(m, out, fault) && load_colors(m, out, fault)) ||
           in_draw(draw, fault);
}

}  // namespace terrazzo::adreno::sim
