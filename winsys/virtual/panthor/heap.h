// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tiler heaps (panthor_heap.c): lists of chunks that the kernel extends. Each heap has a context of 32 bytes
// (padded to a cache line), which belongs to the GPU. A chunk starts with a header of 64 bytes, whose first
// word links to the next chunk: address | size in pages. Under the device's lock.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "winsys/virtual/files/handle_table.h"

namespace terrazzo::winsys::virt::panthor {

class KernelObject;
class Vm;

struct Heap {
    std::list<std::shared_ptr<KernelObject>> chunks;  // the newest first
    uint32_t chunk_size_B = 0, max_chunks = 0, target_in_flight = 0;
};

/// The heaps of a VM.
class HeapPool {
  public:
    /// Returns 0 or -ENOMEM. `cache_line_B`: the line size of the GPU's L2.
    [[nodiscard]] static int create(Vm& vm, uint32_t cache_line_B, std::shared_ptr<HeapPool>* out);

    /// Returns 0; -EINVAL (see panthor_heap_create); -EBUSY: there are 128 heaps; -ENOMEM.
    [[nodiscard]] int add(uint32_t initial_chunks, uint32_t chunk_size_B, uint32_t max_chunks,
                          uint32_t target_in_flight, uint32_t* id, uint64_t* context_va,
                          uint64_t* first_chunk_va);
    /// Returns 0 or -EINVAL.
    [[nodiscard]] int remove(uint32_t id);
    /// Returns 0 and a chunk; -ENOMEM: the heap has its maximum of chunks, or too many passes are in flight;
    /// -EINVAL: no heap has this context.
    [[nodiscard]] int grow(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment,
                           uint64_t* chunk);

  private:
    HeapPool(Vm& vm, uint32_t stride_B) : vm_(vm), stride_B_(stride_B), heaps_(0, 127) {}
    [[nodiscard]] int add_chunk(Heap& heap, bool linked);

    Vm& vm_;
    const uint32_t stride_B_;
    std::shared_ptr<KernelObject> contexts_;
    HandleTable<std::shared_ptr<Heap>> heaps_;
};

}  // namespace terrazzo::winsys::virt::panthor
