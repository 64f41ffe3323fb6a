// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The back buffers of a window that shows shared memory: a few images. The window holds some of them while
// one is drawn to.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "pipe/screen.h"
#include "winsys/platform.h"

namespace terrazzo::egl {

/// Used by one thread at a time, like a surface.
class BackBuffers {
  public:
    /// The window must outlive the object. `format`: of the surface; `fourcc`: the window's code for it.
    BackBuffers(std::shared_ptr<pipe::Screen> screen, winsys::Window& window, pipe::Format format,
                uint32_t fourcc)
        : screen_(std::move(screen)), window_(window), format_(format), fourcc_(fourcc) {}

    /// The image for the next frame, until present(). Waits while the window holds all images. Null: the
    /// window does not accept such buffers from this device (`refused()`), the window is lost, the server
    /// does not release an image (`held()`), or out of memory.
    [[nodiscard]] pipe::Ref<pipe::Resource> acquire(uint32_t width_px, uint32_t height_px);
    /// True after the window or the device refused to share buffers: frames must be presented in another way.
    [[nodiscard]] bool refused() const { return refused_; }
    /// True if acquire() failed because the window releases no buffer.
    [[nodiscard]] bool held() const { return held_; }
    /// The number of frames since the acquired image was presented; 0: never, and its contents are undefined
    /// (EGL_EXT_buffer_age).
    [[nodiscard]] uint32_t age() const;
    /// Shows the acquired image. `fence_fd`: a sync file, which the caller keeps, that is signalled when the
    /// pixels are complete; -1: they are complete.
    [[nodiscard]] winsys::PresentStatus present(std::span<const winsys::Rect> damage, int interval,
                                                int fence_fd);
    /// The image that was presented last; null: there is none, or it has another size.
    [[nodiscard]] pipe::Resource* front() const;

  private:
    struct Buffer {
        pipe::Ref<pipe::Resource> image;
        std::unique_ptr<winsys::WindowBuffer> shown;
        winsys::ImplicitFence fence = winsys::ImplicitFence::None;
        uint64_t frame = 0;  // the last frame that it showed
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
    std::vector<uint64_t> modifiers_;  // for which they were created
    int back_ = -1, front_ = -1;       // indices in buffers_
    uint64_t frame_ = 0;               // the last presented frame
    bool refused_ = false, held_ = false;
};

}  // namespace terrazzo::egl
