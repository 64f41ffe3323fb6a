// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A buffer or image of any vendor in GPU memory: its storage, which may be replaced; what depends on the
// storage; and its form. A vendor's resource derives from this class.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "drivers/common/memory/device.h"
#include "pipe/import.h"
#include "pipe/layout/layout.h"
#include "pipe/resource.h"

namespace terrazzo::images {

using memory::Bo;

/// The form of an image in memory.
enum class Form : uint8_t {
    Plain,       // as `layout` says; the CPU can access it. Final: it never changes again. Buffers have it
    Undecided,   // as Plain, but the image has no contents yet: the first work that writes it decides
    Compressed,  // in a form that only the hardware understands
};

/// The stencil of an image whose depth is a separate image (planes.cpp).
struct StencilPlane {
    const pipe::SurfaceLayout& layout;
    uint8_t* cpu;
};

class StoredResource : public pipe::Resource {
  public:
    /// Describes the Plain form (transfer.h). With a separate stencil plane, it is that of depth.
    const pipe::SurfaceLayout layout;

    /// The storage. Only transfers and changes of form replace it (for example, a discarded buffer in use
    /// gets new memory). Work recorded with the old one holds a reference to it. Locks mutex().
    [[nodiscard]] pipe::Ref<Bo> bo() const {
        const std::lock_guard guard(mutex_);
        return bo_;
    }
    /// Guards changes of form and memory. Descriptors that need both to match are packed under this mutex, or
    /// by Recording::read_as_packed(). A thread never locks the mutexes of two resources.
    [[nodiscard]] std::recursive_mutex& mutex() const { return mutex_; }
    /// The current address. Without mutex(), it may be out of date.
    uint64_t va() const { return va_.load(std::memory_order_relaxed); }
    /// Only for storage that no one else can replace: it is pinned, or only the caller knows the resource.
    /// Otherwise use cpu_memory().
    uint8_t* cpu() const { return cpu_.load(std::memory_order_relaxed); }
    /// The current storage for the CPU. Holds a reference to it.
    struct CpuMemory {
        pipe::Ref<Bo> bo;
        uint8_t* first;
    };
    [[nodiscard]] CpuMemory cpu_memory() const {
        const std::lock_guard guard(mutex_);
        return {bo_, cpu()};
    }
    /// The first byte of one 2D image of a level, as `layout` says.
    uint64_t image_va(uint32_t level, uint32_t z) const { return va() + layout.image_offset_B(level, z); }
    /// Allocates new memory with undefined contents. Increments storage_serial. False, and nothing is
    /// changed: out of memory; the image is compressed; or the old memory is still needed: it is shared or
    /// mapped, several views have descriptors of it, or recorded work writes it in addition to the caller's
    /// `own_writes` (Recording::count_writes()).
    [[nodiscard]] bool rename(uint32_t own_writes = 0);

    /// False: the memory is as `layout` says.
    [[nodiscard]] bool is_compressed() const {
        return form_.load(std::memory_order_acquire) == Form::Compressed;
    }
    /// Whether an image compressed in its own format can be read and drawn as the other format.
    [[nodiscard]] virtual bool compresses_alike(pipe::Format) const { return false; }
    /// Called before work that draws into it as `format`: an image without contents becomes compressed if it
    /// may be.
    void begin_drawing(pipe::Format format) {
        if (form_.load(std::memory_order_relaxed) == Form::Undecided) [[unlikely]]
            decide(compresses_alike(format));
    }
    /// If the image is uncompressed, it stays so.
    void keep_plain() {
        if (form_.load(std::memory_order_relaxed) == Form::Undecided) [[unlikely]]
            decide(false);
    }
    /// Memory for the uncompressed form of a compressed image; null: out of memory.
    [[nodiscard]] pipe::Ref<Bo> create_plain() const;
    /// The compressed image is uncompressed from now on, in memory of create_plain(). Increments
    /// storage_serial. Called under mutex().
    void become_plain(pipe::Ref<Bo> memory) { replace_storage(std::move(memory), Form::Plain); }
    /// For ImageAccess: how often in a row the CPU has read all of the compressed image, and the number of
    /// the context's passes at the last such read.
    std::atomic<uint32_t> whole_reads{0};
    std::atomic<uint64_t> read_before{0};

