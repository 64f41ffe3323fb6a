// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Who runs the waves that geometry makes: a core with its units, or what a test puts there.
#pragma once

#include <string>

#include "drivers/adreno/sim/core/wave.h"

namespace terrazzo::adreno::sim {

class WaveRunner {
  public:
    virtual ~WaveRunner() = default;
    /// Memory and descriptors may have changed since.
    virtual void begin_draw() {}
    /// Runs the program of `code_B` bytes at code_va to its end; the wave has its inputs, and then its results. False: `why` says what is wrong.
    virtual bool run(Wave& wave, uint64_t code_va, uint64_t code_B, std::string* why) = 0;
};

}  // namespace terrazzo::adreno::sim
