// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Registers with a fragment shader's inputs and results, and VPC's varyings. An input that HLSQ puts into a
// register must also be enabled in GRAS and RB. Sources: Mesa 25.0.7, fd6_program.cc (emit_fs_inputs,
// emit_fs_outputs, emit_interp_state) and a6xx.xml.
#include "drivers/adreno/sim/pixel/state.h"

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

isa::Reg reg_of(uint32_t id) {
    return {uint8_t(id)};
}

// Checks that GRAS_CNTL and RB_RENDER_CONTROL0 enable an input of HLSQ_CONTROL_*.
bool check_made(bool wanted, bool gras, bool rb, const char* what, Fault* fault) {
    if (!wanted || (gras && rb)) return true;
    return fail(fault, "the fragment shader has a register for ", what, ", which ",
                (gras ? "RB_RENDER_CONTROL0" : "GRAS_CNTL"), " does not make");
}

bool load_registers(const Registers& r, PixelState* out, Fault* fault) {
    FieldReader registers(r, fault);
    const auto c2 = registers.get<hw::HLSQ_CONTROL_2_REG>();
    const auto c3 = registers.get<hw::HLSQ_CONTROL_3_REG>();
    const auto c4 = registers.get<hw::HLSQ_CONTROL_4_REG>();
    const auto gras = registers.get<hw::GRAS_CNTL>();
    const auto rb = registers.get<hw::RB_RENDER_CONTROL0>();
    const auto rb1 = registers.get<hw::RB_RENDER_CONTROL1>();
    if (!registers) return false;
    FragmentInputs& in = out->in;
    const uint32_t ij[2][kPlaces] = {
        {c3.value.ij_persp_pixel, c3.value.ij_persp_centroid, c4.value.ij_persp_sample},
        {c3.value.ij_linear_pixel, c3.value.ij_linear_centroid, c4.value.ij_linear_sample}};
    const bool by_gras[2][kPlaces] = {{gras.ij_persp_pixel, gras.ij_persp_centroid, gras.ij_persp_sample},
                                      {gras.ij_linear_pixel, gras.ij_linear_centroid, gras.ij_linear_sample}};
    const bool by_rb[2][kPlaces] = {{rb.ij_persp_pixel, rb.ij_persp_centroid, rb.ij_persp_sample},
                                    {rb.ij_linear_pixel, rb.ij_linear_centroid, rb.ij_linear_sample}};
    constexpr const char* kNames[2][kPlaces] = {
        {"ij_persp_pixel", "ij_persp_centroid", "ij_persp_sample"},
        {"ij_linear_pixel", "ij_linear_centroid", "ij_linear_sample"}};
    for (unsigned linear = 0; linear < 2; ++linear)
        for (unsigned place = 0; place < kPlaces; ++place) {
            in.ij[linear][place] = reg_of(ij[linear][place]);
            const bool wanted = in.ij[linear][place] != kNoRegister;
            in.any_ij |= wanted;
            if (!check_made(wanted, by_gras[linear][place], by_rb[linear][place], kNames[linear][place],
                            fault))
                return false;
        }
    in.face = reg_of(c2.faceregid);
    in.sample_id = reg_of(c2.sampleid);
    in.sample_mask = reg_of(c2.samplemask);
    in.center_rhw = reg_of(c2.centerrhw);
    in.xy = reg_of(c4.value.xycoordregid);
    in.zw = reg_of(c4.value.zwcoordregid);
    in.coord_mask = uint8_t(gras.coord_mask & rb.coord_mask);
    in.coords_at_sample = rb1.fragcoordsamplemode == hw::FragcoordSampleMode::FRAGCOORD_SAMPLE;
    in.mask_after_tests = rb1.postdepthcoverage;
    return check_made(in.face != kNoRegister, true, rb1.faceness, "faceness", fault) &&
           check_made(in.sample_id != kNoRegister, true, rb1.sampleid, "sampleid", fault) &&
           check_made(in.sample_mask != kNoRegister, true, rb1.samplemask, "samplemask", fault) &&
           check_made(in.center_rhw != kNoRegister, true, rb1.centerrhw, "centerrhw", fault);
}

bool load_results(const Registers& r, PixelState* out, Fault* fault) {
    FieldReader in(r, fault);
    const auto sp = in.get<hw::SP_FS_OUTPUT_CNTL0>();
    out->color_count = in.get<hw::SP_FS_OUTPUT_CNTL1>().mrt;
    const auto rb = in.get<hw::RB_FS_OUTPUT_CNTL0>();
    const uint32_t rb_count = in.get<hw::RB_FS_OUTPUT_CNTL1>().mrt;
    if (!in) return false;
    if (out->color_count != rb_count) return fail(fault, "SP_FS_OUTPUT_CNTL1 and RB_FS_OUTPUT_CNTL1 differ");
    if (rb_count > kMaxTargets) return fail(fault, "RB_FS_OUTPUT_CNTL1: ", rb_count, " render targets");
    FragmentOutputs& o = out->out;
    if (rb.frag_writes_z) o.depth = reg_of(sp.depth_regid);
    if (rb.frag_writes_sampmask) o.sample_mask = reg_of(sp.sampmask_regid);
    if (rb.frag_writes_stencilref) o.stencil = reg_of(sp.stencilref_regid);
    if ((rb.frag_writes_z && o.depth == kNoRegister) ||
        (rb.frag_writes_sampmask && o.sample_mask == kNoRegister) ||
        (rb.frag_writes_stencilref && o.stencil == kNoRegister))
        return fail(fault, "RB_FS_OUTPUT_CNTL0 wants a result for which SP_FS_OUTPUT_CNTL0 has no register");
    for (unsigned i = 0; i < kMaxTargets; ++i) {
        if (!r.is_set(hw::SP_FS_OUTPUT::at(i))) continue;
        const auto c = r.get<hw::SP_FS_OUTPUT>(i);
        o.color[i] = {reg_of(c.regid), c.half_precision};
    }
    return true;
}

bool load_varyings(const Registers& r, PixelState* out, Fault* fault) {
    FieldReader in(r, fault);
    const auto vpc = in.get<hw::VPC_CNTL_0>();
    if (!in) return false;
    VaryingState& v = out->varying;
    v.count = vpc.varying ? vpc.numnonposvar : 0;
    v.primitive_id = vpc.primidloc;
    v.flip_point_t = r.get<hw::VPC_POINT_COORD_INVERT>().invert;
    if (v.count > 128) return fail(fault, "VPC_CNTL_0: ", v.count, " varyings");
    for (unsigned i = 0; i * 16 < v.count; ++i) {
        v.interp[i] = in.get<hw::VPC_VARYING_INTERP_MODE>(i).value;
        v.replace[i] = in.get<hw::VPC_VARYING_PS_REPL_MODE>(i).value;
    }
    return bool(in);
}

}  // namespace

bool load_inputs(Machine& m, PixelState* out, Fault* fault) {
    const Registers& r = m.registers;
    FieldReader in(r, fault);
    out->per_sample = in.get<hw::RB_SAMPLE_CNTL>().per_samp_mode && out->samples > 1;
    if (!in) return false;
    return !out->shader.enabled || (load_registers(r, out, fault) && load_results(r, out, fault) &&
                                    load_varyings(r, out, fault) && out->prefetch.init(m, fault));
}

}  // namespace terrazzo::adreno::sim