    /// Called before the CPU writes into it.
    virtual void before_cpu_write() {}
    /// nullopt: the image has no stencil plane.
    [[nodiscard]] virtual std::optional<StencilPlane> stencil_plane() const { return std::nullopt; }
    /// Changes with bo(): descriptors packed for an older serial are stale.
    uint32_t storage_serial() const { return storage_serial_.load(std::memory_order_acquire); }

    /// The serial of the last recording that took a reference, so that it takes only one. Serials are unique
    /// in the process.
    std::atomic<uint64_t> read_by{0}, written_by{0};
    /// pins: uses that forbid rename(): maps and other processes; incremented under mutex(). views: how many
    /// views exist.
    std::atomic<uint32_t> pins{0}, views{0};

    /// Memory for `size_B` bytes of linear rows, aligned to 64 bytes. A resource that is mapped repeatedly
    /// keeps it from one map to the next. Null: out of memory.
    [[nodiscard]] void* acquire_staging(uint64_t size_B);
    void release_staging(void* staging);

  protected:
    StoredResource(const pipe::ResourceDesc& desc, const pipe::SurfaceLayout& layout, pipe::Ref<Bo> bo,
                   uint64_t offset_B)
        : Resource(desc),
          layout(layout),
          bo_(std::move(bo)),
          offset_B_(offset_B),
          va_(bo_->va + offset_B),
          cpu_(bo_->cpu + offset_B) {}
    ~StoredResource() override;
    /// Called before the resource is known to other threads.
    void set_form(Form form) { form_.store(form, std::memory_order_relaxed); }
    /// Memory for the compressed form of an image without contents, which may be its present memory; null:
    /// out of memory. Called under mutex().
    [[nodiscard]] virtual pipe::Ref<Bo> create_compressed() const { return bo_; }
    /// The size of the uncompressed form.
    [[nodiscard]] virtual uint64_t plain_B() const { return bo_->size_B; }
    /// Called after the memory was replaced. `form`: the form changed, too. Called under mutex().
    virtual void storage_changed(bool form) { (void)form; }
    [[nodiscard]] uint64_t offset_B() const { return offset_B_; }

  private:
    void decide(bool compressed);
    /// Called under mutex().
    void replace_storage(pipe::Ref<Bo> bo, Form form);

    pipe::Ref<Bo> bo_;
    const uint64_t offset_B_;
    std::atomic<uint64_t> va_;
    std::atomic<uint8_t*> cpu_;
    mutable std::recursive_mutex mutex_;
    std::atomic<uint32_t> storage_serial_{0};
    std::atomic<Form> form_{Form::Plain};
    std::atomic<void*> staging_{nullptr};
    std::atomic<uint32_t> staging_uses_{0};
};

/// A function object that casts a resource to the vendor's `R`.
template <class R>
struct Downcast {
    [[nodiscard]] R& operator()(pipe::Resource& r) const { return static_cast<R&>(r); }
};

/// pipe::Screen::check_memory.
[[nodiscard]] pipe::ImportStatus check_memory(memory::Device& device, const pipe::MemoryRange& range);

/// GPU memory for pixels in transfer between the CPU and images. Pieces are allocated one after another from
/// chunks; a chunk lives as long as one of its pieces. No byte is allocated twice, so caches never hold old
/// contents of a piece. One thread.
class StagingMemory {
  public:
    struct Piece {
        pipe::Ref<memory::Bo> bo;  // null: out of memory
        uint64_t offset_B = 0;     // a multiple of a page
    };
    /// The contents are undefined.
    [[nodiscard]] Piece allocate(memory::Device& device, uint64_t size_B) {
        if (size_B > kChunk_B / 4) return {device.create_bo(size_B, memory::bo_flag::kUndefined), 0};
        if (!chunk_ || used_B_ + size_B > kChunk_B) {
            chunk_ = device.create_bo(kChunk_B, memory::bo_flag::kUndefined);
            used_B_ = 0;
            if (!chunk_) return {};
        }
        const uint64_t at_B = used_B_;
        used_B_ += (size_B + kAlign_B - 1) / kAlign_B * kAlign_B;
        return {chunk_, at_B};
    }

  private:
    static constexpr uint64_t kChunk_B = 1 << 20, kAlign_B = 4096;
    pipe::Ref<memory::Bo> chunk_;
    uint64_t used_B_ = 0;
};

/// A vendor's resources are all StoredResources.
inline StoredResource& stored(pipe::Resource& resource) {
    return static_cast<StoredResource&>(resource);
}

}  // namespace terrazzo::images
