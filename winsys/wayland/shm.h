// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wl_buffer in memory shared with the server (wayland.xml: wl_shm, wl_shm_pool, wl_buffer).
#pragma once

#include <wayland-client.h>

#include <cstdint>
#include <memory>

#include "winsys/platform.h"

namespace terrazzo::winsys {

/// wl_shm's number of a DRM fourcc: its two oldest formats have numbers of their own.
[[nodiscard]] uint32_t shm_format(uint32_t fourcc);
/// And back.
[[nodiscard]] uint32_t shm_fourcc(uint32_t format);
/// Bytes a pixel of a fourcc that windows show; 0: none of them.
[[nodiscard]] uint32_t pixel_size_B(uint32_t fourcc);

/// One buffer. The thread that dispatches the queue of `shm` owns it.
class ShmBuffer {
  public:
    /// Events go to the queue of `shm`. Null: no memory, or no file descriptor.
    [[nodiscard]] static std::unique_ptr<ShmBuffer> create(wl_shm* shm, uint32_t width_px, uint32_t height_px,
                                                           uint32_t fourcc);
    /// Tells the server unless forget() was called before.
    ~ShmBuffer();
    ShmBuffer(const ShmBuffer&) = delete;
    ShmBuffer& operator=(const ShmBuffer&) = delete;

    /// Writes a frame of the buffer's size and format, turning it over: the first row of a wl_shm buffer is
    /// the top one.
    void fill(const Frame& frame);
    /// The connection is gone: its memory must not be touched any more.
    void forget() { buffer_ = nullptr; }

    [[nodiscard]] wl_buffer* handle() const { return buffer_; }
    [[nodiscard]] bool busy() const { return busy_; }
    void set_busy() { busy_ = true; }
    [[nodiscard]] uint32_t width_px() const { return width_px_; }
    [[nodiscard]] uint32_t height_px() const { return height_px_; }

  private:
    ShmBuffer() = default;
    static void on_release(void* data, wl_buffer*);

    wl_buffer* buffer_ = nullptr;
    uint8_t* pixels_ = nullptr;
    size_t size_B_ = 0;
    uint32_t width_px_ = 0, height_px_ = 0, stride_B_ = 0, row_B_ = 0;
    bool busy_ = false;  // the server may read it
};

}  // namespace terrazzo::winsys
