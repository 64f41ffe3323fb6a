// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages before the rasterizer. Source: Mesa 25.0.7, fd6_program.cc; captured streams.
#include <algorithm>

#include "drivers/adreno/compiler/passes.h"
#include "drivers/adreno/hw/stage_registers.h"
#include "drivers/adreno/program/pack.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::adreno {
namespace {

using compiler::kNoRegister;

struct VertexRegisters : hw::VertexStage {
    static constexpr pipe::Stage kStage = pipe::Stage::Vertex;
};
struct HullRegisters : hw::HullStage {
    static constexpr pipe::Stage kStage = pipe::Stage::TessControl;
};
struct DomainRegisters : hw::DomainStage {
    static constexpr pipe::Stage kStage = pipe::Stage::TessEval;
};
struct GeometryRegisters : hw::GeometryStage {
    static constexpr pipe::Stage kStage = pipe::Stage::Geometry;
};

template <class R>
void pack_code(const AdrenoProgram& p, const StageCode& code, const hw::Chip& chip, ProgramWords* out) {
    const PrivateMemory own = code.info.private_B ? p.private_memory : PrivateMemory();
    typename R::Control control;
    control.fullregfootprint = code.info.full_registers;
    control.branchstack = branch_stack(code.info);
    // The vertex stage's bit is for all stages.
    if constexpr (R::kStage == pipe::Stage::Vertex) control.mergedregs = true;
    out->write(control, typename R::First{}, typename R::Start{code.va()},
               typename R::PrivateParam{{.memsizeperitem = own.fiber_B}},
               typename R::PrivateAddress{own.va()},
               typename R::PrivateSize{{.totalpvtmemsize = own.processor_B}},
               typename R::Length{code.instrlen}, typename R::Stack{{.offset = own.processor_B}});
    load_code(code, R::kStage, chip, out);
    load_immediates(code, R::kStage, out);
}

/// The attributes of the vertex layout's group (`all`), in its order. A binning variant may not read all of
/// them.
std::vector<compiler::AttributeInput> fetched(const compiler::Info& all, const compiler::Info& variant) {
    std::vector<compiler::AttributeInput> inputs = all.attributes;
    std::sort(inputs.begin(), inputs.end(),
              [](const auto& a, const auto& b) { return a.location < b.location; });
    for (compiler::AttributeInput& i : inputs) {
        const auto same = [&](const compiler::AttributeInput& a) { return a.location == i.location; };
        const auto at = std::find_if(variant.attributes.begin(), variant.attributes.end(), same);
        i = at != variant.attributes.end() ? *at : compiler::AttributeInput{.location = i.location};
    }
    return inputs;
}

void pack_fetch(const AdrenoProgram& p, const compiler::Info& vertex, const compiler::Info& fragment,
                ProgramWords* out) {
    const std::vector<compiler::AttributeInput> inputs = fetched(p.vertex().info, vertex);
    const auto count = uint32_t(inputs.size());
    // The registers of stages that the program lacks are kNoRegister.
    const compiler::SystemValues hull = p.stage(pipe::Stage::TessControl).info.system,
                                 domain = p.stage(pipe::Stage::TessEval).info.system,
                                 geometry = p.stage(pipe::Stage::Geometry).info.system;
    const bool reads_primitive =
        std::any_of(fragment.varyings.begin(), fragment.varyings.end(),
                    [](const auto& v) { return ir::VaryingSlot(v.slot) == ir::VaryingSlot::PrimitiveId; });
    out->write(
        hw::PC_MULTIVIEW_CNTL{}, hw::VFD_CONTROL_0{.fetch_cnt = count, .decode_cnt = count},
        hw::VFD_CONTROL_1{.regid4vtx = vertex.system.vertex_id,
                          .regid4inst = vertex.system.instance_id,
                          .regid4primid = p.tessellates() ? hull.primitive_id : geometry.primitive_id,
                          .regid4viewid = kNoRegister},
        hw::VFD_CONTROL_2{.regid_hsrelpatchid = hull.relative_patch, .regid_invocationid = hull.header},
        hw::VFD_CONTROL_3{.regid_dsprimid = domain.primitive_id,
                          .regid_dsrelpatchid = domain.relative_patch,
                          .regid_tessx = domain.tess_coord,
                          .regid_tessy = domain.tess_coord == kNoRegister
                                             ? kNoRegister
                                             : compiler::RegisterId(domain.tess_coord + 1)},
        hw::VFD_CONTROL_4{.unk0 = kNoRegister},
        hw::VFD_CONTROL_5{.regid_gsheader = geometry.header, .unk8 = kNoRegister},
        hw::VFD_CONTROL_6{.primid4psen = reads_primitive});
    RegisterRun run(out->at());
    for (unsigned i = 0; i < count; ++i)
        run.add(Element{i, hw::VFD_DEST_CNTL_INSTR{.writemask = inputs[i].mask, .regid = inputs[i].reg}});
    out->at() = run.finish();
}

/// Packs the outputs of the last stage.
template <class R>
void pack_vpc(const AdrenoProgram& p, const VpcLink& link, const compiler::Info& fragment,
              ProgramWords* out) {
    RegisterRun run(out->at());
    for (unsigned i = 0; i < 4; ++i)
        run.add(Element{i, hw::VPC_VAR_DISABLE{~link.used[i]}});
    const auto output = [&](size_t i) {
        return i < link.outputs.size() ? link.outputs[i] : VpcOutput{.reg = 0};
    };
    for (unsigned i = 0; 2 * i < link.outputs.size(); ++i) {
        const VpcOutput a = output(2 * i), b = output(2 * i + 1);
        run.add(Element{
            i,
            typename R::Out{.a_regid = a.reg, .a_compmask = a.mask, .b_regid = b.reg, .b_compmask = b.mask}});
    }
    for (unsigned i = 0; 4 * i < link.outputs.size(); ++i)
        run.add(Element{i, typename R::Destination{.outloc0 = output(4 * i).place,
                                                   .outloc1 = output(4 * i + 1).place,
                                                   .outloc2 = output(4 * i + 2).place,
                                                   .outloc3 = output(4 * i + 3).place}});
    out->at() = run.finish();
    const bool geometry = R::kStage == pipe::Stage::Geometry, writes_layer = link.layer != kNoPlace;
    const uint32_t distances = link.clip_mask | link.cull_mask;
    const hw::VpcXsClipCntl clip{
        .clip_mask = distances, .clip_dist_03_loc = link.distances[0], .clip_dist_47_loc = link.distances[1]};
    const hw::VpcXsLayerCntl layer{.layerloc = link.layer, .viewloc = kNoPlace, .shadingrateloc = kNoPlace};
    out->write(
        typename R::Count{{.out = uint32_t(link.outputs.size()),
                           .flags_regid = geometry ? p.stage(R::kStage).info.system.vertex_flags : 0u}},
        typename R::Pack{
            {.stride_in_vpc = link.stride_dw, .positionloc = link.position, .psizeloc = link.point_size}},
        typename R::Clip{clip}, typename R::Clip2{clip}, typename R::Layer{layer}, typename R::Layer2{layer},
        typename R::ClipMasks{{.clip_mask = link.clip_mask, .cull_mask = link.cull_mask}},
        typename R::WritesLayer{{.writes_layer = writes_layer}},
        typename R::OutControl{{.stride_in_vpc = link.stride_dw,
                                .psize = link.point_size != kNoPlace,
                                .layer = writes_layer,
                                .primitive_id = R::kStage != pipe::Stage::Vertex &&
                                                p.stage(R::kStage).info.system.primitive_id != kNoRegister,
                                .clip_mask = distances}},
        hw::PC_PS_CNTL{.primitiveiden = link.primitive_id != kNoPlace},
        hw::VPC_CNTL_0{.numnonposvar = fragment.varying_dw,
                       .primidloc = link.primitive_id,
                       .varying = fragment.varying_dw != 0,
                       .viewidloc = kNoPlace});
}

hw::TessOutput strips_of(ir::Shape s) {
    return s == ir::Shape::Points  ? hw::TessOutput::TESS_POINTS
           : s == ir::Shape::Lines ? hw::TessOutput::TESS_LINES
                                   : hw::TessOutput::TESS_CW_TRIS;
}

/// `r`: the input and output records of the geometry shader.
void pack_geometry_stage(const ir::StageRecords& r, ProgramWords* out) {
    constexpr uint32_t kMostSize_dw = 64, kNoLineLength = 0xff;
    const uint32_t vertex_dw = ir::record_dw(r.slots_in);
    out->write(
        hw::PC_PRIMITIVE_CNTL_5{{.gs_vertices_out = std::max(1u, r.vertices_out) - 1,
                                 .gs_invocations = r.invocations - 1,
                                 .gs_output = strips_of(r.out)}},
        hw::PC_PRIMITIVE_CNTL_6{.stride_in_vpc = r.vertices_in * vertex_dw / 4},
        hw::VPC_GS_PARAM{.linelengthloc = kNoLineLength},
        // As in freedreno.
        hw::SP_GS_PRIM_SIZE{vertex_dw > kMostSize_dw ? kMostSize_dw : std::min(vertex_dw, kMostSize_dw - 1)});
}

void pack_tessellation(const AdrenoProgram& p, ProgramWords* out) {
    const ir::StageRecords& d = p.domain;
    const hw::TessSpacing spacing = d.spacing == ir::Spacing::Equal ? hw::TessSpacing::TESS_EQUAL
                                    : d.spacing == ir::Spacing::FractionalOdd
                                        ? hw::TessSpacing::TESS_FRACTIONAL_ODD
                                        : hw::TessSpacing::TESS_FRACTIONAL_EVEN;
    const hw::TessOutput output = d.out == ir::Shape::Points    ? hw::TessOutput::TESS_POINTS
                                  : d.in == ir::Shape::Isolines ? hw::TessOutput::TESS_LINES
                                  : d.clockwise                 ? hw::TessOutput::TESS_CW_TRIS
                                                                : hw::TessOutput::TESS_CCW_TRIS;
    out->write(hw::PC_TESS_NUM_VERTEX{p.hull.vertices_out},
               hw::PC_TESS_CNTL{.spacing = spacing, .output = output},
               hw::PC_HS_OUT_CNTL{{.primitive_id = true}});
}

}  // namespace

