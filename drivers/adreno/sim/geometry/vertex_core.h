// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The core that runs the shaders before the rasterizer, with its units.
#pragma once

#include "drivers/adreno/sim/core/core.h"
#include "drivers/adreno/sim/geometry/wave_runner.h"
#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/texture/shader_units.h"

namespace terrazzo::adreno::sim {

class VertexCore final : public WaveRunner {
  public:
    /// `machine` outlives it.
    explicit VertexCore(Machine& machine);
    void begin_draw() override;
    bool run(Wave& wave, const StageRun& run, std::string* why) override;
    const CoreStats& stats() const { return core_.stats(); }
    uint64_t texture_pixels() const { return units_.texture_pixels(); }

  private:
    Machine& machine_;
    ShaderUnits units_;
    Core core_;
    Stage stage_ = Stage::Vertex;
};

}  // namespace terrazzo::adreno::sim
