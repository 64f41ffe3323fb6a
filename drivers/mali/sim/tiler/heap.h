// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tiler's memory: chunks of a heap, allocated in order. A chunk begins with 64 bytes: the first 8 are the
// next chunk's address with its size in pages in the low 12 bits, as the kernel links chunks. A full chunk is
// added to the list of completed ones in the tiler context, which FINISH_FRAGMENT returns. Free chunks are a
// list whose head is the first word of the heap context.
#pragma once

#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

inline constexpr uint64_t kChunkHeader_B = 64;

class TilerMemory {
  public:
    TilerMemory(Machine& machine, HeapUse& use) : machine_(machine), use_(use) {}

    bool open(uint64_t context_va, Fault* fault);
    const hw::TilerContext& context() const { return context_; }
    /// Done; OutOfHeap: nothing was allocated, and the full chunk is among the completed ones; or Fault.
    JobStatus allocate(uint64_t size_B, uint64_t* va, Fault* fault);
    /// Appends to the polygon list.
    bool append_segment(uint64_t segment_va, Fault* fault);
    /// Writes the heap's state back.
    bool close(Fault* fault);

  private:
    JobStatus next_chunk(Fault* fault);
    bool free_chunk(uint64_t* chunk, Fault* fault);
    bool retire(uint64_t next, Fault* fault);
    bool load(uint64_t va, uint64_t* v, const char* what, Fault* fault);
    bool store(uint64_t va, uint64_t v, const char* what, Fault* fault);

    Machine& machine_;
    HeapUse& use_;
    uint64_t context_va_ = 0, tail_ = 0;
    hw::TilerContext context_;
    hw::TilerHeap heap_;
};

/// Moves chunks [first, last] to the free list of the heap context.
bool give_chunks_back(Machine& machine, uint64_t first, uint64_t last, const HeapUse& use, Fault* fault);

}  // namespace terrazzo::mali::sim
