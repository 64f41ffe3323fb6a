// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader program descriptors: Mesa 25.0.7, pan_cmdstream.c (prepare_shader).
#include "drivers/mali/program/program.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <string>

#include "drivers/common/program/vendor_program.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/program/stage_code.h"
#include "drivers/mali/stream/put.h"
#include "shaders/ir/stage_buffers.h"

namespace terrazzo::mali {

namespace {

constexpr unsigned kFirstPreloaded = 48;

hw::ShaderProgram descriptor_of(const ShaderPart& part, compiler::Part kind) {
    const compiler::Info& info = part.info;
    hw::ShaderProgram d;
    d.stage = kind == compiler::Part::Fragment  ? hw::ShaderStage::Fragment
              : kind == compiler::Part::Compute ? hw::ShaderStage::Compute
                                                : hw::ShaderStage::Vertex;
    uint64_t preload = info.preload;
    switch (kind) {
        case compiler::Part::Position:
            d.vertex_warp_limit = hw::WarpLimit::Half;
            break;
        case compiler::Part::Varying:
            d.vertex_warp_limit = hw::WarpLimit::Full;
            break;
        case compiler::Part::Fragment:
            d.fragment_coverage_bitmask_type = hw::CoverageBitmaskType::Gl;
            d.requires_helper_threads = info.uses_derivatives;
            // Blend shaders read these registers.
            preload |= 1ull << compiler::kCoverageRegister | 1ull << compiler::kSampleRegister;
            break;
        case compiler::Part::Compute:
            break;
    }
    d.register_allocation = info.work_registers <= 32 ? hw::ShaderRegisterAllocation::N32PerThread
                                                      : hw::ShaderRegisterAllocation::N64PerThread;
    d.flush_to_zero_mode = hw::FlushToZeroMode::PreserveSubnormals;
    d.preload = uint32_t(preload >> kFirstPreloaded);
    d.binary = part.code.va();
    return d;
}

bool upload_stage(Device& device, StageCode&& code, MaliProgram* p, pipe::Stage stage) {
    using compiler::Part;
    const auto add = [&](unsigned n, Part kind, ShaderPart* to) {
        return code.parts[n].code.empty() || upload(device, std::move(code.parts[n]), kind, to);
    };
    if (stage == pipe::Stage::Fragment) return add(kOnlyCode, Part::Fragment, &p->fragment);
    if (stage == pipe::Stage::Compute) return add(kOnlyCode, Part::Compute, &p->compute);
    return add(kPositionCode, Part::Position, &p->position) &&
           add(kVaryingCode, Part::Varying, &p->varying) &&
           add(kNoPointSizeCode, Part::Position, &p->position_no_point_size);
}

void print_stage(const Device& device, const pipe::ProgramDesc& desc, const StageCode& code,
                 pipe::Stage stage) {
    constexpr const char* kVertexParts[] = {"position", "varying", "position without point size"};
    for (unsigned i = 0; i < code.parts.size(); ++i)
        if (!code.parts[i].code.empty())
            print_code(device,
                       programs::code_name(desc, stage == pipe::Stage::Vertex ? kVertexParts[i]
                                                                              : programs::stage_name(stage)),
                       code.parts[i]);
}

}  // namespace

namespace {

compiler::Options options_of(const Device& device) {
    compiler::Options options;
    if (device.debug.has(pipe::DebugWord::NoFp16)) options.halves = compiler::Options::Halves::Never;
    return options;
}

/// Returns an empty string, or an error.
std::string build_sample_variant(Device& device, std::shared_ptr<const ir::StoredShader> fragment,
                                 const programs::Shared& shared, bool at_samples, SampleVariant* out) {
    pipe::ProgramDesc desc;
    desc.stored[size_t(pipe::Stage::Fragment)] = std::move(fragment);
    compiler::Options options = options_of(device);
    options.per_sample = true;
    options.at_samples = at_samples;
    StageCode code = programs::get_stage_code<StageCode>(desc, pipe::Stage::Fragment, shared.cache, options);
    if (!code.error.empty()) return programs::stage_error(pipe::Stage::Fragment, code.error);
    if (device.debug.has(pipe::DebugWord::Shaders))
        print_code(device, programs::code_name(desc, "fragment, for each sample"), code.parts[kOnlyCode]);
    if (!upload(device, std::move(code.parts[kOnlyCode]), compiler::Part::Fragment, &out->fragment))
        return programs::kOutOfMemory;
    out->tables.add(out->fragment, code.uniform_dw);
    return {};
}

}  // namespace

bool upload(Device& device, compiler::Binary&& binary, compiler::Part kind, ShaderPart* out) {
    ShaderPart part;
    part.info = std::move(binary.info);
    part.uniforms = programs::lay_out_uniforms(part.info.fau);
    part.reads_slots = part.info.reads_system_block ||
                       std::ranges::any_of(part.info.fau, [](const compiler::UniformWord& w) {
                           return w.kind == compiler::UniformWord::Kind::Sysval &&
                                  w.value >= unsigned(compiler::Sysval::StorageBuffer0);
                       });
    if (!part.code.upload(device, binary.code)) return false;
    part.descriptor = device.create_block(hw::ShaderProgram::kSize_B, hw::ShaderProgram::kAlign_B);
    if (!part.descriptor) return false;
    put(descriptor_of(part, kind), part.descriptor.cpu);
    part.present = true;
    *out = std::move(part);
    return true;
}

void StageTables::add(const ShaderPart& part, uint32_t block_dw) {
    const compiler::Info& info = part.info;
    textures |= info.textures;
    cube_textures |= info.cube_textures;
    volume_textures |= info.volume_textures;
    texture_count = uint32_t(std::bit_width(textures));
    uniform_dw = std::max(uniform_dw, info.reads_uniform_buffer ? block_dw : part.uniforms.uniforms_end_dw);
    uniform_buffer |= info.reads_uniform_buffer;
    system_block |= info.reads_system_block;
    blocks |= info.uniform_blocks;
    storage_buffers |= info.storage_buffers;
    written_buffers |= info.written_buffers;
    images |= info.images;
    written_images |= info.written_images;
}

void MaliProgram::link(const contexts::PerStage<uint32_t>& uniform_dw) {
    const compiler::Info &p = position.info, &v = varying.info, &f = fragment.info;
    attributes = p.attributes | v.attributes;
    const auto add = [&](pipe::Stage stage, const ShaderPart& part) {
        stages[stage].add(part, uniform_dw[stage]);
        used[size_t(stage)].textures = stages[stage].textures;
        reads_slots |= part.reads_slots;
        used[size_t(stage)].images = stages[stage].images;
    };
    add(pipe::Stage::Vertex, position);
    add(pipe::Stage::Vertex, varying);
    add(pipe::Stage::Fragment, fragment);
    add(pipe::Stage::Compute, compute);
    if (capture.present) {
        add(pipe::Stage::Vertex, capture);
        attributes |= capture.info.attributes;
        stages[pipe::Stage::Vertex].storage_buffers &= (1u << programs::capture_slot::kOutputs) - 1;
        stages[pipe::Stage::Vertex].written_buffers &= (1u << programs::capture_slot::kOutputs) - 1;
    }
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (!kernels[k].present) continue;
        StageTables& s = stages[programs::stage_of(programs::Kernel(k))];
        add(programs::stage_of(programs::Kernel(k)), kernels[k]);
        attributes |= kernels[k].info.attributes;
        // Those of the kernels themselves are bound for each job.
        s.storage_buffers &= ~ir::stage_buffer::kAll;
        s.written_buffers &= ~ir::stage_buffer::kAll;
        tls_B = std::max(tls_B, kernels[k].info.tls_B);
    }
    stages[pipe::Stage::Compute].storage_buffers = compute.info.storage_buffers;
    stages[pipe::Stage::Compute].written_buffers = compute.info.written_buffers;
    // Varyings that the fragment shader reads but no vertex shader writes need memory, too.
    varying_B = uint32_t(std::bit_width(v.varyings | f.varyings)) * compiler::kVaryingSlot_B;
    writes_point_size = p.writes_point_size;
    tls_B = std::max({tls_B, p.tls_B, v.tls_B, f.tls_B, position_no_point_size.info.tls_B, compute.info.tls_B,
                      capture.info.tls_B});
}

