// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of the GPU's caches at the current end of a submission's command stream: the CCU (color cache
// unit) of color, the CCU of depth, the cache of BLIT events, and the UCHE (unified L2 cache of shaders).
// With it, caches are flushed and invalidated only where a later access would otherwise miss a write.
//
// A tracker knows which memory its submission wrote last, through which cache, and when. Time is counted in
// steps: each sync for which the GPU waits ends a step, and steps grow from one submission of the process to
// the next.
//
// Several contexts can record at the same time, and the kernel flushes and invalidates between submissions.
// The state therefore belongs to a submission; images keep none of it but the step of their last write.
//
// What needs which event: Mesa 25.0.7, src/freedreno/vulkan/tu_cmd_buffer.h (tu_cmd_access_mask) and .cc
// (tu_flush_for_access).
#pragma once

#include <array>

#include "drivers/adreno/images/resource.h"

namespace terrazzo::adreno {

/// The cache through which memory was written last, or is about to be accessed. The 2D engine writes its
/// targets through the color CCU, but draws do not hit its lines. `Several`: more than one cache, or unknown.
enum class CachePath : uint8_t { Several, Uche, Color, Depth, Engine2d, Resolve };

/// The cache operations at one point of the stream, in the order of the members. A flush writes lines back to
/// memory; a reader through another cache must also invalidate its own cache. The GPU waits for an
/// invalidation, since the work that follows reads. It does not wait for a flush alone: neither later work
/// through the same cache nor the end of a submission requires it.
struct CacheEvents {
    bool flush_color = false, flush_depth = false;            // CCU to memory
    bool invalidate_color = false, invalidate_depth = false;  // CCU
    bool resolve = false;                                     // writes back the cache of BLIT events
    bool flush_uche = false, invalidate_uche = false;
    bool wait_for_idle = false;

    CacheEvents& operator|=(const CacheEvents& o);
    [[nodiscard]] bool invalidates() const { return invalidate_color || invalidate_depth || invalidate_uche; }
};

class CacheTracker {
  public:
    CacheTracker() = default;
    explicit CacheTracker(uint64_t serial) { begin_submission(serial); }
    /// The kernel has invalidated the CCUs, but not the UCHE. `serial`: of the submission; it grows.
    void begin_submission(uint64_t serial);

    // ---- Work that the stream contains ----

    /// Draws wrote memory through the CCUs.
    void note_draws(bool color, bool depth);
    void note_engine_2d() { ccus_[kColor].used = dirty_[kColor] = true; }
    void note_resolves() { dirty_[kResolve] = true; }
    /// Shaders or stream output wrote memory through the UCHE.
    void note_stores() { dirty_[kUche] = true; }
    /// A barrier: later work waits for all earlier work.
    void note_barrier() { waits_ = true; }
    /// A stream that is called for each tile used the color CCU, and flushed it.
    void note_color_use() { ccus_[kColor].used = true; }
    /// Work wrote `part` of `r`. `key`: the number of the color target, since lines of one are not hit as
    /// another.
    void note_written(AdrenoResource& r, ImagePart part, CachePath path, unsigned key);

    // ---- Work that follows ----

    /// Whether read() can have an effect: false for memory that was not written since all caches were last
    /// synced.
    [[nodiscard]] bool may_miss(const AdrenoResource& r) const { return r.last_write_step() >= unsynced_; }
    /// The next work reads `part` through the UCHE.
    void read(const AdrenoResource& r, ImagePart part);
    /// The CP (command processor) reads `part` from memory, without a cache.
    void read_by_processor(const AdrenoResource& r, ImagePart part);
    /// The next work reads or writes `part` as a target.
    void use(const AdrenoResource& r, ImagePart part, CachePath path, unsigned key);
    /// The operations that use() and read_by_processor() calls since the last call require and, if `reads`,
    /// those that read() calls require. (Work that does not read through the UCHE leaves the latter for
    /// later.)
    [[nodiscard]] CacheEvents take_missing(bool reads);
    /// Moves the CCUs' on-chip memory to where rendering to tiles leaves room (`for_tiles`), or to where
    /// direct rendering has it: the operations required, if the next work uses the CCU of `color` and that of
    /// `depth`.
    [[nodiscard]] CacheEvents place_ccus(bool for_tiles, bool color, bool depth);

