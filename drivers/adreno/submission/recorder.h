// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work that a context records between two submissions: the stream of the submission (IB1), and the
// resources it uses. Passes write their streams (IB2) into the same pool, and `main` calls them. For one
// thread at a time.
#pragma once

#include <memory>
#include <utility>

#include "drivers/adreno/images/resource.h"
#include "drivers/adreno/stream/cs_builder.h"
#include "drivers/adreno/submission/cache_tracker.h"
#include "drivers/adreno/submission/queue.h"
#include "drivers/common/submission/queued_recording.h"

namespace terrazzo::adreno {

class Recorder final : public submission::VendorRecording<Device, Queue, CsBuilder> {
  public:
    using VendorRecording::VendorRecording;

    CsBuilder& main = builders_[0];
    /// Dispatches may still run at the current end of `main`. Other work waits for them first.
    bool dispatching = false;

    /// Writes the operations to `cs`; to `main`, only those that have an effect there.
    void sync_caches(CsBuilder& cs, CacheEvents what);

    // The state of the caches at the current end of `main` (cache_tracker.h). They are synced only where an
    // access would miss an earlier write.

    using Recording::read;
    using Recording::write;
    /// The next work of `main` for which caches are synced reads through the UCHE.
    void read(AdrenoResource& r, ImagePart part = {}) {
        Recording::read(r);
        if (caches_.may_miss(r)) [[unlikely]]
            caches_.read(r, part);
    }
    /// As read(), and pack() writes addresses of the resource's current memory (Recording::read_as_packed).
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
    /// The CP reads the resource without caches, in the next work of `main` for which caches are synced.
    /// Returns the address of the offset.
    [[nodiscard]] uint64_t read_by_processor(AdrenoResource& r, uint64_t offset_B) {
        uint64_t va = 0;
        Recording::read_as_packed(r, [&] { va = r.va() + offset_B; });
        caches_.read_by_processor(r, {});
        return va;
    }
    /// As read(), but the caller names the cache path by use_target().
    void hold_read(AdrenoResource& r) { Recording::read(r); }
    /// A pass that draws into the image begins: it keeps its form and memory until the submission.
    void hold_target(AdrenoResource& r) { Recording::write(r); }
    /// Shaders or stream output write to the resource.
    void write(AdrenoResource& r) {
        hold_written(r);
        note_written(r, {}, CachePath::Uche);
        stores_ = true;
    }
    /// The last work of `main` stores through the UCHE if `does`, or if write() was called for it.
    void note_stores(bool does) {
        if (std::exchange(stores_, false) || does) caches_.note_stores();
    }
    /// The next work of `main` for which caches are synced waits for all earlier work.
    void note_barrier() { caches_.note_barrier(); }
    /// As write(), but the caller names the cache path by note_written().
    void hold_written(AdrenoResource& r) {
        Recording::write(r);
        r.note_write();
    }
    /// `main` has written the part through that path. `key`: the number of the color target.
    void note_written(AdrenoResource& r, ImagePart part, CachePath path, unsigned key = 0) {
        caches_.note_written(r, part, path, key);
    }
    /// `main` is about to read or write the part through that path. The functions below sync what it
    /// requires.
    void use_target(const AdrenoResource& r, ImagePart part, CachePath path, unsigned key = 0) {
        caches_.use(r, part, path, key);
    }
    /// Syncs `main` for all use_target() calls since the last sync and, if the next work `reads` through the
    /// UCHE, for all read() calls. The CCUs' memory is placed for rendering to sysmem, of which the next work
    /// uses the `color` and `depth` ones.
    void sync_for_sysmem(bool reads, bool color, bool depth);
    /// As sync_for_sysmem(), with the CCUs' memory placed next to the tiles. `engine`: the 2D engine resolves
    /// tiles.
    void sync_for_tiles(bool reads, bool engine);
    /// As sync_for_sysmem(), for a dispatch that requires `what` in any case.
    void sync_for_dispatch(CacheEvents what);
    /// Draws wrote memory through the CCUs.
    void note_ccu_draws(bool color, bool depth) { caches_.note_draws(color, depth); }
    /// The 2D engine wrote memory through the color CCU.
    void note_engine_2d() { caches_.note_engine_2d(); }
    /// BLIT events wrote memory.
    void note_resolves() { caches_.note_resolves(); }
    /// `main` has called streams to which sync_caches() wrote: the 2D engine may have used the color CCU in
    /// them.
    void note_called() {
        if (std::exchange(called_used_color_, false)) caches_.note_color_use();
    }

    // LRZ (low-resolution Z) has a cache of its own, which accesses memory through the UCHE. The kernel does
    // not flush it.

    /// Called before the 2D engine fills an LRZ buffer.
    void begin_lrz_clear();
    /// The next work of `main` uses the LRZ buffer at `va`; 0: none. Returns whether the LRZ cache must be
    /// flushed before.
    [[nodiscard]] bool use_lrz(uint64_t va);
    /// The LRZ cache was flushed.
    void note_lrz_flush() { lrz_known_ = true, lrz_va_ = 0; }
    /// Called after draws that used LRZ. `wrote`: they wrote the buffer; `flushed`: the cache was flushed
    /// after them.
    void end_lrz(bool wrote, bool flushed);

  private:
    void finish_streams() override;
    [[nodiscard]] uint64_t submit_streams(const submission::Needs& needs) override;
    void begin_streams(bool ran) override;
    const Block fence_ = create_block(64, 64);  // flush events must write a number; nothing reads this one
    uint32_t event_number_ = 0;

    CacheTracker caches_{serial()};
    bool called_used_color_ = false, stores_ = false;
    bool lrz_known_ = false, lrz_wrote_ = false;
    uint64_t lrz_va_ = 0;  // the buffer that the LRZ cache has lines of, if lrz_known_; 0: none
};

}  // namespace terrazzo::adreno
