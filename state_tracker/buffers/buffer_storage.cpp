// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See buffer_storage.h.
#include "state_tracker/buffers/buffer_storage.h"

#include <cstring>

#include "state_tracker/draws/draw.h"

namespace terrazzo::st {
namespace {

pipe::Box range(uint64_t offset_B, uint64_t size_B) {
    pipe::Box box;
    box.x = int32_t(offset_B);
    box.width = int32_t(size_B);
    return box;
}

pipe::Mapping map_at_once(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B,
                          uint32_t flags) {
    return ctx.pipe->map(r, 0, range(offset_B, size_B), flags | pipe::map_flag::kUnsynchronized);
}

}  // namespace

pipe::ResourceDesc storage_desc(const Context& ctx, uint64_t size_B, GLenum usage) {
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = uint32_t(size_B);
    d.bind = pipe::bind::kVertex | pipe::bind::kIndex;
    if (ctx.config.version >= 30) d.bind |= pipe::bind::kConstant | pipe::bind::kStreamOut;
    if (ctx.config.version >= 31) d.bind |= pipe::bind::kStorage | pipe::bind::kIndirect;
    d.usage = usage == GL_STATIC_DRAW ? pipe::Usage::Default : pipe::Usage::Dynamic;
    return d;
}

pipe::Ref<pipe::Resource> create_storage(Context& ctx, uint64_t size_B, GLenum usage) {
    return ctx.screen.create_resource(storage_desc(ctx, size_B, usage));
}

bool is_idle(Context& ctx, Buffer& b) {
    if (b.resource->unique()) return true;
    forget_buffer_resource(ctx, *b.resource);
    return b.resource->unique();
}

pipe::Mapping map_storage(Context& ctx, const Buffer& b, uint64_t offset_B, uint64_t size_B, uint32_t flags) {
    if (!b.device_writes) return map_at_once(ctx, *b.resource, offset_B, size_B, flags);
    end_rendering(ctx);
    return ctx.pipe->map(*b.resource, 0, range(offset_B, size_B), flags);
}

bool read_indirect(Context& ctx, GLenum target, GLintptr offset, void* out, uint32_t size_B,
                   const char* command, DeviceParameters* device) {
    if (offset < 0 || offset % 4)
        return ctx.error(GL_INVALID_VALUE, command, "indirect (%td) is negative or no multiple of 4", offset),
               false;
    std::lock_guard lock(ctx.share->mutex);
    const Buffer* const b = bound_buffer(ctx, target, command);
    if (!b) return false;
    if (b->locked()) return ctx.error(GL_INVALID_OPERATION, command, "buffer %u is mapped", b->name), false;
    if (uint64_t(offset) + size_B > b->size_B)
        return ctx.error(GL_INVALID_OPERATION, command,
                         "[%td, %td + %u) ends outside buffer %u of %llu bytes", offset, offset, size_B,
                         b->name, static_cast<unsigned long long>(b->size_B)),
               false;
    if (device && b->device_writes && ctx.screen.caps().reads_indirect_parameters) {
        *device = {b->resource, uint64_t(offset), size_B};
        return true;
    }
    const pipe::Mapping m = map_storage(ctx, *b, uint64_t(offset), size_B, pipe::map_flag::kRead);
    if (!m.data) return ctx.out_of_memory(command), false;
    std::memcpy(out, m.data, size_B);
    ctx.pipe->unmap(*b->resource, m);
    return true;
}

bool write_storage(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B, const void* data) {
    if (size_B == 0) return true;
    pipe::Mapping m =
        map_at_once(ctx, r, offset_B, size_B, pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange);
    if (!m.data) return false;
    std::memcpy(m.data, data, size_B);
    ctx.pipe->unmap(r, m);
    return true;
}

bool clear_storage(Context& ctx, pipe::Resource& r, uint64_t size_B) {
    pipe::Mapping m = map_at_once(ctx, r, 0, size_B, pipe::map_flag::kWrite | pipe::map_flag::kDiscardRange);
    if (!m.data) return false;
    std::memset(m.data, 0, size_B);
    ctx.pipe->unmap(r, m);
    return true;
}

void replace_storage(Context& ctx, Buffer& b, pipe::Ref<pipe::Resource> r) {
    b.resource = std::move(r);
    b.device_writes = b.shader_writes = false;
    ctx.share->buffer_stamp.fetch_add(1, std::memory_order_relaxed);
}

namespace {

/// The device copies a range from `from` to the same place of `to`, after the work that it has now.
void copy_by_device(Context& ctx, pipe::Resource& to, pipe::Resource& from, uint64_t begin_B,
                    uint64_t end_B) {
    if (begin_B == end_B) return;
    end_rendering(ctx);
    ctx.pipe->copy_region(to, 0, int32_t(begin_B), 0, 0, from, 0, range(begin_B, end_B - begin_B));
}

}  // namespace

bool make_writable(Context& ctx, Buffer& b, bool keep_contents) {
    if (is_idle(ctx, b)) return true;
    pipe::Ref<pipe::Resource> fresh = create_storage(ctx, b.size_B, b.usage);
    if (!fresh) return false;
    if (keep_contents && b.device_writes) {
        copy_by_device(ctx, *fresh, *b.resource, 0, b.size_B);
        // A synchronized map waits for the copy.
        const pipe::Mapping copied = ctx.pipe->map(*fresh, 0, range(0, b.size_B), pipe::map_flag::kRead);
        if (!copied.data) return false;
        ctx.pipe->unmap(*fresh, copied);
    } else if (keep_contents) {
        pipe::Mapping from = map_storage(ctx, b, 0, b.size_B, pipe::map_flag::kRead);
        if (!from.data) return false;
        const bool ok = write_storage(ctx, *fresh, 0, b.size_B, from.data);
        ctx.pipe->unmap(*b.resource, from);
        if (!ok) return false;
    }
    replace_storage(ctx, b, std::move(fresh));
    return true;
}

bool write_bytes(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t size_B, const void* data) {
    const bool keep = size_B != b.size_B;
    if (!keep || !b.device_writes || is_idle(ctx, b))
        return make_writable(ctx, b, keep) && write_storage(ctx, *b.resource, offset_B, size_B, data);
    // The CPU writes its range of new storage, and the device copies the rest.
    pipe::Ref<pipe::Resource> fresh = create_storage(ctx, b.size_B, b.usage);
    if (!fresh || !write_storage(ctx, *fresh, offset_B, size_B, data)) return false;
    copy_by_device(ctx, *fresh, *b.resource, 0, offset_B);
    copy_by_device(ctx, *fresh, *b.resource, offset_B + size_B, b.size_B);
    replace_storage(ctx, b, std::move(fresh));
    b.device_writes = true;
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

}  // namespace terrazzo::st
