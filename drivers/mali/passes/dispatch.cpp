// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work of the compute queue: dispatches, captures of vertices (transform feedback), and the kernels of draws
// with geometry and tessellation stages (drivers/common/context/kernel_draws.h). The size of tasks is chosen
// as in Mesa 25.0.7, pan_csf.c, csf_launch_grid.
#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "drivers/common/images/format_uses.h"
#include "drivers/mali/passes/draw_context.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

using R = hw::ComputeRegisters;

/// The workgroups for which a core has threads.
uint32_t groups_per_core(const hw::Chip& chip, const ComputeJob& job) {
    const uint32_t threads = chip.max_threads / (job.shader.info.work_registers > 32 ? 2 : 1);
    return std::max(1u, threads / (job.group[0] * job.group[1] * job.group[2]));
}

/// A task has as many workgroups as a core has threads for: along x, or whole rows, or whole layers.
hw::CsRunCompute task(const hw::Chip& chip, const ComputeJob& job) {
    const auto [x, y, z] = job.groups;
    const uint32_t count = groups_per_core(chip, job);
    const uint32_t rows = count / x, layers = rows / y;
    hw::CsRunCompute run;
    if (!rows) {
        run.task_axis = hw::TaskAxis::X;
        run.task_increment = count;
    } else if (!layers || z == 1) {
        run.task_axis = hw::TaskAxis::Y;
        run.task_increment = std::min(rows, y);
    } else {
        run.task_axis = hw::TaskAxis::Z;
        run.task_increment = std::min(layers, z);
    }
    return run;
}

/// Loads the numbers of workgroups, and copies them to where the shader expects them.
void load_groups(CsBuilder& b, const ComputeJob& job) {
    constexpr unsigned kFrom = kScratchRegister + 12, kTo = kScratchRegister + 14;
    constexpr uint32_t kLoadStore = 1u << kSlotLoadStore;
    b.set64(kFrom, job.indirect_va);
    b.load(R::job_size_x, 3, kFrom, 0);
    b.wait(kLoadStore);
    for (unsigned axis = 0; axis < 3; ++axis)
        for (const uint64_t va : job.copies_va[axis]) {
            if (!va) continue;
            b.set64(kTo, va);
            b.store(R::job_size_x + axis, 1, kTo, 0);
            b.wait(kLoadStore);
        }
}

}  // namespace

void run_compute(Recorder& recorder, const ComputeJob& job) {
    CsBuilder& b = recorder.compute;
    b.set64(R::srt, job.tables);
    b.set64(R::fau, job.fau_va | uint64_t(job.shader.fau_count()) << 56);
    b.set64(R::spd, job.shader.spd_va());
    b.set64(R::tsd, job.local_storage_va);
    b.set32(R::global_attribute_offset, 0);
    hw::ComputeSizeWorkgroup group;
    group.workgroup_size_x = job.group[0];
    group.workgroup_size_y = job.group[1];
    group.workgroup_size_z = job.group[2];
    group.allow_merging_workgroups = !job.shader.info.uses_barriers && !job.shader.info.shared_B;
    b.set32(R::workgroup_size, word_of(group));
    for (unsigned i = 0; i < 3; ++i)
        b.set32(R::job_offset_x + i, 0);
    if (job.indirect_va) {
        load_groups(b, job);
        return b.emit(hw::CsRunComputeIndirect{.workgroups_per_task = groups_per_core(recorder.chip(), job)});
    }
    for (unsigned i = 0; i < 3; ++i)
        b.set32(R::job_size_x + i, job.groups[i]);
    b.emit(task(recorder.chip(), job));
}

/// Sets the addresses of the storage buffers that the stage accesses. Noting the write prevents other
/// contexts from replacing the memory before submission, so its address stays valid.
void DrawContext::find_storage_buffers(Stage stage) {
    const StageTables& s = stage_tables(state_, stage);
    for (uint32_t rest = s.storage_buffers; rest; rest &= rest - 1) {
        const auto slot = unsigned(std::countr_zero(rest));
        const pipe::BufferRange& range = state_.stages[stage].storage_buffers[slot];
        SysvalValues::StorageBuffer& to = sysvals_.storage[slot];
        to = {};
        if (!range.resource || range.offset_B >= range.resource->desc.width) continue;
        MaliResource& r = mali(*range.resource);
        if (s.written_buffers >> slot & 1) recorder_.write(r);
        recorder_.read_as_packed(r, [&] {
            to = buffer_at(r.va() + range.offset_B,
                           std::min<uint64_t>(range.size_B, r.desc.width - range.offset_B));
        });
    }
}

