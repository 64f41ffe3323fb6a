// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws with geometry and tessellation stages (drivers/common/context/kernel_draws.h).
#include <new>
#include <utility>

#include "drivers/mali/passes/compute_job.h"
#include "drivers/mali/passes/draw_context.h"

namespace terrazzo::mali {

void DrawContext::draw_kernels(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges) {
    begin_instances(info.first_instance);
    state_.dirty |= kVertexTables;
    if (!prepare_vertices(info, ranges)) return;
    const bool captures = captured_.is_set() && state_.program->shape.captures();
    contexts::KernelDraws::Draw d{.shape = state_.program->shape,
                                  .info = info,
                                  .capture = captures ? &captured_ : nullptr,
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