std::string MaliProgram::build_capture(Device& device, const pipe::ProgramDesc& desc, Shared& shared,
                                       const compiler::Options& options) {
    constexpr auto kVertex = size_t(pipe::Stage::Vertex);
    const ir::Shader* const vertex =
        desc.stored[kVertex] ? desc.stored[kVertex]->get() : desc.stages[kVertex];
    if (!vertex) return programs::stage_error(pipe::Stage::Vertex, "the stored shader is damaged");
    const std::unique_ptr<ir::Shader> s = programs::capture_shader(*vertex, *desc.stream_output);
    captured_stride_dw = desc.stream_output->stride_dw;
    uint32_t uniform_dw = 0;  // that of the vertex stage
    return build_kernel(device, desc, "capture", *s, shared, options, &uniform_dw, &capture);
}

std::string MaliProgram::build_kernel(Device& device, const pipe::ProgramDesc& desc, const char* name,
                                      const ir::Shader& kernel, Shared& shared,
                                      const compiler::Options& options, uint32_t* uniform_dw,
                                      ShaderPart* out) {
    pipe::ProgramDesc d;
    d.stages[size_t(pipe::Stage::Compute)] = &kernel;
    StageCode code = programs::get_stage_code<StageCode>(d, pipe::Stage::Compute, shared.cache, options);
    if (!code.error.empty()) return std::string(name) + " kernel: " + code.error;
    if (device.debug.has(pipe::DebugWord::Shaders))
        print_code(device, programs::code_name(desc, name), code.parts[kOnlyCode]);
    *uniform_dw = std::max(*uniform_dw, code.uniform_dw);
    return upload(device, std::move(code.parts[kOnlyCode]), compiler::Part::Compute, out)
               ? std::string()
               : programs::kOutOfMemory;
}

