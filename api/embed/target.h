// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The default framebuffer of a context of terrazzo.h: a device image, whose pixels are copied to the caller's
// memory at the end of a frame. (Devices draw in whole blocks and pad rows, so they cannot draw into
// arbitrary memory.)
#pragma once

#include "api/terrazzo.h"
#include "pipe/context.h"
#include "pipe/screen.h"
#include "state_tracker/drawable.h"

namespace terrazzo::embed {

class TargetDrawable final : public st::Drawable {
  public:
    /// Null: out of memory.
    [[nodiscard]] static pipe::Ref<TargetDrawable> create(pipe::Screen& screen, pipe::Format color,
                                                          pipe::Format depth_stencil, uint32_t width_px,
                                                          uint32_t height_px);
    [[nodiscard]] bool acquire(Buffers* out) override {
        *out = buffers_;
        return true;
    }
    [[nodiscard]] bool fits(pipe::Format color, uint32_t width_px, uint32_t height_px) const {
        return color_format == color && buffers_.width_px == width_px && buffers_.height_px == height_px;
    }
    /// Copies the frame, which must be complete. False: out of memory.
    [[nodiscard]] bool copy_to(pipe::Context& context, const terrazzo_target& target) const;

  private:
    TargetDrawable() = default;
    Buffers buffers_;
};

}  // namespace terrazzo::embed
