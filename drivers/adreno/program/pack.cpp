// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, fd6_program.cc; captured streams. The stages before the rasterizer: pack_geometry.cpp.
#include "drivers/adreno/program/pack.h"

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>

#include "drivers/common/program/uniform_runs.h"

namespace terrazzo::adreno {
namespace {

using compiler::kNoRegister;

constexpr uint32_t kMostBranches = 64;  // BRANCHSTACK is half of the nesting depth

}  // namespace

uint32_t branch_stack(const compiler::Info& info) {
    return (std::min<uint32_t>(info.branch_stack, kMostBranches) + 1) / 2;
}

uint32_t constlen(const compiler::Info& info) {
    return (info.constants.vec4s + 3) & ~3u;
}

uint32_t ibo_count(const compiler::Info& info) {
    if (!info.buffers && !info.images) return 0;
    return info.first_image + uint32_t(std::bit_width(info.images));
}

hw::SpXsConfig stage_config(const compiler::Info& info) {
    return {.enabled = true,
            .ntex = info.texture_count(),
            .nsamp = uint32_t(std::bit_width(info.textures)),
            .nibo = ibo_count(info)};
}

void load_code(const StageCode& code, pipe::Stage stage, const hw::Chip& chip, ProgramWords* out) {
    const uint32_t units = std::min<uint32_t>(code.instrlen, chip.generation.instr_cache_128B);
    out->at() = put_load_state(out->at(), stage,
                               {.state_type = hw::StateType::ST6_SHADER,
                                .state_src = hw::StateSrc::SS6_INDIRECT,
                                .state_block = shader_block(stage),
                                .num_unit = units,
                                .address = code.va()});
}

void load_immediates(const StageCode& code, pipe::Stage stage, ProgramWords* out) {
    const compiler::ConstLayout& c = code.info.constants;
    if (c.immediates.empty()) return;
    const auto vec4s = uint32_t((c.immediates.size() + 3) / 4);
    uint32_t* const at = put_constants_header(out->at(), stage, c.immediates_at_dw / 4, vec4s);
    out->at() = programs::put_padded(at, c.immediates, vec4s * 4);
}

bool runs_double(const compiler::Info& info, const hw::Chip& chip) {
    return 2u * info.full_registers <= chip.generation.registers_vec4 && info.branch_stack <= kMostBranches;
}

namespace {

void pack_fragment(const StageCode& code, const PrivateMemory& memory, const hw::Chip& chip,
                   ProgramWords* out) {
    const PrivateMemory own = code.info.private_B ? memory : PrivateMemory();
    const compiler::Info& info = code.info;
    out->write(hw::SP_FS_CTRL_REG0{.fullregfootprint = info.full_registers,
                                   .branchstack = branch_stack(info),
                                   .threadsize = runs_double(info, chip) ? hw::Threadsize::THREAD128
                                                                         : hw::Threadsize::THREAD64,
                                   .varying = info.varying_dw != 0,
                                   .lodpixmask = info.needs_helpers,
                                   .unk24 = true,
                                   .pixlodenable = info.needs_helpers,
                                   .mergedregs = true},
               hw::SP_FS_OBJ_FIRST_EXEC_OFFSET{}, hw::SP_FS_OBJ_START{code.va()},
               hw::SP_FS_PVT_MEM_PARAM{{.memsizeperitem = own.fiber_B}}, hw::SP_FS_PVT_MEM_ADDR{own.va()},
               hw::SP_FS_PVT_MEM_SIZE{{.totalpvtmemsize = own.processor_B}},
               hw::SP_FS_PVT_MEM_HW_STACK_OFFSET{{.offset = own.processor_B}},
               hw::SP_FS_INSTRLEN{code.instrlen});
    load_code(code, pipe::Stage::Fragment, chip, out);
    load_immediates(code, pipe::Stage::Fragment, out);
}

/// Textures that are sampled before the shader begins.
void pack_prefetches(const compiler::Info& info, ProgramWords* out) {
    RegisterRun run(out->at());
    run.add(hw::SP_FS_PREFETCH_CNTL{.count = uint32_t(info.prefetches.size()),
                                    .ij_write_disable = info.system.ij_pixel == kNoRegister,
                                    .endofquad = info.helpers_end});
    for (unsigned i = 0; i < info.prefetches.size(); ++i) {
        const compiler::TexturePrefetch& p = info.prefetches[i];
        run.add(Element{i, hw::SP_FS_PREFETCH_CMD{.src = p.inloc,
                                                  .samp_id = p.texture,
                                                  .tex_id = p.texture,
                                                  .dst = p.reg,
                                                  .wrmask = p.mask,
                                                  .half = p.half,
                                                  .cmd = hw::TexPrefetchCmd::TEX_PREFETCH_SAM}});
    }
    out->at() = run.finish();
}

void pack_fragment_inputs(const compiler::Info& info, const hw::Chip& chip, ProgramWords* out) {
    const compiler::SystemValues& s = info.system;
    const auto has = [](compiler::RegisterId r) { return r != kNoRegister; };
    const uint32_t coords = (has(s.coord_xy) ? 3u : 0) | (has(s.coord_zw) ? 0xcu : 0);
    const bool needs_linear = has(s.front_face) || coords;
    const auto sample_mode = info.per_sample ? hw::FragcoordSampleMode::FRAGCOORD_SAMPLE
                                             : hw::FragcoordSampleMode::FRAGCOORD_CENTER;
    const hw::GRAS_CNTL gras{.ij_persp_pixel = has(s.ij_pixel),
                             .ij_persp_centroid = has(s.ij_centroid),
                             .ij_persp_sample = has(s.ij_sample),
                             .ij_linear_pixel = has(s.ij_linear_pixel) || needs_linear,
                             .ij_linear_centroid = has(s.ij_linear_centroid),
                             .ij_linear_sample = has(s.ij_linear_sample),
                             .coord_mask = coords};
    pack_prefetches(info, out);
    constexpr uint32_t kPrimitives = 7;  // freedreno's value for the a630
    out->write(hw::HLSQ_FS_CNTL_0{{.threadsize = runs_double(info, chip) ? hw::Threadsize::THREAD128
                                                                         : hw::Threadsize::THREAD64,
                                   .varyings = info.varying_dw != 0}},
               hw::HLSQ_CONTROL_1_REG{.primallocthreshold = kPrimitives},
               hw::HLSQ_CONTROL_2_REG{.faceregid = s.front_face,
                                      .sampleid = s.sample_id,
                                      .samplemask = s.sample_mask,
                                      .centerrhw = kNoRegister},
               hw::HLSQ_CONTROL_3_REG{{.ij_persp_pixel = s.ij_pixel,
                                       .ij_linear_pixel = s.ij_linear_pixel,
                                       .ij_persp_centroid = s.ij_centroid,
                                       .ij_linear_centroid = s.ij_linear_centroid}},
               hw::HLSQ_CONTROL_4_REG{{.ij_persp_sample = s.ij_sample,
                                       .ij_linear_sample = s.ij_linear_sample,
                                       .xycoordregid = s.coord_xy,
                                       .zwcoordregid = s.coord_zw}},
               hw::HLSQ_CONTROL_5_REG{{.linelengthregid = kNoRegister, .foveationqualityregid = kNoRegister}},
               gras,
               hw::RB_RENDER_CONTROL0{.ij_persp_pixel = gras.ij_persp_pixel,
                                      .ij_persp_centroid = gras.ij_persp_centroid,
                                      .ij_persp_sample = gras.ij_persp_sample,
                                      .ij_linear_pixel = gras.ij_linear_pixel,
                                      .ij_linear_centroid = gras.ij_linear_centroid,
                                      .ij_linear_sample = gras.ij_linear_sample,
                                      .coord_mask = coords,
                                      .unk10 = info.varying_dw != 0},
               hw::RB_RENDER_CONTROL1{.samplemask = has(s.sample_mask),
                                      .faceness = has(s.front_face),
                                      .sampleid = has(s.sample_id),
                                      .fragcoordsamplemode = sample_mode},
               hw::RB_SAMPLE_CNTL{.per_samp_mode = info.per_sample},
               hw::GRAS_SAMPLE_CNTL{.per_samp_mode = info.per_sample},
               hw::GRAS_LRZ_PS_INPUT_CNTL{.sampleid = has(s.sample_id), .fragcoordsamplemode = sample_mode});
}

void pack_fragment_outputs(const compiler::Info& info, ProgramWords* out) {
    hw::SP_FS_OUTPUT_CNTL0 control{
        .depth_regid = kNoRegister, .sampmask_regid = kNoRegister, .stencilref_regid = kNoRegister};
    hw::SP_FS_OUTPUT colors[pipe::kMaxColorTargets];
    for (hw::SP_FS_OUTPUT& c : colors)
        c.regid = kNoRegister;
    for (const compiler::Output& o : info.outputs) {
        if (o.slot <= uint8_t(ir::FragSlot::Color7)) {
            colors[o.slot] = {.regid = o.reg, .half_precision = o.half};
            continue;
        }
        switch (ir::FragSlot(o.slot)) {
            case ir::FragSlot::Depth:
                control.depth_regid = o.reg;
                break;
            case ir::FragSlot::Stencil:
                control.stencilref_regid = o.reg;
                break;
            case ir::FragSlot::SampleMask:
                control.sampmask_regid = o.reg;
                break;
            case ir::FragSlot::Second:
                control.dual_color_in_enable = true;
                colors[1] = {.regid = o.reg, .half_precision = o.half};
                break;
            case ir::FragSlot::Color0:
            case ir::FragSlot::Color7:
                break;
        }
    }
    out->write(control);
    RegisterRun run(out->at());
    for (unsigned i = 0; i < pipe::kMaxColorTargets; ++i)
        run.add(Element{i, colors[i]});
    out->at() = run.finish();
}

}  // namespace

void pack_config(const AdrenoProgram& p, const StageCode& fragment, ProgramWords* out) {
    const auto constants = [&](pipe::Stage s) {
        return p.has(s) ? hw::HlsqXsCntl{.constlen = constlen(p.stage(s).info), .enabled = true}
                        : hw::HlsqXsCntl{};
    };
    const auto config = [&](pipe::Stage s) {
        return p.has(s) ? stage_config(p.stage(s).info) : hw::SpXsConfig{};
    };
    out->write(
        kInvalidatePrograms,
        hw::HLSQ_VS_CNTL{{.constlen = std::max(constlen(p.vertex().info), constlen(p.binning_stage().info)),
                          .enabled = true}},
        hw::HLSQ_HS_CNTL{constants(pipe::Stage::TessControl)},
        hw::HLSQ_DS_CNTL{constants(pipe::Stage::TessEval)},
        hw::HLSQ_GS_CNTL{constants(pipe::Stage::Geometry)},
        hw::HLSQ_FS_CNTL{{.constlen = constlen(fragment.info), .enabled = true}},
        hw::SP_VS_CONFIG{stage_config(p.vertex().info)}, hw::SP_HS_CONFIG{config(pipe::Stage::TessControl)},
        hw::SP_DS_CONFIG{config(pipe::Stage::TessEval)}, hw::SP_GS_CONFIG{config(pipe::Stage::Geometry)},
        hw::SP_FS_CONFIG{stage_config(fragment.info)},
        hw::SP_IBO_COUNT{std::max(ibo_count(p.vertex().info), ibo_count(fragment.info))});
}

void pack_program(const hw::Chip& chip, const AdrenoProgram& p, const StageCode& fragment,
                  const PrivateMemory& fragment_memory, ProgramWords* out) {
    pack_geometry_code(p, p.vertex(), chip, out);
    pack_fragment(fragment, fragment_memory, chip, out);
    pack_geometry(p, p.vertex().info, p.link, fragment.info, out);
    pack_fragment_inputs(fragment.info, chip, out);
    pack_fragment_outputs(fragment.info, out);
}

void pack_stream_output(const VpcLink& link, const pipe::StreamOutputLayout& layout, ProgramWords* out) {
    // Each word of the program has two places. bufN_stream is the number of the buffer's stream plus 1: all
    // buffers in use have stream 0. 0: off.
    std::array<hw::VPC_SO_PROG, kMaxVpcStride_dw / 2> program{};
    std::bitset<kMaxVpcStride_dw / 2> used;
    for (const CapturedWord& w : link.captured) {
        hw::VPC_SO_PROG& p = program[w.place / 2];
        used.set(w.place / 2);
        if (w.place & 1)
            p.b_en = true, p.b_buf = w.buffer, p.b_off = w.offset_dw * 4u;
        else
            p.a_en = true, p.a_buf = w.buffer, p.a_off = w.offset_dw * 4u;
    }
    const auto stream = [&](unsigned b) { return layout.stride_dw[b] ? 1u : 0u; };
    RegisterBunch bunch(out->at());
    bunch.add(hw::VPC_SO_STREAM_CNTL{.buf0_stream = stream(0),
                                     .buf1_stream = stream(1),
                                     .buf2_stream = stream(2),
                                     .buf3_stream = stream(3),
                                     .stream_enable = 1});
    for (unsigned b = 0; b < pipe::kMaxStreamOutputs; ++b)
        bunch.add(Element{b, hw::VPC_SO_BUFFER_STRIDE{layout.stride_dw[b] * 4}});
    bool first = true;
    for (unsigned i = 0; i < used.size(); ++i) {
        if (!used[i]) continue;
        if (i == 0 || !used[i - 1]) bunch.add(hw::VPC_SO_CNTL{.addr = i, .reset = first});
        first = false;
        bunch.add(program[i]);
    }
    out->at() = bunch.finish();
}

void pack_no_stream_output(ProgramWords* out) {
    RegisterBunch bunch(out->at());
    bunch.add(hw::VPC_SO_CNTL{});
    bunch.add(hw::VPC_SO_STREAM_CNTL{});
    out->at() = bunch.finish();
}

void pack_binning(const hw::Chip& chip, const AdrenoProgram& p, ProgramWords* out) {
    const StageCode& code = p.binning_stage();
    const compiler::Info nothing;
    const compiler::Info& last =
        p.last_stage() == pipe::Stage::Vertex ? code.info : p.stage(p.last_stage()).info;
    pack_geometry_code(p, code, chip, out);
    pack_geometry(p, code.info, link_varyings(last, nothing, nullptr, p.distances), nothing, out);
    pack_fragment_inputs(nothing, chip, out);
    pack_fragment_outputs(nothing, out);
}

void pack_interpolation(const VpcLink& link, ProgramWords* out) {
    RegisterRun run(out->at());
    for (unsigned i = 0; i < 8; ++i)
        run.add(Element{i, hw::VPC_VARYING_INTERP_MODE{link.interpolation[i]}});
    for (unsigned i = 0; i < 8; ++i)
        run.add(Element{i, hw::VPC_VARYING_PS_REPL_MODE{link.replacement[i]}});
    out->at() = run.finish();
}

}  // namespace terrazzo::adreno
