// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device of any vendor: a kernel driver's open file, its one address space, and memory in it. Each vendor's
// driver derives a class from it. A screen, its contexts and the objects that may outlive them (fences) share
// it. Thread: any.
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
    const char* const vendor;  // the prefix of messages: "mali"
    /// bo_flag::* of the memory that recordings allocate for streams and descriptors.
    const uint32_t recorded_flags;
    /// TERRAZZO_DEBUG's words. They may only be changed before anything is created on the device.
    pipe::DebugWords debug = pipe::debug_options().words;
    /// TERRAZZO_DEBUG=perf: a message about an operation that was slow. If this is false, the message need
    /// not be computed.
    [[nodiscard]] bool tells_slow() const { return debug.has(pipe::DebugWord::Perf) && log_.write; }
    void slow(const char* format, ...) const __attribute__((format(printf, 2, 3)));
    /// Threads that wait until other contexts have submitted their recorded work
    /// (drivers/common/images/form_change.h).
    std::atomic<uint32_t> awaited_submissions{0};

    /// New zeroed memory, mapped for the GPU and (unless kNoCpu) for the CPU; its size is rounded up to
    /// pages. Freed memory is kept for a while and zeroed when it is reused. Null: out of memory.
    [[nodiscard]] pipe::Ref<Bo> create_bo(uint64_t size_B, uint32_t flags);
    /// The memory of a dma-buf; the caller keeps the descriptor. Returns the same Bo as long as it exists,
    /// since the kernel returns the same handle. Null: out of memory, or no dma-buf.
    [[nodiscard]] pipe::Ref<Bo> import_bo(int fd);
    struct Object {
        uint32_t handle;
        uint64_t va, size_B;
        uint8_t* cpu;  // null: not mapped
        bool shared;   // others may use it: their kernel relies on what a submission says about it
    };
    /// Calls `f` with all existing memory, which cannot be freed meanwhile. For kernels that need a list of
    /// objects with each submission. Throws std::bad_alloc.
    void with_objects(const std::function<void(std::span<const Object>)>& f);
    /// A new dma-buf for other processes, which the caller owns; waits for work that uses the memory. -1: it
    /// failed, or the memory is not shareable.
    [[nodiscard]] int export_bo(Bo& bo);
    /// The same for our own requests, without waiting.
    [[nodiscard]] int open_dmabuf(const Bo& bo);

    /// A piece of long-lived zeroed memory for descriptors or code, of at most 64 KiB; `align_B` is a power
    /// of two up to 4096. No other block shares its cache lines. Null block: out of memory.
    [[nodiscard]] Block create_block(uint32_t size_B, uint32_t align_B, uint32_t flags = 0);

  protected:
    /// Throws std::bad_alloc. `vendor` must be a static string.
    Device(const char* vendor, std::unique_ptr<Kernel> kernel, const pipe::Log& log,
           uint32_t recorded_flags = 0);
    ~Device() override;

  private:
    friend class Bo;
    friend class Block;
    struct Impl;

    const std::unique_ptr<Kernel> kernel_;
    const pipe::Log log_;
    const std::unique_ptr<Impl> impl_;
};

/// A number for an object, as a key of caches: an object's address can be reused. Unique in the process,
/// never 0.
[[nodiscard]] inline uint64_t unique_number() {
    static std::atomic<uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace terrazzo::memory
