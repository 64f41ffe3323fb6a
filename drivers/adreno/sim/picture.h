// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a colour target holds, as a picture.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/capture/replay.h"

namespace terrazzo::adreno::sim {

/// The colour target in memory that was written last.
class LastTarget {
  public:
    /// Nothing was written.
    void forget() { desc_ = {}; }
    /// After a draw, and after a BLIT event: asks the registers what they wrote.
    void after_draw(Machine& machine);
    void after_blit(Machine& machine);
    [[nodiscard]] bool any() const { return desc_.format != hw::Format::FMT6_NONE; }
    [[nodiscard]] const SurfaceDesc& desc() const { return desc_; }

  private:
    void note(const SurfaceDesc& desc);
    SurfaceDesc desc_;
};

/// The first sample of each pixel. False: memory or the description refuses that, or the format has no
/// colours: `why`.
[[nodiscard]] bool read_picture(Machine& machine, const SurfaceDesc& target, capture::Picture* out,
                                std::string* why);

}  // namespace terrazzo::adreno::sim