void DrawContext::find_slots(Stage stage) {
    find_storage_buffers(stage);
    for (uint32_t rest = stage_tables(state_, stage).images; rest; rest &= rest - 1) {
        const auto slot = unsigned(std::countr_zero(rest));
        std::ranges::copy(ImageTexels(state_.stages[stage].images[slot]).size(), sysvals_.image_size[slot]);
    }
    for (uint32_t rest = stage_tables(state_, stage).textures; rest; rest &= rest - 1) {
        const auto unit = unsigned(std::countr_zero(rest));
        auto* const view = static_cast<MaliSamplerView*>(state_.stages[stage].views[unit]);
        uint32_t* const size = sysvals_.texture_size[unit];
        if (!view) {
            std::fill_n(size, 4, 1u);  // the null view's
            continue;
        }
        const pipe::SamplerViewDesc& d = view->desc;
        if (d.kind == pipe::ResourceKind::Buffer) {
            size[0] = images::buffer_texels(view->image(), d.format, d.buffer_offset_B, d.buffer_size_B,
                                            kMaxBufferTexels);
            continue;
        }
        const pipe::LevelLayout& l = view->image().layout.level[d.first_level];
        const uint32_t layers = images::view_layers(d);
        size[0] = l.width;
        size[1] = l.height;
        size[2] = d.kind == pipe::ResourceKind::Tex3D       ? l.depth
                  : d.kind == pipe::ResourceKind::CubeArray ? layers / 6
                                                            : layers;
        size[3] = images::view_levels(d);
    }
}

uint64_t DrawContext::write_compute_fau(const ShaderPart& part, Stage stage) {
    const uint32_t count = part.fau_count();
    if (!count) return 0;
    const Pool::Piece p = recorder_.pool.allocate(count * 8, 8);
    write_fau(part, state_.stages[stage].uniforms, sysvals_, reinterpret_cast<uint32_t*>(p.cpu));
    return p.va;
}

void DrawContext::find_group_counts(const ShaderPart& part, ComputeJob* job) const {
    using enum compiler::Sysval;
    const std::vector<compiler::UniformWord>& fau = part.info.fau;
    for (unsigned axis = 0; axis < 3; ++axis) {
        const uint32_t value = uint32_t(NumWorkGroupsX) + axis;
        const auto at = std::ranges::find_if(fau, [&](const compiler::UniformWord& w) {
            return w.kind == compiler::UniformWord::Kind::Sysval && w.value == value;
        });
        if (at != fau.end()) job->copies_va[axis][0] = job->fau_va + 4 * uint64_t(at - fau.begin());
        if (part.info.reads_system_block) job->copies_va[axis][1] = tables_.system_block_va() + 4 * value;
    }
}

void DrawContext::record_job(Stage stage, uint32_t storage_buffers, ComputeJob job) {
    find_slots(stage);
    job.tables = tables_.compute(stage, sysvals_, storage_buffers);
    job.fau_va = write_compute_fau(job.shader, stage);
    if (const uint32_t shared_B = job.shader.info.shared_B) {
        const auto [x, y, z] = job.groups;
        const uint64_t threads = uint64_t(job.group[0]) * job.group[1] * job.group[2],
                       fit = std::max<uint64_t>(recorder_.chip().max_threads / threads, 1),
                       most = job.indirect_va ? fit : std::min(fit, uint64_t(x) * y * z);
        job.local_storage_va =
            recorder_.workgroup_storage(state_.program->tls_B, shared_B, uint32_t(std::bit_ceil(most)));
    } else {
        job.local_storage_va = recorder_.local_storage(state_.program->tls_B);
    }
    if (job.indirect_va) find_group_counts(job.shader, &job);
    Needs needs;
    tables_.each_image(stage, [&](MaliResource& image, bool writes) {
        needs.reads(image.jobs);
        if (writes) needs.writes(image.jobs);
    });
    recorder_.begin_dispatch(needs);
    run_compute(recorder_, job);
    recorder_.end_compute();
    tables_.each_image(stage, [&](MaliResource& image, bool writes) {
        if (!writes) return image.jobs.note_read(size_t(QueueKind::Compute), recorder_.compute_job());
        image.jobs.note_written(size_t(QueueKind::Compute), recorder_.compute_job());
        image.write_plainly();
    });
}

void DrawContext::dispatch(const pipe::DispatchInfo& info) {
    if (in_pass_) return log_(pipe::Severity::Error, "mali: dispatch inside a render pass");
    if (!state_.program || !state_.program->compute.present) return;
    const pipe::BufferRange& parameters = info.indirect;
    const bool indirect = parameters.resource;
    if (!indirect && (!info.groups[0] || !info.groups[1] || !info.groups[2])) return;
    if (indirect && parameters.offset_B + sizeof info.groups > parameters.resource->desc.width) return;
    make_views_plain();
    end_pass();
    const MaliProgram& p = *state_.program;
    recorder_.hold(p);
    std::copy_n(info.groups, 3, sysvals_.workgroups);
    uint64_t indirect_va = 0;
    if (indirect) {
        MaliResource& r = mali(*parameters.resource);
        recorder_.read_as_packed(r, [&] { indirect_va = r.va() + parameters.offset_B; });
    }
    const uint32_t* const group = p.compute.info.workgroup_size;
    record_job(Stage::Compute, p.stages[Stage::Compute].storage_buffers,
               {.shader = p.compute,
                .group = {group[0], group[1], group[2]},
                .groups = {info.groups[0], info.groups[1], info.groups[2]},
                .indirect_va = indirect_va});
    if (recorder_.is_much() || screen_.device().debug.has(pipe::DebugWord::Flush)) (void)submit();
}

