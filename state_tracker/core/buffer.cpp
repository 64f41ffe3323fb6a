// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer object commands. Rules: GLES 2.0 section 2.9; OES_mapbuffer; EXT_map_buffer_range (after ES 3.0
// section 2.10.3).
#include "state_tracker/core/buffer.h"

#include <cstring>

#include "state_tracker/core/draw.h"
#include "state_tracker/core/names.h"
#include "state_tracker/core/vertex_array.h"

namespace terrazzo::st {
namespace {

constexpr uint64_t kMaxBuffer_B = 1u << 30;  // pipe's sizes have 32 bits; more is GL_OUT_OF_MEMORY
constexpr GLbitfield kMapFlags = GL_MAP_READ_BIT_EXT | GL_MAP_WRITE_BIT_EXT |
                                 GL_MAP_INVALIDATE_RANGE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT |
                                 GL_MAP_FLUSH_EXPLICIT_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT |
                                 GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
constexpr GLbitfield kMutableFlags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT_EXT;
constexpr GLbitfield kStorageFlags =
    kMutableFlags | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT | GL_CLIENT_STORAGE_BIT_EXT;

pipe::Ref<pipe::Resource> create_storage(Context& ctx, uint64_t size_B, GLenum usage) {
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = uint32_t(size_B);
    d.bind = pipe::bind::kVertex | pipe::bind::kIndex;
    d.usage = usage == GL_STATIC_DRAW ? pipe::Usage::Default : pipe::Usage::Dynamic;
    return ctx.screen.create_resource(d);
}

/// The storage is nobody's but the buffer's, so that no unfinished work reads it.
bool idle(Context& ctx, Buffer& b) {
    if (b.resource->unique()) return true;
    forget_buffer_resource(ctx, *b.resource);
    return b.resource->unique();
}

pipe::Mapping map_storage(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B,
                          uint32_t flags) {
    pipe::Box box;
    box.x = int32_t(offset_B);
    box.width = int32_t(size_B);
    return ctx.pipe->map(r, 0, box, flags | pipe::map_flag::kUnsynchronized);
}

bool write(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B, const void* data) {
    if (size_B == 0) return true;
    pipe::Mapping m =
        map_storage(ctx, r, offset_B, size_B, pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange);
    if (!m.data) return false;
    std::memcpy(m.data, data, size_B);
    ctx.pipe->unmap(r, m);
    return true;
}

void replace_storage(Context& ctx, Buffer& b, pipe::Ref<pipe::Resource> r) {
    b.resource = std::move(r);
    ctx.share->buffer_stamp.fetch_add(1, std::memory_order_relaxed);
}

/// Makes the storage writable at once: where the device may still read it, the buffer moves to a copy.
bool make_writable(Context& ctx, Buffer& b, bool keep_contents) {
    if (idle(ctx, b)) return true;
    pipe::Ref<pipe::Resource> fresh = create_storage(ctx, b.size_B, b.usage);
    if (!fresh) return false;
    if (keep_contents) {
        pipe::Mapping from = map_storage(ctx, *b.resource, 0, b.size_B, pipe::map_flag::kRead);
        if (!from.data) return false;
        bool ok = write(ctx, *fresh, 0, b.size_B, from.data);
        ctx.pipe->unmap(*b.resource, from);
        if (!ok) return false;
    }
    replace_storage(ctx, b, std::move(fresh));
    return true;
}

void end_map(Context& ctx, Buffer& b) {
    if (!b.map_pointer) return;
    ctx.pipe->unmap(*b.resource, b.mapping);
    b.map_pointer = nullptr;
    b.map_access = 0;
    b.map_offset_B = b.map_length_B = 0;
    b.mapping = {};
    ++b.content_stamp;
    ctx.share->buffer_stamp.fetch_add(1, std::memory_order_relaxed);
}

pipe::Ref<Buffer>* binding(Context& ctx, GLenum target) {
    switch (target) {
        case GL_ARRAY_BUFFER:
            return &ctx.array_buffer;
        case GL_ELEMENT_ARRAY_BUFFER:
            return &ctx.vertex_array->element_buffer;
        default:
            return nullptr;
    }
}

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
    pipe::Mapping m = map_storage(ctx, *b.resource, offset_B, length_B, flags);
    if (!m.data) return ctx.out_of_memory(command), nullptr;
    b.mapping = m;
    b.map_pointer = m.data;
    b.map_offset_B = offset_B;
    b.map_length_B = length_B;
    b.map_access = access;
    ctx.share->buffer_stamp.fetch_add(1, std::memory_order_relaxed);
    return m.data;
}

/// Writes into storage that the application has a pointer to: it cannot move.
bool write_in_place(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t size_B, const void* data) {
    end_rendering(ctx);
    pipe::Box box;
    box.x = int32_t(offset_B);
    box.width = int32_t(size_B);
    pipe::Mapping m = ctx.pipe->map(*b.resource, 0, box, pipe::map_flag::kWrite);
    if (!m.data) return false;
    std::memcpy(m.data, data, size_B);
    ctx.pipe->unmap(*b.resource, m);
    return true;
}

bool is_usage(GLenum usage) {
    return usage == GL_STATIC_DRAW || usage == GL_DYNAMIC_DRAW || usage == GL_STREAM_DRAW;
}

}  // namespace

