// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw from indices to primitives in the window; in a binning pass, to visibility streams.
#pragma once

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/wave_runner.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Receives the primitives of a draw in order, one batch per call. The outputs of a batch's vertices and the
/// lists are valid until the call returns.
class PrimitiveSink {
  public:
    virtual ~PrimitiveSink() = default;
    /// False: the draw ends; `fault` has the cause.
    [[nodiscard]] virtual bool take(const VertexOutputs& outputs, std::span<const DrawnList> lists,
                                    Fault* fault) = 0;
    /// Called for each primitive of a binning pass, in order: whether any part of it may be visible.
    [[nodiscard]] virtual bool is_seen(const DrawnPrimitive&, bool* seen, Fault*) { return *seen = true; }
};

/// Runs the vertex stages of a draw. A vertex is shaded once per batch and instance. In RenderMode::Binning
/// the sink receives nothing. In RenderMode::Gmem, primitives that are not in the tile by the streams are
/// neither shaded nor given to the sink. Stream output is written. False: `fault` names the draw. A draw that
/// the host stops ends early and returns true.
[[nodiscard]] bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call,
                                PrimitiveSink& sink, Fault* fault);

/// Handles the events of these units: beginning and end of a binning pass (UNK_2C, UNK_2D). Other events do
/// nothing.
[[nodiscard]] bool geometry_event(Machine& machine, hw::EventType event, Fault* fault);

}  // namespace terrazzo::adreno::sim
