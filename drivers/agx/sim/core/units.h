// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The units that shaders call: one call for each instruction of a SIMD-group. The core reads the sources and
// writes the results, so that a unit sees values only. A unit returns false, with a reason, for a fault.
// Threads that do not run keep their registers, whatever the unit writes there.
#pragma once

#include <string>

#include "drivers/agx/isa/isa.h"
#include "drivers/agx/sim/core/group.h"
#include "drivers/common/units/refuse.h"
#include "drivers/common/window/window.h"

namespace terrazzo::agx::sim {

using units::refuse;

struct UnitCall {
    UnitCall(const isa::Instr& i, SimdGroup& g, uint32_t threads, window::Window& m)
        : instr(i), group(g), active(threads), memory(m) {}
    const isa::Instr& instr;
    SimdGroup& group;
    uint32_t active;  // the threads that run
    window::Window& memory;
    /// in[s][n]: register (or uniform, or number) n of source s. Halves are in the low 16 bits of a word; a
    /// value of 64 bits is two words.
    static constexpr unsigned kMostIn = 8, kMostOut = 12;  // 12: ldcf of four
    Words in[isa::OpInfo::kMaxSources][kMostIn];
    unsigned in_count[isa::OpInfo::kMaxSources] = {};
    /// out[n]: register n of the destination. As in `in`, halves are in the low 16 bits. Textures: out[c] is
    /// component c, and the core chooses those of the mask.
    Words out[kMostOut] = {};
};

class Units {
  public:
    virtual ~Units() = default;
    /// texture_sample, texture_load.
    virtual bool texture(UnitCall&, std::string* why) { return absent("textures", why); }
    /// image_write.
    virtual bool image_write(UnitCall&, std::string* why) { return absent("image stores", why); }
    /// image_write_block: stores tiles of end-of-tile programs.
    virtual bool image_write_block(UnitCall&, std::string* why) { return absent("stores of tiles", why); }
    /// iter, iterproj, ldcf.
    virtual bool coefficient(UnitCall&, std::string* why) { return absent("coefficients", why); }
    /// st_var, no_var, st_var_final.
    virtual bool store_varying(UnitCall&, std::string* why) { return absent("varyings", why); }
    /// ld_tile, st_tile.
    virtual bool tile(UnitCall&, std::string* why) { return absent("tilebuffer", why); }
    /// sample_mask, zs_emit.
    virtual bool coverage(UnitCall&, std::string* why) { return absent("coverage", why); }
    /// wait_pix, signal_pix.
    virtual bool pixel_order(UnitCall&, std::string* why) { return absent("order of pixels", why); }
    /// uniform_store, tex_state_store, sampler_state_store of a preshader. (The core executes uniform_store.)
    virtual bool state_store(UnitCall&, std::string* why) { return absent("stores of state", why); }

  private:
    static bool absent(const char* what, std::string* why) { return refuse(why, "this stage has no ", what); }
};

}  // namespace terrazzo::agx::sim