Buffer* bound_buffer(Context& ctx, GLenum target, const char* command) {
    pipe::Ref<Buffer>* b = binding(ctx, target);
    if (!b)
        ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    else if (!*b)
        ctx.error(GL_INVALID_OPERATION, command, "no buffer is bound to target 0x%04x", target);
    else
        return b->get();
    return nullptr;
}

void GenBuffers(Context& ctx, GLsizei n, GLuint* buffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenBuffers", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    reserve_names(ctx.share->buffers, n, buffers);
}

void DeleteBuffers(Context& ctx, GLsizei n, const GLuint* buffers) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteBuffers", "n (%d) is negative", n);
    if (!buffers) return;
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; i < n; ++i) {
        pipe::Ref<Buffer> b = ctx.share->buffers.remove(buffers[i]);
        if (!b) continue;
        b->name_deleted = true;
        end_map(ctx, *b);
        unbind_buffer(ctx, *b);
    }
}

void BindBuffer(Context& ctx, GLenum target, GLuint buffer) {
    pipe::Ref<Buffer>* slot = binding(ctx, target);
    if (!slot)
        return ctx.error(GL_INVALID_ENUM, "glBindBuffer", "target 0x%04x is not a buffer target", target);
    GLuint bound = *slot && !(*slot)->name_deleted ? (*slot)->name : 0;
    if (buffer == bound && (buffer != 0 || !*slot)) return;
    pipe::Ref<Buffer> b;
    if (buffer) {
        std::lock_guard lock(ctx.share->mutex);
        b = pipe::Ref(ctx.share->buffers.find(buffer));
        if (!b) {
            b = pipe::Ref<Buffer>::adopt(new Buffer(buffer));
            ctx.share->buffers.set(buffer, b);
        }
    }
    *slot = std::move(b);
    if (target == GL_ELEMENT_ARRAY_BUFFER) vertex_array_changed(ctx);
}

GLboolean IsBuffer(Context& ctx, GLuint buffer) {
    std::lock_guard lock(ctx.share->mutex);
    return buffer && ctx.share->buffers.find(buffer);
}

