// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragments of a tile: coverage, tests, SIMD-groups of eight quads; and the units of their programs.
#pragma once

#include <string>

#include "drivers/agx/sim/fragment/draw.h"
#include "drivers/agx/sim/resources/resource_units.h"
#include "drivers/agx/sim/resources/tile_buffer.h"
#include "drivers/common/units/primitive_quads.h"

namespace terrazzo::agx::sim {

/// A tile that one thread works on: the tilebuffer, and the ISP's depth and stencil.
struct Tile {
    TileBuffer colors;
    units::DepthStencilTile zs;
    pipe::raster::PixelRect rect;
    unsigned layer = 0;
    std::vector<uint8_t> depth, stencil;  // a word and a byte a sample
};

/// What a program of the tile runs for: SimdGroup::stage.
struct FragmentStage {
    const FragmentDraw* draw = nullptr;  // null: a background or end-of-tile program
    FragmentBatch* batch = nullptr;
    Tile* tile = nullptr;
    uint32_t undecided[kThreads] = {};  // samples for which the tests have not run, if the program says when
    uint64_t passed = 0;                // of the tests that the program runs
};

class FragmentUnits final : public ResourceUnits {
  public:
    FragmentUnits() : ResourceUnits(true) {}
    bool image_write_block(UnitCall& call, std::string* why) override;
    bool coefficient(UnitCall& call, std::string* why) override;
    bool tile(UnitCall& call, std::string* why) override;
    bool coverage(UnitCall& call, std::string* why) override;
    /// Fragments run in the order of their primitives, so that there is nothing to wait for.
    bool pixel_order(UnitCall&, std::string*) override { return true; }
};

struct FragmentCounts {
    uint64_t fragments = 0, samples_passed = 0;
};

/// Draws primitives into a tile, in order.
class TileShader {
  public:
    explicit TileShader(Core& core) : core_(core) {}
    /// `visible`: the results of occlusion queries.
    void begin(Tile& tile, std::vector<uint64_t>* visible);
    [[nodiscard]] bool draw(const FragmentDraw& draw, const units::FragmentPrimitive& p, Fault* fault);
    /// Shades the quads that wait.
    [[nodiscard]] bool flush(Fault* fault) { return !batch_.count || run(fault); }
    /// Runs a program for all pixels of the tile, without tests (background program).
    [[nodiscard]] bool fill(const BoundProgram& program, unsigned samples, Fault* fault);
    /// Runs a program with one thread (end-of-tile program).
    [[nodiscard]] bool finish(const BoundProgram& program, Fault* fault);
    FragmentCounts counts;

  private:
    bool run(Fault* fault);
    bool overlaps(std::span<const units::PrimitiveQuads::Quad> quads) const;
    void note(const units::PrimitiveQuads::Quad& quad);
    size_t bit_of(const units::PrimitiveQuads::Quad& quad) const;
    void start(const BoundProgram& program, unsigned samples, uint32_t threads, uint32_t helpers);
    template <class... Part>
    bool execute(const BoundProgram& program, Fault* fault, const Part&... what);
    void count_passed(const FragmentDraw& draw, uint64_t samples);

    Core& core_;
    SimdGroup group_;
    FragmentStage stage_;
    FragmentBatch batch_;
    units::PrimitiveQuads quads_;
    Tile* tile_ = nullptr;
    const FragmentDraw* draw_ = nullptr;  // of the batch
    std::vector<uint64_t>* visible_ = nullptr;
    static constexpr unsigned kColumns = 17;                  // of quads; a tile may begin at an odd pixel
    uint64_t waiting_[(kColumns * kColumns + 63) / 64] = {};  // places of the batch's quads
};

}  // namespace terrazzo::agx::sim
