// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Semaphores (EXT_semaphore, EXT_semaphore_fd). A signal is sent when the work before it is complete, so its
// receiver may use the memory at once. A wait for another process ends after the time limit of draws, since
// that process may never signal.
#include <unistd.h>

#include <algorithm>

#include "pipe/semaphore_file.h"
#include "pipe/time_limit.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/images/texture.h"
#include "state_tracker/sync/external.h"

namespace terrazzo::st {
namespace {

/// Null: the error is recorded. Lock the share group.
pipe::Ref<Semaphore> find_semaphore(Context& ctx, const char* command, GLuint name) {
    pipe::Ref<Semaphore> s(name ? ctx.share->semaphores.find(name) : nullptr);
    if (s) return s;
    if (name && ctx.share->semaphores.reserved(name))
        ctx.error(GL_INVALID_OPERATION, command, "semaphore %u was imported from nothing", name);
    else
        ctx.error(GL_INVALID_VALUE, command, "%u is no semaphore", name);
    return nullptr;
}

bool is_layout(GLenum layout) {
    switch (layout) {
        case GL_NONE:
        case GL_LAYOUT_GENERAL_EXT:
        case GL_LAYOUT_COLOR_ATTACHMENT_EXT:
        case GL_LAYOUT_DEPTH_STENCIL_ATTACHMENT_EXT:
        case GL_LAYOUT_DEPTH_STENCIL_READ_ONLY_EXT:
        case GL_LAYOUT_SHADER_READ_ONLY_EXT:
        case GL_LAYOUT_TRANSFER_SRC_EXT:
        case GL_LAYOUT_TRANSFER_DST_EXT:
        case GL_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_EXT:
        case GL_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_EXT:
            return true;
        default:
            return false;
    }
}

/// Checks and executes the barriers of a wait or a signal. Devices have only one layout for textures in such
/// memory, so textures do not change. Cached facts about the contents of buffers become invalid. False: the
/// error is recorded, nothing has changed. Lock the share group.
bool check_barriers(Context& ctx, const char* command, GLuint buffer_count, const GLuint* buffers,
                    GLuint texture_count, const GLuint* textures, const GLenum* layouts) {
    if ((buffer_count && !buffers) || (texture_count && (!textures || !layouts)))
        return ctx.error(GL_INVALID_VALUE, command, "the pointer of a list is null"), false;
    for (GLuint i = 0; i < buffer_count; ++i)
        if (!ctx.share->buffers.find(buffers[i]))
            return ctx.error(GL_INVALID_VALUE, command, "%u is no buffer", buffers[i]), false;
    for (GLuint i = 0; i < texture_count; ++i) {
        if (!ctx.share->textures.find(textures[i]))
            return ctx.error(GL_INVALID_VALUE, command, "%u is no texture", textures[i]), false;
        if (!is_layout(layouts[i]))
            return ctx.error(GL_INVALID_ENUM, command, "layout 0x%04x", layouts[i]), false;
    }
    for (GLuint i = 0; i < buffer_count; ++i)
        ++ctx.share->buffers.find(buffers[i])->content_stamp;
    return true;
}

}  // namespace

Semaphore::~Semaphore() {
    if (fd >= 0) close(fd);
}

void GenSemaphores(Context& ctx, GLsizei n, GLuint* semaphores) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenSemaphoresEXT", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; semaphores && i < n; ++i)
        semaphores[i] = ctx.share->semaphores.reserve();
}

void DeleteSemaphores(Context& ctx, GLsizei n, const GLuint* semaphores) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteSemaphoresEXT", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; semaphores && i < n; ++i)
        if (semaphores[i]) ctx.share->semaphores.remove(semaphores[i]);
}

GLboolean IsSemaphore(Context& ctx, GLuint semaphore) {
    std::lock_guard lock(ctx.share->mutex);
    return semaphore && ctx.share->semaphores.find(semaphore);
}

/// Opaque descriptors have no parameters in table 4.3.
void SemaphoreParameterui64v(Context& ctx, GLuint semaphore, GLenum pname, const GLuint64*) {
    const char* const command = "glSemaphoreParameterui64vEXT";
    std::lock_guard lock(ctx.share->mutex);
    if (find_semaphore(ctx, command, semaphore))
        ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a semaphore", pname);
}
void GetSemaphoreParameterui64v(Context& ctx, GLuint semaphore, GLenum pname, GLuint64*) {
    const char* const command = "glGetSemaphoreParameterui64vEXT";
    std::lock_guard lock(ctx.share->mutex);
    if (find_semaphore(ctx, command, semaphore))
        ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a semaphore", pname);
}

