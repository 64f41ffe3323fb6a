// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A buffer or image in GPU memory, of any vendor's device: its storage, which may be replaced, and who relies on that. A vendor's
// resource derives from it.
#pragma once

#include <atomic>
#include <mutex>

#include "drivers/common/memory/device.h"
#include "pipe/layout/layout.h"
#include "pipe/resource.h"

namespace terrazzo::images {

using memory::Bo;

class StoredResource : public pipe::Resource {
  public:
    /// Of the form that the CPU reaches (transfer.h).
    const pipe::SurfaceLayout layout;

    /// The storage. Only transfers replace it (a discarded buffer that is in use gets new memory): whoever
    /// recorded the old one holds a reference to that.
    const pipe::Ref<Bo>& bo() const { return bo_; }
    /// Guards changes of form and memory. Descriptors that need both to be of one time are packed under it.
    /// Nobody locks a second resource's.
    [[nodiscard]] std::recursive_mutex& mutex() const { return mutex_; }
    /// Without mutex(), the address that it had lately.
    uint64_t va() const { return va_.load(std::memory_order_relaxed); }
    uint8_t* cpu() const { return bo_->cpu + offset_B_; }
    /// First byte of a 2D image of it, as `layout` says.
    uint64_t image_va(uint32_t level, uint32_t z) const { return va() + layout.image_offset_B(level, z); }
    /// New memory, contents undefined, for a resource whose contents may be lost. Counts up storage_serial.
    /// False: out of memory, or somebody relies on the old memory (it is shared or mapped, or several views
    /// have descriptors of it); nothing changed. Images may refuse.
    [[nodiscard]] virtual bool rename() { return rename_to(bo_->size_B); }
    /// The CPU is about to write into it.
    virtual void before_cpu_write() {}
    /// Changes when bo() does: descriptors made of an older one are stale.
    uint32_t storage_serial() const { return storage_serial_.load(std::memory_order_acquire); }

    /// The recording that last took a reference (serials are unique in the process): saves it doing so again.
    std::atomic<uint64_t> read_by{0}, written_by{0};
    /// Who keeps rename() from replacing the memory: maps of it, other processes. And how many views there
    /// are.
    std::atomic<uint32_t> pins{0}, views{0};

    /// Memory for `size_B` bytes of plain rows, aligned to 64; a resource that is mapped again and again
    /// keeps it from one map to the next. Null: out of memory.
    [[nodiscard]] void* acquire_staging(uint64_t size_B);
    void release_staging(void* staging);

  protected:
    StoredResource(const pipe::ResourceDesc& desc, const pipe::SurfaceLayout& layout, pipe::Ref<Bo> bo,
                   uint64_t offset_B)
        : Resource(desc), layout(layout), bo_(std::move(bo)), offset_B_(offset_B), va_(bo_->va + offset_B) {}
    ~StoredResource() override;
    /// Under mutex(), or before anybody else knows the resource.
    void replace_storage(pipe::Ref<Bo> bo);
    /// As rename(), of that size.
    [[nodiscard]] bool rename_to(uint64_t size_B);
    [[nodiscard]] uint64_t offset_B() const { return offset_B_; }

  private:
    pipe::Ref<Bo> bo_;
    const uint64_t offset_B_;
    std::atomic<uint64_t> va_;
    mutable std::recursive_mutex mutex_;
    std::atomic<uint32_t> storage_serial_{0};
    std::atomic<void*> staging_{nullptr};
    std::atomic<uint32_t> staging_uses_{0};
};

}  // namespace terrazzo::images
