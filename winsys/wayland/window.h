// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A wl_egl_window. It shows shared buffers (wayland/dmabuf.h), or copies frames to wl_shm buffers.
#pragma once

#include <wayland-egl-backend.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "winsys/wayland/connection.h"
#include "winsys/wayland/dmabuf.h"
#include "winsys/wayland/shm.h"

namespace terrazzo::winsys {

class WaylandWindow final : public Window {
  public:
    /// Null: see `*why`. `connection` must outlive the window.
    [[nodiscard]] static std::unique_ptr<WaylandWindow> create(WaylandConnection& connection, void* native,
                                                               uint32_t fourcc, std::string* why);
    ~WaylandWindow() override;
    void size(uint32_t* width_px, uint32_t* height_px) override;
    [[nodiscard]] PresentStatus present(const Frame& frame, int interval) override;
    [[nodiscard]] std::span<const uint64_t> shared_modifiers() override;
    [[nodiscard]] unsigned shared_modifier_rank(uint64_t modifier) const override {
        return shared_.rank(modifier);
    }
    [[nodiscard]] std::unique_ptr<WindowBuffer> create_buffer(const SharedBuffer& buffer) override;
    [[nodiscard]] PresentStatus present_shared(WindowBuffer& buffer, std::span<const Rect> damage,
                                               int interval, const FrameFence& fence) override;
    [[nodiscard]] bool wait_for_buffer() override;
    [[nodiscard]] uint64_t fence_waits() const override { return shared_.fence_waits(); }
    [[nodiscard]] bool lost() override;

  private:
    WaylandWindow(WaylandConnection& connection, wl_egl_window* native, uint32_t fourcc);
    [[nodiscard]] bool connect_surface();
    void hook_native();
    static void on_resize(wl_egl_window* native, void* data);
    static void on_native_destroyed(void* data);
    static void on_frame(void* data, wl_callback* callback, uint32_t time);

    /// A wl_buffer that is about to be attached to the surface.
    struct Shown {
        wl_buffer* buffer;
        uint32_t width_px, height_px;
    };
    [[nodiscard]] bool native_gone();
    [[nodiscard]] bool wait_for_turn(int interval);
    [[nodiscard]] ShmBuffer* free_buffer(const Frame& frame);
    [[nodiscard]] PresentStatus find_buffer(const Frame& frame, ShmBuffer** out);
    void attach(const Shown& shown);
    void damage(const Shown& shown, std::span<const Rect> rects);
    [[nodiscard]] PresentStatus commit(const Shown& shown, std::span<const Rect> rects, int interval);

    WaylandConnection& connection_;
    const uint32_t fourcc_;
    wl_event_queue* queue_ = nullptr;
    wl_surface* surface_ = nullptr;  // wrappers whose new objects have queue_
    wl_shm* shm_ = nullptr;
    wl_callback* frame_callback_ = nullptr;  // not null: the server has not shown the last frame yet
    std::vector<std::unique_ptr<ShmBuffer>> buffers_;
    DmabufBuffers shared_;

    std::mutex mutex_;  // guards what the application's thread changes:
    wl_egl_window* native_;
    int width_px_, height_px_, dx_, dy_;
};

}  // namespace terrazzo::winsys
