// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context records between two submissions: the stream of the submission (IB1), and what it uses. Passes write their streams
// (IB2) into the same pool and call them. One thread.
#pragma once

#include <memory>
#include <utility>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/submission/cs_builder.h"
#include "drivers/common/submission/recording.h"

namespace terrazzo::adreno {

/// By which cache something was written last, or is about to be used. A flush of that cache writes it to memory.
enum class CachePath : uint8_t { Other, Color, Depth, Engine2d, Resolve };

class Recorder final : public submission::Recording {
  public:
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue);
    /// Waits for what was submitted.
    ~Recorder();

    CsBuilder main;
    /// Dispatches may still run where `main` ends now. Whatever else is written there waits first.
    bool dispatching = false;

    /// What caches do here, in the order of the members. A flush writes back; who reads then by another way must invalidate that. An invalidation is waited for:
    /// what follows reads. A flush alone is not: neither the work behind it needs that, nor the end of a submission.
    struct Caches {
        bool flush_color = false, flush_depth = false;            // CCU to memory
        bool invalidate_color = false, invalidate_depth = false;  // CCU
        bool resolve = false;                                     // what BLIT events wrote
        bool flush_uche = false, invalidate_uche = false;
        bool wait_for_idle = false;
    };
    /// In `main` an invalidation writes back before what caches have, and CCUs that nothing used are not invalidated.
    void sync_caches(CsBuilder& cs, Caches what);

    // What is known of the caches where `main` ends, so that they are synced only where somebody would read what is not there yet.
    // Steps count syncs; they grow from one submission of the process to the next.

    using Recording::read;
    using Recording::write;
    void read(AdrenoResource& r) {
        Recording::read(r);
        reads_stale_ |= r.written.load(std::memory_order_relaxed) >> kWriterBits > synced_step_;
    }
    /// As read(), and use_target() says by which path.
    void hold_read(AdrenoResource& r) { Recording::read(r); }
    void write(AdrenoResource& r) {
        hold_written(r);
        note_written(r, CachePath::Other);
    }
    /// As write(), and note_written() says by which path.
    void hold_written(AdrenoResource& r) {
        Recording::write(r);
        r.note_write();
    }
    /// `main` has written it by that path; `key`: which colour target it is.
    void note_written(AdrenoResource& r, CachePath path, unsigned key = 0);
    /// Before `main` reads or writes it by that path: what is missing for it is synced by sync_stale().
    void use_target(const AdrenoResource& r, CachePath path, unsigned key = 0);
    /// In `main`: for all that was read() and use_target()ed since the last call.
    void sync_stale();
    /// For what comes next in `main` the CCUs' memory is where sysmem has it, or where tiles leave room.
    void place_ccus(bool for_tiles);
    /// Draws went to memory by way of the CCUs.
    void note_ccu_draws(bool color, bool depth) {
        color_dirty_ |= color;
        color_used_ |= color;
        depth_dirty_ |= depth;
        depth_used_ |= depth;
    }
    /// The 2D engine did.
    void note_engine_2d() { color_dirty_ = color_used_ = true; }
    /// BLIT events wrote memory.
    void note_resolves() { resolve_dirty_ = true; }
    /// `main` has called streams for which sync_caches() was called: the 2D engine may have used the colour CCU there.
    void note_called() { color_used_ |= std::exchange(called_used_color_, false); }

    // LRZ has a cache of its own, which reads and writes by way of the UCHE. The kernel does not flush it.

    /// Before the 2D engine fills a buffer of LRZ.
    void begin_lrz_clear();
    /// What follows in `main` uses the buffer; 0: none. True: the cache must be flushed before.
    [[nodiscard]] bool use_lrz(uint64_t va);
    /// The cache was flushed.
    void note_lrz_flush() { lrz_known_ = true, lrz_va_ = 0; }
    /// Behind draws that used it: whether they have written it, and whether the cache was flushed then.
    void end_lrz(bool wrote, bool flushed);

    [[nodiscard]] bool empty() const { return main.empty(); }
    /// Hands everything to the kernel. False: it was lost (the queue is; the next recording begins in a new one).
    bool submit();
    /// Forgets what is recorded: a lost queue's successor begins with nothing.
    void discard();
    /// Lets go of what finished submissions used.
    void retire() { Recording::retire(*queue_->timeline()); }
    /// Waits for all submissions.
    WaitResult finish();
    /// Why the last submission that failed did.
    [[nodiscard]] QueueState lost() const { return lost_; }
    [[nodiscard]] Queue& queue() { return *queue_; }
    [[nodiscard]] Device& device() { return *device_; }
    [[nodiscard]] uint64_t last_point() const { return queue_->last_point(); }

  private:
    const pipe::Ref<Device> device_;
    const std::unique_ptr<Queue> queue_;
    Block fence_;  // where events write their numbers; nobody reads them
    uint32_t event_number_ = 0;
    QueueState lost_ = QueueState::Usable;
    void forget_caches();

    static constexpr unsigned kWriterBits = 8, kKeyBits = 4;  // of AdrenoResource::written, below the step
    // Something that is not in memory; something at all.
    bool color_dirty_ = false, depth_dirty_ = false, resolve_dirty_ = false, color_used_ = false,
         depth_used_ = false, called_used_color_ = false;
    // What follows reads by the UCHE what it may not have; has targets that a CCU may have as they were before; uses what is not in memory.
    bool reads_stale_ = false, targets_stale_ = false, writes_pending_ = false;
    bool tiles_ = false;  // have the CCUs' memory
    bool lrz_known_ = false, lrz_wrote_ = false;
    uint64_t lrz_va_ = 0;  // what its cache has, where that is known
    // The step that counts now; up to which all is in memory, readers by the UCHE see it, targets do.
    uint64_t step_ = 0, flushed_step_ = 0, synced_step_ = 0, targets_step_ = 0;
};

}  // namespace terrazzo::adreno
