// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See sync.h. A fence is handed to the device when it is created, so that waiting never has to flush.
#include "state_tracker/sync/sync.h"

#include "state_tracker/context/limits.h"

namespace terrazzo::st {
namespace {

/// Null: the error is recorded.
pipe::Ref<SyncObject> get_sync(Context& ctx, GLsync sync, const char* command) {
    std::lock_guard lock(ctx.share->mutex);
    pipe::Ref<SyncObject> s(find_sync(ctx, sync));
    if (!s) ctx.error(GL_INVALID_VALUE, command, "%p is no sync object", static_cast<const void*>(sync));
    return s;
}

}  // namespace

SyncObject* find_sync(Context& ctx, const void* sync) {
    const uintptr_t name = reinterpret_cast<uintptr_t>(sync);
    return name && name <= UINT32_MAX ? ctx.share->syncs.find(uint32_t(name)) : nullptr;
}

GLsync FenceSync(Context& ctx, GLenum condition, GLbitfield flags) {
    const char* const command = "glFenceSync";
    if (condition != GL_SYNC_GPU_COMMANDS_COMPLETE)
        return ctx.error(GL_INVALID_ENUM, command, "condition 0x%04x is not GL_SYNC_GPU_COMMANDS_COMPLETE",
                         condition),
               nullptr;
    if (flags) return ctx.error(GL_INVALID_VALUE, command, "flags 0x%x are not 0", flags), nullptr;
    pipe::Ref<pipe::Fence> fence = ctx.flush();
    if (!fence) return ctx.out_of_memory(command), nullptr;
    std::lock_guard lock(ctx.share->mutex);
    const uint32_t name = ctx.share->syncs.reserve();
    try {
        ctx.share->syncs.set(name, pipe::Ref<SyncObject>::adopt(new SyncObject(name, std::move(fence))));
    } catch (const std::bad_alloc&) {
        ctx.share->syncs.remove(name);
        throw;
    }
    return reinterpret_cast<GLsync>(uintptr_t(name));
}

GLboolean IsSync(Context& ctx, GLsync sync) {
    std::lock_guard lock(ctx.share->mutex);
    return find_sync(ctx, sync) != nullptr;
}

/// Threads that wait for it meanwhile hold a reference and go on waiting.
void DeleteSync(Context& ctx, GLsync sync) {
    if (!sync) return;
    if (const pipe::Ref<SyncObject> s = get_sync(ctx, sync, "glDeleteSync")) {
        std::lock_guard lock(ctx.share->mutex);
        ctx.share->syncs.remove(s->name);
    }
}

GLenum ClientWaitSync(Context& ctx, GLsync sync, GLbitfield flags, GLuint64 timeout) {
    const char* const command = "glClientWaitSync";
    const pipe::Ref<SyncObject> s = get_sync(ctx, sync, command);
    if (!s) return GL_WAIT_FAILED;
    if (flags & ~GLbitfield(GL_SYNC_FLUSH_COMMANDS_BIT))
        return ctx.error(GL_INVALID_VALUE, command, "flags 0x%x", flags), GL_WAIT_FAILED;
    if (s->fence->wait(0)) return GL_ALREADY_SIGNALED;
    if (timeout == 0) return GL_TIMEOUT_EXPIRED;
    const bool done = s->fence->wait(timeout);
    ctx.check_reset();
    return done ? GL_CONDITION_SATISFIED : GL_TIMEOUT_EXPIRED;
}

void WaitSync(Context& ctx, GLsync sync, GLbitfield flags, GLuint64 timeout) {
    const char* const command = "glWaitSync";
    const pipe::Ref<SyncObject> s = get_sync(ctx, sync, command);
    if (!s) return;
    if (flags) return ctx.error(GL_INVALID_VALUE, command, "flags 0x%x are not 0", flags);
    if (timeout != GL_TIMEOUT_IGNORED)
        return ctx.error(GL_INVALID_VALUE, command, "timeout is not GL_TIMEOUT_IGNORED");
    end_rendering(ctx);
    ctx.pipe->wait_fence(*s->fence);
}

void GetSynciv(Context& ctx, GLsync sync, GLenum pname, GLsizei bufSize, GLsizei* length, GLint* values) {
    const char* const command = "glGetSynciv";
    const pipe::Ref<SyncObject> s = get_sync(ctx, sync, command);
    if (!s) return;
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    GLint value;
    switch (pname) {
        case GL_OBJECT_TYPE:
            value = GL_SYNC_FENCE;
            break;
        case GL_SYNC_STATUS:
            value = s->fence->wait(0) ? GL_SIGNALED : GL_UNSIGNALED;
            break;
        case GL_SYNC_CONDITION:
            value = GL_SYNC_GPU_COMMANDS_COMPLETE;
            break;
        case GL_SYNC_FLAGS:
            value = 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a sync object", pname);
    }
    const bool room = bufSize > 0 && values;
    if (room) *values = value;
    if (length) *length = room;
}

}  // namespace terrazzo::st
