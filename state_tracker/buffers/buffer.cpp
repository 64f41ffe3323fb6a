// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contents of buffer objects. Rules: OpenGL ES 3.0 section 2.10.2 and 2.10.5, EXT_buffer_storage.
#include "state_tracker/buffers/buffer.h"

#include <cstring>

#include "state_tracker/buffers/buffer_storage.h"

namespace terrazzo::st {
namespace {

constexpr uint64_t kMaxBuffer_B = 1u << 30;  // pipe's sizes have 32 bits; a larger size is GL_OUT_OF_MEMORY
constexpr GLbitfield kMutableFlags = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_DYNAMIC_STORAGE_BIT_EXT;
constexpr GLbitfield kStorageFlags =
    kMutableFlags | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT | GL_CLIENT_STORAGE_BIT_EXT;

/// Writes to storage that cannot move, because the application has a pointer to it.
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

bool is_usage(const Context& ctx, GLenum usage) {
    switch (usage) {
        case GL_STATIC_DRAW:
        case GL_DYNAMIC_DRAW:
        case GL_STREAM_DRAW:
            return true;
        case GL_STATIC_READ:
        case GL_STATIC_COPY:
        case GL_DYNAMIC_READ:
        case GL_DYNAMIC_COPY:
        case GL_STREAM_READ:
        case GL_STREAM_COPY:
            return ctx.config.version >= 30;
        default:
            return false;
    }
}

/// One side of CopyBufferSubData: the buffer bound to `target`, after a check of the range. Null: the error
/// is recorded.
Buffer* copy_side(Context& ctx, GLenum target, GLintptr offset, GLsizeiptr size, const char* command) {
    Buffer* const b = bound_buffer(ctx, target, command);
    if (!b) return nullptr;
    if (uint64_t(offset) + uint64_t(size) > b->size_B)
        return ctx.error(GL_INVALID_VALUE, command, "[%td, %td + %td) ends outside buffer %u of %llu bytes",
                         offset, offset, size, b->name, static_cast<unsigned long long>(b->size_B)),
               nullptr;
    if (b->locked()) return ctx.error(GL_INVALID_OPERATION, command, "buffer %u is mapped", b->name), nullptr;
    return b;
}

}  // namespace

void BufferData(Context& ctx, GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    const char* const command = "glBufferData";
    if (!buffer_binding(ctx, target))
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (!is_usage(ctx, usage)) return ctx.error(GL_INVALID_ENUM, command, "usage 0x%04x is none", usage);
    if (size < 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is negative", size);
    Buffer* b = bound_buffer(ctx, target, command);
    if (!b) return;
    std::lock_guard lock(ctx.share->mutex);
    if (b->immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u has immutable storage", b->name);
    if (uint64_t(size) > kMaxBuffer_B) return ctx.out_of_memory(command);
    // Only idle storage is reused.
    bool reuse =
        size && uint64_t(size) == b->size_B && b->usage == usage && !b->map_pointer && is_idle(ctx, *b);
    pipe::Ref<pipe::Resource> fresh = reuse ? b->resource : nullptr;
    if (size && !fresh && !(fresh = create_storage(ctx, uint64_t(size), usage)))
        return ctx.out_of_memory(command);
    // New storage is zeros. Reused storage must not show its former contents.
    const bool filled = !size || (data    ? write_storage(ctx, *fresh, 0, uint64_t(size), data)
                                  : reuse ? clear_storage(ctx, *fresh, uint64_t(size))
                                          : true);
    if (!filled) return ctx.out_of_memory(command);
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
    if (!fresh || (data && !write_storage(ctx, *fresh, 0, uint64_t(size), data)))
        return ctx.out_of_memory(command);
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
    if (!buffer_binding(ctx, target))
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
    if (b->external)
        return ctx.error(GL_INVALID_OPERATION, command, "the storage of buffer %u is a memory object",
                         b->name);
    if (b->immutable && !(b->storage_flags & GL_DYNAMIC_STORAGE_BIT_EXT))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "buffer %u was created without GL_DYNAMIC_STORAGE_BIT_EXT", b->name);
    if (size == 0 || !data) return;
    if (b->map_pointer) {
        if (!write_in_place(ctx, *b, uint64_t(offset), uint64_t(size), data)) ctx.out_of_memory(command);
        ++b->content_stamp;
        return;
    }
    if (!write_bytes(ctx, *b, uint64_t(offset), uint64_t(size), data)) return ctx.out_of_memory(command);
    ++b->content_stamp;
}

void CopyBufferSubData(Context& ctx, GLenum readTarget, GLenum writeTarget, GLintptr readOffset,
                       GLintptr writeOffset, GLsizeiptr size) {
    const char* const command = "glCopyBufferSubData";
    for (const GLenum target : {readTarget, writeTarget})
        if (!buffer_binding(ctx, target))
            return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x is not a buffer target", target);
    if (readOffset < 0 || writeOffset < 0 || size < 0)
        return ctx.error(GL_INVALID_VALUE, command,
                         "readOffset (%td), writeOffset (%td) or size (%td) is negative", readOffset,
                         writeOffset, size);
    std::lock_guard lock(ctx.share->mutex);
    Buffer* const from = copy_side(ctx, readTarget, readOffset, size, command);
    Buffer* const to = from ? copy_side(ctx, writeTarget, writeOffset, size, command) : nullptr;
    if (!to) return;
    const GLintptr distance = readOffset > writeOffset ? readOffset - writeOffset : writeOffset - readOffset;
    if (from == to && distance < size)
        return ctx.error(GL_INVALID_VALUE, command, "the ranges overlap in buffer %u", to->name);
    if (size == 0) return;
    end_rendering(ctx);
    pipe::Box box;
    box.x = int32_t(readOffset);
    box.width = int32_t(size);
    ctx.pipe->copy_region(*to->resource, 0, int32_t(writeOffset), 0, 0, *from->resource, 0, box);
    written_by_device(*to);
}

}  // namespace terrazzo::st
