// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The back buffers of a window that shows shared memory: a few images, of which the window holds some while one is drawn to.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pipe/screen.h"
#include "winsys/platform.h"

namespace terrazzo::egl {

/// One thread at a time, as a surface.
class BackBuffers {
  public:
    /// The window outlives it. `format`: as the surface is drawn to; `fourcc`: as the window calls it.
    BackBuffers(std::shared_ptr<pipe::Screen> screen, winsys::Window& window, pipe::Format format,
                uint32_t fourcc)
        : screen_(std::move(screen)), window_(window), format_(format), fourcc_(fourcc) {}

    /// The image that the next frame is drawn to, until present(). Waits while the window holds all. Null: the window takes no
    /// such buffers from this device (`refused()`), it is lost, its user holds all (`held()`), or out of memory.
    [[nodiscard]] pipe::Ref<pipe::Resource> acquire(uint32_t width_px, uint32_t height_px);
    /// True once the window, or the device, has said that buffers cannot be shared between them: present frames another way.
    [[nodiscard]] bool refused() const { return refused_; }
    /// True where acquire() failed because the window gives no buffer back.
    [[nodiscard]] bool held() const { return held_; }
    /// How many frames ago the acquired image was presented; 0: never, its contents are undefined (EGL_EXT_buffer_age).
    [[nodiscard]] uint32_t age() const;
    /// Shows the acquired image. `fence_fd`: a sync file, the caller's, that is signalled when the pixels are there; -1: they are.
    [[nodiscard]] winsys::PresentStatus present(std::span<const winsys::Rect> damage, int interval,
                                                int fence_fd);
    /// The image that was presented last; null: none yet, or of another size.
    [[nodiscard]] pipe::Resource* front() const;

  private:
    struct Buffer {
        pipe::Ref<pipe::Resource> image;
        std::unique_ptr<winsys::WindowBuffer> shown;
        winsys::ImplicitFence fence = winsys::ImplicitFence::None;
        uint64_t frame = 0;  // that it showed last
    };
    [[nodiscard]] bool make_room(uint32_t width_px, uint32_t height_px);
    [[nodiscard]] bool create(uint32_t width_px, uint32_t height_px);
    [[nodiscard]] std::vector<uint64_t> best_modifiers() const;
    [[nodiscard]] bool create_image(uint32_t width_px, uint32_t height_px, Buffer* out,
                                    winsys::SharedBuffer* shared);

    const std::shared_ptr<pipe::Screen> screen_;
    winsys::Window& window_;
    const pipe::Format format_;
    const uint32_t fourcc_;
    std::vector<Buffer> buffers_;
    std::vector<uint64_t> modifiers_;  // that they were made for
    int back_ = -1, front_ = -1;       // of buffers_
    uint64_t frame_ = 0;               // that was presented last
    bool refused_ = false, held_ = false;
};

}  // namespace terrazzo::egl
