// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the waves of geometry: a core with its units, or a test's replacement.
#pragma once

#include <memory>
#include <string>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// One stage's program for one wave.
struct StageRun {
    Stage stage = Stage::Vertex;
    uint64_t code_va = 0, code_B = 0;
    bool chained =
        false;  // the wave continues after another stage's chsh: its registers, and results in flight, stay
    bool chains = false;  // it must end with chsh: another stage follows in the same wave
};

class WaveRunner {
  public:
    virtual ~WaveRunner() = default;
    /// Memory and descriptors may have changed since the last draw.
    virtual void begin_draw() {}
    /// Runs the program to its end with the lanes `wave.lanes`; the wave has its inputs before and its
    /// results after. False: `why`.
    virtual bool run(Wave& wave, const StageRun& run, std::string* why) = 0;
    /// A runner for another thread, ready for the draw, by its number from 1 on; null: there is none. It
    /// belongs to this one.
    virtual WaveRunner* helper(unsigned /*number*/) { return nullptr; }
    /// The wave of all draws, which is large. Registers have what the draw before left there.
    Wave& wave() {
        if (!wave_) wave_ = std::make_unique<Wave>();
        wave_->shared = {};
        return *wave_;
    }

  private:
    std::unique_ptr<Wave> wave_;
};

}  // namespace terrazzo::adreno::sim
