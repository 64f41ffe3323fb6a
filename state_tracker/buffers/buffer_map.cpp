// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mappings of buffer objects (OpenGL ES 3.0 section 2.10.3, OES_mapbuffer, EXT_map_buffer_range,
// EXT_buffer_storage), and the bytes that commands read or write themselves.
#include "state_tracker/buffers/buffer_storage.h"

namespace terrazzo::st {
namespace {

constexpr GLbitfield kMapFlags = GL_MAP_READ_BIT_EXT | GL_MAP_WRITE_BIT_EXT |
                                 GL_MAP_INVALIDATE_RANGE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT |
                                 GL_MAP_FLUSH_EXPLICIT_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT |
                                 GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;

void* map(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t length_B, GLbitfield access,
          const char* command) {
    bool unsynchronized = access & GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    bool whole = length_B == b.size_B && (access & GL_MAP_INVALIDATE_RANGE_BIT_EXT);
    bool keep = !((access & GL_MAP_INVALIDATE_BUFFER_BIT_EXT) || whole);
    if ((access & GL_MAP_WRITE_BIT_EXT) && !unsynchronized && !make_writable(ctx, b, keep))
        return ctx.out_of_memory(command), nullptr;
    uint32_t flags = pipe::map_flag::kPersistent;
    if (access & GL_MAP_READ_BIT_EXT) flags |= pipe::map_flag::kRead;
    if (access & GL_MAP_WRITE_BIT_EXT) flags |= pipe::map_flag::kWrite;
    pipe::Mapping m = map_storage(ctx, b, offset_B, length_B, flags);
    if (!m.data) return ctx.out_of_memory(command), nullptr;
    b.mapping = m;
    b.map_pointer = m.data;
    b.map_offset_B = offset_B;
    b.map_length_B = length_B;
    b.map_access = access;
    ctx.share->buffer_stamp.fetch_add(1, std::memory_order_relaxed);
    return m.data;
}

}  // namespace

BufferBytes::BufferBytes(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t size_B, Access access)
    : ctx_(ctx),
      // Storage cannot move if the application has a pointer to it, or if another process has it. Other
      // storage moves if that makes it writable without a wait.
      resource_(access == Access::Read || b.map_pointer || b.external ||
                        make_writable(ctx, b, size_B != b.size_B)
                    ? b.resource
                    : nullptr) {
    if (!resource_) return;
    if (access == Access::Write) ++b.content_stamp;
    const uint32_t flags = access == Access::Read ? pipe::map_flag::kRead : pipe::map_flag::kWrite;
    if (access == Access::Write && (b.map_pointer || b.external)) {
        end_rendering(ctx);
        pipe::Box box;
        box.x = int32_t(offset_B);
        box.width = int32_t(size_B);
        mapping_ = ctx.pipe->map(*resource_, 0, box, flags);
    } else {
        mapping_ = map_storage(ctx, b, offset_B, size_B, flags);
    }
}

BufferBytes::~BufferBytes() {
    if (mapping_.data) ctx_.pipe->unmap(*resource_, mapping_);
}

void* MapBuffer(Context& ctx, GLenum target, GLenum access) {
    const char* const command = "glMapBufferOES";
    if (access != GL_WRITE_ONLY_OES)
        return ctx.error(GL_INVALID_ENUM, command, "access 0x%04x is not GL_WRITE_ONLY_OES", access), nullptr;
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return nullptr;
    std::lock_guard lock(ctx.share->mutex);
    if (b->map_pointer)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u is mapped already", b->name), nullptr;
    if (!b->size_B) return ctx.error(GL_OUT_OF_MEMORY, command, "buffer %u has no storage", b->name), nullptr;
    if (b->external)
        return ctx.error(GL_INVALID_OPERATION, command, "the storage of buffer %u is a memory object",
                         b->name),
               nullptr;
    if (b->immutable && !(b->storage_flags & GL_MAP_WRITE_BIT))
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u was created without GL_MAP_WRITE_BIT",
                         b->name),
               nullptr;
    return map(ctx, *b, 0, b->size_B, GL_MAP_WRITE_BIT_EXT, command);
}

void* MapBufferRange(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    const char* const command = "glMapBufferRangeEXT";
    auto fail = [&](GLenum code, const char* why) -> void* {
        ctx.error(code, command, "%s", why);
        return nullptr;
    };
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return nullptr;
    std::lock_guard lock(ctx.share->mutex);
    if (offset < 0 || length < 0) return fail(GL_INVALID_VALUE, "offset or length is negative");
    if (uint64_t(offset) + uint64_t(length) > b->size_B)
        return fail(GL_INVALID_VALUE, "the range ends outside the buffer");
    if (access & ~kMapFlags) return fail(GL_INVALID_VALUE, "access has unknown bits");
    if (length == 0) return fail(GL_INVALID_OPERATION, "length is zero");
    if (b->map_pointer) return fail(GL_INVALID_OPERATION, "the buffer is mapped already");
    if (b->external) return fail(GL_INVALID_OPERATION, "the buffer's storage is a memory object");
    bool reads = access & GL_MAP_READ_BIT_EXT, writes = access & GL_MAP_WRITE_BIT_EXT;
    if (!reads && !writes) return fail(GL_INVALID_OPERATION, "access neither reads nor writes");
    constexpr GLbitfield kAsStored =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    if (access & kAsStored & ~b->storage_flags)
        return fail(GL_INVALID_OPERATION, "the buffer's storage was created without these flags");
    constexpr GLbitfield kNotWithRead =
        GL_MAP_INVALIDATE_RANGE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    if (reads && (access & kNotWithRead))
        return fail(GL_INVALID_OPERATION, "a reading map neither invalidates nor is unsynchronized");
    if (!writes && (access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT))
        return fail(GL_INVALID_OPERATION, "only a writing map is flushed explicitly");
    return map(ctx, *b, uint64_t(offset), uint64_t(length), access, command);
}

void FlushMappedBufferRange(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr length) {
    const char* const command = "glFlushMappedBufferRangeEXT";
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return;
    std::lock_guard lock(ctx.share->mutex);
    if (offset < 0 || length < 0)
        return ctx.error(GL_INVALID_VALUE, command, "offset (%td) or length (%td) is negative", offset,
                         length);
    if (!b->map_pointer || !(b->map_access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "buffer %u is not mapped with GL_MAP_FLUSH_EXPLICIT_BIT_EXT", b->name);
    if (uint64_t(offset) + uint64_t(length) > b->map_length_B)
        return ctx.error(GL_INVALID_VALUE, command, "the range ends outside the mapping of buffer %u",
                         b->name);
    // Mappings are coherent: only what was cached about the contents is out of date.
    ++b->content_stamp;
}

GLboolean UnmapBuffer(Context& ctx, GLenum target) {
    const char* const command = "glUnmapBufferOES";
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return GL_FALSE;
    std::lock_guard lock(ctx.share->mutex);
    if (!b->map_pointer)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u is not mapped", b->name),
               GLboolean(GL_FALSE);
    end_map(ctx, *b);
    return GL_TRUE;
}

}  // namespace terrazzo::st
