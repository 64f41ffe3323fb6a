// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/program/stage_code.h"
#include "drivers/common/program/vendor_program.h"
#include "shaders/ir/stored.h"

namespace terrazzo::adreno {
namespace {

const char* refuse_info(const compiler::Info& info, pipe::Stage stage) {
    const bool plain =
        stage == pipe::Stage::Vertex || stage == pipe::Stage::Fragment || stage == pipe::Stage::Compute;
    // A geometry shader runs once for each vertex that it may emit, so it would store repeatedly.
    if (!plain && (info.buffers || info.images))
        return "it uses storage buffers or images, which this stage does not support";
    if (info.private_B > PrivateMemories::kMost_B)
        return "its invocations need more private memory than the hardware supports";
    return nullptr;
}

/// Returns an empty string, or an error.
std::string build_stage(Device& device, const pipe::ProgramDesc& desc, pipe::Stage stage,
                        shaders::ShaderCache* cache, StageCode* out, compiler::Options options) {
    const auto refuse = [&](const std::string& why) { return programs::stage_error(stage, why); };
    options.halves = !device.debug.has(pipe::DebugWord::NoFp16);
    options.zero_shared = true;
    options.register_file_vec4 = device.chip().generation.registers_vec4;
    CompiledStage code = programs::get_stage_code<CompiledStage>(desc, stage, cache, options);
    if (!code.error.empty()) return refuse(code.error);
    if (const char* why = refuse_info(code.binary.info, stage)) return refuse(why);
    constexpr size_t kMostImmediates = kMostProgramWords / 4;
    if (code.binary.info.constants.immediates.size() > kMostImmediates)
        return refuse("it has too many constants");
    if (device.debug.has(pipe::DebugWord::Shaders)) {
        std::string variant;
        if (options.variant == compiler::Variant::Binning) variant += ", binning";
        if (options.sample_shading) variant += ", for each sample";
        if (const auto e = unsigned(options.advanced_blend.equation))
            variant += ", blends by advanced equation " + std::to_string(e);
        pipe::debug_print(
            pipe::DebugWord::Shaders,
            programs::code_name(desc, programs::stage_name(stage) + variant) + code_text(code.binary));
    }
    out->uniform_dw = code.uniform_dw;
    out->kinds = code.kinds;
    out->info = std::move(code.binary.info);
    out->instrlen =
        uint32_t(code.binary.code.size() * sizeof code.binary.code[0] / programs::DeviceCode::kAlign_B);
    return out->code.upload(device, code.binary.code) ? "" : refuse(programs::kOutOfMemory);
}

/// Null: the program has no such stage.
const ir::StageRecords* records_of(const pipe::ProgramDesc& desc, pipe::Stage s) {
    if (const ir::Shader* shader = desc.stages[size_t(s)]) return &shader->info.records;
    const auto* const stored = desc.stored[size_t(s)].get();
    return stored ? &stored->info().records : nullptr;
}

/// The options of a stage: which stage continues in its waves, and how many constants it may use.
compiler::Options stage_options(const pipe::ProgramDesc& desc, pipe::Stage stage, const hw::Chip& chip) {
    compiler::Options o;
    const ir::StageRecords* const hull = records_of(desc, pipe::Stage::TessControl);
    const ir::StageRecords* const domain = records_of(desc, pipe::Stage::TessEval);
    const ir::StageRecords* const geometry = records_of(desc, pipe::Stage::Geometry);
    if (!hull && !geometry) return o;
    o.max_constants_dw = compiler::kFewConstants_dw;
    o.tess_use_shared = chip.generation.tess_use_shared;
    if (domain) o.domain = domain->in;
    if (stage == pipe::Stage::Vertex && hull)
        o.next = {ir::Stage::TessControl, hull->slots_in, 0};
    else if (geometry && (stage == pipe::Stage::Vertex || stage == pipe::Stage::TessEval))
        o.next = {ir::Stage::Geometry, geometry->slots_in, geometry->vertices_in};
    return o;
}

/// Whether binning passes use the vertex stage itself: a variant would be equal, or the program must not run
/// in binning passes, or a variant without some of the storage would change the numbers of the rest.
bool bins_as_it_is(const compiler::Info& vertex) {
    return vertex.buffers || vertex.images || vertex.system.header != compiler::kNoRegister ||
           std::all_of(vertex.outputs.begin(), vertex.outputs.end(),
                       [](const auto& o) { return compiler::says_where(o.slot); });
}

FragmentOutputs outputs_of(const compiler::Info& info) {
    FragmentOutputs outputs;
    for (const compiler::Output& o : info.outputs) {
        if (o.slot <= uint8_t(ir::FragSlot::Color7)) outputs.components |= 0xfu << (4 * o.slot);
        if (ir::FragSlot(o.slot) == ir::FragSlot::Second) {
            outputs.second_color = true;
            outputs.components |= 0xf0;
        }
    }
    // Early tests use the primitive's depth.
    outputs.writes_depth = info.writes_depth && !info.early_tests;
    outputs.writes_stencil = info.writes_stencil && !info.early_tests;
    outputs.writes_sample_mask = info.writes_sample_mask;
    return outputs;
}

StatePacking::Stage packing_of(const StageCode& code) {
    return {.textures = code.info.textures,
            .fetched = code.info.fetched,
            .fetched_apart = code.info.fetched_apart,
            .colors_read = code.info.colors_read,
            .kinds = code.kinds,
            .has_blocks = code.info.uniform_blocks != 0,
            .has_storage = ibo_count(code.info) != 0};
}

template <class F>
bool pack_one(Device& device, F&& pack_into, StaticState* to) {
    const auto words = std::make_unique<ProgramWords>();
    pack_into(words.get());
    *to = StaticState(device, words->words());
    return to->valid();
}

bool pack_fragment_states(Device& device, const AdrenoProgram& p, const StageCode& fragment,
                          const PrivateMemory& memory, StaticState* config, StaticState* state) {
    return pack_one(
               device, [&](ProgramWords* w) { pack_config(p, fragment, w); }, config) &&
           pack_one(
               device, [&](ProgramWords* w) { pack_program(device.chip(), p, fragment, memory, w); }, state);
}

bool pack_states(Device& device, const pipe::StreamOutputLayout* captured, AdrenoProgram* p) {
    if (p->is_compute())
        return pack_one(
            device, [&](ProgramWords* w) { pack_compute(device.chip(), *p, w); }, &p->state);
    if (captured) {
        p->captured_stride_dw = captured->stride_dw;
        if (!pack_one(
                device, [&](ProgramWords* w) { pack_stream_output(p->link, *captured, w); },
                &p->stream_output))
            return false;
    }
    return pack_fragment_states(device, *p, p->fragment(), p->private_memory, &p->config, &p->state) &&
           pack_one(
               device, [&](ProgramWords* w) { pack_binning(device.chip(), *p, w); }, &p->binning) &&
           pack_one(
               device, [&](ProgramWords* w) { pack_interpolation(p->link, w); }, &p->interpolation);
}

/// Returns an empty string, or an error.
std::string build_variant(Device& device, const AdrenoProgram& p,
                          std::shared_ptr<const ir::StoredShader> fragment, SharedParts& shared,
                          const FragmentKey& key, FragmentVariant* out) {
    const compiler::Info& plain = p.fragment().info;
    pipe::ProgramDesc desc;
    desc.stored[size_t(pipe::Stage::Fragment)] = std::move(fragment);
    std::string why =
        build_stage(device, desc, pipe::Stage::Fragment, shared.cache, &out->fragment,
                    {.max_constants_dw = p.last_stage() == pipe::Stage::Vertex ? compiler::kMaxConstants_dw
                                                                               : compiler::kFewConstants_dw,
                     .draw_constants = &plain.constants,
                     .sample_shading = key.sample_shading,
                     .advanced_blend = key.blend});
    if (!why.empty()) return why;
    const compiler::Info& info = out->fragment.info;
    if (info.constants.uniforms_dw != plain.constants.uniforms_dw ||
        info.constants.params != plain.constants.params || info.varying_dw != plain.varying_dw ||
        outputs_of(info) != p.packing.outputs)
        return "fragment shader: its variant has a different interface";
    if (info.private_B) {
        out->private_memory = shared.memories.get(device, info.private_B);
        if (!out->private_memory.bo) return "out of memory";
    }
    out->packing = packing_of(out->fragment);
    return pack_fragment_states(device, p, out->fragment, out->private_memory, &out->config, &out->state)
               ? ""
               : "out of memory";
}

}  // namespace

std::string AdrenoProgram::build(Device& device, const pipe::ProgramDesc& desc, Shared& shared) {
    uint32_t fiber_B = 0;
    const auto build_one = [&](pipe::Stage stage, StageCode* code, const compiler::Options& options) {
        std::string why = build_stage(device, desc, stage, shared.cache, code, options);
        fiber_B = std::max(fiber_B, code->info.private_B);
        return why;
    };
    for (unsigned i = 0; i < pipe::kStageCount; ++i) {
        const auto stage = pipe::Stage(i);
        if (!records_of(desc, stage)) continue;
        const compiler::Options options = stage_options(desc, stage, device.chip());
        if (std::string why = build_one(stage, &stages[i], options); !why.empty()) return why;
        used[i] = {stages[i].info.textures, stages[i].info.images};
    }
    const auto records = [&](pipe::Stage stage) {
        const ir::StageRecords* const r = records_of(desc, stage);
        return r ? *r : ir::StageRecords();
    };
    hull = records(pipe::Stage::TessControl);
    domain = records(pipe::Stage::TessEval);
    geometry = records(pipe::Stage::Geometry);
    if (!is_compute() && !bins_as_it_is(vertex().info) && !device.debug.has(pipe::DebugWord::NoBin)) {
        const compiler::Options options{.variant = compiler::Variant::Binning,
                                        .draw_constants = &vertex().info.constants};
        if (std::string why = build_one(pipe::Stage::Vertex, &vertex_binning, options); !why.empty())
            return why;
    }
    for (const compiler::AttributeInput& a : vertex().info.attributes)
        packing.attributes |= 1u << a.location;
    has_params = params_size_dw(vertex()) != 0;
    has_later_stages = !is_compute() && last_stage() != pipe::Stage::Vertex;
    stores = vertex().info.writes_memory || fragment().info.writes_memory;
    packing.outputs = outputs_of(fragment().info);
    for (const pipe::Stage s : kDrawStages)
        packing.stages[size_t(s)] = packing_of(stage(s));
    if (fiber_B) {
        private_memory = shared.memories.get(device, fiber_B);
        if (!private_memory.bo) return programs::kOutOfMemory;
    }
    distances = {desc.clip_distances, desc.cull_distances};
    const auto* const captured =
        desc.stream_output && !desc.stream_output->empty() ? desc.stream_output : nullptr;
    link = link_varyings(stage(last_stage()).info, fragment().info, captured, distances);
    clip_mask = link.clip_mask;
    cull_mask = link.cull_mask;
    if (link.outputs.size() > kMaxVpcOutputs || link.stride_dw > kMaxVpcStride_dw)
        return "its varyings and captured outputs do not fit into the VPC";
    if (!is_compute()) fragment_ir_ = programs::keep_stage(desc, pipe::Stage::Fragment);
    return pack_states(device, captured, this) ? "" : programs::kOutOfMemory;
}

const FragmentVariant& AdrenoProgram::fragment_variant(Device& device, Shared& shared,
                                                       const FragmentKey& key) const {
    return *variants_.find(key, [&] {
        return programs::create_variant<FragmentVariant>(
            [&](FragmentVariant* v) { return build_variant(device, *this, fragment_ir_, shared, key, v); });
    });
}

// Source: Mesa 25.0.7, ir3_gallium.c (ir3_get_private_mem).
PrivateMemory PrivateMemories::get(Device& device, uint32_t fiber_B) {
    constexpr uint32_t kUnit_B = 512, kProcessorUnit_B = 4096;
    const hw::Chip& chip = device.chip();
    // Powers of two, so that there are few sizes.
    const uint32_t size_B = std::min(std::bit_ceil((fiber_B + kUnit_B - 1) / kUnit_B) * kUnit_B, kMost_B);
    const PrivateMemory* const memory = sizes_.find(size_B, [&]() -> std::unique_ptr<PrivateMemory> {
        auto m = std::make_unique<PrivateMemory>();
        m->fiber_B = size_B;
        m->processor_B = (size_B * chip.fibers_per_sp + kProcessorUnit_B - 1) & ~(kProcessorUnit_B - 1);
        m->bo =
            device.create_bo(uint64_t(m->processor_B) * chip.sp_count, bo_flag::kNoCpu | bo_flag::kUndefined);
        return m->bo ? std::move(m) : nullptr;
    });
    return memory ? *memory : PrivateMemory();
}

}  // namespace terrazzo::adreno
