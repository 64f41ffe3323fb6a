// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory and semaphores of others (EXT_memory_object, EXT_memory_object_fd, EXT_semaphore, EXT_semaphore_fd). GL makes neither; an opaque
// descriptor of Terrazzo's devices is
//   memory      a dma-buf, or a memfd that cannot shrink (for virtual GPUs: to which no seal can be added): what
//               eglExportDMABUFImageMESA and gbm_bo_get_fd give, or a program made itself.
//               Textures and buffers lie in it as the device lays out those of its own, so that processes with one device agree.
//   a semaphore an eventfd, which carries signals both ways as often as one likes, or a sync file, which is signalled once.
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
    int fd = -1;  // its own; -1: nothing was imported yet
    uint64_t size_B = 0;
};

class Semaphore final : public Object {
  public:
    explicit Semaphore(uint32_t n) : Object(n) {}
    ~Semaphore() override;
    int fd = -1;  // an eventfd, its own; -1: it was imported from a sync file
    /// Of a sync file: what the next wait is for, the file or a signal of this share group since. Null: unsignalled.
    pipe::Ref<pipe::Fence> fence;
};

/// A place for storage that a command names.
struct MemoryPlace {
    pipe::Ref<MemoryObject> memory;
    pipe::MemoryRange range;
};
/// Null: the error is recorded. Lock the share group.
[[nodiscard]] bool find_place(Context& ctx, const char* command, GLuint memory, GLuint64 offset,
                              MemoryPlace* out);
/// A resource at the place. Null: the error is recorded.
[[nodiscard]] pipe::Ref<pipe::Resource> create_in_place(Context& ctx, const char* command,
                                                        const pipe::ResourceDesc& desc,
                                                        const MemoryPlace& place);

/// DEVICE_UUID_EXT and DRIVER_UUID_EXT.
inline constexpr unsigned kUuid_B = 16;
[[nodiscard]] std::array<uint8_t, kUuid_B> uuid_of(const Context& ctx, GLenum name);

}  // namespace terrazzo::st
