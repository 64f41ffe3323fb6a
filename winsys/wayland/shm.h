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

/// wl_shm's number of a DRM fourcc: they differ for its two oldest formats.
[[nodiscard]] uint32_t shm_format(uint32_t fourcc);
/// The DRM fourcc of a number of wl_shm.
[[nodiscard]] uint32_t shm_fourcc(uint32_t format);
/// The bytes per pixel of a fourcc; 0: windows cannot show it.
[[nodiscard]] uint32_t pixel_size_B(uint32_t fourcc);

/// A buffer. Only the thread that dispatches the queue of `shm` uses it.
class ShmBuffer {
  public:
    /// Events go to the queue of `shm`. Null: out of memory or descriptors.
    [[nodiscard]] static std::unique_ptr<ShmBuffer> create(wl_shm* shm, uint32_t width_px, uint32_t height_px,
                                                           uint32_t fourcc);
    /// Destroys the server's buffer, unless forget() was called before.
    ~ShmBuffer();
    ShmBuffer(const ShmBuffer&) = delete;
    ShmBuffer& operator=(const ShmBuffer&) = delete;

    /// Writes a frame of the buffer's size and format and reverses its rows: row 0 of a wl_shm buffer is the
    /// top row.
    void fill(const Frame& frame);
    /// The connection is gone: its objects must not be used any more.
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
    bool busy_ = false;  // the server may be reading it
};

}  // namespace terrazzo::winsys
