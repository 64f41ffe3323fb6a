// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, genxml/v10.xml, pan_csf.c, pan_earlyzs.c; OpenGL ES 3.2 section 13.7.5 (offset).
#include "drivers/mali/sim/fragment/draw.h"

#include <algorithm>

#include "drivers/mali/sim/core/program.h"

namespace terrazzo::mali::sim {

namespace {

using pipe::raster::PixelRect;

static_assert(unsigned(hw::CompareFunc::NotEqual) == unsigned(pipe::Compare::NotEqual) &&
              unsigned(hw::CompareFunc::Lequal) == unsigned(pipe::Compare::LessEqual) &&
              unsigned(hw::CompareFunc::Always) == unsigned(pipe::Compare::Always));
pipe::Compare compare_of(hw::CompareFunc f) {
    return pipe::Compare(unsigned(f));
}
pipe::StencilOp stencil_of(hw::StencilOp op) {
    using enum pipe::StencilOp;
    constexpr pipe::StencilOp kOps[] = {Keep,     Replace,  Zero,      Invert,
                                        IncrWrap, DecrWrap, IncrClamp, DecrClamp};
    static_assert(kOps[size_t(hw::StencilOp::Replace)] == Replace &&
                  kOps[size_t(hw::StencilOp::Invert)] == Invert &&
                  kOps[size_t(hw::StencilOp::DecrWrap)] == DecrWrap &&
                  kOps[size_t(hw::StencilOp::DecrSat)] == DecrClamp);
    return kOps[size_t(op) & 7];
}

pipe::DepthStencilDesc test_of(const hw::DepthStencil& d) {
    pipe::DepthStencilDesc t;
    t.depth_test = true;
    t.depth_write = d.depth_write_enable;
    t.depth_compare = compare_of(d.depth_function);
    t.stencil_test = d.stencil_test_enable;
    t.front = {compare_of(d.front_compare_function), stencil_of(d.front_stencil_fail),
               stencil_of(d.front_depth_fail),       stencil_of(d.front_depth_pass),
               uint8_t(d.front_value_mask),          uint8_t(d.front_write_mask)};
    t.back = {compare_of(d.back_compare_function), stencil_of(d.back_stencil_fail),
              stencil_of(d.back_depth_fail),       stencil_of(d.back_depth_pass),
              uint8_t(d.back_value_mask),          uint8_t(d.back_write_mask)};
    return t;
}

bool load_blend(Window& memory, uint64_t va, unsigned count, FragmentDraw* d, Fault* fault) {
    d->blend.resize(count);
    for (unsigned i = 0; i < count; ++i) {
        const std::string name = "blend descriptor " + std::to_string(i);
        const uint64_t at = va + uint64_t(i) * hw::Blend::kSize_B;
        if (!read_struct(memory, at, &d->blend[i].d, name.c_str(), fault)) return false;
        if (!memory.read(at + 8, &d->blend[i].internal, 8)) return report_access(fault, memory, name);
        d->one_primitive_a_warp |= d->blend[i].d.internal.mode == hw::BlendMode::Shader;
    }
    return true;
}

// The samples of a draw, for coverage, tests and the shader.
void choose_samples(const FramebufferState& fb, FragmentDraw* d) {
    d->multisampled = fb.samples > 1 && d->flags_0.multisample_enable;
    d->per_sample = d->multisampled && d->flags_0.evaluate_per_sample;
    d->pattern = d->multisampled ? fb.pattern : units::SamplePattern{};
    for (unsigned n = d->pattern.count; n < fb.samples; ++n)
        d->pattern.x[n] = d->pattern.x[0], d->pattern.y[n] = d->pattern.y[0];
    d->pattern.count = d->tests.samples = fb.samples;
    for (unsigned n = 0; n < fb.samples; ++n)
        d->tests.sample_x[n] = d->pattern.x[n] / 256.0, d->tests.sample_y[n] = d->pattern.y[n] / 256.0;
    if (fb.samples > 1) d->sample_mask = d->flags_1.sample_mask & 0xff;
}

// A unit is OpenGL's r; for fixed-point depth it is half of it, because drivers write twice the units
// (pan_cmdstream.c). `format`: of the tile buffer's depth.
units::DepthBias bias_of(const hw::DepthStencil& d, units::DepthFormat format) {
    units::DepthBias b;
    b.enable = d.depth_bias_enable;
    b.factor = d.depth_factor;
    b.units = d.depth_units;
    b.clamp = d.depth_bias_clamp;
    b.unit_scale = format == units::DepthFormat::Float32 ? 1 : 0.5;
    switch (format) {
        case units::DepthFormat::Unorm16:
            b.format = pipe::Format::D16_UNORM;
            break;
        case units::DepthFormat::Unorm24:
            b.format = pipe::Format::D24_UNORM_X8;
            break;
        case units::DepthFormat::Float32:
            b.format = pipe::Format::D32_FLOAT;
            break;
    }
    return b;
}

// Determines when tests run, and whether the shader reads the tile buffer.
bool finish(Machine& machine, const FramebufferState& fb, FragmentDraw* d, Fault* fault) {
    if (d->flags_0.alpha_to_coverage_invert)
        return report(fault, "inverted alpha to coverage is not executed");
    choose_samples(fb, d);
    units::FragmentTests& t = d->tests;
    const pipe::DepthStencilDesc& test = t.desc = test_of(d->zs);
    t.format = fb.depth_format;
    t.layout = units::DepthLayout::Word;
    t.reference[0] = uint8_t(d->zs.front_reference_value);
    t.reference[1] = uint8_t(d->zs.back_reference_value);
    d->bias = bias_of(d->zs, fb.depth_format);
    d->tests_anything = test.stencil_test || test.depth_write || test.depth_compare != pipe::Compare::Always;
    const bool from_shader = d->zs.depth_source == hw::DepthSource::Shader || d->zs.stencil_from_shader;
    const bool late = d->flags_0.zs_update_operation == hw::PixelKill::ForceLate || from_shader;
    d->early_update = !d->has_shader || !late;
    d->late_test = !d->early_update;
    // With a late update, the early test may only drop what the late one would drop without writing. Stencil
    // operations of failing fragments, and updates of earlier quads that a test has not seen, must not be
    // missed.
    const bool may_kill = !test.stencil_test && test.depth_compare != pipe::Compare::NotEqual;
    d->early_test =
        d->early_update || (may_kill && fb.samples == 1 &&
                            d->flags_0.pixel_kill_operation != hw::PixelKill::ForceLate && !from_shader);
    d->shades_rejected = d->early_update && d->has_shader && d->tests_anything &&
                         d->flags_0.pixel_kill_operation == hw::PixelKill::ForceLate;
    d->kills = d->has_shader && !d->late_test && d->flags_0.allow_forward_pixel_to_kill;
    d->killable = !d->late_test && d->flags_0.allow_forward_pixel_to_be_killed;
    const bool bounds = d->zs.depth_clamp_mode == hw::DepthClampMode::Bounds;
    if (bounds) t.depth.low = d->record.low_depth_clamp, t.depth.high = d->record.high_depth_clamp;
    t.depth.is_constant =
        d->zs.depth_source == hw::DepthSource::Minimum || d->zs.depth_source == hw::DepthSource::Maximum;
    t.depth.constant = d->zs.depth_source == hw::DepthSource::Minimum ? d->record.low_depth_clamp
                                                                      : d->record.high_depth_clamp;
    t.decide();
    if (!d->has_shader) return true;
    d->one_primitive_a_warp |= machine.programs.find(machine.memory, d->shader.program.binary)->reads_tile;
    return true;
}

PixelRect rect_of(const hw::Scissor& s) {
    return {int32_t(s.scissor_minimum_x), int32_t(s.scissor_minimum_y), int32_t(s.scissor_maximum_x) + 1,
            int32_t(s.scissor_maximum_y) + 1};
}

}  // namespace

bool load_draw(Machine& machine, const DrawRecord& r, const FramebufferState& fb, FragmentDraw* d,
               Fault* fault) {
    Window& memory = machine.memory;
    hw::Scissor scissor;
    if (!take_struct(r.scissor, &scissor, "scissor", fault)) return false;
    if (r.dcd) return load_dcd(machine, r.dcd, scissor, fb, d, fault);
    d->record = r;
    d->scissor = rect_of(scissor);
    if (!take_struct(&r.flags_0, &d->flags_0, "DCD flags 0", fault) ||
        !take_struct(&r.flags_1, &d->flags_1, "DCD flags 1", fault) ||
        !read_struct(memory, r.depth_stencil, &d->zs, "depth and stencil descriptor", fault))
        return false;
    d->has_shader = r.fragment_spd != 0;
    if (d->has_shader) {
        ShaderAddresses a{r.fragment_spd, r.fragment_srt, 0, r.fragment_tsd, 0};
        set_fau(&a, r.fragment_fau);
        if (!load_shader(memory, a, hw::ShaderStage::Fragment, &d->shader, fault) ||
            !load_blend(memory, r.blend & ~uint64_t(15), unsigned(r.blend & 15), d, fault))
            return false;
    }
    return finish(machine, fb, d, fault);
}

bool load_dcd(Machine& machine, uint64_t va, const hw::Scissor& scissor, const FramebufferState& fb,
              FragmentDraw* d, Fault* fault) {
    Window& memory = machine.memory;
    hw::Draw draw;
    if (!read_struct(memory, va, &draw, "draw descriptor", fault)) return false;
    d->frame_shader = true;
    d->scissor = rect_of(scissor);
    d->flags_0 = draw.flags_0;
    d->flags_1 = draw.flags_1;
    d->record.low_depth_clamp = draw.minimum_z;
    d->record.high_depth_clamp = draw.maximum_z;
    d->record.occlusion = draw.occlusion;
    if (!read_struct(memory, draw.depth_stencil, &d->zs, "depth and stencil descriptor", fault)) return false;
    d->has_shader = draw.shader.shader != 0;
    if (d->has_shader) {
        const ShaderAddresses a{draw.shader.shader, draw.shader.resources, draw.shader.fau,
                                draw.shader.thread_storage, draw.shader.fau_count};
        if (!load_shader(memory, a, hw::ShaderStage::Fragment, &d->shader, fault) ||
            !load_blend(memory, draw.blend, draw.blend_count, d, fault))
            return false;
    }
    return finish(machine, fb, d, fault);
}

PixelRect pixels_of(const FragmentDraw& draw, const PrimitiveRecord& r) {
    FragmentPrimitive p;
    return load_primitive(draw, r, nullptr, &p) ? p.bounds : PixelRect{};
}

bool load_primitive(const FragmentDraw& draw, const PrimitiveRecord& r, const uint8_t* varyings,
                    FragmentPrimitive* out) {
    // set_up_raster() sets all members for a triangle, so *out need not be cleared if it was one before.
    if (r.kind != units::PrimitiveKind::Triangle || out->kind != r.kind || out->covers_all) *out = {};
    if (!units::set_up_raster(r, draw.bias, draw.multisampled, out)) return false;
    out->is_rectangle =
        draw.multisampled && r.kind == units::PrimitiveKind::Line && !draw.flags_0.single_sampled_lines;
    out->draw = &draw;
    out->varying_size_B = draw.record.varying_size_B;
    const unsigned n = out->vertex_count();
    out->provoking = draw.record.first_provoking_vertex ? 0 : n - 1;
    for (unsigned i = 0; i < 3; ++i)
        out->varying[i] =
            i < n && varyings ? varyings + uint64_t(r.varying[i]) * out->varying_size_B : nullptr;
    out->bounds = pipe::raster::intersect(out->bounds, draw.scissor);
    return !out->bounds.empty();
}

FragmentPrimitive whole_framebuffer(const FragmentDraw& draw, const FramebufferState& fb) {
    FragmentPrimitive p;
    static_cast<units::RasterPrimitive&>(p) =
        units::cover_rect(pipe::raster::intersect(fb.bounds, draw.scissor), fb.p.width, fb.p.height,
                          draw.record.low_depth_clamp);
    p.draw = &draw;
    return p;
}

}  // namespace terrazzo::mali::sim
