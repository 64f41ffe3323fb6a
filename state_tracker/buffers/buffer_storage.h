// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The storage of buffer objects: what buffer.cpp, buffer_map.cpp and buffer_bind.cpp share. Lock the share group.
//
// Storage that the device may still read gets no wait but a successor, unless the application has a pointer to it.
// What the device writes itself (Buffer::device_writes) is only looked at after the wait that pipe::Context::map does.
#pragma once

#include "state_tracker/buffers/buffer.h"

namespace terrazzo::st {

/// The binding of a target; null: this context has no such target.
[[nodiscard]] pipe::Ref<Buffer>* buffer_binding(Context& ctx, GLenum target);

/// The buffer of a name, made at its first use; null: name 0. Lock the share group.
[[nodiscard]] pipe::Ref<Buffer> buffer_of(Context& ctx, GLuint name);

/// What a buffer's storage is for the device.
[[nodiscard]] pipe::ResourceDesc storage_desc(const Context& ctx, uint64_t size_B, GLenum usage);
/// Null: out of memory.
[[nodiscard]] pipe::Ref<pipe::Resource> create_storage(Context& ctx, uint64_t size_B, GLenum usage);
/// The storage is nobody's but the buffer's, so that no unfinished work uses it.
[[nodiscard]] bool is_idle(Context& ctx, Buffer& b);
/// Maps bytes of the buffer's storage; waits only for what the device writes there. Mapping::data is null: out of memory.
[[nodiscard]] pipe::Mapping map_storage(Context& ctx, const Buffer& b, uint64_t offset_B, uint64_t size_B,
                                        uint32_t flags);
/// Writes to storage that nothing else uses. False: out of memory.
[[nodiscard]] bool write_storage(Context& ctx, pipe::Resource& r, uint64_t offset_B, uint64_t size_B,
                                 const void* data);
/// The first bytes become zeros. False: out of memory.
[[nodiscard]] bool clear_storage(Context& ctx, pipe::Resource& r, uint64_t size_B);
void replace_storage(Context& ctx, Buffer& b, pipe::Ref<pipe::Resource> r);
/// Makes the storage writable at once: where the device may still use it, the buffer moves to a copy. False: out of memory.
[[nodiscard]] bool make_writable(Context& ctx, Buffer& b, bool keep_contents);
/// Where the device reads an indirect command's parameters; no resource: they are known.
struct DeviceParameters {
    pipe::Ref<pipe::Resource> resource;
    uint64_t offset_B = 0, size_B = 0;
    [[nodiscard]] pipe::BufferRange range() const { return {resource.get(), offset_B, size_B}; }
};
/// Reads what an indirect command's parameters are, `size_B` bytes at most 32: they must lie in the buffer of `target`,
/// aligned to 4. False: the error is recorded. With `device`, parameters that the device wrote are left to it, unless it
/// is this CPU: `out` is not filled then.
[[nodiscard]] bool read_indirect(Context& ctx, GLenum target, GLintptr offset, void* out, uint32_t size_B,
                                 const char* command, DeviceParameters* device = nullptr);
/// Ends the application's mapping, if there is one.
void end_map(Context& ctx, Buffer& b);

}  // namespace terrazzo::st
