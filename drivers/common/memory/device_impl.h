// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device's private data: the kernel's objects, in use or kept for reuse, and slabs of blocks.
#pragma once

#include <array>
#include <list>
#include <mutex>
#include <unordered_map>

#include "drivers/common/memory/device.h"
#include "drivers/common/memory/va_space.h"

namespace terrazzo::memory {

/// An object of the kernel, bound at `va`: the memory of a Bo, or an entry of the cache.
struct Memory {
    uint32_t handle = 0;
    uint32_t flags = 0;  // bo_flag::*
    uint64_t va = 0, size_B = 0;
    uint8_t* cpu = nullptr;
    bool shared = false;  // others may use it
    /// The newest Bo of it. When a Bo is created, another one whose last reference was just released may
    /// still exist; `users` counts them.
    Bo* bo = nullptr;
    uint32_t users = 0;
    uint64_t stamp = 0;  // when it entered the cache
    std::list<Memory>::iterator self;
};

/// A Bo that is divided into pieces of one size.
struct Slab {
    static constexpr uint32_t kMaxPieces = 512;
    pipe::Ref<Bo> bo;
    std::array<uint64_t, kMaxPieces / 64> free{};  // bit n: piece n
    uint32_t piece_B = 0, pieces = 0, used = 0;
    unsigned bucket = 0;
    std::list<Slab>::iterator self;
};

struct Device::Impl {
    static constexpr uint64_t kCacheLimit_B = 64 << 20;
    static constexpr unsigned kSizeClasses = 36;  // of the cache: log2 of the size in pages
    static constexpr uint32_t kMinBlock_B = 64, kMaxBlock_B = 64 << 10, kMaxBlockAlign_B = 4096;
    static constexpr unsigned kBlockClasses = 11;
    static constexpr unsigned kBuckets = 4 * kBlockClasses;  // executable or not, read-only or not

    explicit Impl(Kernel& kernel);

    Kernel& kernel;
    const KernelLimits limits;
    const bool kernel_chooses;  // if set, both spaces are empty

    // Guarded by `mutex`: addresses, objects, the cache. The lock is held while handles are opened and
    // closed, since the kernel has one handle for an object, however often it is imported.
    std::mutex mutex;
    VaSpace space, executable_space;
    std::list<Memory> live;
    std::array<std::list<Memory>, kSizeClasses> cached;  // by size, the newest first
    uint64_t cached_B = 0, cache_clock = 0;
    std::unordered_map<uint32_t, Memory*> shared;  // by handle: imported or exportable memory

    // Guarded by `slab_mutex` (acquired before `mutex`): slabs with a free piece, and full ones.
    std::mutex slab_mutex;
    std::array<std::list<Slab>, kBuckets> open;
    std::list<Slab> full;

    [[nodiscard]] VaSpace& space_of(uint32_t flags) {
        return flags & bo_flag::kExecutable && !limits.code.empty() ? executable_space : space;
    }
    [[nodiscard]] uint64_t round_to_pages(uint64_t size_B) const {
        return (size_B + limits.page_B - 1) & ~(limits.page_B - 1);
    }
    [[nodiscard]] unsigned size_class(uint64_t size_B) const;

    // The kernel's objects (bo.cpp), under `mutex`.

    /// Null: refused, or out of memory; may throw std::bad_alloc.
    [[nodiscard]] Memory* create_memory(uint64_t size_B, uint32_t flags);
    /// Owns the handle from now on, also if this fails.
    [[nodiscard]] Memory* import_memory(uint32_t handle, uint64_t size_B);
    [[nodiscard]] Memory* find_cached(uint64_t size_B, uint32_t flags);
    [[nodiscard]] bool bind(Memory& memory);
    [[nodiscard]] bool map(Memory& memory);
    void destroy_memory(Memory& memory, std::list<Memory>& list);
    void close_handle(uint32_t handle);
    /// Null: out of memory; then memory without users is released.
    [[nodiscard]] pipe::Ref<Bo> create_bo_of(Device& device, Memory& memory);
    /// Called when no Bo uses the memory: moves it to the cache or destroys it.
    void release(Memory& memory);
    void shrink_cache(uint64_t limit_B);
};

}  // namespace terrazzo::memory
