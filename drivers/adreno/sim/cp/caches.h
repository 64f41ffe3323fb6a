// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the GPU's caches would still hold. The model has none, so that a missing flush would give the right picture: therefore ranges of memory
// are remembered that the CCUs wrote (draws in sysmem and the 2D engine) until they are flushed, and those that are newer than what the UCHE
// may hold (what was flushed or resolved) until it is invalidated. A texture or a source of the 2D engine that begins in one of them is a
// fault. Facts: Mesa 25.0.7, src/freedreno/registers/adreno/adreno_pm4.xml (what events do), src/gallium/drivers/freedreno/a6xx/fd6_barrier.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

class Caches {
  public:
    /// Before a draw: whether textures of its stages may be read. False: `fault` says which not.
    bool check_draw(const Machine& machine, Fault* fault) const;
    bool check_dispatch(const Machine& machine, Fault* fault) const;
    bool check_2d(const Machine& machine, Fault* fault) const;
    /// What it wrote.
    void drew(const Machine& machine);
    void blitted_2d(const Machine& machine);
    void resolved(const Machine& machine);

    void flush_color() { flush(Cache::Color); }
    void flush_depth() { flush(Cache::Depth); }
    void invalidate() { stale_.clear(); }
    /// The CCUs hold what is not in memory.
    bool is_dirty() const { return !dirty_.empty(); }
    /// "what draw 3 wrote at 0x1000", where is_dirty().
    std::string first_dirty() const;
    /// Another submit begins: the kernel invalidates the CCUs.
    void begin_submit() { dirty_.clear(); }

  private:
    enum class Cache : uint8_t { Color, Depth };
    struct Range {
        uint64_t begin, end;
        Cache cache;
        uint32_t draw;
    };
    /// Who reads what a forgotten range was is not blamed.
    static constexpr size_t kRemembered = 128;

    static void add(std::vector<Range>* ranges, const Range& range);
    void flush(Cache cache);
    bool may_read(uint64_t va, const std::string& what, Fault* fault) const;
    bool check_textures(const Machine& machine, Stage stage, unsigned count, Fault* fault) const;
    void wrote(uint64_t base, uint64_t pitch_B, uint32_t rows, Cache cache, uint32_t draw);

    std::vector<Range> dirty_, stale_;
};

}  // namespace terrazzo::adreno::sim
