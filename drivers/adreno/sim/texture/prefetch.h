// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures that are sampled before a fragment shader begins (SP_FS_PREFETCH_CNTL, _CMD): at a varying, with the pixel's weights.
#pragma once

#include <array>
#include <string>

#include "drivers/adreno/sim/core/units.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Perspective-correct, of the middle of each pixel: helpers too. As bary.f reads them, bits of floats.
struct PixelWeights {
    U32 i[kMaxGroups] = {}, j[kMaxGroups] = {};
};

/// Once a draw: the commands as instructions. Nothing to do where SP_FS_PREFETCH_CNTL was never written.
class TexturePrefetch {
  public:
    /// False: a command that the model does not know.
    [[nodiscard]] bool init(const Machine& machine, Fault* fault);
    bool any() const { return count_ != 0; }
    /// A wave's: results are in its registers after. `units`: the fragment stage's, with varying().
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