void pack_geometry_code(const AdrenoProgram& p, const StageCode& vertex, const hw::Chip& chip,
                        ProgramWords* out) {
    pack_code<VertexRegisters>(p, vertex, chip, out);
    if (p.tessellates()) {
        pack_code<HullRegisters>(p, p.stage(pipe::Stage::TessControl), chip, out);
        pack_code<DomainRegisters>(p, p.stage(pipe::Stage::TessEval), chip, out);
    }
    if (p.has(pipe::Stage::Geometry))
        pack_code<GeometryRegisters>(p, p.stage(pipe::Stage::Geometry), chip, out);
}

void pack_geometry(const AdrenoProgram& p, const compiler::Info& vertex, const VpcLink& link,
                   const compiler::Info& fragment, ProgramWords* out) {
    pack_fetch(p, vertex, fragment, out);
    // Stages that are followed by another stage.
    const pipe::Stage last = p.last_stage();
    if (last != pipe::Stage::Vertex) out->write(hw::PC_VS_OUT_CNTL{});
    if (p.tessellates()) {
        pack_tessellation(p, out);
        if (last != pipe::Stage::TessEval) out->write(hw::PC_DS_OUT_CNTL{{.primitive_id = true}});
    }
    if (last == pipe::Stage::Geometry) {
        pack_geometry_stage(p.geometry, out);
        pack_vpc<GeometryRegisters>(p, link, fragment, out);
    } else if (last == pipe::Stage::TessEval) {
        pack_vpc<DomainRegisters>(p, link, fragment, out);
    } else {
        pack_vpc<VertexRegisters>(p, link, fragment, out);
    }
}

