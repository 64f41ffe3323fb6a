// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory objects (EXT_memory_object, EXT_memory_object_fd) and the devices' UUIDs.
// images/texture_immutable.cpp has the textures in them.
#include <unistd.h>

#include <algorithm>
#include <string>

#include "shaders/digest.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/buffers/buffer_storage.h"
#include "state_tracker/sync/external.h"

#ifndef TERRAZZO_VERSION
#define TERRAZZO_VERSION "0.1"
#endif

namespace terrazzo::st {
namespace {

/// Null: the error is recorded. Lock the share group.
MemoryObject* find_memory(Context& ctx, const char* command, GLuint name) {
    MemoryObject* const m = name ? ctx.share->memory_objects.find(name) : nullptr;
    if (!m) ctx.error(GL_INVALID_VALUE, command, "%u is no memory object", name);
    return m;
}

}  // namespace

MemoryObject::~MemoryObject() {
    if (fd >= 0) close(fd);
}

bool find_place(Context& ctx, const char* command, GLuint memory, GLuint64 offset, MemoryPlace* out) {
    MemoryObject* const m = find_memory(ctx, command, memory);
    if (!m) return false;
    if (m->fd < 0)
        return ctx.error(GL_INVALID_OPERATION, command, "memory object %u has no memory", memory), false;
    if (offset > m->size_B)
        return ctx.error(GL_INVALID_VALUE, command,
                         "offset %llu is beyond the %llu bytes of memory object %u",
                         static_cast<unsigned long long>(offset), static_cast<unsigned long long>(m->size_B),
                         memory),
               false;
    *out = {pipe::Ref<MemoryObject>(m), {m->fd, offset, m->size_B - offset}};
    return true;
}

pipe::Ref<pipe::Resource> create_in_place(Context& ctx, const char* command, const pipe::ResourceDesc& desc,
                                          const MemoryPlace& place) {
    auto status = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = ctx.screen.create_resource_in(desc, place.range, &status);
    if (r) return r;
    if (status == pipe::ImportStatus::OutOfMemory)
        ctx.out_of_memory(command);
    else
        ctx.error(status == pipe::ImportStatus::Kind ? GL_INVALID_OPERATION : GL_INVALID_VALUE, command,
                  "memory object %u at %llu: %s", place.memory->name,
                  static_cast<unsigned long long>(place.range.offset_B), import_status_text(status));
    return nullptr;
}

void CreateMemoryObjects(Context& ctx, GLsizei n, GLuint* memoryObjects) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glCreateMemoryObjectsEXT", "n (%d) is negative", n);
    if (!memoryObjects) return;
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; i < n; ++i) {
        const uint32_t name = ctx.share->memory_objects.reserve();
        ctx.share->memory_objects.set(name, pipe::Ref<MemoryObject>::adopt(new MemoryObject(name)));
        memoryObjects[i] = name;
    }
}

/// Resources in the memory keep it alive.
void DeleteMemoryObjects(Context& ctx, GLsizei n, const GLuint* memoryObjects) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteMemoryObjectsEXT", "n (%d) is negative", n);
    std::lock_guard lock(ctx.share->mutex);
    for (GLsizei i = 0; memoryObjects && i < n; ++i)
        if (memoryObjects[i]) ctx.share->memory_objects.remove(memoryObjects[i]);
}

GLboolean IsMemoryObject(Context& ctx, GLuint memoryObject) {
    std::lock_guard lock(ctx.share->mutex);
    return memoryObject && ctx.share->memory_objects.find(memoryObject);
}

