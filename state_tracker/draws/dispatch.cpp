// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compute dispatches and memory barriers (OpenGL ES 3.1 chapter 17 and section 7.11).
#include "state_tracker/buffers/buffer_storage.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/draws/draw_cache.h"

namespace terrazzo::st {
namespace {

constexpr GLbitfield kRegionBarriers = GL_ATOMIC_COUNTER_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                                       GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT |
                                       GL_TEXTURE_FETCH_BARRIER_BIT | GL_UNIFORM_BARRIER_BIT;
constexpr GLbitfield kBarriers = kRegionBarriers | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT |
                                 GL_ELEMENT_ARRAY_BARRIER_BIT | GL_COMMAND_BARRIER_BIT |
                                 GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                                 GL_BUFFER_UPDATE_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT |
                                 GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT_EXT;

void dispatch(Context& ctx, const std::array<GLuint, 3>& groups, const char* command) {
    if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0) return;
    pipe::DispatchInfo info;
    std::copy(groups.begin(), groups.end(), info.groups);
    ctx.pipe->dispatch(info);
    after_submission(ctx, command);
}

void dispatch(Context& ctx, const DeviceParameters& parameters, const char* command) {
    pipe::DispatchInfo info;
    info.indirect = parameters.range();
    ctx.pipe->dispatch(info);
    after_submission(ctx, command);
}

/// Executes a barrier if a program that stores ran since the last one. The device has one kind of barrier, so
/// all bits mean the same.
void barrier(Context& ctx, GLbitfield barriers, GLbitfield known, const char* command) {
    if (barriers != GL_ALL_BARRIER_BITS && (barriers & ~known))
        return ctx.error(GL_INVALID_VALUE, command, "barriers 0x%x has unknown bits (0x%x)", barriers,
                         barriers & ~known);
    Context::DrawCache& c = *ctx.draw_cache;
    if (!c.stores_seen) return;
    end_rendering(ctx);
    ctx.pipe->memory_barrier();
    // Draws that repeat the last one do not set this again.
    c.stores_seen = ctx.executable && ctx.executable->stores();
}

}  // namespace

void DispatchCompute(Context& ctx, GLuint num_groups_x, GLuint num_groups_y, GLuint num_groups_z) {
    const char* const command = "glDispatchCompute";
    const std::array<GLuint, 3> groups{num_groups_x, num_groups_y, num_groups_z};
    for (const GLuint n : groups)
        if (n > GLuint(kMaxDispatchGroups))
            return ctx.error(GL_INVALID_VALUE, command, "%u groups: GL_MAX_COMPUTE_WORK_GROUP_COUNT is %d", n,
                             kMaxDispatchGroups);
    if (prepare_dispatch(ctx, command)) dispatch(ctx, groups, command);
}

/// The CPU reads the parameters, unless a device other than this CPU wrote them.
void DispatchComputeIndirect(Context& ctx, GLintptr indirect) {
    const char* const command = "glDispatchComputeIndirect";
    std::array<GLuint, 3> groups;
    DeviceParameters device;
    if (!read_indirect(ctx, GL_DISPATCH_INDIRECT_BUFFER, indirect, groups.data(), sizeof groups, command,
                       &device) ||
        !prepare_dispatch(ctx, command))
        return;
    if (device.resource) return dispatch(ctx, device, command);
    for (const GLuint n : groups)
        if (n > GLuint(kMaxDispatchGroups))  // the specification leaves this undefined
            return ctx.message(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                               "%s: %u groups: GL_MAX_COMPUTE_WORK_GROUP_COUNT is %d", command, n,
                               kMaxDispatchGroups);
    dispatch(ctx, groups, command);
}

void MemoryBarrier(Context& ctx, GLbitfield barriers) {
    barrier(ctx, barriers, kBarriers, "glMemoryBarrier");
}
void MemoryBarrierByRegion(Context& ctx, GLbitfield barriers) {
    barrier(ctx, barriers, kRegionBarriers, "glMemoryBarrierByRegion");
}

}  // namespace terrazzo::st
