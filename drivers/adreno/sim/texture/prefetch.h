// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures that are sampled before a fragment shader starts (SP_FS_PREFETCH_CNTL, _CMD): at a varying, with
// the pixel's weights.
#pragma once

#include <array>
#include <string>

#include "drivers/adreno/sim/core/units.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Perspective-correct, at the centre of each pixel, also for helpers. Floats as bits, as bary.f reads them.
struct PixelWeights {
    U32 i[kMaxGroups] = {}, j[kMaxGroups] = {};
};

/// The commands as instructions, decoded once per draw. Empty if SP_FS_PREFETCH_CNTL was never written.
class TexturePrefetch {
  public:
    /// False: a command that the model does not know.
    [[nodiscard]] bool init(const Machine& machine, Fault* fault);
    bool any() const { return count_ != 0; }
    /// Runs the commands for a wave; its registers then have the results. `units`: the fragment stage's, with
    /// varying().
    [[nodiscard]] bool run(Units& units, Wave& wave, window::Window& memory, const PixelWeights& weights,
                           std::string* why) const;

  private:
    struct Command {
        isa::Instr interpolate, sample;
        uint32_t location = 0;
        bool bindless = false;
        uint32_t base = 0, texture = 0, sampler = 0;
        bool half = false;
    };
    static constexpr unsigned kMaxCommands = 4;
    std::array<Command, kMaxCommands> commands_;
    unsigned count_ = 0;
};

}  // namespace terrazzo::adreno::sim