void BufferData(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    const char* const command = "glBufferData";
    if (!binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (!is_usage(usage)) return ctx.error(GL_INVALID_ENUM, command, "usage 0x%04x is none", usage);
    if (size < 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is negative", size);
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return;
    std::lock_guard lock(ctx.share->mutex);
    if (b->immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u has immutable storage", b->name);
    if (uint64_t(size) > kMaxBuffer_B) return ctx.out_of_memory(command);
    // Only storage that is idle is taken again.
    bool reuse = size && uint64_t(size) == b->size_B && b->usage == usage && !b->map_pointer && idle(ctx, *b);
    pipe::Ref<pipe::Resource> fresh = reuse ? b->resource : nullptr;
    if (size && !fresh && !(fresh = create_storage(ctx, uint64_t(size), usage)))
        return ctx.out_of_memory(command);
    if (size && data && !write(ctx, *fresh, 0, uint64_t(size), data)) return ctx.out_of_memory(command);
    end_map(ctx, *b);
    if (!reuse) replace_storage(ctx, *b, std::move(fresh));
    b->size_B = uint64_t(size);
    b->usage = usage;
    b->storage_flags = kMutableFlags;
    ++b->content_stamp;
}

void BufferStorage(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLbitfield flags) {
    const char* const command = "glBufferStorageEXT";
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return;
    if (size <= 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is not above 0", size);
    const bool accessible = flags & (GL_MAP_READ_BIT | GL_MAP_WRITE_BIT),
               persistent = flags & GL_MAP_PERSISTENT_BIT_EXT;
    if ((flags & ~kStorageFlags) || (persistent && !accessible) ||
        ((flags & GL_MAP_COHERENT_BIT_EXT) && !persistent))
        return ctx.error(GL_INVALID_VALUE, command, "flags 0x%x", flags);
    std::lock_guard lock(ctx.share->mutex);
    if (b->immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u has immutable storage", b->name);
    if (uint64_t(size) > kMaxBuffer_B) return ctx.out_of_memory(command);
    pipe::Ref<pipe::Resource> fresh = create_storage(ctx, uint64_t(size), GL_DYNAMIC_DRAW);
    if (!fresh || (data && !write(ctx, *fresh, 0, uint64_t(size), data))) return ctx.out_of_memory(command);
    end_map(ctx, *b);
    replace_storage(ctx, *b, std::move(fresh));
    b->size_B = uint64_t(size);
    b->usage = GL_DYNAMIC_DRAW;
    b->immutable = true;
    b->storage_flags = flags;
    ++b->content_stamp;
}

void BufferSubData(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
    const char* const command = "glBufferSubData";
    if (!binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (offset < 0 || size < 0)
        return ctx.error(GL_INVALID_VALUE, command, "offset (%td) or size (%td) is negative", offset, size);
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return;
    std::lock_guard lock(ctx.share->mutex);
    if (uint64_t(offset) + uint64_t(size) > b->size_B)
        return ctx.error(GL_INVALID_VALUE, command, "[%td, %td + %td) ends outside buffer %u of %llu bytes",
                         offset, offset, size, b->name, static_cast<unsigned long long>(b->size_B));
    if (b->locked()) return ctx.error(GL_INVALID_OPERATION, command, "buffer %u is mapped", b->name);
    if (b->immutable && !(b->storage_flags & GL_DYNAMIC_STORAGE_BIT_EXT))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "buffer %u was made without GL_DYNAMIC_STORAGE_BIT_EXT", b->name);
    if (size == 0 || !data) return;
    if (b->map_pointer) {
        if (!write_in_place(ctx, *b, uint64_t(offset), uint64_t(size), data)) ctx.out_of_memory(command);
        ++b->content_stamp;
        return;
    }
    if (!make_writable(ctx, *b, uint64_t(size) != b->size_B) ||
        !write(ctx, *b->resource, uint64_t(offset), uint64_t(size), data))
        return ctx.out_of_memory(command);
    ++b->content_stamp;
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
    if (b->immutable && !(b->storage_flags & GL_MAP_WRITE_BIT))
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u was made without GL_MAP_WRITE_BIT",
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
    bool reads = access & GL_MAP_READ_BIT_EXT, writes = access & GL_MAP_WRITE_BIT_EXT;
    if (!reads && !writes) return fail(GL_INVALID_OPERATION, "access neither reads nor writes");
    constexpr GLbitfield kAsStored =
        GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    if (access & kAsStored & ~b->storage_flags)
        return fail(GL_INVALID_OPERATION, "the buffer's storage was made without these flags");
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
    // Mappings are coherent: there is nothing to do but forget what was known of the contents.
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

void GetBufferParameteriv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    const char* const command = "glGetBufferParameteriv";
    if (!binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    GLint value = 0;
    Buffer* b = binding(ctx, target)->get();
    switch (pname) {
        case GL_BUFFER_SIZE:
            value = b ? GLint(b->size_B) : 0;
            break;
        case GL_BUFFER_USAGE:
            value = b ? GLint(b->usage) : 0;
            break;
        case GL_BUFFER_ACCESS_OES:
            value = GL_WRITE_ONLY_OES;
            break;
        case GL_BUFFER_MAPPED_OES:
            value = b && b->map_pointer;
            break;
        case GL_BUFFER_ACCESS_FLAGS:
            value = b ? GLint(b->map_access) : 0;
            break;
        case GL_BUFFER_MAP_LENGTH:
            value = b ? GLint(b->map_length_B) : 0;
            break;
        case GL_BUFFER_IMMUTABLE_STORAGE_EXT:
            value = b && b->immutable;
            break;
        case GL_BUFFER_STORAGE_FLAGS_EXT:
            value = b ? GLint(b->storage_flags) : 0;
            break;
        case GL_BUFFER_MAP_OFFSET:
            value = b ? GLint(b->map_offset_B) : 0;
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a buffer", pname);
    }
    if (!bound_buffer(ctx, target, command) || !params) return;
    *params = value;
}

void GetBufferPointerv(Context& ctx, GLenum target, GLenum pname, void** params) {
    const char* const command = "glGetBufferPointervOES";
    if (!binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (pname != GL_BUFFER_MAP_POINTER_OES)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is not GL_BUFFER_MAP_POINTER_OES", pname);
    if (Buffer* b = bound_buffer(ctx, target, command); b && params) *params = b->map_pointer;
}

}  // namespace terrazzo::st