void MemoryObjectParameteriv(Context& ctx, GLuint memoryObject, GLenum pname, const GLint* params) {
    const char* const command = "glMemoryObjectParameterivEXT";
    std::lock_guard lock(ctx.share->mutex);
    MemoryObject* const m = find_memory(ctx, command, memoryObject);
    if (!m || !params) return;
    // Protected memory belongs to EXT_protected_textures, which is not supported.
    if (pname != GL_DEDICATED_MEMORY_OBJECT_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a memory object", pname);
    if (m->fd >= 0)
        return ctx.error(GL_INVALID_OPERATION, command, "memory object %u has its memory already", m->name);
    m->dedicated = *params != 0;
}

void GetMemoryObjectParameteriv(Context& ctx, GLuint memoryObject, GLenum pname, GLint* params) {
    const char* const command = "glGetMemoryObjectParameterivEXT";
    std::lock_guard lock(ctx.share->mutex);
    const MemoryObject* const m = find_memory(ctx, command, memoryObject);
    if (!m) return;
    if (pname != GL_DEDICATED_MEMORY_OBJECT_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x is none of a memory object", pname);
    if (params) *params = m->dedicated;
}

void ImportMemoryFd(Context& ctx, GLuint memory, GLuint64 size, GLenum handleType, GLint fd) {
    const char* const command = "glImportMemoryFdEXT";
    if (handleType != GL_HANDLE_TYPE_OPAQUE_FD_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "handle type 0x%04x", handleType);
    std::lock_guard lock(ctx.share->mutex);
    MemoryObject* const m = find_memory(ctx, command, memory);
    if (!m) return;
    if (m->fd >= 0)
        return ctx.error(GL_INVALID_OPERATION, command, "memory object %u has its memory already", memory);
    if (!size) return ctx.error(GL_INVALID_VALUE, command, "size is 0");
    switch (const pipe::ImportStatus status = ctx.screen.check_memory({fd, 0, size})) {
        case pipe::ImportStatus::Ok:
            break;
        case pipe::ImportStatus::OutOfMemory:
            return ctx.out_of_memory(command);
        case pipe::ImportStatus::Unwritable:  // the device writes buffers and textures in it
            return ctx.error(GL_INVALID_OPERATION, command, "descriptor %d: %s", fd,
                             import_status_text(status));
        case pipe::ImportStatus::NotShared:
        case pipe::ImportStatus::Modifier:
        case pipe::ImportStatus::Kind:
        case pipe::ImportStatus::Offset:
        case pipe::ImportStatus::StrideTooSmall:
        case pipe::ImportStatus::StrideUnsuited:
        case pipe::ImportStatus::TooSmall:
            return ctx.error(GL_INVALID_VALUE, command, "descriptor %d of %llu bytes: %s", fd,
                             static_cast<unsigned long long>(size), import_status_text(status));
    }
    m->fd = fd;  // owned from here on
    m->size_B = size;
}

namespace {

constexpr uint64_t kMaxBuffer_B = 1u << 30;  // the limit of glBufferStorage

void buffer_storage(Context& ctx, const char* command, Buffer& b, GLsizeiptr size, GLuint memory,
                    GLuint64 offset) {
    if (size <= 0) return ctx.error(GL_INVALID_VALUE, command, "size (%td) is not above 0", size);
    std::lock_guard lock(ctx.share->mutex);
    MemoryPlace place;
    if (!find_place(ctx, command, memory, offset, &place)) return;
    if (b.immutable)
        return ctx.error(GL_INVALID_OPERATION, command, "buffer %u has immutable storage", b.name);
    if (uint64_t(size) > kMaxBuffer_B) return ctx.out_of_memory(command);
    pipe::Ref<pipe::Resource> r =
        create_in_place(ctx, command, storage_desc(ctx, uint64_t(size), GL_DYNAMIC_DRAW), place);
    if (!r) return;
    end_map(ctx, b);
    replace_storage(ctx, b, std::move(r));
    b.size_B = uint64_t(size);
    b.usage = GL_DYNAMIC_DRAW;
    b.immutable = b.external = true;
    b.device_writes = true;  // other processes may write it as well, so reads always wait
    b.storage_flags = 0;
    ++b.content_stamp;
}

}  // namespace

void BufferStorageMem(Context& ctx, GLenum target, GLsizeiptr size, GLuint memory, GLuint64 offset) {
    const char* const command = "glBufferStorageMemEXT";
    if (Buffer* const b = bound_buffer(ctx, target, command))
        buffer_storage(ctx, command, *b, size, memory, offset);
}

void NamedBufferStorageMem(Context& ctx, GLuint buffer, GLsizeiptr size, GLuint memory, GLuint64 offset) {
    const char* const command = "glNamedBufferStorageMemEXT";
    std::lock_guard lock(ctx.share->mutex);
    const pipe::Ref<Buffer> b = buffer_of(ctx, buffer);
    if (!b) return ctx.error(GL_INVALID_OPERATION, command, "buffer 0 is none");
    buffer_storage(ctx, command, *b, size, memory, offset);
}

// --- UUIDs

std::array<uint8_t, kUuid_B> uuid_of(const Context& ctx, GLenum name) {
    // Devices of one model have the same memory layout, as have drivers of one version.
    const pipe::Caps& caps = ctx.screen.caps();
    const bool of_device = name == GL_DEVICE_UUID_EXT;
    const std::string text = std::string(of_device ? "device " : "driver ") + caps.driver + " " +
                             (of_device ? caps.renderer : TERRAZZO_VERSION);
    const shaders::DigestBytes digest =
        shaders::digest_of({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
    std::array<uint8_t, kUuid_B> out{};
    std::copy_n(digest.begin(), kUuid_B, out.begin());
    return out;
}

void GetUnsignedBytev(Context& ctx, GLenum pname, GLubyte* data) {
    if (pname == GL_DRIVER_UUID_EXT) {
        const auto uuid = uuid_of(ctx, pname);
        if (data) std::copy(uuid.begin(), uuid.end(), data);
        return;
    }
    if (pname == GL_NUM_DEVICE_UUIDS_EXT) {
        if (data) *data = 1;
        return;
    }
    ctx.error(GL_INVALID_ENUM, "glGetUnsignedBytevEXT", "pname 0x%04x names no bytes", pname);
}

void GetUnsignedBytei_v(Context& ctx, GLenum target, GLuint index, GLubyte* data) {
    const char* const command = "glGetUnsignedBytei_vEXT";
    if (target != GL_DEVICE_UUID_EXT)
        return ctx.error(GL_INVALID_ENUM, command, "target 0x%04x names no bytes by index", target);
    if (index) return ctx.error(GL_INVALID_VALUE, command, "index %u: there is one device", index);
    const auto uuid = uuid_of(ctx, target);
    if (data) std::copy(uuid.begin(), uuid.end(), data);
}

}  // namespace terrazzo::st
