// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The storage of buffer objects, shared by buffer.cpp, buffer_map.cpp and buffer_bind.cpp. Lock the share
// group.
//
// If the device may still read a buffer's storage, the buffer gets new storage instead of a wait, unless the
// application has a pointer to the old one. Data that the device writes itself (Buffer::device_writes) is
// read after a wait in pipe::Context::map.
#pragma once

#include "state_tracker/buffers/buffer.h"

namespace terrazzo::st {

/// The binding of a target; null: this context has no such target.
[[nodiscard]] pipe::Ref<Buffer>* buffer_binding(Context& ctx, GLenum target);

/// The buffer with this name, created at the name's first use; null: name 0. Lock the share group.
[[nodiscard]] pipe::Ref<Buffer> buffer_of(Context& ctx, GLuint name);

/// The description of a buffer's storage for the device.
[[nodiscard]] pipe::ResourceDesc storage_desc(const Context& ctx, uint64_t size_B, GLenum usage);
/// Creates storage. Null: out of memory.
[[nodiscard]] pipe::Ref<pipe::Resource> create_storage(Context& ctx, uint64_t size_B, GLenum usage);
/// Whether the buffer has the only reference to its storage, so that no unfinished work uses it. May drop
/// references of the draw path.
[[nodiscard]] bool is_idle(Context& ctx, Buffer& b);
/// Maps bytes of the buffer's storage. Waits only if the device writes there. Mapping::data is null: out of
/// memory.
[[nodiscard]] pipe::Mapping map_storage(Context& ctx, const Buffer& b, uint64_t offset_B, uint64_t size_B,
                                        uint32_t flags);
/// Writes to storage that is not in use elsewhere. False: out of memory.
[[nodiscard]] bool write_storage(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B,
                                 const void* data);
/// Clears the first `size_B` bytes to zeros. False: out of memory.
[[nodiscard]] bool clear_storage(Context& ctx, pipe::Resource& r, uint64_t size_B);
void replace_storage(Context& ctx, Buffer& b, pipe::Ref<pipe::Resource> r);
/// Makes the storage writable: if the device may still use it, the buffer moves to new storage, with a copy
/// of the contents if `keep_contents`. Waits only for contents that the device writes itself, which the
/// device copies. False: out of memory.
[[nodiscard]] bool make_writable(Context& ctx, Buffer& b, bool keep_contents);
/// Writes bytes, never with a wait. If the device may still use the storage, the buffer moves to new storage;
/// the device copies the other bytes if it wrote them itself. False: out of memory.
[[nodiscard]] bool write_bytes(Context& ctx, Buffer& b, uint64_t offset_B, uint64_t size_B, const void* data);
/// Where the device reads the parameters of an indirect command. No resource: the CPU has read them.
struct DeviceParameters {
    pipe::Ref<pipe::Resource> resource;
    uint64_t offset_B = 0, size_B = 0;
    [[nodiscard]] pipe::BufferRange range() const { return {resource.get(), offset_B, size_B}; }
};
/// Reads the parameters of an indirect command, at most 32 bytes. They must lie in the buffer bound to
/// `target`, aligned to 4. False: the error is recorded. If the device wrote the parameters, is not this CPU,
/// and `device` is not null, they are not read: `device` then says where they are, and `out` is not written.
[[nodiscard]] bool read_indirect(Context& ctx, GLenum target, GLintptr offset, void* out, uint32_t size_B,
                                 const char* command, DeviceParameters* device = nullptr);
/// Ends the application's mapping, if there is one.
void end_map(Context& ctx, Buffer& b);

}  // namespace terrazzo::st
