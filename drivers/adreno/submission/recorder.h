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

class Recorder final : public submission::Recording {
  public:
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue);
    /// Waits for what was submitted.
    ~Recorder();

    CsBuilder main;
    /// Dispatches may still run where `main` ends now. Whatever else is written there waits first.
    bool dispatching = false;

    /// What caches do here, in the order of the members. A flush writes back; who reads then by another way must invalidate that. It waits where
    /// the chip needs it.
    struct Caches {
        bool flush_color = false, flush_depth = false;            // CCU to memory
        bool invalidate_color = false, invalidate_depth = false;  // CCU
        bool resolve = false;                                     // what BLIT events wrote
        bool flush_uche = false, invalidate_uche = false;
        bool wait_for_idle = false;
    };
    /// In `main` an invalidation writes back before what draws have left, and CCUs that nothing used are not invalidated: whoever used one by the 2D engine flushes it.
    void sync_caches(CsBuilder& cs, Caches what);

    // What is known of the caches where `main` ends, so that passes sync them only where somebody would read what is not there yet.
    // Steps count syncs; they grow from one submission of the process to the next.

    using Recording::read;
    using Recording::write;
    void read(AdrenoResource& r) {
        Recording::read(r);
        reads_stale_ |= r.written_step.load(std::memory_order_relaxed) > synced_step_;
    }
    void write(AdrenoResource& r) {
        Recording::write(r);
        r.written_step.store(step_, std::memory_order_relaxed);
        r.note_write();
    }
    /// Since the last call something was read that caches have had since the last sync.
    [[nodiscard]] bool take_stale_reads() { return std::exchange(reads_stale_, false); }
    /// Draws went to memory by way of the CCUs.
    void note_ccu_draws() { color_dirty_ = depth_dirty_ = color_used_ = depth_used_ = true; }
    /// `main` has called streams for which sync_caches() was called: the 2D engine may have used the colour CCU there.
    void note_called() { color_used_ |= std::exchange(called_used_color_, false); }
    /// The CCUs may hold something of memory.
    [[nodiscard]] bool ccu_used() const { return color_used_ || depth_used_; }

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
    bool color_dirty_ = false, depth_dirty_ = false, color_used_ = false, depth_used_ = false,
         called_used_color_ = false, reads_stale_ = false;
    uint64_t step_ = 0, synced_step_ = 0;
    void forget_caches();
};

}  // namespace terrazzo::adreno
