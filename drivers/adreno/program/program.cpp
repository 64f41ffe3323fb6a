// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "drivers/adreno/hw/structs.h"
#include "drivers/adreno/program/compute.h"
#include "drivers/adreno/program/stage_code.h"
#include "drivers/adreno/state/viewport.h"
#include "shaders/ir/stored.h"
#include "shaders/own_stack.h"

namespace terrazzo::adreno {
namespace {

constexpr uint32_t kCodeAlign_B = 128, kMaxBlock_B = 64 * 1024;

std::string named(const pipe::ProgramDesc& desc, const std::string& message) {
    return std::string("adreno: program ") + (desc.label ? desc.label : "(unnamed)") + ": " + message;
}

const char* stage_name(ShaderStage s) {
    constexpr const char* kNames[kShaderStageCount] = {"vertex", "fragment", "compute"};
    return kNames[size_t(s)];
}

/// Null: nothing that this driver does not have.
const char* refuse_stages(const pipe::ProgramDesc& desc) {
    const auto has = [&](pipe::Stage s) { return desc.stages[size_t(s)] || desc.stored[size_t(s)]; };
    for (pipe::Stage s : {pipe::Stage::TessControl, pipe::Stage::TessEval, pipe::Stage::Geometry})
        if (has(s)) return "only vertex, fragment and compute shaders can run on this driver yet";
    if (has(pipe::Stage::Compute))
        return has(pipe::Stage::Vertex) || has(pipe::Stage::Fragment) ? "a compute shader is alone" : nullptr;
    if (!has(pipe::Stage::Vertex) || !has(pipe::Stage::Fragment))
        return "needs a vertex and a fragment shader";
    return nullptr;
}

const char* refuse_info(const compiler::Info& info) {
    if (info.private_B > PrivateMemories::kMost_B)
        return "its invocations need more memory than there can be";
    for (const compiler::Param p : info.constants.params)
        if (p == compiler::Param::PatchVertices) return "tessellation is not supported yet";
    if (info.reads_fetched_color) return "reading the frame buffer is not supported yet";
    return nullptr;
}

/// As ir::Sysval::SamplePositions.
uint32_t sample_positions(uint32_t samples, unsigned axis) {
    uint32_t positions = 0;
    for (uint32_t s = 0; s < samples; ++s) {
        float xy[2];
        sample_position(samples, s, xy);
        positions |= (uint32_t(int32_t((xy[axis] - 0.5f) * 16)) & 15) << 4 * s;
    }
    return positions;
}

uint32_t value_of(compiler::Param p, const ParamValues& v) {
    using compiler::Param;
    switch (p) {
        case Param::BaseVertex:
            return v.base_vertex;
        case Param::BaseInstance:
            return v.base_instance;
        case Param::DrawId:
            return v.draw_id;
        case Param::NumWorkGroupsX:
        case Param::NumWorkGroupsY:
        case Param::NumWorkGroupsZ:
            return v.groups[unsigned(p) - unsigned(Param::NumWorkGroupsX)];
        case Param::NumSamples:
            return v.samples;
        case Param::SamplePositionsX:
            return sample_positions(v.samples, 0);
        case Param::SamplePositionsY:
            return sample_positions(v.samples, 1);
        case Param::PatchVertices:
            break;  // refused
    }
    return 0;
}

bool upload_code(Device& device, const std::vector<uint64_t>& words, StageCode* out) {
    const size_t size_B = words.size() * sizeof(uint64_t);
    uint8_t* cpu = nullptr;
    if (size_B <= kMaxBlock_B) {
        out->code = device.create_block(uint32_t(size_B), kCodeAlign_B, bo_flag::kExecutable);
        cpu = out->code.cpu;
    } else {
        out->large_code = device.create_bo(size_B, bo_flag::kExecutable);
        cpu = out->large_code ? out->large_code->cpu : nullptr;
    }
    if (cpu) std::memcpy(cpu, words.data(), size_B);
    out->instrlen = uint32_t(size_B / kCodeAlign_B);
    return cpu != nullptr;
}

/// Empty: it is there.
std::string build_stage(Device& device, const pipe::ProgramDesc& desc, ShaderStage stage,
                        shaders::ShaderCache* cache, StageCode* out, compiler::Options options) {
    const auto refuse = [&](std::string_view why) {
        return std::string(stage_name(stage)).append(" shader: ").append(why);
    };
    options.halves = !device.debug.has(pipe::DebugWord::NoFp16);
    options.register_file_vec4 = device.chip().generation.registers_vec4;
    CompiledStage code = get_stage_code(desc, pipe_stage(stage), cache, options);
    if (!code.binary.error.empty()) return refuse(code.binary.error);
    if (const char* why = refuse_info(code.binary.info)) return refuse(why);
    constexpr size_t kMostImmediates = kMostProgramWords / 4;
    if (code.binary.info.constants.immediates.size() > kMostImmediates)
        return refuse("it has too many constants");
    out->uniform_dw = code.uniform_dw;
    out->cube_textures = code.cube_textures;
    out->volume_textures = code.volume_textures;
    out->info = std::move(code.binary.info);
    return upload_code(device, code.binary.code, out) ? "" : refuse("out of memory");
}

/// A binning variant would make the same, or a binning pass must not run it. Or storage that a variant does not use would change the numbers of the rest.
bool bins_as_it_is(const compiler::Info& vertex) {
    return vertex.buffers || vertex.images ||
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
    // Early tests take the depth of the primitive.
    outputs.writes_depth = info.writes_depth && !info.early_tests;
    outputs.writes_stencil = info.writes_stencil && !info.early_tests;
    outputs.writes_sample_mask = info.writes_sample_mask;
    return outputs;
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

/// What a variant is compiled of: IR is borrowed.
std::shared_ptr<const ir::StoredShader> keep_fragment(const pipe::ProgramDesc& desc) {
    const auto at = size_t(pipe::Stage::Fragment);
    return desc.stored[at] ? desc.stored[at]
                           : std::make_shared<ir::StoredShader>(ir::clone(*desc.stages[at]));
}

/// Empty: it is there.
std::string build_sample_shaded(Device& device, const AdrenoProgram& p,
                                std::shared_ptr<const ir::StoredShader> fragment,
                                AdrenoProgram::Shared& shared, SampleShaded* out) {
    const compiler::ConstLayout& plain = p.fragment().info.constants;
    pipe::ProgramDesc desc;
    desc.stored[size_t(pipe::Stage::Fragment)] = std::move(fragment);
    std::string why = build_stage(device, desc, ShaderStage::Fragment, shared.cache, &out->fragment,
                                  {.draw_constants = &plain, .sample_shading = true});
    if (!why.empty()) return why;
    const compiler::Info& info = out->fragment.info;
    if (info.constants.uniforms_dw != plain.uniforms_dw || info.constants.params != plain.params ||
        info.varying_dw != p.fragment().info.varying_dw)
        return "fragment shader: shaded for each sample, it has another interface";
    if (info.private_B) {
        out->private_memory = shared.memories.get(device, info.private_B);
        if (!out->private_memory.bo) return "out of memory";
    }
    return pack_fragment_states(device, p, out->fragment, out->private_memory, &out->config, &out->state)
               ? ""
               : "out of memory";
}

}  // namespace

pipe::Ref<AdrenoProgram> AdrenoProgram::create(Device& device, const pipe::ProgramDesc& desc,
                                               const pipe::Log& log, Shared& shared) {
    const auto refuse = [&](const std::string& why) {
        log(pipe::Severity::Error, named(desc, why));
        return nullptr;
    };
    try {
        if (const char* why = refuse_stages(desc)) return refuse(why);
        auto p = pipe::Ref<AdrenoProgram>::adopt(new AdrenoProgram);
        uint32_t fiber_B = 0;
        const auto build = [&](ShaderStage stage, StageCode* code, const compiler::Options& options) {
            std::string why = build_stage(device, desc, stage, shared.cache, code, options);
            fiber_B = std::max(fiber_B, code->info.private_B);
            return why;
        };
        for (const ShaderStage stage : {ShaderStage::Vertex, ShaderStage::Fragment, ShaderStage::Compute}) {
            if (!desc.stages[size_t(pipe_stage(stage))] && !desc.stored[size_t(pipe_stage(stage))]) continue;
            if (const std::string why = build(stage, &p->stages[size_t(stage)], {}); !why.empty())
                return refuse(why);
        }
        if (!p->is_compute() && !bins_as_it_is(p->vertex().info) &&
            !device.debug.has(pipe::DebugWord::NoBin)) {
            const compiler::Options options{.variant = compiler::Variant::Binning,
                                            .draw_constants = &p->vertex().info.constants};
            if (const std::string why = build(ShaderStage::Vertex, &p->vertex_binning, options); !why.empty())
                return refuse(why);
        }
        for (const compiler::AttributeInput& a : p->vertex().info.attributes)
            p->attributes |= 1u << a.location;
        p->has_params = params_size_dw(p->vertex()) != 0;
        p->stores = p->vertex().info.writes_memory || p->fragment().info.writes_memory;
        p->outputs = outputs_of(p->fragment().info);
        if (fiber_B) {
            p->private_memory = shared.memories.get(device, fiber_B);
            if (!p->private_memory.bo) return refuse("out of memory");
        }
        p->distances = {desc.clip_distances, desc.cull_distances};
        const auto* const captured =
            desc.stream_output && !desc.stream_output->empty() ? desc.stream_output : nullptr;
        p->link = link_varyings(p->vertex().info, p->fragment().info, captured, p->distances);
        p->clip_mask = p->link.clip_mask;
        p->cull_mask = p->link.cull_mask;
        if (p->link.outputs.size() > kMaxVpcOutputs || p->link.stride_dw > kMaxVpcStride_dw)
            return refuse("its varyings and captured outputs do not fit together");
        if (!p->is_compute()) p->fragment_ir_ = keep_fragment(desc);
        return pack_states(device, captured, p.get()) ? p : refuse("out of memory");
    } catch (const std::bad_alloc&) {
        return refuse("out of memory");
    }
}

const SampleShaded& AdrenoProgram::sample_shaded(Device& device, Shared& shared) const {
    std::call_once(sample_shaded_once_, [&] {
        sample_shaded_.error = shaders::on_own_stack([&]() -> std::string {
            try {
                return build_sample_shaded(device, *this, fragment_ir_, shared, &sample_shaded_);
            } catch (const std::bad_alloc&) {
                return "out of memory";
            }
        });
    });
    return sample_shaded_;
}

uint32_t params_size_dw(const StageCode& code) {
    const size_t count = code.info.constants.params.size();
    return count ? kLoadState_dw + uint32_t((count + 3) & ~size_t(3)) : 0;
}

uint32_t* put_params(uint32_t* out, ShaderStage stage, const StageCode& code, const ParamValues& values) {
    const compiler::ConstLayout& c = code.info.constants;
    const auto vec4s = uint32_t((c.params.size() + 3) / 4);
    out = put_constants_header(out, stage, c.params_at_dw / 4, vec4s);
    for (size_t i = 0; i < c.params.size(); ++i)
        out[i] = value_of(c.params[i], values);
    return std::fill_n(out + c.params.size(), vec4s * 4 - c.params.size(), 0u);
}

uint32_t uniforms_size_dw(const StageCode& code) {
    const compiler::ConstLayout& c = code.info.constants;
    uint32_t size_dw = c.uniforms_dw ? kLoadState_dw + ((c.uniforms_dw + 3) & ~3u) : 0;
    if (code.info.reads_default_block) size_dw += kLoadState_dw + hw::Ubo::kSize_dw;
    return size_dw;
}

uint32_t* put_uniforms(uint32_t* out, ShaderStage stage, const StageCode& code,
                       std::span<const uint32_t> uniforms, uint64_t default_block_va) {
    const compiler::ConstLayout& c = code.info.constants;
    if (c.uniforms_dw) {
        const uint32_t vec4s = (c.uniforms_dw + 3) / 4;
        out = put_constants_header(out, stage, 0, vec4s);
        const auto have = uint32_t(std::min<size_t>(uniforms.size(), c.uniforms_dw));
        std::memcpy(out, uniforms.data(), size_t(have) * 4);
        out = std::fill_n(out + have, vec4s * 4 - have, 0u);
    }
    if (code.info.reads_default_block) {
        uint32_t words[hw::Ubo::kSize_dw];
        pack(uniform_buffer(default_block_va, uint64_t(code.uniform_dw) * 4), words);
        out = put_load_state(out, stage,
                             {.dst_off = compiler::kDefaultBlock,
                              .state_type = hw::StateType::ST6_UBO,
                              .state_src = hw::StateSrc::SS6_DIRECT,
                              .state_block = shader_block(stage),
                              .num_unit = 1},
                             words);
    }
    return out;
}

}  // namespace terrazzo::adreno
