// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Who runs the waves that geometry makes: a core with its units, or what a test puts there.
#pragma once

#include <string>

#include "drivers/adreno/sim/core/wave.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// One stage's program for one wave.
struct StageRun {
    Stage stage = Stage::Vertex;
    uint64_t code_va = 0, code_B = 0;
    bool chained =
        false;  // the wave comes from another stage's chsh: its registers, and results under way, stay
    bool chains = false;  // it must end by chsh: another stage follows in the same wave
};

class WaveRunner {
  public:
    virtual ~WaveRunner() = default;
    /// Memory and descriptors may have changed since.
    virtual void begin_draw() {}
    /// Runs the program to its end with the lanes `wave.lanes`; the wave has its inputs, and then its results. False: `why` says what is wrong.
    virtual bool run(Wave& wave, const StageRun& run, std::string* why) = 0;
};

}  // namespace terrazzo::adreno::sim