std::string MaliProgram::build_kernels(Device& device, const pipe::ProgramDesc& desc, Shared& shared,
                                       const compiler::Options& options) {
    programs::StageKernels all = programs::stage_kernels(desc);
    if (!all.error.empty()) return all.error;
    shape = all.shape;
    contexts::PerStage<uint32_t> uniform_dw{};
    for (size_t k = 0; k < kernels.size(); ++k) {
        if (!all.kernels[k]) continue;
        const pipe::Stage stage = programs::stage_of(programs::Kernel(k));
        if (std::string error = build_kernel(device, desc, programs::stage_name(stage), *all.kernels[k],
                                             shared, options, &uniform_dw[stage], &kernels[k]);
            !error.empty())
            return error;
    }
    link(uniform_dw);
    pipe::ProgramDesc d;
    constexpr auto kFragment = size_t(pipe::Stage::Fragment);
    d.stages[size_t(pipe::Stage::Vertex)] = all.records.get();
    d.stages[kFragment] = desc.stages[kFragment];
    d.stored[kFragment] = desc.stored[kFragment];
    d.label = desc.label;
    drawn = pipe::Ref<MaliProgram>::adopt(new MaliProgram);
    std::string error = drawn->build(device, d, shared);
    used[kFragment] = drawn->used[kFragment];
    return error;
}

const SampleVariant& MaliProgram::sample_variant(Device& device, Shared& shared, bool at_samples) const {
    return *sample_variants_.find(at_samples, [&] {
        return programs::create_variant<SampleVariant>([&](SampleVariant* v) {
            return build_sample_variant(device, fragment_ir_, shared, at_samples, v);
        });
    });
}

std::string MaliProgram::build(Device& device, const pipe::ProgramDesc& desc, Shared& shared) {
    contexts::PerStage<uint32_t> uniform_dw{};
    const compiler::Options options = options_of(device);
    if (programs::has_stage(desc, pipe::Stage::Geometry) || programs::has_stage(desc, pipe::Stage::TessEval))
        return build_kernels(device, desc, shared, options);
    if (programs::has_stage(desc, pipe::Stage::Fragment))
        fragment_ir_ = programs::keep_stage(desc, pipe::Stage::Fragment);
    for (const pipe::Stage stage : {pipe::Stage::Vertex, pipe::Stage::Fragment, pipe::Stage::Compute}) {
        if (!programs::has_stage(desc, stage)) continue;
        StageCode code = programs::get_stage_code<StageCode>(desc, stage, shared.cache, options);
        if (!code.error.empty()) return programs::stage_error(stage, code.error);
        if (device.debug.has(pipe::DebugWord::Shaders)) print_stage(device, desc, code, stage);
        uniform_dw[stage] = code.uniform_dw;
        if (!upload_stage(device, std::move(code), this, stage)) return programs::kOutOfMemory;
    }
    if (desc.stream_output && !desc.stream_output->empty())
        if (std::string error = build_capture(device, desc, shared, options); !error.empty()) return error;
    link(uniform_dw);
    return {};
}

}  // namespace terrazzo::mali