PatchMemory divide_patch_memory(const AdrenoProgram& p, uint64_t va) {
    const uint32_t records_B = p.hull.vertices_out * ir::record_dw(p.hull.slots_out) * 4,
                   rows_B = p.hull.patch_rows * 16;
    const uint32_t levels_B = compiler::tess_levels(p.domain.in).size_dw() * 4;
    PatchMemory m;
    m.patches = std::min(PatchMemory::kFactors_B / levels_B,
                         PatchMemory::kValues_B / std::max(1u, records_B + rows_B));
    m.factors_va = va;
    m.records_va = va + PatchMemory::kFactors_B;
    m.rows_va = m.records_va + uint64_t(m.patches) * records_B;
    return m;
}

uint32_t* put_patch_size(uint32_t* out, const AdrenoProgram& p, uint32_t patch_vertices,
                         const hw::Chip& chip) {
    constexpr uint32_t kLanes = 64, kLocal_B = 16384, kVector_B = 16, kUnit_B = 256;
    const uint32_t vectors = patch_vertices * ir::record_dw(p.hull.slots_in) / 4;
    // If the wave is shared, the patches' input vertices are lanes, too.
    const uint32_t lanes =
        chip.generation.tess_use_shared ? p.hull.vertices_out : std::max(patch_vertices, p.hull.vertices_out);
    uint32_t patches = kLanes / std::max(1u, lanes);
    if (vectors) patches = std::min(patches, kLocal_B / (vectors * kVector_B));
    const uint32_t wave_B = patches * vectors * kVector_B;
    return put_registers(out, hw::PC_HS_INPUT_SIZE{.size = vectors},
                         hw::SP_HS_WAVE_INPUT_SIZE{(wave_B + kUnit_B - 1) / kUnit_B});
}

}  // namespace terrazzo::adreno
