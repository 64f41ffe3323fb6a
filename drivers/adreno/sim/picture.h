// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The contents of a colour target as a picture.
#pragma once

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/host/picture.h"

namespace terrazzo::adreno::sim {

/// The colour target in memory that was last written.
class LastTarget {
  public:
    /// No target was written.
    void forget() { desc_ = {}; }
    /// Call after a draw or a BLIT event: reads from the registers what it wrote.
    void after_draw(Machine& machine);
    void after_blit(Machine& machine);
    [[nodiscard]] bool any() const { return desc_.format != hw::Format::FMT6_NONE; }
    [[nodiscard]] const SurfaceDesc& desc() const { return desc_; }

  private:
    void note(const SurfaceDesc& desc);
    SurfaceDesc desc_;
};

/// The first sample of each pixel. False: memory refuses the access, the description is invalid, or the
/// format has no colours: `why`.
[[nodiscard]] bool read_picture(Machine& machine, const SurfaceDesc& target, host::Picture* out,
                                std::string* why);

}  // namespace terrazzo::adreno::sim
