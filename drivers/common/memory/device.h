// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device of any vendor: a kernel driver's open file, its one address space, and memory in it. A vendor's
// driver derives its own from it. A screen, its contexts and all that may outlive them (fences) share it.
// Thread: any.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>

#include "drivers/common/memory/block.h"
#include "drivers/common/memory/bo.h"
#include "drivers/common/memory/kernel.h"
#include "pipe/debug.h"
#include "pipe/log.h"

namespace terrazzo::memory {

class Device : public pipe::RefCounted {
  public:
    [[nodiscard]] Kernel& kernel() const { return *kernel_; }
    [[nodiscard]] winsys::Drm& drm() const { return kernel_->drm(); }
    [[nodiscard]] const pipe::Log& log() const { return log_; }
    const char* const vendor;  // what messages begin with: "mali"
    /// TERRAZZO_DEBUG's words. Whoever changes them does so before anything is created on the device.
    pipe::DebugWords debug = pipe::debug_options().words;
    /// TERRAZZO_DEBUG=perf: a message about what just cost time. Nothing is computed where nobody asked.
    [[nodiscard]] bool tells_slow() const { return debug.has(pipe::DebugWord::Perf) && log_.write; }
    void slow(const char* format, ...) const __attribute__((format(printf, 2, 3)));
    /// Threads that wait until other contexts have submitted what they recorded (drivers/common/images/form_change.h).
    std::atomic<uint32_t> awaited_submissions{0};

    /// New memory, zeroed, mapped for the GPU and (unless kNoCpu) for the CPU; its size is rounded up to
    /// pages. Freed memory is kept for a while and zeroed when it is used again. Null: out of memory.
    [[nodiscard]] pipe::Ref<Bo> create_bo(uint64_t size_B, uint32_t flags);
    /// The memory behind a dma-buf, which stays the caller's. The same Bo as long as there is one, since the
    /// kernel gives the same handle. Null: out of memory or not one.
    [[nodiscard]] pipe::Ref<Bo> import_bo(int fd);
    struct Object {
        uint32_t handle;
        uint64_t va, size_B;
        uint8_t* cpu;  // null: not mapped
        bool shared;   // others may have it: their kernel believes what a submission says of it
    };
    /// Calls `f` with all memory that lives, of which none goes meanwhile. For kernels that want a list of objects with each
    /// submission. Throws std::bad_alloc.
    void with_objects(const std::function<void(std::span<const Object>)>& f);
    /// A new dma-buf of it, the caller's, to be given away: waits for work that uses it. -1: cannot, or it is not shareable.
    [[nodiscard]] int export_bo(Bo& bo);
    /// The same for requests of our own.
    [[nodiscard]] int open_dmabuf(const Bo& bo);

    /// A piece of long-lived memory for descriptors or code, zeroed, of at most 64 KiB, `align_B` a power of
    /// two up to 4096; no other block shares its cache lines. Null block: out of memory.
    [[nodiscard]] Block create_block(uint32_t size_B, uint32_t align_B, uint32_t flags = 0);

  protected:
    /// Throws std::bad_alloc. `vendor`: of static storage.
    Device(const char* vendor, std::unique_ptr<Kernel> kernel, const pipe::Log& log);
    ~Device() override;

  private:
    friend class Bo;
    friend class Block;
    struct Impl;

    const std::unique_ptr<Kernel> kernel_;
    const pipe::Log log_;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace terrazzo::memory
