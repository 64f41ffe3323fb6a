// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and semaphores of other APIs or processes (EXT_memory_object, EXT_memory_object_fd, EXT_semaphore,
// EXT_semaphore_fd). GL creates neither. For Terrazzo's devices an opaque descriptor is
// - for memory: a dma-buf, or a memfd that cannot shrink (for virtual GPUs: to which no seal can be added),
//   from eglExportDMABUFImageMESA, gbm_bo_get_fd, or the program itself. Textures and buffers in it have the
//   layout of the device's own, so processes with the same device agree.
// - for a semaphore: an eventfd, which carries any number of signals in both directions, or a sync file,
//   which is signalled once.
#pragma once

#include "pipe/import.h"
#include "pipe/screen.h"
#include "state_tracker/context.h"
#include "state_tracker/object.h"

namespace terrazzo::st {

class MemoryObject final : public Object {
  public:
    explicit MemoryObject(uint32_t n) : Object(n) {}
    ~MemoryObject() override;
    bool dedicated = false;
    int fd = -1;  // owned; -1: nothing was imported yet
    uint64_t size_B = 0;
};

class Semaphore final : public Object {
  public:
    explicit Semaphore(uint32_t n) : Object(n) {}
    ~Semaphore() override;
    int fd = -1;  // an owned eventfd; -1: it was imported from a sync file
    /// For a sync file: the fence of the next wait, that of the file or of a later signal of this share
    /// group. Null: unsignalled.
    pipe::Ref<pipe::Fence> fence;
};

/// The place in memory that a command names for storage.
struct MemoryPlace {
    pipe::Ref<MemoryObject> memory;
    pipe::MemoryRange range;
};
/// The place that a command names. False: the error is recorded. Lock the share group.
[[nodiscard]] bool find_place(Context& ctx, const char* command, GLuint memory, GLuint64 offset,
                              MemoryPlace* out);
/// Creates a resource at the place. Null: the error is recorded.
[[nodiscard]] pipe::Ref<pipe::Resource> create_in_place(Context& ctx, const char* command,
                                                        const pipe::ResourceDesc& desc,
                                                        const MemoryPlace& place);

/// DEVICE_UUID_EXT and DRIVER_UUID_EXT.
inline constexpr unsigned kUuid_B = 16;
[[nodiscard]] std::array<uint8_t, kUuid_B> uuid_of(const Context& ctx, GLenum name);

}  // namespace terrazzo::st
