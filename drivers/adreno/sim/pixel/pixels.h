// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The pixels of a draw: areas of 32x32 pixels on several threads, each of which shades the draw's primitives
// in order.
#pragma once

#include <memory>

#include "drivers/adreno/sim/pixel/shade.h"
#include "drivers/common/units/areas.h"

namespace terrazzo::adreno::sim {

class PixelEngine {
  public:
    explicit PixelEngine(Machine& machine);
    ~PixelEngine();
    /// Before a submit: cached programs and images may have changed.
    void begin_submit();
    /// The following take() calls are of that draw. The first one reads the registers.
    void begin_draw(const DrawCall& call);
    /// Draws primitives of the draw, after those of earlier calls. Adds to Machine::samples_passed. False:
    /// `fault` names draw and register. Not thread-safe.
    [[nodiscard]] bool take(const VertexOutputs& outputs, std::span<const DrawnList> lists, Fault* fault);
    [[nodiscard]] LowResolutionDepth& lrz() { return lrz_; }

  private:
    struct Worker;
    // The primitives of a list, which one thread sets up.
    struct Part {
        size_t first = 0, end = 0;
        unsigned layers = 1;
    };
    void count();
    // Sets up a primitive; empty bounds: nothing of it is drawn.
    bool load_primitive(const PixelState& state, const VertexOutputs& outputs, const DrawnPrimitive& d,
                        FragmentPrimitive* p, Fault* fault) const;
    bool load_primitives(const PixelState& state, const VertexOutputs& outputs,
                         std::span<const DrawnList> lists, Fault* fault);
    // Lists the primitives of part `n` in a layer by their areas.
    void list_areas(unsigned worker, unsigned n, unsigned layer);
    template <class Run>
    bool run_parts(const PixelState& state, Run&& run, Fault* fault);
    bool run_bins(const PixelState& state, uint32_t output_words, Fault* fault);
    bool run_area(const PixelState& state, uint32_t output_words, Worker& worker, unsigned area,
                  Fault* fault);

    Machine& machine_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<FragmentPrimitive> primitives_;  // of which the first count_ are the batch's
    size_t count_ = 0;
    LowResolutionDepth lrz_;
    std::vector<Part> parts_;  // of which the first part_count_ are the batch's
    size_t part_count_ = 0;
    units::AreaBins bins_;
    unsigned layers_ = 0;
    uint32_t draw_ = 0;
    PixelState state_;
    bool has_state_ = false;
    bool fresh_ = true;  // a submit has begun
};

}  // namespace terrazzo::adreno::sim
