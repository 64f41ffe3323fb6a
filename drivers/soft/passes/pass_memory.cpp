// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/passes/pass_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace terrazzo::soft {

namespace {
constexpr size_t kPageThreshold_B = 64 * 1024;
constexpr size_t kMinAlign_B = 64;
}  // namespace

void* ZeroedMemory::do_allocate(size_t bytes, size_t alignment) {
    if (alignment < kMinAlign_B) alignment = kMinAlign_B;
    if (bytes > SIZE_MAX / 2 || alignment > 4096) throw std::bad_alloc();
    if (upstream_) {
        void* p = upstream_->allocate(bytes, alignment);
        std::memset(p, 0, bytes);
        return p;
    }
    if (bytes >= kPageThreshold_B) {
        void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        return p;
    }
    void* p = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!p) throw std::bad_alloc();
    std::memset(p, 0, bytes);
    return p;
}

void ZeroedMemory::do_deallocate(void* p, size_t bytes, size_t alignment) {
    if (upstream_)
        upstream_->deallocate(p, bytes, alignment < kMinAlign_B ? kMinAlign_B : alignment);
    else if (bytes >= kPageThreshold_B)
        munmap(p, bytes);
    else
        std::free(p);
}

Arena::~Arena() {
    for (const Chunk& c : chunks_)
        memory_->deallocate(c.data, c.size_B, 64);
}

void Arena::next_chunk(size_t bytes) {
    // Kept chunks are used first; one that is too small for this request is skipped.
    while (current_ < chunks_.size()) {
        const Chunk& c = chunks_[current_++];
        if (c.size_B < bytes) continue;
        at_ = c.data;
        end_ = c.data + c.size_B;
        return;
    }
    const size_t size_B = bytes > kChunk_B ? bytes : kChunk_B;
    chunks_.reserve(chunks_.size() + 1);
    std::byte* data = static_cast<std::byte*>(memory_->allocate(size_B, 64));
    chunks_.push_back({data, size_B});
    ++current_;
    at_ = data;
    end_ = data + size_B;
}

void Arena::reset() {
    if (current_ >= lately_) {
        lately_ = current_;
        resets_ = 0;
    } else if (++resets_ % kResetsPerFall == 0) {
        lately_ -= std::max<size_t>(1, (lately_ - current_) / 4);
    }
    while (chunks_.size() > lately_) {
        memory_->deallocate(chunks_.back().data, chunks_.back().size_B, 64);
        chunks_.pop_back();
    }
    current_ = 0;
    at_ = end_ = nullptr;
    used_ = 0;
}

size_t Arena::held_B() const {
    size_t sum_B = 0;
    for (const Chunk& c : chunks_)
        sum_B += c.size_B;
    return sum_B;
}

void Arena::swap(Arena& o) noexcept {
    std::swap(memory_, o.memory_);
    std::swap(chunks_, o.chunks_);
    std::swap(current_, o.current_);
    std::swap(lately_, o.lately_);
    std::swap(resets_, o.resets_);
    std::swap(at_, o.at_);
    std::swap(end_, o.end_);
    std::swap(used_, o.used_);
}

}  // namespace terrazzo::soft
