// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device: an open panthor file, its one address space, and memory in it. Shared by a screen, its contexts
// and everything that may outlive them (fences). Thread: any.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "drivers/mali/bo.h"
#include "drivers/mali/hw/chips.h"
#include "pipe/debug.h"
#include "pipe/log.h"
#include "winsys/drm.h"

namespace terrazzo::mali {

/// How contexts' tiler heaps grow; as Mesa's panfrost has it.
struct HeapDesc {
    uint32_t chunk_B = 2 << 20, initial_chunks = 5, max_chunks = 64;
};

class Device final : public pipe::RefCounted {
  public:
    /// Asks the kernel for the chip and makes the address space. Null: `*why` says the reason in one line (an
    /// unknown chip, an old kernel, out of memory).
    [[nodiscard]] static pipe::Ref<Device> create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                  std::string* why);

    winsys::Drm& drm() const { return *drm_; }
    const hw::Chip& chip() const { return *chip_; }
    uint32_t vm_id() const { return vm_id_; }
    const pipe::Log& log() const { return log_; }
    /// TERRAZZO_DEBUG=perf: a message about what just cost time. Nothing is worked out where nobody asked.
    bool tells_slow() const { return debug.has(pipe::DebugWord::Perf) && log_.write; }
    void slow(const char* format, ...) const __attribute__((format(printf, 2, 3)));
    /// The LATEST_FLUSH register, as GROUP_SUBMIT and FLUSH_CACHE2 want it.
    uint32_t flush_id() const { return *flush_id_; }

    /// New memory, zeroed, mapped for the GPU and (unless kNoCpu) for the CPU; its size is rounded up to
    /// pages. Freed memory is kept for a while and zeroed when it is used again. Null: out of memory.
    [[nodiscard]] pipe::Ref<Bo> create_bo(uint64_t size_B, uint32_t flags);
    /// The memory behind a dma-buf, which stays the caller's. Null: out of memory or not one.
    [[nodiscard]] pipe::Ref<Bo> import_bo(int fd);
    /// A new dma-buf of it, the caller's; -1: cannot.
    [[nodiscard]] int export_bo(const Bo& bo);

    /// A piece of long-lived memory for descriptors or code, zeroed, of at most 64 KiB, `align_B` a power of
    /// two up to 4096; no other block shares its cache lines. Null block: out of memory.
    [[nodiscard]] Block create_block(uint32_t size_B, uint32_t align_B, uint32_t flags = 0);

    /// Of contexts that are made from now on.
    HeapDesc heap;
    /// TERRAZZO_DEBUG's words. Whoever changes them does so before anything is made of the device.
    pipe::DebugWords debug = pipe::debug_options().words;
    /// Counts up when an image changes its form: descriptors of it are stale, whoever packed them.
    std::atomic<uint32_t> image_changes{0};
    /// Counts up when recorded or submitted work is lost: what it should have drawn, nobody knows.
    std::atomic<uint32_t> losses{0};

    /// The GPU's clock in ns; 0 where the kernel does not tell.
    uint64_t timestamp_ns() const;

  private:
    friend class Bo;
    friend class Block;
    struct Impl;
    Device(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log);
    ~Device() override;

    const std::unique_ptr<winsys::Drm> drm_;
    const pipe::Log log_;
    const hw::Chip* chip_ = nullptr;
    uint32_t vm_id_ = 0;
    const volatile uint32_t* flush_id_ = nullptr;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrazzo::mali
