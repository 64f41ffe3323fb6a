// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the GPU's caches might still hold, and what still runs. The model has no caches and ends each work at
// once, so that pictures would be right even if a flush, invalidation or wait were missing. Therefore each
// write to memory is recorded as a range: which cache has it, since when, and what a stream did about it.
// Readers see memory through a Space whose mappings leave out what must not be read yet, so that the check
// costs nothing in correct streams.
//
// How each writer and reader accesses memory: Mesa 25.0.7: src/freedreno/vulkan/tu_cmd_buffer.h
// (tu_cmd_access_mask, tu_stage) and .cc (tu_flush_for_access, tu_emit_cache_flush_ccu),
// src/gallium/drivers/freedreno/a6xx/fd6_barrier.cc, src/freedreno/registers/adreno/adreno_pm4.xml (the
// events' effects).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "drivers/common/window/window.h"

namespace terrazzo::adreno::sim {

struct Machine;

/// The unit that wrote.
enum class Writer : uint8_t {
    Color,      // draws in sysmem, through the colour CCU
    Depth,      // the same, through the depth CCU
    Engine2d,   // CP_BLIT, through the colour CCU
    Resolve,    // BLIT events: their own small cache, not the CCUs
    Uche,       // shaders, stream output, visibility streams
    Processor,  // the CP: its writes wait in a queue
    Event,      // numbers, times and counts that an event writes when the earlier work has ended
};
/// The unit that reads. The CP reads memory directly, not through a cache; packets that it reads early do not
/// wait for CP_WAIT_FOR_IDLE.
enum class Reader : uint8_t { Uche, Processor, EarlyProcessor, ColorCcu, DepthCcu, Resolve };

/// What the caches hold of a submit, and its times: preemption saves it.
struct CacheState {
    struct Range {
        uint64_t begin = 0, end = 0;
        bool overlaps(uint64_t va, uint64_t size_B) const { return va < end && begin < va + size_B; }
    };
    /// Times count works and events; 0: never.
    struct Write {
        Range range;
        Writer by;
        uint8_t key = 0;  // of Color: the target's number
        uint32_t draw = 0;
        uint64_t at = 0;
        uint64_t flushed = 0, uche_invalidated = 0;
        bool stale_in_ccu[2] = {};  // colour, depth: it may hold older contents
        uint64_t ccu_invalidated[2] = {};
    };
    std::vector<Write> writes;
    bool moved[2] = {};             // and has lines from before
    std::vector<Range> held[2];     // the lines that the CCUs have had since their invalidation
    uint64_t uche_invalidated = 0;  // in this submit
    // The times of the last work or flush and of the last CP_WAIT_FOR_IDLE, and the times up to which early
    // packets waited: for the GPU's work, for the CP's writes.
    uint64_t now = 0, busy = 0, idle = 0, early = 0, early_writes = 0;
};

class Caches : private CacheState {
  public:
    explicit Caches(window::Space& memory);
    Caches(const Caches&) = delete;

    /// Memory as a reader may see it: Uche or Processor. What it must not read is not readable there, and
    /// refusal() has the reason. Any thread, between calls of the methods below.
    window::Space& space(Reader reader) { return reader == Reader::Uche ? uche_ : processor_; }
    /// Call after any method below, before reads through space(): whether a range is refused that was
    /// readable before.
    bool update();
    bool has_changed() const { return changed_; }

    /// A submit begins: the kernel invalidates the CCUs, and earlier work may still run. The UCHE may hold
    /// contents from before the host's writes.
    void begin_submit();
    /// Why the submit must not end here; "": it may. The kernel flushes the UCHE, not the CCUs.
    [[nodiscard]] std::string end_submit() const;

    // ---- Work ----

    /// Before a draw, the 2D engine, or a BLIT event: "", or why it must not run. Registers say what it
    /// writes, and what it reads other than through the UCHE.
    [[nodiscard]] std::string begin_draw(const Machine& machine);
    [[nodiscard]] std::string begin_2d(const Machine& machine);
    [[nodiscard]] std::string begin_blit_event(const Machine& machine);
    void end_draw(Machine& machine);
    void end_2d(const Machine& machine);
    void end_blit_event(const Machine& machine);
    void end_dispatch(Machine& machine);
    /// An event that writes its value later, or through the UCHE.
    void write_by_event(uint64_t va, uint64_t size_B, Writer by = Writer::Event);
    /// Why an event must not write there; "": it may. An earlier write of the CP might be executed after it.
    [[nodiscard]] std::string check_event_write(uint64_t va, uint64_t size_B) const;
    void write_by_processor(uint64_t va, uint64_t size_B);
    /// Visibility streams, of work `draw`. Stores of shaders and stream output are reported by
    /// space(Reader::Uche).stored().
    void write_by_uche(uint64_t va, uint64_t size_B, uint32_t draw);

