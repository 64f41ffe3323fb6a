// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a device holds: memory of the kernel's, in use or kept for reuse, and slabs that blocks are cut from.
#pragma once

#include <array>
#include <list>
#include <unordered_map>

#include "drivers/mali/device.h"
#include "drivers/mali/va_space.h"

namespace terrazzo::mali {

/// A buffer object of the kernel's, bound at `va`; what a Bo stands for, and what is left of it in the cache.
struct Memory {
    uint32_t handle = 0;
    uint32_t flags = 0;  // bo_flag::*
    uint64_t va = 0, size_B = 0;
    uint8_t* cpu = nullptr;
    Bo* bo = nullptr;    // Who stands for it now. A Bo whose last reference has just gone
    uint32_t users = 0;  // may still be here when the next one comes: how many there are.
    uint64_t stamp = 0;  // when it came into the cache
    std::list<Memory>::iterator self;
};

/// A Bo that pieces of one size are cut from.
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
    static constexpr uint32_t kMinBlock_B = 64, kMaxBlock_B = 64 << 10;
    static constexpr unsigned kBlockClasses = 11;
    static constexpr unsigned kBuckets = 4 * kBlockClasses;  // executable or not, read-only or not

    explicit Impl(uint64_t va_end);

    // Under `mutex`: addresses, objects, the cache. It is held while handles come and go, since the kernel
    // gives the same number for the same object.
    std::mutex mutex;
    VaSpace space, executable_space;
    std::list<Memory> live;
    std::array<std::list<Memory>, kSizeClasses> cached;  // by size, the newest first
    uint64_t cached_B = 0, cache_clock = 0;
    std::unordered_map<uint32_t, Memory*> shared;  // by handle: what was imported or may be exported

    // Under `slab_mutex` (before `mutex`): slabs with a free piece, and full ones.
    std::mutex slab_mutex;
    std::array<std::list<Slab>, kBuckets> open;
    std::list<Slab> full;

    hw::Chip chip{};  // the table's row with what the kernel said
    uint64_t timestamp_hz = 0;
    void* flush_id_page = nullptr;

    VaSpace& space_of(uint32_t flags) { return flags & bo_flag::kExecutable ? executable_space : space; }

    // Of the kernel's requests and their undoing (bo.cpp), under `mutex`.
    [[nodiscard]] Memory* create_memory(Device& device, uint64_t size_B, uint32_t flags);
    [[nodiscard]] Memory* import_memory(Device& device, uint32_t handle, uint64_t size_B);
    [[nodiscard]] Memory* find_cached(uint64_t size_B, uint32_t flags);
    [[nodiscard]] bool bind(Device& device, Memory& memory);
    [[nodiscard]] bool map(Device& device, Memory& memory);
    void destroy_memory(Device& device, Memory& memory, std::list<Memory>& list);
    [[nodiscard]] pipe::Ref<Bo> stand_for(Device& device, Memory& memory);
    /// Nobody stands for it any more: into the cache, or away.
    void drop(Device& device, Memory& memory);
    void shrink_cache(Device& device, uint64_t limit_B);
};

}  // namespace terrazzo::mali
