// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/stored.h"

#include <cstdlib>
#include <new>

namespace terrazzo::images {
namespace {

// After this many maps with staging memory, the resource keeps it for the next map.
constexpr uint32_t kKeepStagingAfter = 4;
constexpr size_t kStagingAlign_B = 64;
struct Staging {
    uint64_t size_B;
};
static_assert(sizeof(Staging) <= kStagingAlign_B);

}  // namespace

StoredResource::~StoredResource() {
    std::free(staging_.load(std::memory_order_relaxed));
}

void StoredResource::replace_storage(pipe::Ref<Bo> bo, Form form) {
    // Recordings have references to the old memory only. They check `read_by` after they have packed an
    // address (Recording::read_as_packed), so it is reset before the address changes.
    read_by.store(0, std::memory_order_relaxed);
    written_by.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    std::swap(bo_, bo);
    va_.store(bo_->va + offset_B_, std::memory_order_relaxed);
    cpu_.store(bo_->cpu + offset_B_, std::memory_order_relaxed);
    const bool changes = form_.exchange(form, std::memory_order_release) != form;
    storage_serial_.fetch_add(1, std::memory_order_release);
    storage_changed(changes);
}

bool StoredResource::rename(uint32_t own_writes) {
    const std::lock_guard guard(mutex_);
    if (is_compressed() || pins.load(std::memory_order_relaxed) ||
        views.load(std::memory_order_relaxed) > 1 ||
        bo_->uses.recorded_writes.load(std::memory_order_acquire) > own_writes)
        return false;
    pipe::Ref<Bo> fresh = bo_->device->create_bo(plain_B(), bo_->flags);
    if (!fresh) return false;
    replace_storage(std::move(fresh), form_.load(std::memory_order_relaxed));
    return true;
}

void StoredResource::decide(bool compressed) {
    const std::lock_guard guard(mutex_);
    if (form_.load(std::memory_order_relaxed) != Form::Undecided) return;
    // Without memory for the compressed form, the image stays uncompressed.
    pipe::Ref<Bo> memory;
    if (compressed && !pins.load(std::memory_order_relaxed)) memory = create_compressed();
    if (memory && memory != bo_) return replace_storage(std::move(memory), Form::Compressed);
    form_.store(memory ? Form::Compressed : Form::Plain, std::memory_order_release);
}

pipe::Ref<Bo> StoredResource::create_plain() const {
    const pipe::Ref<Bo> present = bo();
    return present->device->create_bo(plain_B(), present->flags & ~memory::bo_flag::kUndefined);
}

void* StoredResource::acquire_staging(uint64_t size_B) {
    void* block = staging_.exchange(nullptr, std::memory_order_acq_rel);
    if (block && static_cast<Staging*>(block)->size_B < size_B) {
        std::free(block);
        block = nullptr;
    }
    if (!block) {
        const uint64_t rounded_B = (size_B + kStagingAlign_B - 1) / kStagingAlign_B * kStagingAlign_B;
        block = std::aligned_alloc(kStagingAlign_B, kStagingAlign_B + rounded_B);
        if (!block) return nullptr;
        new (block) Staging{rounded_B};
    }
    return static_cast<uint8_t*>(block) + kStagingAlign_B;
}

void StoredResource::release_staging(void* staging) {
    void* block = static_cast<uint8_t*>(staging) - kStagingAlign_B;
    if (staging_uses_.load(std::memory_order_relaxed) >= kKeepStagingAfter)
        block = staging_.exchange(block, std::memory_order_acq_rel);
    else
        staging_uses_.fetch_add(1, std::memory_order_relaxed);
    std::free(block);
}

pipe::ImportStatus check_memory(memory::Device& device, const pipe::MemoryRange& range) {
    const pipe::Ref<Bo> bo = device.import_bo(range.fd);
    if (!bo) return pipe::ImportStatus::NotShared;
    return range.offset_B <= bo->size_B && range.size_B <= bo->size_B - range.offset_B
               ? pipe::ImportStatus::Ok
               : pipe::ImportStatus::TooSmall;
}

}  // namespace terrazzo::images
