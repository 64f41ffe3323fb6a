// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The fixed-function units to which shader cores send messages, one call per message of a warp. A unit reads
// sources and staging registers from the message and writes results, one vector per staging register, to
// `out`. It returns false, with a reason, for a fault. Only results of active lanes count; the core keeps the
// other lanes' registers.
#pragma once

#include <span>
#include <string>

#include "drivers/common/units/refuse.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/memory.h"
#include "drivers/mali/sim/core/warp.h"

namespace terrazzo::mali::sim {

using units::refuse;

struct MessageIn {
    const isa::Instr& instr;
    uint32_t active = 0;       // lanes
    const U32* src = nullptr;  // by source, two vectors each: the low and high words of a 64-bit source
    const U32* in = nullptr;   // the staging registers that are read
    unsigned in_count = 0, out_count = 0;
    Window& memory;
    /// The low word of source `i`.
    U32 low(unsigned i) const { return src[2 * i]; }
    U32 high(unsigned i) const { return src[2 * i + 1]; }
};

/// A message of the running threads of a bundle's warps.
struct BundleMessage {
    const isa::Instr& instr;
    std::span<Warp> warps;
    isa::Staging in, out;
};

/// How a BLEND continues.
enum class BlendPath : uint8_t { FixedFunction, Shader };

class Units {
  public:
    virtual ~Units() = default;

    /// LD_ATTR*, LEA_ATTR*, LD_TEX*, LEA_TEX*, LEA_BUF*, LEA_BUFFER.
    virtual bool attribute(Warp&, const MessageIn&, U32*, std::string* why) {
        return absent("attribute unit", why);
    }
    /// LD_BUFFER.*: `out` receives the loaded bytes, little endian, from the first register's low byte on;
    /// the core extends them.
    virtual bool load_buffer(Warp&, const MessageIn&, U32*, std::string* why) {
        return absent("buffer descriptors", why);
    }
    /// LD_VAR*.
    virtual bool varying(Warp&, const MessageIn&, U32*, std::string* why) { return absent("varyings", why); }
    /// TEX_*, VAR_TEX_*.
    virtual bool texture(Warp&, const MessageIn&, U32*, std::string* why) {
        return absent("texture unit", why);
    }
    /// ATEST: out[0] is the new coverage.
    virtual bool alpha_test(Warp&, const MessageIn&, U32*, std::string* why) {
        return absent("alpha test", why);
    }
    /// ZS_EMIT: out[0] is the new coverage.
    virtual bool depth_stencil(Warp&, const MessageIn&, U32*, std::string* why) {
        return absent("depth and stencil unit", why);
    }
    virtual bool blend(Warp&, const MessageIn&, BlendPath*, std::string* why) {
        return absent("blend unit", why);
    }
    /// LD_TILE, ST_TILE.
    virtual bool tile(Warp&, const MessageIn&, U32*, std::string* why) { return absent("tile buffer", why); }
    /// ST_CVT.
    virtual bool store_converted(Warp&, const MessageIn&, std::string* why) {
        return absent("converting stores", why);
    }
    /// A workgroup of more than one warp must run its warps in turns: the core stops after the instruction
    /// (Core::Outcome::Barrier).
    virtual bool barrier(Warp&, std::string* why) { return absent("barriers", why); }

    /// Serves the messages of all warps, in their order, and writes the results to their registers. False:
    /// each warp must send its message by itself, because the unit cannot do this, or there is a fault.
    /// Nothing was done then, but the registers of results may have changed. BLEND goes on after it with
    /// BlendPath::FixedFunction.
    virtual bool serve_all(const BundleMessage&) { return false; }

  private:
    static bool absent(const char* what, std::string* why) { return refuse(why, "this stage has no ", what); }
};

}  // namespace terrazzo::mali::sim
