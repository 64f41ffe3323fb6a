// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/heap.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "winsys/virtual/panthor/vm.h"

namespace terrazzo::winsys::virt::panthor {
namespace {

constexpr uint32_t kContextSize_B = 32, kMaxHeaps = 128;
constexpr MapFlags kChunkFlags = {.read_only = false, .no_exec = true, .uncached = false};

uint64_t physical_memory_B() {
    const long pages = sysconf(_SC_PHYS_PAGES), page_B = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_B > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_B)
                                   : UINT64_MAX;
}

uint64_t chunk_word(const KernelObject& chunk) {
    return (chunk.va() & ~0xfffull) | (chunk.size_B() >> 12);
}

}  // namespace

int HeapPool::create(Vm& vm, uint32_t cache_line_B, std::shared_ptr<HeapPool>* out) {
    const uint32_t stride_B = (kContextSize_B + cache_line_B - 1) / cache_line_B * cache_line_B;
    std::shared_ptr<HeapPool> pool(new HeapPool(vm, stride_B));
    int error = 0;
    pool->contexts_ = vm.create_object(kMaxHeaps * stride_B, kChunkFlags, &error);
    if (pool->contexts_) *out = std::move(pool);
    return error;
}

int HeapPool::add_chunk(Heap& heap, bool linked) {
    int error = 0;
    std::list<std::shared_ptr<KernelObject>> one(1);
    one.front() = vm_.create_object(heap.chunk_size_B, kChunkFlags, &error);
    if (!one.front()) return error;
    if (linked && !heap.chunks.empty()) {
        const uint64_t next = chunk_word(*heap.chunks.front());
        memcpy(one.front()->host(), &next, sizeof next);
    }
    heap.chunks.splice(heap.chunks.begin(), one);
    return 0;
}

int HeapPool::add(uint32_t initial_chunks, uint32_t chunk_size_B, uint32_t max_chunks,
                  uint32_t target_in_flight, uint32_t* id, uint64_t* context_va, uint64_t* first_chunk_va) {
    if (initial_chunks == 0 || initial_chunks > max_chunks || chunk_size_B % kPageSize_B ||
        chunk_size_B < (128u << 10) || chunk_size_B > (8u << 20))
        return -EINVAL;
    // The kernel allocates the pages of chunks at once.
    if (initial_chunks > physical_memory_B() / chunk_size_B) return -ENOMEM;
    auto heap = std::make_shared<Heap>();
    heap->chunk_size_B = chunk_size_B;
    heap->max_chunks = max_chunks;
    heap->target_in_flight = target_in_flight;
    for (uint32_t i = 0; i < initial_chunks; i++)
        if (const int error = add_chunk(*heap, true)) return error;
    uint32_t handle;
    if (!heaps_.reserve(&handle)) return -EBUSY;
    *id = handle;
    *first_chunk_va = heap->chunks.front()->va();
    *context_va = contexts_->va() + uint64_t{handle} * stride_B_;
    memset(contexts_->host() + uint64_t{handle} * stride_B_, 0, stride_B_);
    heaps_.add(handle, std::move(heap));
    return 0;
}

int HeapPool::remove(uint32_t id) {
    return heaps_.remove(id) ? 0 : -EINVAL;
}

int HeapPool::grow(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment, uint64_t* chunk) {
    (void)pending_fragment;  // the kernel receives it and does not use it, either
    const uint64_t offset_B = context_va - contexts_->va();
    if (offset_B > UINT32_MAX || offset_B / stride_B_ >= kMaxHeaps) return -EINVAL;
    const auto heap = heaps_.find(static_cast<uint32_t>(offset_B / stride_B_));
    if (!heap) return -EINVAL;
    if (in_flight > heap->target_in_flight || heap->chunks.size() >= heap->max_chunks) return -ENOMEM;
    if (const int error = add_chunk(*heap, false)) return error;
    *chunk = chunk_word(*heap->chunks.front());
    return 0;
}

}  // namespace terrazzo::winsys::virt::panthor
