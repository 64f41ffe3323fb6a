// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks: pieces of slabs. All pieces of a slab have the same size, a power of two. An empty slab's Bo is
// released at once to the device's cache: slabs hold references to the device through it.
#include "drivers/common/memory/block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

#include "drivers/common/memory/device_impl.h"

namespace terrazzo::memory {
namespace {

constexpr uint32_t kKindMask = bo_flag::kExecutable | bo_flag::kReadOnly;

unsigned kind_of(uint32_t flags) {
    return (flags & bo_flag::kExecutable ? 1 : 0) + (flags & bo_flag::kReadOnly ? 2 : 0);
}

uint32_t slab_size_B(uint32_t piece_B) {
    return std::min(std::clamp(16 * piece_B, 64u << 10, 256u << 10), Slab::kMaxPieces * piece_B);
}

uint32_t allocate_piece(Slab& slab) {
    for (uint32_t word = 0;; word++) {
        assert(word < slab.free.size() && "a slab in the list of open ones is full");
        if (!slab.free[word]) continue;
        const unsigned bit = unsigned(std::countr_zero(slab.free[word]));
        slab.free[word] &= slab.free[word] - 1;
        slab.used++;
        return word * 64 + bit;
    }
}

}  // namespace

Block Device::create_block(uint32_t size_B, uint32_t align_B, uint32_t flags) {
    assert(std::has_single_bit(align_B) && align_B <= Impl::kMaxBlockAlign_B &&
           "blocks are aligned to 4096 bytes at most");
    assert(!(flags & ~kKindMask) && "blocks are executable, read-only, or neither");
    const uint32_t piece_B = std::bit_ceil(std::max({size_B, align_B, Impl::kMinBlock_B}));
    Block block;
    if (size_B == 0 || size_B > Impl::kMaxBlock_B) return block;
    const unsigned bucket =
        kind_of(flags) * Impl::kBlockClasses + unsigned(std::countr_zero(piece_B / Impl::kMinBlock_B));
    {
        const std::lock_guard lock(impl_->slab_mutex);
        auto& open = impl_->open[bucket];
        if (open.empty()) {
            pipe::Ref<Bo> bo = create_bo(slab_size_B(piece_B), (flags & kKindMask) | bo_flag::kUndefined);
            if (!bo) return block;
            try {
                open.emplace_front();
            } catch (const std::bad_alloc&) {
                return block;
            }
            Slab& slab = open.front();
            slab.self = open.begin();
            slab.piece_B = piece_B;
            slab.pieces = std::min(uint32_t(bo->size_B / piece_B), Slab::kMaxPieces);
            slab.bucket = bucket;
            slab.bo = std::move(bo);
            for (uint32_t i = 0; i < slab.pieces; i++)
                slab.free[i / 64] |= 1ull << i % 64;
        }
        Slab& slab = open.front();
        const uint64_t at_B = uint64_t{allocate_piece(slab)} * piece_B;
        if (slab.used == slab.pieces) impl_->full.splice(impl_->full.begin(), open, slab.self);
        block.device_ = pipe::Ref<Device>(this);
        block.slab_ = &slab;
        block.bo = slab.bo.get();
        block.va = slab.bo->va + at_B;
        block.cpu = slab.bo->cpu + at_B;
        block.size_B = size_B;
    }
    memset(block.cpu, 0, piece_B);
    return block;
}

Block& Block::operator=(Block&& o) noexcept {
    if (this == &o) return *this;
    reset();
    va = std::exchange(o.va, 0);
    cpu = std::exchange(o.cpu, nullptr);
    size_B = std::exchange(o.size_B, 0);
    bo = std::exchange(o.bo, nullptr);
    device_ = std::move(o.device_);
    slab_ = std::exchange(o.slab_, nullptr);
    return *this;
}

void Block::reset() {
    if (!slab_) return;
    pipe::Ref<Bo> last;  // released after the lock
    {
        Device::Impl& impl = *device_->impl_;
        const std::lock_guard lock(impl.slab_mutex);
        Slab& slab = *slab_;
        auto& open = impl.open[slab.bucket];
        const uint32_t piece = uint32_t((va - slab.bo->va) / slab.piece_B);
        if (slab.used == slab.pieces) open.splice(open.begin(), impl.full, slab.self);
        slab.free[piece / 64] |= 1ull << piece % 64;
        if (--slab.used == 0) {
            last = std::move(slab.bo);
            open.erase(slab.self);
        }
    }
    slab_ = nullptr;
    va = 0;
    cpu = nullptr;
    size_B = 0;
    bo = nullptr;
    device_ = nullptr;
}

}  // namespace terrazzo::memory
