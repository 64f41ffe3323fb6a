// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU's address space: pages of buffer objects at GPU addresses. The virtual kernel binds objects; the
// virtual GPU looks addresses up. The GPU may keep a Region and check accesses against that alone, until
// epoch() changes. While a Use exists, memory that a lookup returned stays valid, even if it is unbound (a
// real GPU's TLB also keeps old entries). So a broken program causes a fault in the GPU and does not crash
// the process.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys::virt {

enum class Access : uint8_t { Read, Write, Execute, Atomic };
enum class FaultReason : uint8_t { Unmapped, ReadOnly, WriteOnly, NotExecutable, OutOfRange };

/// What a mapping forbids, and how the GPU's caches treat it (a virtual GPU ignores that).
struct MapFlags {
    bool read_only = false, no_exec = false, uncached = false;
    bool write_only = false;
    bool operator==(const MapFlags&) const = default;
};

/// Mapped pages [va_begin, va_end) of one object; `host` is the CPU address of va_begin. va_end 0: nothing is
/// mapped there.
struct Region {
    uint64_t va_begin = 0, va_end = 0;
    uint8_t* host = nullptr;
    MapFlags flags;

    [[nodiscard]] bool contains(uint64_t va, uint64_t size_B) const {
        return va >= va_begin && va < va_end && size_B <= va_end - va;
    }
    [[nodiscard]] bool allows(Access access) const {
        if (access != Access::Write && flags.write_only) return false;
        return access == Access::Read || (access == Access::Execute ? !flags.no_exec : !flags.read_only);
    }
    [[nodiscard]] uint8_t* at(uint64_t va) const { return host + (va - va_begin); }
};

/// An access that the address space refuses.
struct MemoryFault {
    uint64_t va = 0;  // the first refused byte
    Access access = Access::Read;
    FaultReason reason = FaultReason::Unmapped;
};
/// The exception code of the MMU: TRANSLATION_FAULT_3, PERM_FAULT_3, ADDR_SIZE_FAULT_IN (panthor_device.h).
[[nodiscard]] uint32_t exception_code(const MemoryFault& fault);
/// "write to 0x1000: the mapping is read-only".
[[nodiscard]] std::string to_string(const MemoryFault& fault);

/// Thread: any. Binding and lookups exclude each other.
class AddressSpace {
  public:
    /// Addresses [0, 2^va_bits), in pages of `page_B`: a power of two that is a multiple of kPageSize_B.
    explicit AddressSpace(uint32_t va_bits, uint64_t page_B = kPageSize_B)
        : end_(va_bits >= 64 ? UINT64_MAX : 1ull << va_bits), page_B_(page_B) {}
    AddressSpace(const AddressSpace&) = delete;
    AddressSpace& operator=(const AddressSpace&) = delete;

    /// Of all address spaces of the process, only this one has the number.
    const uint64_t number = next_number();

    [[nodiscard]] uint64_t end() const { return end_; }
    [[nodiscard]] uint64_t page_B() const { return page_B_; }

    /// Maps pages of `bo` from `offset_B` on; they replace what was mapped there. Returns 0, or -EINVAL if
    /// the range or the offset is not a multiple of the page size, or exceeds the object or the address
    /// space. If it throws bad_alloc, nothing has changed.
    [[nodiscard]] int map(uint64_t va, uint64_t size_B, std::shared_ptr<BufferObject> bo, uint64_t offset_B,
                          MapFlags flags);
    /// As map(), but every page of the range shows the same page of `bo`.
    [[nodiscard]] int map_repeated(uint64_t va, uint64_t size_B, std::shared_ptr<BufferObject> bo,
                                   uint64_t offset_B, MapFlags flags);
    /// Unmaps the range; a mapping that extends beyond it keeps the rest. Returns 0 or -EINVAL. If it throws
    /// bad_alloc, nothing has changed.
    [[nodiscard]] int unmap(uint64_t va, uint64_t size_B);
    /// Unmaps all pages of an object. If it throws bad_alloc, some of them are still mapped.
    void unmap_object(const BufferObject& bo);

    /// The mapping that contains `va`, or its page there if it is repeated; empty if there is none.
    [[nodiscard]] Region lookup(uint64_t va) const;
    /// Whether every byte allows the access. If not, `*fault` has the first that does not.
    [[nodiscard]] bool check(uint64_t va, uint64_t size_B, Access access, MemoryFault* fault) const;
    /// Copies, across mappings where needed. False: nothing was copied; see `*fault`.
    [[nodiscard]] bool read(uint64_t va, void* out, uint64_t size_B, MemoryFault* fault,
                            Access access = Access::Read) const;
    [[nodiscard]] bool write(uint64_t va, const void* data, uint64_t size_B, MemoryFault* fault);
    /// Changes whenever a Region that was returned may have become invalid.
    [[nodiscard]] uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
    /// All mappings, in the order of their addresses. Of a repeated page only the first place.
    [[nodiscard]] std::vector<Region> regions() const;

    /// While one exists, memory that a lookup returned stays mapped in this process.
    class Use {
      public:
        explicit Use(AddressSpace& space);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

      private:
            AddressSpace& space_;
    };

  private:
    static uint64_t next_number();
    struct Mapping {
        uint64_t end;
        std::shared_ptr<BufferObject> bo;
        uint64_t offset_B;
        MapFlags flags;
        bool repeated = false;  // each page is the one at offset_B
    };
    using Mappings = std::map<uint64_t, Mapping>;

    [[nodiscard]] bool valid(uint64_t va, uint64_t size_B) const;
    [[nodiscard]] Mappings::const_iterator find(uint64_t va) const;
    [[nodiscard]] Region region_at(Mappings::const_iterator it, uint64_t va) const;
    [[nodiscard]] int insert(uint64_t va, Mapping mapping);
    void clear_range(uint64_t va, uint64_t end, Mappings& spare);
    static Mappings::node_type make_node(uint64_t va, Mapping mapping);
    template <typename F>
    bool walk(uint64_t va, uint64_t size_B, Access access, MemoryFault* fault, F&& each) const;

    mutable std::shared_mutex mutex_;
    Mappings mappings_;
    std::vector<std::shared_ptr<BufferObject>> unbound_;  // kept while a Use exists
    uint32_t users_ = 0;
    std::atomic<uint64_t> epoch_{0};
    const uint64_t end_, page_B_;
};

}  // namespace terrazzo::winsys::virt
