// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/geometry.h"

#include <string>

#include "drivers/adreno/sim/geometry/draw.h"
#include "drivers/adreno/sim/geometry/visibility.h"

namespace terrazzo::adreno::sim {

bool run_geometry(Machine& machine, WaveRunner& runner, const DrawCall& call, PrimitiveSink& sink,
                  Fault* fault) {
    GeometryDraw draw(machine, runner, call);
    if (draw.run(sink, fault)) return true;
    fault->report = "draw " + std::to_string(call.number) + ": " + fault->report;
    return false;
}

bool geometry_event(Machine& machine, hw::EventType event, Fault* fault) {
    using hw::EventType;
    if (event == EventType::UNK_2C) return visibility_of(machine).pass.begin(machine, fault);
    if (event == EventType::UNK_2D) {
        if (!visibility_of(machine).pass.begun())
            return fail(fault, "a binning pass ends that no event has begun");
        return visibility_of(machine).pass.end(machine, fault);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
