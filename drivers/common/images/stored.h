// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A buffer or image in GPU memory, of any vendor's device: its storage, which may be replaced, who relies on
// that, and the form that it has there. A vendor's resource derives from it.
#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "drivers/common/memory/device.h"
#include "pipe/import.h"
#include "pipe/layout/layout.h"
#include "pipe/resource.h"

namespace terrazzo::images {

using memory::Bo;

/// How an image lies in memory.
enum class Form : uint8_t {
    Plain,       // as its layout says, which the CPU reaches. Buffers are, and what was plain once stays so
    Undecided,   // the same, and nobody has filled it: what is drawn into it first decides
    Compressed,  // as the hardware alone understands it
};

class StoredResource : public pipe::Resource {
  public:
    /// Of the form that the CPU reaches (transfer.h).
    const pipe::SurfaceLayout layout;

    /// The storage. Only transfers and changes of form replace it (a discarded buffer that is in use gets new
    /// memory): whoever recorded the old one holds a reference to that. Takes mutex().
    [[nodiscard]] pipe::Ref<Bo> bo() const {
        const std::lock_guard guard(mutex_);
        return bo_;
    }
    /// Guards changes of form and memory. Descriptors that need both to be of one time are packed under it,
    /// or by Recording::read_as_packed(). Nobody locks a second resource's.
    [[nodiscard]] std::recursive_mutex& mutex() const { return mutex_; }
    /// Without mutex(), the address that it had lately.
    uint64_t va() const { return va_.load(std::memory_order_relaxed); }
    /// Of storage that nobody else replaces: it is pinned, or the resource is the caller's own. Else
    /// CpuMemory.
    uint8_t* cpu() const { return cpu_.load(std::memory_order_relaxed); }
    /// The storage as the CPU sees it now, which lives as long as this.
    struct CpuMemory {
        pipe::Ref<Bo> bo;
        uint8_t* first;
    };
    [[nodiscard]] CpuMemory cpu_memory() const {
        const std::lock_guard guard(mutex_);
        return {bo_, cpu()};
    }
    /// First byte of a 2D image of it, as `layout` says.
    uint64_t image_va(uint32_t level, uint32_t z) const { return va() + layout.image_offset_B(level, z); }
    /// New memory, contents undefined, for a resource whose contents may be lost. Counts up storage_serial.
    /// False: out of memory, or somebody relies on the old memory (it is shared or mapped, several views have
    /// descriptors of it, or work is recorded that writes it: more than the caller's own `own_writes`,
    /// Recording::count_writes()), or the image is compressed; nothing changed.
    [[nodiscard]] bool rename(uint32_t own_writes = 0);

    /// Else its memory is as `layout` says.
    [[nodiscard]] bool is_compressed() const {
        return form_.load(std::memory_order_acquire) == Form::Compressed;
    }
    /// Whether what is compressed in its own format can be read and drawn in that one.
    [[nodiscard]] virtual bool compresses_alike(pipe::Format) const { return false; }
    /// Before work that draws into it as `format`: an image that nobody has filled becomes compressed where
    /// it may be.
    void begin_drawing(pipe::Format format) {
        if (form_.load(std::memory_order_relaxed) == Form::Undecided) [[unlikely]]
            decide(compresses_alike(format));
    }
    /// Where it is plain, it stays so.
    void keep_plain() {
        if (form_.load(std::memory_order_relaxed) == Form::Undecided) [[unlikely]]
            decide(false);
    }
    /// Memory for the plain form of a compressed image; null: out of memory.
    [[nodiscard]] pipe::Ref<Bo> create_plain() const;
    /// The compressed image is plain from now on, in memory of create_plain(). Counts up storage_serial.
    /// Under mutex().
    void become_plain(pipe::Ref<Bo> memory) { replace_storage(std::move(memory), Form::Plain); }
    /// How often in a row the CPU has read all of the compressed image, and before which pass of a context it
    /// did last (ImageAccess).
    std::atomic<uint32_t> whole_reads{0};
    std::atomic<uint64_t> read_before{0};

    /// The CPU is about to write into it.
    virtual void before_cpu_write() {}
    /// Changes when bo() does: descriptors made of an older one are stale.
    uint32_t storage_serial() const { return storage_serial_.load(std::memory_order_acquire); }

    /// The recording that last took a reference (serials are unique in the process): saves it doing so again.
    std::atomic<uint64_t> read_by{0}, written_by{0};
    /// Who keeps rename() from replacing the memory: maps of it, other processes; counted up under mutex().
    /// And how many views there are.
    std::atomic<uint32_t> pins{0}, views{0};

    /// Memory for `size_B` bytes of plain rows, aligned to 64; a resource that is mapped again and again
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
    /// Before anybody else knows the resource.
    void set_form(Form form) { form_.store(form, std::memory_order_relaxed); }
    /// Memory for the compressed form of an image that nobody has filled, or the one that it has; null: out
    /// of memory. Under mutex().
    [[nodiscard]] virtual pipe::Ref<Bo> create_compressed() const { return bo_; }
    /// Of the plain form.
    [[nodiscard]] virtual uint64_t plain_B() const { return bo_->size_B; }
    /// It has other memory now; `form`: and lies there in another way. Under mutex().
    virtual void storage_changed(bool form) { (void)form; }
    [[nodiscard]] uint64_t offset_B() const { return offset_B_; }

  private:
    void decide(bool compressed);
    /// Under mutex().
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

/// A function object: a resource as the vendor's `R`.
template <class R>
struct Downcast {
    [[nodiscard]] R& operator()(pipe::Resource& r) const { return static_cast<R&>(r); }
};

/// pipe::Screen::check_memory.
[[nodiscard]] pipe::ImportStatus check_memory(memory::Device& device, const pipe::MemoryRange& range);

}  // namespace terrazzo::images
