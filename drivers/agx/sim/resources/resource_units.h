// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The units that access textures and images, for shaders of all stages. One object belongs to one thread.
// The texture unit and image_write are missing yet: they are faults that say so.
#pragma once

#include "drivers/agx/sim/core/units.h"

namespace terrazzo::agx::sim {

class ResourceUnits : public Units {
  public:
    bool texture(UnitCall&, std::string* why) override {
        return refuse(why, "the virtual GPU has no texture unit yet");
    }
    bool image_write(UnitCall&, std::string* why) override {
        return refuse(why, "the virtual GPU has no image stores yet");
    }
    /// Memory may have changed.
    void forget() {}
    /// The threads of texture instructions so far.
    uint64_t texture_fetches() const { return 0; }
};

/// The address of the descriptor that a thread's operands choose: by number, or by a base and an offset.
/// `base`, `texture`: sources of the instruction. False: the program has not bound it.
[[nodiscard]] bool find_texture(const UnitCall& call, unsigned base, unsigned texture, unsigned thread,
                                uint64_t* va, std::string* why);

}  // namespace terrazzo::agx::sim
