// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A draw from indices to primitives in the window. In a binning pass, to visibility streams.
#pragma once

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/geometry/wave_runner.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Takes primitives, a batch after another, in order. A batch has the outputs of its vertices and may be changed; it is used again for the next one.
class PrimitiveSink {
  public:
    virtual ~PrimitiveSink() = default;
    /// False: `fault` says why the draw ends.
    [[nodiscard]] virtual bool take(DrawnPrimitives& batch, Fault* fault) = 0;
    /// Of each primitive of a binning pass, in order: whether any of it may be visible.
    [[nodiscard]] virtual bool is_seen(const DrawnPrimitive&, bool* seen, Fault*) { return *seen = true; }
};

/// Runs the vertex stages of a draw. A vertex is shaded once a batch and instance. In RenderMode::Binning the sink gets nothing. In RenderMode::Gmem what the
/// streams say is not in the tile is neither shaded nor given to the sink. Stream output is written. False: `fault` names the draw. A draw that the host wants
/// to stop ends early, and is true.
[[nodiscard]] bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call,
                                PrimitiveSink& sink, Fault* fault);
/// The same with all primitives of the draw at once.
[[nodiscard]] bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call,
                                DrawnPrimitives* out, Fault* fault);

/// What events mean to the units here: beginning and end of a binning pass (UNK_2C, UNK_2D). Other events do nothing.
[[nodiscard]] bool geometry_event(Machine& machine, hw::EventType event, Fault* fault);

}  // namespace terrazzo::adreno::sim
