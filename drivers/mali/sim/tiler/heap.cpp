// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Linux 6.17, drivers/gpu/drm/panthor/panthor_heap.c (how chunks are linked); Mesa 25.0.7,
// pan_csf.c (what the driver reads and clears in a tiler context).
#include "drivers/mali/sim/tiler/heap.h"

namespace terrazzo::mali::sim {

namespace {

constexpr uint64_t kPageMask = 4095;
// Byte offsets in a TilerContext of the fields that the hardware writes.
constexpr uint64_t kPolygonList = 0, kCompletedTop = 40, kCompletedBottom = 48, kTail = 96;
// Byte offsets in a TilerHeap.
constexpr uint64_t kHeapSize = 4, kHeapBase = 8, kHeapBottom = 16, kHeapTop = 24;
constexpr unsigned kMaxChunks = 1u << 20;  // a longer list is circular

}  // namespace

bool TilerMemory::load(uint64_t va, uint64_t* v, const char* what, Fault* fault) {
    return machine_.memory.read(va, v, 8) || report_access(fault, machine_.memory, what);
}
bool TilerMemory::store(uint64_t va, uint64_t v, const char* what, Fault* fault) {
    return machine_.memory.write(va, &v, 8) || report_access(fault, machine_.memory, what);
}

bool TilerMemory::open(uint64_t context_va, Fault* fault) {
    context_va_ = context_va;
    if (!read_struct(machine_.memory, context_va, &context_, "tiler context", fault)) return false;
    tail_ = context_.polygon_list ? uint64_t(context_.private_state[1]) << 32 | context_.private_state[0] : 0;
    return read_struct(machine_.memory, context_.heap, &heap_, "tiler heap", fault);
}

bool TilerMemory::close(Fault* fault) {
    const uint32_t size = heap_.size;
    return (machine_.memory.write(context_.heap + kHeapSize, &size, 4) ||
            report_access(fault, machine_.memory, "tiler heap")) &&
           store(context_.heap + kHeapBase, heap_.base, "tiler heap", fault) &&
           store(context_.heap + kHeapBottom, heap_.bottom, "tiler heap", fault) &&
           store(context_.heap + kHeapTop, heap_.top, "tiler heap", fault);
}

JobStatus TilerMemory::allocate(uint64_t size_B, uint64_t* va, Fault* fault) {
    size_B = (size_B + 63) & ~uint64_t(63);
    for (bool again = false;; again = true) {
        const uint64_t at = (heap_.bottom + 63) & ~uint64_t(63);
        if (heap_.bottom && at <= heap_.top && size_B <= heap_.top - at) {
            heap_.bottom = at + size_B;
            *va = at;
            return JobStatus::Done;
        }
        if (again || size_B > heap_.size - kChunkHeader_B) {
            report(fault, hw::ExceptionCode::OOM, "a draw needs ", size_B,
                   " bytes of tiler heap in one chunk of ", heap_.size);
            return JobStatus::Fault;
        }
        if (const JobStatus s = next_chunk(fault); s != JobStatus::Done) return s;
    }
}

// Removes a chunk from the heap context's list; 0: it is empty.
bool TilerMemory::free_chunk(uint64_t* chunk, Fault* fault) {
    *chunk = 0;
    if (!use_.context_va) return true;
    uint64_t head = 0, next = 0;
    if (!load(use_.context_va, &head, "heap context", fault)) return false;
    if (!head) return true;
    const uint64_t va = head & ~kPageMask;
    if (!load(va, &next, "free heap chunk", fault) || !store(use_.context_va, next, "heap context", fault) ||
        !store(va, 0, "free heap chunk", fault))
        return false;
    *chunk = head;
    return true;
}

// Adds the current chunk to the completed ones.
bool TilerMemory::retire(uint64_t next, Fault* fault) {
    if (!heap_.base) return true;
    if (!store(heap_.base, next, "heap chunk", fault)) return false;
    uint64_t top = 0, bottom = 0;
    if (!load(context_va_ + kCompletedTop, &top, "tiler context", fault) ||
        !load(context_va_ + kCompletedBottom, &bottom, "tiler context", fault))
        return false;
    // Chunks are linked in the order of their completion.
    const uint64_t self = heap_.base | heap_.size >> 12;
    if (bottom && !store(bottom & ~kPageMask, self, "completed heap chunk", fault)) return false;
    if (!top && !store(context_va_ + kCompletedTop, self, "tiler context", fault)) return false;
    return store(context_va_ + kCompletedBottom, self, "tiler context", fault);
}

JobStatus TilerMemory::next_chunk(Fault* fault) {
    uint64_t chunk = 0;
    if (heap_.base && !load(heap_.base, &chunk, "heap chunk", fault)) return JobStatus::Fault;
    if (!(chunk & ~kPageMask) && !free_chunk(&chunk, fault)) return JobStatus::Fault;
    if (!chunk && use_.context_va)
        chunk = machine_.host.grow_heap(use_.context_va, use_.in_flight, use_.pending_fragment);
    if (!retire(chunk, fault)) return JobStatus::Fault;
    heap_.base = chunk & ~kPageMask;
    if (!heap_.base) {
        heap_.bottom = heap_.top = 0;
        return close(fault) ? JobStatus::OutOfHeap : JobStatus::Fault;
    }
    if (const uint64_t pages = chunk & kPageMask) heap_.size = uint32_t(pages << 12);
    heap_.bottom = heap_.base + kChunkHeader_B;
    heap_.top = heap_.base + heap_.size;
    return JobStatus::Done;
}

bool TilerMemory::append_segment(uint64_t segment_va, Fault* fault) {
    // Segments begin with their magic number and the link.
    if (!store(tail_ ? tail_ + 8 : context_va_ + kPolygonList, segment_va, "polygon list", fault))
        return false;
    tail_ = segment_va;
    return store(context_va_ + kTail, tail_, "tiler context", fault);
}

bool give_chunks_back(Machine& machine, uint64_t first, uint64_t last, const HeapUse& use, Fault* fault) {
    if (!(first & ~kPageMask) && !(last & ~kPageMask)) return true;
    if (!use.context_va)
        return report(fault, hw::ExceptionCode::CS_CONFIG_FAULT, "FINISH_FRAGMENT without a HEAP_SET");
    Window& m = machine.memory;
    uint64_t at = first, next = 0;
    for (unsigned i = 0; (at & ~kPageMask) != (last & ~kPageMask); ++i, at = next) {
        if (!(at & ~kPageMask) || i == kMaxChunks)
            return report(fault, "the completed chunks from ", hex_text(first), " do not lead to ",
                          hex_text(last));
        if (!m.read(at & ~kPageMask, &next, 8)) return report_access(fault, m, "completed heap chunk");
    }
    uint64_t head = 0;
    if (!m.read(use.context_va, &head, 8) || !m.write(last & ~kPageMask, &head, 8) ||
        !m.write(use.context_va, &first, 8))
        return report_access(fault, m, "heap context");
    return true;
}

}  // namespace terrazzo::mali::sim
