// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The core that runs the shaders before the rasterizer, with its units.
#pragma once

#include <memory>
#include <vector>

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
    WaveRunner* helper(unsigned number) override;
    /// With its helpers.
    CoreStats stats() const;
    uint64_t texture_pixels() const;

  private:
    Machine& machine_;
    ShaderUnits units_;
    Core core_;
    Stage stage_ = Stage::Vertex;
    uint64_t draw_ = 0;  // the draw that it is ready for
    std::vector<std::unique_ptr<VertexCore>> helpers_;
};

}  // namespace terrazzo::adreno::sim