    // ---- The stream's flushes, invalidations and waits ----

    void flush_color();
    void flush_depth();
    void flush_resolved() { flush(Writer::Resolve); }
    void flush_uche() { flush(Writer::Uche); }
    void invalidate_color() { invalidate_ccu(0); }
    void invalidate_depth() { invalidate_ccu(1); }
    void invalidate_uche();
    void wait_for_idle();
    void wait_for_me() { early = idle, early_writes = now; }
    void wait_mem_writes();
    /// The CP read the value that an event wrote there: earlier work has ended.
    void polled(uint64_t va);

    /// For tests: work must not read the stores of other work's shaders before that work has ended. (GL
    /// allows such reads; their values are undefined.)
    bool orders_stores = false;

    // ---- Queries ----

    /// Whether work may still run: registers that draws do not copy must not change then.
    bool is_busy() const { return busy > idle; }
    /// RB_CCU_CNTL changes. Why it must not; "": it may. Flushed lines are wrong from then on.
    [[nodiscard]] std::string move_ccus();
    /// "", or why the range must not be read yet. `what` begins the text.
    [[nodiscard]] std::string check(Reader reader, uint64_t va, uint64_t size_B,
                                    const std::string& what) const;

    /// check() for LRZ, which reads through the UCHE before all others. Which lines of its buffers the UCHE
    /// has is not known; waits are not required, as freedreno has none.
    [[nodiscard]] std::string check_lrz(uint64_t va, uint64_t size_B) const;
    /// check() for a word that the CP polls: an event's write may come later, a write of the CP must be
    /// complete.
    [[nodiscard]] std::string check_polled(uint64_t va) const;

    CacheState save() const { return *this; }
    void restore(const CacheState& state) {
        static_cast<CacheState&>(*this) = state;
        changed_ = true;
        ++version_;
    }

  private:
    static constexpr unsigned kColor = 0, kDepth = 1;  // CCUs
    static constexpr unsigned kNobody = ~0u;           // no target has this key
    struct Refused {
        uint64_t begin, end;
    };
    class View final : public window::Space {
      public:
        View(Caches& caches, Reader reader) : caches_(caches), reader_(reader) {}
        window::Mapping find(uint64_t va) override;
        uint64_t epoch() const override;
        std::string refusal(uint64_t va) override;
        void run_code(uint64_t va) override { caches_.memory_.run_code(va); }
        void stored(uint64_t va, uint64_t size_B) override { caches_.store(va, size_B); }

        std::vector<Refused> refused;  // sorted, apart

      private:
        Caches& caches_;
        const Reader reader_;
    };
    static constexpr size_t kRemembered = 256, kRememberedStores = 64;

    void add(const Write& write);
    void store(uint64_t va, uint64_t size_B);
    void end_stores(Machine& machine);
    void flush(Writer by);
    void invalidate_ccu(unsigned ccu);
    void hold(unsigned ccu, Range range);
    void forget_finished();
    /// What is missing before a reader may read.
    enum class Missing : uint8_t {
        Nothing,
        Flush,
        IdleAfterFlush,
        End,
        Invalidation,
        IdleAfterInvalidation,
        WaitForMe
    };
    static std::string text(const Write& w, Missing missing, Reader reader);
    Missing to_memory(const Write& w) const;
    /// `key`: the target's.
    Missing missing(const Write& w, Reader reader, unsigned key) const;
    Missing missing_of_ccu(const Write& w, unsigned ccu, unsigned key) const;
    std::string check_target(unsigned ccu, Range range, unsigned key, const char* what) const;
    std::string check_writes(Reader reader, Range range, unsigned key, const std::string& what) const;
    std::vector<Refused> refused_for(Reader reader) const;
    template <class F>
    void for_each_target(const Machine& machine, F&& f) const;
    static bool is_own(Writer by, unsigned ccu);

    window::Space& memory_;
    View uche_, processor_;
    uint64_t version_ = 0;  // changes when other ranges are refused
    bool changed_ = false;

    // The stores of the running work's shaders: ranges that do not touch, by their start. Several threads
    // shade.
    std::mutex stores_mutex_;
    std::map<uint64_t, uint64_t> stores_;
    bool strict_ = false;  // a command processor began a submit
};

}  // namespace terrazzo::adreno::sim
