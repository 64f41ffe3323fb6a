// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is known of the GPU's caches where a submission's stream ends now: the CCU of colours and that of depth, the cache of BLIT events, the UCHE. So caches are
// flushed and invalidated only where somebody would not see what was written. A tracker knows by which cache which parts of which memory its submission wrote last,
// and when. Time is counted in steps; each sync that the GPU waits for ends one, and they grow from one submission of the process to the next.
//
// Several contexts record at a time, and what one of them has recorded says nothing of the caches where the stream of another ends: the kernel
// flushes and invalidates between submissions. So nothing of this is kept in images.
//
// What needs which event: Mesa 25.0.7, src/freedreno/vulkan/tu_cmd_buffer.h (tu_cmd_access_mask) and .cc (tu_flush_for_access).
#pragma once

#include <array>

#include "drivers/adreno/images/resource.h"

namespace terrazzo::adreno {

/// By which cache something was written last, or is about to be used. The 2D engine's targets go through the colour CCU, but draws do not find its lines.
enum class CachePath : uint8_t { Several, Uche, Color, Depth, Engine2d, Resolve };

/// What caches do at one place, in the order of the members. A flush writes back; who reads then by another way must invalidate that. An invalidation is waited
/// for: what follows reads. A flush alone is not: neither the work behind it needs that, nor the end of a submission.
struct CacheEvents {
    bool flush_color = false, flush_depth = false;            // CCU to memory
    bool invalidate_color = false, invalidate_depth = false;  // CCU
    bool resolve = false;                                     // what BLIT events wrote
    bool flush_uche = false, invalidate_uche = false;
    bool wait_for_idle = false;

    CacheEvents& operator|=(const CacheEvents& o);
    [[nodiscard]] bool invalidates() const { return invalidate_color || invalidate_depth || invalidate_uche; }
};

class CacheTracker {
  public:
    /// The kernel has invalidated the CCUs; nobody has invalidated the UCHE. `serial`: the submission's, which grows.
    void begin_submission(uint64_t serial);

    // ---- Work in the stream ----

    /// Draws went to memory by way of the CCUs.
    void note_draws(bool color, bool depth);
    void note_engine_2d() { ccus_[kColor].used = dirty_[kColor] = true; }
    void note_resolves() { dirty_[kResolve] = true; }
    /// Shaders or stream output stored: by way of the UCHE, which has it.
    void note_stores() { dirty_[kUche] = true; }
    /// What comes waits for what is before.
    void note_barrier() { waits_ = true; }
    /// A stream that is called many times used the colour CCU, and flushed it.
    void note_color_use() { ccus_[kColor].used = true; }
    /// Work has written that part; `key`: which colour target it was.
    void note_written(AdrenoResource& r, ImagePart part, CachePath path, unsigned key);

    // ---- Work that comes ----

    /// Whether read() might have something to say. (Not where nobody wrote since the submission began.)
    [[nodiscard]] bool may_miss(const AdrenoResource& r) const { return r.last_write_step() >= unsynced_; }
    /// It reads that part by way of the UCHE.
    void read(const AdrenoResource& r, ImagePart part);
    /// The CP reads that part past all caches.
    void read_by_processor(const AdrenoResource& r, ImagePart part);
    /// It reads or writes that part as a target.
    void use(const AdrenoResource& r, ImagePart part, CachePath path, unsigned key);
    /// What is missing for all that was use()d or the CP reads since the last call, and, where what comes `reads`, for all that was read().
    [[nodiscard]] CacheEvents take_missing(bool reads);
    /// The CCUs' memory is to be where sysmem has it, or where tiles leave room, and what comes uses these CCUs: what is missing for that.
    [[nodiscard]] CacheEvents place_ccus(bool for_tiles, bool color, bool depth);

    /// Before events are written into the stream: those that do something. They are counted as written.
    [[nodiscard]] CacheEvents sync(CacheEvents what);

  private:
    static constexpr unsigned kColor = 0, kDepth = 1, kResolve = 2, kUche = 3, kCaches = 4, kCcus = 2;
    static constexpr unsigned kAllCcus = 1u << kColor | 1u << kDepth;
    /// What this submission did with some memory.
    struct Written {
        uint64_t step = 0;  // the last one in which it was written
        CachePath path = CachePath::Several;
        uint8_t key = 0;
        uint8_t held = 0;            // a bit for each CCU that may have lines of it
        bool mixed = false;          // and not all of them are of that path and key
        ImagePart part, ccu_part{};  // what not everybody finds in memory; what CCUs may have
    };
    struct Entry {
        uint64_t va = 0;  // 0: free
        Written written;
    };
    /// Of so many pieces of memory a submission knows what it wrote. What it forgets of more is taken to be everywhere.
    static constexpr size_t kMostRemembered = 128, kSlots = 2 * kMostRemembered;
    /// The slot of the memory, or the one where it would be.
    [[nodiscard]] size_t slot_of(uint64_t va) const;
    /// What is held now yet. Nothing was written before this submission, as far as its stream is concerned.
    [[nodiscard]] Written load(const AdrenoResource& r) const;
    void store(AdrenoResource& r, const Written& w);
    /// The caches that a path writes by, as bits.
    [[nodiscard]] static unsigned caches_of(CachePath path);
    /// Those that must write back before others find in memory what was written.
    [[nodiscard]] unsigned unflushed(const Written& w) const;
    [[nodiscard]] static bool is_behind(const Written& w, const uint64_t (&steps)[kCaches]);
    void finish_step(bool invalidates_uche);

    struct Ccu {
        bool used = false;         // since it was invalidated
        bool moved = false;        // and its memory is another one now
        bool stale = false;        // what comes uses it for what it may have as it was before
        uint64_t invalidated = 0;  // the step up to which it has lines of nothing that was written
    };
    Ccu ccus_[kCcus];
    bool dirty_[kCaches] = {};        // it has something that is not in memory
    uint64_t flushed_[kCaches] = {};  // the step up to which all is in memory,
    uint64_t synced_[kCaches] = {};   // and the UCHE was invalidated behind that
    uint64_t unsynced_ = 0;           // the first step behind that of all caches
    uint64_t step_ = 0, before_ = 0;  // the last one before this submission
    bool uche_unknown_ = false;       // it was not invalidated in this submission
    // Bits of caches: what comes must find in memory what they had, as targets or for the CP, by the UCHE; and the UCHE may have that as it was before.
    unsigned targets_want_ = 0, reads_want_ = 0, uche_stale_ = 0;
    bool waits_ = false;
    bool tiles_ = false;  // have the CCUs' memory
    std::array<Entry, kSlots> entries_;
    size_t remembered_ = 0;
    uint64_t forgotten_ = 0;  // the last step in which something was written that is not in entries_
};

}  // namespace terrazzo::adreno
