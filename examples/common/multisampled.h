// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Several samples per pixel without a multisampled window.
#pragma once

namespace example {

/// Binds a new framebuffer of `samples` samples per pixel, with a colour and a depth buffer. `resolve` mixes
/// each pixel's samples into the framebuffer that was bound before, and binds that one again. OpenGL ES 3.0.
class Multisampled {
  public:
    Multisampled(int width, int height, int samples);
    void resolve();

  private:
    int width_, height_;
    int before_ = 0;
};

}  // namespace example
