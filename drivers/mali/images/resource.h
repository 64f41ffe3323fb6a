// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are U-interleaved where nobody else must understand them, linear
// otherwise: these are the plain forms, which the CPU reaches. What is drawn into before anybody has filled
// it becomes AFBC (compression.h), and plain again for the CPU: the context copies it then.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "drivers/common/images/staging.h"
#include "drivers/common/images/stored.h"
#include "drivers/mali/images/compression.h"
#include "drivers/mali/submission/queues.h"
#include "pipe/layout/layout.h"
#include "pipe/screen.h"

namespace terrazzo::mali {

/// Who used an image last: numbers of jobs (Recorder::next_job) by queue; 0: none did. What vertices read is
/// read by the fragment job of their pass. Several contexts record at a time, and numbers are the process' own: the greatest stays, as
/// each context waits for its own jobs up to that one.
struct LastJobs {
    std::array<std::atomic<uint64_t>, kQueueCount> read{}, written{};
    void note_read(QueueKind q, uint64_t job) { note(&read[unsigned(q)], job); }
    void note_written(QueueKind q, uint64_t job) { note(&written[unsigned(q)], job); }

  private:
    static void note(std::atomic<uint64_t>* last, uint64_t job) {
        uint64_t before = last->load(std::memory_order_relaxed);
        while (before < job && !last->compare_exchange_weak(before, job, std::memory_order_relaxed)) {
        }
    }
};

using JobNumbers = std::array<uint64_t, kQueueCount>;
/// What must have been before work begins.
struct Needs {
    JobNumbers done{}, seen{};  // jobs have ended; and what they wrote can be read
    void reads(const LastJobs& jobs) { take(jobs.written, true); }
    void writes(const LastJobs& jobs) {
        take(jobs.written, false);
        take(jobs.read, false);
    }

  private:
    void take(const std::array<std::atomic<uint64_t>, kQueueCount>& jobs, bool sees) {
        for (unsigned q = 0; q < kQueueCount; ++q) {
            const uint64_t job = jobs[q].load(std::memory_order_relaxed);
            done[q] = std::max(done[q], job);
            if (sees) seen[q] = std::max(seen[q], job);
        }
    }
};

class MaliResource final : public images::StoredResource {
  public:
    /// Reads as zero. Null: out of memory, or a bad descriptor (said in the device's log).
    /// `flags`: more of its memory's.
    [[nodiscard]] static pipe::Ref<MaliResource> create(Device& device, const pipe::ResourceDesc& desc,
                                                        uint32_t flags = 0);
    /// A picture with one of the modifiers. Null: as create().
    [[nodiscard]] static pipe::Ref<MaliResource> create_shared(Device& device, const pipe::ResourceDesc& desc,
                                                               std::span<const uint64_t> modifiers);
    /// Null: `*status` says why.
    [[nodiscard]] static pipe::Ref<MaliResource> import(Device& device, const pipe::ResourceDesc& desc,
                                                        const pipe::SharedImage& image,
                                                        pipe::ImportStatus* status);
    /// As create() lays it out, in memory of others, and never compressed. Null: as above.
    [[nodiscard]] static pipe::Ref<MaliResource> create_in(Device& device, const pipe::ResourceDesc& desc,
                                                           const pipe::MemoryRange& range,
                                                           pipe::ImportStatus* status);
    /// For images::StagingMemory's pixels: as create() lays it out, in a piece of that. Null: as create().
    [[nodiscard]] static pipe::Ref<MaliResource> create_staged(Device& device, const pipe::ResourceDesc& desc,
                                                               images::StagingMemory& memory);
    /// False: cannot be shared.
    [[nodiscard]] bool export_to(pipe::SharedImage* out);

    /// Null: the memory is as `layout` says.
    const pipe::AfbcLayout* afbc() const { return is_compressed() ? afbc_.get() : nullptr; }
    [[nodiscard]] bool compresses_alike(pipe::Format format) const override {
        return afbc_compatible(desc.format, format);
    }
    /// Before anybody but fragment jobs writes into the plain image.
    void write_plainly() {
        keep_plain();
        forget_crc();
    }

    /// Checksums of the tiles, behind the image; row stride 0: it has none. They are right where crc_valid(),
    /// for fragment jobs of the same tile size.
    const CrcLayout crc;
    uint64_t crc_va() const;
    [[nodiscard]] bool crc_valid(uint32_t tile_px) const {
        return crc_valid_.load(std::memory_order_relaxed) == crc_stamp(tile_px);
    }
    /// They are what a fragment job with such tiles writes from now on.
    void set_crc_valid(uint32_t tile_px) {
        if (crc.row_stride_B) crc_valid_.store(crc_stamp(tile_px), std::memory_order_relaxed);
    }
    void forget_crc() { crc_valid_.store(0, std::memory_order_relaxed); }
    void before_cpu_write() override { write_plainly(); }
    LastJobs jobs;

  private:
    MaliResource(const pipe::ResourceDesc& desc, const pipe::SurfaceLayout& layout, const CrcLayout& crc,
                 pipe::Ref<Bo> bo, uint64_t offset_B);
    [[nodiscard]] pipe::Ref<Bo> create_compressed() const override;
    [[nodiscard]] uint64_t plain_B() const override { return storage_B(false); }
    void storage_changed(bool form) override;
    /// The image's bytes in the present form, and with the checksums behind them.
    [[nodiscard]] uint64_t image_B(bool compressed) const;
    [[nodiscard]] uint64_t storage_B(bool compressed) const { return image_B(compressed) + crc.size_B; }

    [[nodiscard]] uint64_t crc_stamp(uint32_t tile_px) const {
        return uint64_t(tile_px) << 32 | device_.losses.load(std::memory_order_relaxed);
    }
    Device& device_;
    std::unique_ptr<pipe::AfbcLayout> afbc_;  // null: never compressed
    std::atomic<uint64_t> crc_valid_{0};      // a crc_stamp()
};

/// How `desc` lies in memory. `tiling`, `row_stride_B`: demanded by an imported image (a row of pixels; 0:
/// the driver's choice).
[[nodiscard]] pipe::LayoutStatus resource_layout(const pipe::ResourceDesc& desc, pipe::Tiling tiling,
                                                 uint32_t row_stride_B, pipe::SurfaceLayout* out);
/// Interleaved, but for what must be linear or gains nothing.
[[nodiscard]] pipe::Tiling choose_tiling(const pipe::ResourceDesc& desc);

inline MaliResource& mali(pipe::Resource& r) {
    return static_cast<MaliResource&>(r);
}

/// How images of the format can be shared (pipe::Screen::modifiers): not compressed, as nothing here packs AFBC.
[[nodiscard]] std::span<const pipe::Modifier> shared_modifiers(const Device& device, pipe::Format f);

/// All of `bind` at once. `chip`: compressed formats are the chip's choice.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

}  // namespace terrazzo::mali
