// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/pool.h"

#include <algorithm>
#include <new>

#include "drivers/common/memory/device.h"

namespace terrazzo::memory {
namespace {

constexpr size_t kMostSpare = 32;

}  // namespace

Pool::Piece Pool::allocate_in_new_chunk(uint32_t size_B) {
    if (chunks_.size() == chunks_.capacity()) chunks_.reserve(std::max<size_t>(8, 2 * chunks_.size()));
    pipe::Ref<Bo> chunk;
    if (size_B <= chunk_B_ && !spare_.empty()) {
        chunk = std::move(spare_.back());
        spare_.pop_back();
    } else {
        chunk = device_->create_bo(std::max(size_B, chunk_B_), flags_ | bo_flag::kUndefined);
        if (!chunk) throw std::bad_alloc();
    }
    const Piece piece{chunk->cpu, chunk->va};
    // The chunk with more free space is used for further pieces.
    if (chunks_.empty() || chunk->size_B - size_B > size_B_ - used_B_) {
        cpu_ = chunk->cpu;
        va_ = chunk->va;
        size_B_ = uint32_t(chunk->size_B);
        used_B_ = size_B;
    }
    chunks_.push_back(std::move(chunk));
    return piece;
}

void Pool::detach_chunks(std::vector<pipe::Ref<Bo>>* out) {
    out->reserve(out->size() + chunks_.size());
    for (auto& chunk : chunks_)
        out->push_back(std::move(chunk));
    chunks_.clear();
    cpu_ = nullptr;
    va_ = 0;
    used_B_ = size_B_ = 0;
}

void Pool::recycle(std::vector<pipe::Ref<Bo>>&& chunks) {
    for (auto& chunk : chunks)
        if (chunk->size_B < 2 * uint64_t{chunk_B_} && spare_.size() < kMostSpare) try {
                spare_.push_back(std::move(chunk));
            } catch (const std::bad_alloc&) {
                break;  // the others are released
            }
    chunks.clear();
}

}  // namespace terrazzo::memory
