// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/programs/program.h"

#include <algorithm>
#include <new>
#include <string>

#include "shaders/ir/stage_buffers.h"

namespace terrazzo::soft {

namespace {

static_assert(Interpolation(ir::Interp::Smooth) == Interpolation::Smooth);
static_assert(Interpolation(ir::Interp::Flat) == Interpolation::Flat);
static_assert(Interpolation(ir::Interp::NoPerspective) == Interpolation::NoPerspective);

std::string named(const pipe::ProgramDesc& desc, const char* message) {
    return std::string("soft: program ") + (desc.label ? desc.label : "(unnamed)") + ": " + message;
}

/// Null: there is no such stage.
std::shared_ptr<const ir::StoredShader> stored(const pipe::ProgramDesc& desc, pipe::Stage stage) {
    if (desc.stored[size_t(stage)]) return desc.stored[size_t(stage)];
    const ir::Shader* const s = desc.stages[size_t(stage)];
    return s ? std::make_shared<ir::StoredShader>(ir::clone(*s)) : nullptr;
}

}  // namespace

/// The component of the last vertex stage's output in `slot`.
uint16_t SoftProgram::output_of(uint8_t slot) const {
    if (has_kernels()) {
        const uint64_t slots = (geometry ? geometry_records : evaluation_records).slots_out;
        return slots >> slot & 1 ? uint16_t(ir::slot_dw(slots, slot)) : kNoOutput;
    }
    for (uint32_t i = 0; i < vertex->slot_count; ++i)
        if (vertex->slots[i] == slot) return uint16_t(i * 4);
    return kNoOutput;
}

void SoftProgram::link_captured(const pipe::StreamOutputLayout& layout) {
    for (const pipe::StreamOutputLayout::Output& o : layout.outputs) {
        const uint16_t source = output_of(o.slot);
        for (uint32_t c = 0; c < o.count; ++c)
            captured.links.push_back({source == kNoOutput ? kNoOutput : uint16_t(source + o.component + c),
                                      o.buffer, o.offset_dw + c});
    }
    for (size_t i = 0; i < captured.stride_B.size(); ++i)
        captured.stride_B[i] = layout.stride_dw[i] * 4;
}

/// Distances that no stage stores are ignored: a loaded program binary may declare them.
void SoftProgram::link_distances(uint32_t clip, uint32_t cull) {
    const uint32_t all = std::min(clip + cull, ir::kMaxDistances);
    for (uint32_t n = 0; n < all; ++n) {
        const uint16_t first = output_of(uint8_t(unsigned(ir::VaryingSlot::ClipDist0) + n / 4));
        if (first == kNoOutput) return;
        distances[n] = uint16_t(first + n % 4);
    }
    clip_distances = std::min(clip, all);
    cull_distances = all - clip_distances;
}

void SoftProgram::link() {
    output_components = has_kernels()
                            ? ir::record_dw((geometry ? geometry_records : evaluation_records).slots_out)
                            : vertex->slot_count * 4;
    layer = output_of(uint8_t(ir::VaryingSlot::Layer));
    viewport_index = output_of(uint8_t(ir::VaryingSlot::ViewportIndex));
    position = output_of(uint8_t(ir::VaryingSlot::Position));
    point_size = output_of(uint8_t(ir::VaryingSlot::PointSize));
    plane_count = fragment->slot_count * 4;
    for (uint32_t i = 0; i < fragment->slot_count; ++i) {
        const uint16_t source = output_of(fragment->slots[i]);
        for (uint32_t c = 0; c < 4; ++c) {
            if (!(fragment->components[i] >> c & 1)) continue;
            const uint16_t from = source == kNoOutput ? kNoOutput : uint16_t(source + c);
            links.push_back({from, uint16_t(i * 4 + c), Interpolation(fragment->interp[i])});
        }
    }
    for (const auto* const s : {&vertex, &control, &evaluation, &geometry, &fragment})
        has_arrays |= *s && (*s)->private_scalars;
    point_coord = plane_count;
    if (fragment->reads_point_coord) plane_count += 2;
    has_flat = std::any_of(links.begin(), links.end(),
                           [](const PlaneLink& l) { return l.interp == Interpolation::Flat; });
}

void SoftProgram::add_stage(pipe::Stage s, const ir::ShaderInfo& info) {
    sampler_count[s] = std::min<uint32_t>(info.sampler_count, pipe::kMaxSamplers);
    uniform_dw[s] = info.uniform_dw;
}

/// False: compilation failed, or the shader exceeds the limits.
bool SoftProgram::create_compute(std::shared_ptr<const ir::StoredShader> s, ShaderCompiler& compiler,
                                 const pipe::Log& log) {
    const ir::ShaderInfo info = s->info();
    uint64_t invocations = 1;
    for (const uint32_t n : info.workgroup_size)
        invocations *= n <= kMaxWorkgroup ? n : kMaxWorkgroup + 1;
    if (!invocations || invocations > kMaxWorkgroup || info.shared_B > ir::kMaxShared_B) {
        log(pipe::Severity::Error, "soft: a workgroup has more invocations or shared memory than it may");
        return false;
    }
    local_ids = std::make_unique<LocalIds>(info.workgroup_size);
    shared_B = info.shared_B;
    add_stage(pipe::Stage::Compute, info);
    compute = compiler.make(std::move(s), log);
    return compute != nullptr;
}

bool SoftProgram::create_kernels(const pipe::ProgramDesc& desc, ShaderCompiler& compiler,
                                 const pipe::Log& log) {
    const struct {
        pipe::Stage stage;
        std::unique_ptr<CompiledShader>& code;
        ir::StageRecords& records;
    } kKernels[] = {{pipe::Stage::TessControl, control, control_records},
                    {pipe::Stage::TessEval, evaluation, evaluation_records},
                    {pipe::Stage::Geometry, geometry, geometry_records}};
    for (const auto& k : kKernels) {
        const auto s = stored(desc, k.stage);
        if (!s) continue;
        k.records = s->info().records;
        add_stage(k.stage, s->info());
        k.code = compiler.make(s, log);
        if (!k.code) return false;
    }
    if (bool(control) != bool(evaluation)) {
        log(pipe::Severity::Error, named(desc, "has one of two tessellation stages"));
        return false;
    }
    if (!has_kernels()) return true;
    const uint32_t group[3] = {ir::kKernelGroup, 1, 1}, patch[3] = {control_records.vertices_out, 1, 1};
    kernel_ids = std::make_unique<LocalIds>(group);
    if (control) control_ids = std::make_unique<LocalIds>(patch);
    return true;
}

pipe::Ref<pipe::Program> SoftProgram::create(const pipe::ProgramDesc& desc, ShaderCompiler& compiler,
                                             const pipe::Log& log) {
    try {
        pipe::Ref<SoftProgram> p = pipe::Ref<SoftProgram>::adopt(new SoftProgram);
        if (auto cs = stored(desc, pipe::Stage::Compute))
            return p->create_compute(std::move(cs), compiler, log) ? pipe::Ref<pipe::Program>(std::move(p))
                                                                   : nullptr;
        const auto vs = stored(desc, pipe::Stage::Vertex), fs = stored(desc, pipe::Stage::Fragment);
        if (!vs || !fs) {
            log(pipe::Severity::Error, named(desc, "needs a vertex and a fragment shader"));
            return nullptr;
        }
        p->vertex = compiler.make(vs, log);
        p->fragment = p->vertex ? compiler.make(fs, log) : nullptr;
        if (!p->vertex || !p->fragment) return nullptr;
        if (!p->create_kernels(desc, compiler, log)) return nullptr;
        p->add_stage(pipe::Stage::Vertex, vs->info());
        p->add_stage(pipe::Stage::Fragment, fs->info());
        p->link();
        p->link_distances(desc.clip_distances, desc.cull_distances);
        if (desc.stream_output) p->link_captured(*desc.stream_output);
        return pipe::Ref<pipe::Program>(std::move(p));
    } catch (const std::bad_alloc&) {
        log(pipe::Severity::Error, named(desc, "out of memory"));
        return nullptr;
    }
}

}  // namespace terrazzo::soft
