// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context records between two submissions: the stream of the submission (IB1), and what it uses. Passes write their streams
// (IB2) into the same pool and call them. One thread.
#pragma once

#include <memory>
#include <utility>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/submission/cache_tracker.h"
#include "drivers/adreno/submission/cs_builder.h"
#include "drivers/common/submission/queued_recording.h"

namespace terrazzo::adreno {

class Recorder final : public submission::QueuedRecording {
  public:
    Recorder(pipe::Ref<Device> device, std::unique_ptr<Queue> queue);
    /// Waits for what was submitted.
    ~Recorder() override;

    CsBuilder main;
    /// Dispatches may still run where `main` ends now. Whatever else is written there waits first.
    bool dispatching = false;

    /// Writes them. Into `main`: those that do something there.
    void sync_caches(CsBuilder& cs, CacheEvents what);

    // What is known of the caches where `main` ends (cache_tracker.h), so that they are synced only where somebody would read what is not there yet.

    using Recording::read;
    using Recording::write;
    /// By way of the UCHE, in the next work of `main` for which caches are synced.
    void read(AdrenoResource& r, ImagePart part = {}) {
        Recording::read(r);
        if (caches_.may_miss(r)) [[unlikely]]
            caches_.read(r, part);
    }
    /// As read(), and pack() writes addresses of the memory that is held (Recording::read_as_packed).
    template <class F>
    void read_as_packed(AdrenoResource& r, ImagePart part, F&& pack) {
        Recording::read_as_packed(r, pack);
        if (caches_.may_miss(r)) [[unlikely]]
            caches_.read(r, part);
    }
    template <class F>
    void read_as_packed(AdrenoResource& r, F&& pack) {
        read_as_packed(r, {}, pack);
    }
    /// The CP reads it past all caches, in the next work of `main` for which caches are synced: the address of an offset.
    [[nodiscard]] uint64_t read_by_processor(AdrenoResource& r, uint64_t offset_B) {
        uint64_t va = 0;
        Recording::read_as_packed(r, [&] { va = r.va() + offset_B; });
        caches_.read_by_processor(r, {});
        return va;
    }
    /// As read(), and use_target() says by which path.
    void hold_read(AdrenoResource& r) { Recording::read(r); }
    /// From here to the submission the image keeps its form and its memory: a pass begins that draws into it.
    void hold_target(AdrenoResource& r) { Recording::write(r); }
    /// Shaders store there, or stream output.
    void write(AdrenoResource& r) {
        hold_written(r);
        note_written(r, {}, CachePath::Uche);
        stores_ = true;
    }
    /// `main` ends now with work, which stores if `does`, or if write() was called for it.
    void note_stores(bool does) {
        if (std::exchange(stores_, false) || does) caches_.note_stores();
    }
    /// The next work of `main` for which caches are synced waits for what is before.
    void note_barrier() { caches_.note_barrier(); }
    /// As write(), and note_written() says by which path.
    void hold_written(AdrenoResource& r) {
        Recording::write(r);
        r.note_write();
    }
    /// `main` has written that part by that path; `key`: which colour target it is.
    void note_written(AdrenoResource& r, ImagePart part, CachePath path, unsigned key = 0) {
        caches_.note_written(r, part, path, key);
    }
    /// Before `main` reads or writes that part by that path: what is missing for it is synced below.
    void use_target(const AdrenoResource& r, ImagePart part, CachePath path, unsigned key = 0) {
        caches_.use(r, part, path, key);
    }
    /// In `main`: for all that was use_target()ed since the last call, and, where what comes `reads`, for all that was read(). The CCUs' memory is where sysmem
    /// has it, and what comes uses these.
    void sync_for_sysmem(bool reads, bool color, bool depth);
    /// The same where tiles leave room for the CCUs; `engine`: the 2D engine resolves tiles.
    void sync_for_tiles(bool reads, bool engine);
    /// The same for a dispatch, before which `what` is done in any case.
    void sync_for_dispatch(CacheEvents what);
    /// Draws went to memory by way of the CCUs.
    void note_ccu_draws(bool color, bool depth) { caches_.note_draws(color, depth); }
    /// The 2D engine did.
    void note_engine_2d() { caches_.note_engine_2d(); }
    /// BLIT events wrote memory.
    void note_resolves() { caches_.note_resolves(); }
    /// `main` has called streams for which sync_caches() was called: the 2D engine may have used the colour CCU there.
    void note_called() {
        if (std::exchange(called_used_color_, false)) caches_.note_color_use();
    }

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
    bool submit() override;
    void discard() override;
    [[nodiscard]] Device& device() const { return static_cast<Device&>(pool.device()); }

  private:
    Block fence_;  // where events write their numbers; nobody reads them
    uint32_t event_number_ = 0;
    void forget_caches();

    CacheTracker caches_;
    bool called_used_color_ = false, stores_ = false;
    bool lrz_known_ = false, lrz_wrote_ = false;
    uint64_t lrz_va_ = 0;  // what its cache has, where that is known
};

}  // namespace terrazzo::adreno