void DrawContext::capture(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    using namespace programs::capture_slot;
    const MaliProgram& p = *state_.program;
    contexts::CapturedVertices::Draw d;
    if (!stream_output_.list(info, ranges, p.captured_stride_dw, &d)) return;
    // Earlier draws of the pass may read the buffers, but not while they are captured to. The job only waits
    // for passes that have ended.
    bool is_read = false;
    for (size_t i = 0; i < d.outputs.size(); ++i)
        if (d.outputs[i].size_B)
            is_read |=
                mali(*d.outputs[i].resource).read_by.load(std::memory_order_relaxed) == recorder_.serial();
    if (is_read && !stream_output_.in_pass && !pass_.fresh()) restart_pass();
    stream_output_.in_pass = true;
    recorder_.hold(p);
    for (size_t i = 0; i < d.outputs.size(); ++i) {
        SysvalValues::StorageBuffer& to = sysvals_.storage[kOutputs + i];
        to = {};
        if (!d.outputs[i].size_B) continue;
        MaliResource& r = mali(*d.outputs[i].resource);
        recorder_.write(r);
        to = buffer_at(r.va() + d.outputs[i].offset_B, d.outputs[i].size_B);
    }
    sysvals_.storage[kState] = buffer_at(d.state.va, stream_output_.kState_B);
    sysvals_.storage[kVertices] = buffer_at(d.vertices.va, d.of_instance * uint64_t(4));
    constexpr uint32_t kGroup = programs::kCaptureGroup;
    record_job(Stage::Vertex, p.capture.info.storage_buffers,
               {.shader = p.capture,
                .group = {kGroup, 1, 1},
                .groups = {(d.of_instance + kGroup - 1) / kGroup, d.instances, 1}});
    stream_output_.count(d);
    queries_.open.captured += d.primitives;
    // Later draws may read what was captured.
    state_.dirty |= kPass;
}

// --- geometry and tessellation stages ----------------------------------------------------------------------

void DrawContext::draw_kernels(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    begin_instances(info.first_instance);
    state_.dirty |= kVertexTables;
    if (!prepare_vertices(info, ranges)) return;
    const bool captures = stream_output_.is_set() && state_.program->shape.captures();
    contexts::KernelDraws::Draw d{.shape = state_.program->shape,
                                  .info = info,
                                  .capture = captures ? &stream_output_ : nullptr,
                                  .counts = queries_.open.generated != nullptr};
    kernel_draws_.draw(d, ranges);
    queries_.open.primitives += d.primitives;
    queries_.open.captured += d.captured;
}

void DrawContext::run_kernel(programs::Kernel k, uint32_t groups,
                             std::span<const contexts::KernelBuffer> buffers) {
    const MaliProgram& p = *state_.program;
    const ShaderPart& part = p.kernels[size_t(k)];
    recorder_.hold(p);
    for (const contexts::KernelBuffer& b : buffers) {
        MaliResource& r = mali(*b.range.resource);
        if (b.written) recorder_.write(r);
        recorder_.read_as_packed(
            r, [&] { sysvals_.storage[b.slot] = buffer_at(r.va() + b.range.offset_B, b.range.size_B); });
    }
    const uint32_t* const group = part.info.workgroup_size;
    record_job(programs::stage_of(k), part.info.storage_buffers,
               {.shader = part, .group = {group[0], group[1], group[2]}, .groups = {groups, 1, 1}});
}

/// Swaps the program and the vertex stage's block for one draw, also if it finds no memory.
void DrawContext::draw_records(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                               const pipe::BufferRange& records) {
    MaliProgram* const program = state_.program;
    pipe::BufferRange& block = state_.stages[Stage::Vertex].blocks[programs::kRecordsBlock];
    const pipe::BufferRange bound = std::exchange(block, records);
    contexts::Query* const generated = std::exchange(queries_.open.generated, nullptr);
    bind_program(program->drawn.get());
    // The draw follows the kernels, and its fragments may read what they captured.
    state_.dirty |= kVertexTables | kPass;
    const auto restore = [&] {
        queries_.open.generated = generated;
        block = bound;
        bind_program(program);
        state_.dirty |= kVertexTables;
    };
    try {
        draw(info, ranges);
    } catch (const std::bad_alloc&) {
        restore();
        throw;
    }
    restore();
}

}  // namespace terrazzo::mali