void ImportSemaphoreFd(Context& ctx, GLuint semaphore, GLenum handleType, GLint fd) {
    const char* const command = "glImportSemaphoreFdEXT";
    if (handleType != GL_HANDLE_TYPE_OPAQUE_FD_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "handle type 0x%04x", handleType);
    std::lock_guard lock(ctx.share->mutex);
    if (!semaphore || !ctx.share->semaphores.reserved(semaphore))
        return ctx.error(GL_INVALID_VALUE, command, "%u is no name of glGenSemaphoresEXT", semaphore);
    if (ctx.share->semaphores.find(semaphore))
        return ctx.error(GL_INVALID_OPERATION, command, "semaphore %u was imported already", semaphore);
    auto s = pipe::Ref<Semaphore>::adopt(new Semaphore(semaphore));
    const bool is_event = pipe::is_semaphore_file(fd);
    if (!is_event) {
        s->fence = ctx.screen.import_fence(fd);
        if (!s->fence)
            return ctx.error(GL_INVALID_VALUE, command, "descriptor %d is neither an eventfd nor a sync file",
                             fd);
    }
    ctx.share->semaphores.set(semaphore, s);
    // Owned from here on.
    if (is_event)
        s->fd = fd;
    else
        close(fd);
}

void WaitSemaphore(Context& ctx, GLuint semaphore, GLuint numBufferBarriers, const GLuint* buffers,
                   GLuint numTextureBarriers, const GLuint* textures, const GLenum* srcLayouts) {
    const char* const command = "glWaitSemaphoreEXT";
    pipe::Ref<Semaphore> s;
    pipe::Ref<pipe::Fence> fence;
    {
        std::lock_guard lock(ctx.share->mutex);
        s = find_semaphore(ctx, command, semaphore);
        if (!s || !check_barriers(ctx, command, numBufferBarriers, buffers, numTextureBarriers, textures,
                                  srcLayouts))
            return;
        fence = std::move(s->fence);  // the semaphore is unsignalled afterwards
        s->fence = nullptr;
    }
    end_rendering(ctx);
    if (s->fd < 0) {
        if (fence) ctx.pipe->wait_fence(*fence);
        return;
    }
    // Work before the wait does not have to wait.
    ctx.flush();
    const uint64_t limit_ns = std::min(pipe::draw_limit_ns(ctx.config.robust), pipe::kDrawLimit_ns);
    if (!pipe::wait_semaphore_file(s->fd, limit_ns))
        ctx.message(GL_DEBUG_TYPE_ERROR_KHR, GL_DEBUG_SEVERITY_HIGH_KHR,
                    "%s: semaphore %u was not signalled within %.1f s; later work does not wait for it",
                    command, semaphore, double(limit_ns) * 1e-9);
}

void SignalSemaphore(Context& ctx, GLuint semaphore, GLuint numBufferBarriers, const GLuint* buffers,
                     GLuint numTextureBarriers, const GLuint* textures, const GLenum* dstLayouts) {
    const char* const command = "glSignalSemaphoreEXT";
    pipe::Ref<Semaphore> s;
    {
        std::lock_guard lock(ctx.share->mutex);
        s = find_semaphore(ctx, command, semaphore);
        if (!s || !check_barriers(ctx, command, numBufferBarriers, buffers, numTextureBarriers, textures,
                                  dstLayouts))
            return;
    }
    const pipe::Ref<pipe::Fence> done = ctx.flush();
    if (!done) return ctx.out_of_memory(command);
    if (s->fd < 0) {
        std::lock_guard lock(ctx.share->mutex);
        s->fence = done;
        return;
    }
    (void)done->wait(pipe::Fence::kForever);
    if (!pipe::signal_semaphore_file(s->fd))
        ctx.error(GL_INVALID_OPERATION, command, "semaphore %u has more signals than anybody waited for",
                  semaphore);
}

}  // namespace terrazzo::st