    /// The operations of `what` that have an effect. The caller writes them into the stream; they count as
    /// done.
    [[nodiscard]] CacheEvents sync(CacheEvents what);

  private:
    static constexpr unsigned kColor = 0, kDepth = 1, kResolve = 2, kUche = 3, kCaches = 4, kCcus = 2;
    static constexpr unsigned kAllCcus = 1u << kColor | 1u << kDepth;
    /// The writes of this submission to one piece of memory.
    struct Written {
        uint64_t step = 0;  // of the last write
        CachePath path = CachePath::Several;
        uint8_t key = 0;
        uint8_t held = 0;            // a bit for each CCU that may have lines of it
        bool mixed = false;          // some of these lines are of another path or key
        ImagePart part, ccu_part{};  // the part that not all readers see yet; the part that CCUs may have
    };
    struct Entry {
        uint64_t va = 0;  // 0: free
        Written written;
    };
    /// The most pieces of memory whose writes are remembered. A write to any other may be in every cache.
    static constexpr size_t kMostRemembered = 128, kSlots = 2 * kMostRemembered;
    /// The slot of the memory at `va`, or the free one for it.
    [[nodiscard]] size_t slot_of(uint64_t va) const;
    /// The writes of this submission to `r`, without lines that were invalidated since. Earlier submissions
    /// do not count: the kernel flushed and invalidated after them.
    [[nodiscard]] Written load(const AdrenoResource& r) const;
    void store(AdrenoResource& r, const Written& w);
    /// The caches through which a path writes, as bits.
    [[nodiscard]] static unsigned caches_of(CachePath path);
    /// The caches, as bits, that must be flushed before the writes are in memory.
    [[nodiscard]] unsigned unflushed(const Written& w) const;
    /// Whether each cache of the writes, except the UCHE, reached their step in `steps`. (Before a write
    /// through another path, the UCHE was flushed.)
    [[nodiscard]] static bool is_behind(const Written& w, const uint64_t (&steps)[kCaches]);
    void finish_step(bool invalidates_uche);

    struct Ccu {
        bool used = false;         // since it was invalidated
        bool moved = false;        // its on-chip memory moved since it was used
        bool stale = false;        // the next work uses it and could hit outdated lines
        uint64_t invalidated = 0;  // the last step of whose writes it has no line
    };
    Ccu ccus_[kCcus];
    bool dirty_[kCaches] = {};        // the cache has lines that are not in memory
    uint64_t flushed_[kCaches] = {};  // the last step whose writes through the cache are all in memory
    uint64_t synced_[kCaches] = {};   // the same, with the UCHE invalidated after the flush
    uint64_t unsynced_ = 0;           // the first step that is not in `synced_` of all caches
    uint64_t step_ = 0, before_ = 0;  // the current step; the last one before this submission
    bool uche_unknown_ = false;       // the UCHE was not invalidated in this submission
    // Bits of caches. The next work needs them flushed, since it accesses the memory as a target or by the
    // CP, or since it reads through the UCHE; the UCHE may have outdated lines of what they wrote.
    unsigned targets_want_ = 0, reads_want_ = 0, uche_stale_ = 0;
    bool waits_ = false;  // a barrier was recorded
    bool tiles_ = false;  // the CCUs' memory is where tiles leave room
    // A hash table with open addressing, and the slots taken, so that a submission clears those alone.
    std::array<Entry, kSlots> entries_;
    std::array<uint8_t, kMostRemembered> taken_;
    static_assert(kSlots <= 256, "a slot fits into a byte");
    size_t remembered_ = 0;
    uint64_t forgotten_ = 0;  // the step of the last write to memory that is not in entries_; 0: none
};

}  // namespace terrazzo::adreno
