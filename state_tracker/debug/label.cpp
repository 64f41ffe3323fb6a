// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Labels of objects (KHR_debug).
#include <cstring>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/sampler.h"
#include "state_tracker/programs/pipeline.h"
#include "state_tracker/queries/query.h"
#include "state_tracker/sync/sync.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

/// The object with this name; null: the error is recorded. Lock the share group.
Object* find(Context& ctx, GLenum identifier, GLuint name, const char* command) {
    Object* o = nullptr;
    switch (identifier) {
        case GL_BUFFER_KHR:
            o = ctx.share->buffers.find(name);
            break;
        case GL_TEXTURE:
            o = ctx.share->textures.find(name);
            break;
        case GL_RENDERBUFFER:
            o = ctx.share->renderbuffers.find(name);
            break;
        case GL_FRAMEBUFFER:
            o = ctx.framebuffers.find(name);
            break;
        // Older texts of the extension call the same objects VERTEX_ARRAY_OBJECT_EXT.
        case GL_VERTEX_ARRAY_KHR:
            o = ctx.vertex_arrays.find(name);
            break;
        case GL_SHADER_KHR:
        case GL_PROGRAM_KHR: {
            ProgramObject* p = ctx.share->programs.find(name);
            o = p && p->is_shader == (identifier == GL_SHADER_KHR) ? p : nullptr;
            break;
        }
        case GL_QUERY_KHR:
            o = ctx.queries.find(name);
            break;
        case GL_SAMPLER_KHR:
            o = ctx.share->samplers.find(name);
            break;
        case GL_TRANSFORM_FEEDBACK:
            o = ctx.transform_feedbacks.find(name);
            break;
        case GL_PROGRAM_PIPELINE_KHR:
            o = ctx.pipelines.find(name);
            break;
        default:
            ctx.error(GL_INVALID_ENUM, command, "identifier 0x%04x is no kind of object", identifier);
            return nullptr;
    }
    if (!o) ctx.error(GL_INVALID_VALUE, command, "%u is not an object of kind 0x%04x", name, identifier);
    return o;
}

/// The sync object; null: the error is recorded. Lock the share group.
Object* find_pointer(Context& ctx, const void* ptr, const char* command) {
    Object* const o = find_sync(ctx, ptr);
    if (!o) ctx.error(GL_INVALID_VALUE, command, "the pointer is not a sync object");
    return o;
}

void set_label(Context& ctx, Object& o, GLsizei length, const GLchar* label, const char* command) {
    const size_t n = !label ? 0 : length < 0 ? strnlen(label, kMaxLabelLength) : size_t(length);
    if (n >= size_t(kMaxLabelLength))
        return ctx.error(GL_INVALID_VALUE, command, "the label is not shorter than GL_MAX_LABEL_LENGTH (%d)",
                         kMaxLabelLength);
    o.label = label ? std::string(label, n) : std::string();
}

void get_label(const Object& o, GLsizei bufSize, GLsizei* length, GLchar* label) {
    if (!label && length)
        *length = GLsizei(o.label.size());
    else
        copy_string(o.label, bufSize, length, label);
}

}  // namespace

void ObjectLabel(Context& ctx, GLenum identifier, GLuint name, GLsizei length, const GLchar* label) {
    const char* const command = "glObjectLabelKHR";
    std::lock_guard lock(ctx.share->mutex);
    if (Object* const o = find(ctx, identifier, name, command)) set_label(ctx, *o, length, label, command);
}

void GetObjectLabel(Context& ctx, GLenum identifier, GLuint name, GLsizei bufSize, GLsizei* length,
                    GLchar* label) {
    const char* const command = "glGetObjectLabelKHR";
    std::lock_guard lock(ctx.share->mutex);
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    if (const Object* const o = find(ctx, identifier, name, command)) get_label(*o, bufSize, length, label);
}

// Only sync objects are identified by pointers.

void ObjectPtrLabel(Context& ctx, const void* ptr, GLsizei length, const GLchar* label) {
    const char* const command = "glObjectPtrLabelKHR";
    std::lock_guard lock(ctx.share->mutex);
    if (Object* const o = find_pointer(ctx, ptr, command)) set_label(ctx, *o, length, label, command);
}

void GetObjectPtrLabel(Context& ctx, const void* ptr, GLsizei bufSize, GLsizei* length, GLchar* label) {
    const char* const command = "glGetObjectPtrLabelKHR";
    if (bufSize < 0) return ctx.error(GL_INVALID_VALUE, command, "bufSize (%d) is negative", bufSize);
    std::lock_guard lock(ctx.share->mutex);
    if (const Object* const o = find_pointer(ctx, ptr, command)) get_label(*o, bufSize, length, label);
}

}  // namespace terrazzo::st
