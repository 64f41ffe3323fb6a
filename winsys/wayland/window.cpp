// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Windows. Each has its own event queue, so that presenting neither runs the application's listeners nor
// waits for its dispatching threads; libwayland lets any number of threads read for different queues. Facts:
// wayland.xml (wl_surface, wl_callback), wayland-egl-backend.h version 3.
#include "winsys/wayland/window.h"

#include <algorithm>
#include <climits>
#include <utility>

#include "winsys/drm/sync_file.h"
#include "winsys/wayland/probe.h"

namespace terrazzo::winsys {
namespace {

constexpr size_t kMaxBuffers = 4;       // of the current size
constexpr size_t kMaxStaleBuffers = 4;  // buffers of earlier sizes that the server still holds

uint32_t version_of(wl_surface* surface) {
    return wl_proxy_get_version(reinterpret_cast<wl_proxy*>(surface));
}

bool fits(const ShmBuffer& b, const Frame& frame) {
    return b.width_px() == frame.width_px && b.height_px() == frame.height_px;
}

}  // namespace

std::unique_ptr<WaylandWindow> WaylandWindow::create(WaylandConnection& connection, void* native,
                                                     uint32_t fourcc, std::string* why) {
    if (connection.owned) {
        *why =
            "the EGL display has its own connection to the Wayland server; open it with the wl_display of "
            "the window";
        return nullptr;
    }
    wl_egl_window look{};
    if (!read_untrusted(native, &look, sizeof look) || look.version < WL_EGL_WINDOW_VERSION ||
        look.version > 0xffff) {
        *why =
            "the native window is not a wl_egl_window (of version 3, as libwayland-egl 1.15 and later make "
            "it)";
        return nullptr;
    }
    if (!is_wayland_object(look.surface, "wl_surface") || look.width <= 0 || look.height <= 0) {
        *why = "the wl_egl_window has no wl_surface, or no size";
        return nullptr;
    }
    if (!connection.alive()) {
        *why = "the wl_display was disconnected";
        return nullptr;
    }
    std::unique_ptr<WaylandWindow> w(
        new WaylandWindow(connection, static_cast<wl_egl_window*>(native), fourcc));
    if (!w->connect_surface()) {
        w->native_ = nullptr;
        *why = "out of memory";
        return nullptr;
    }
    w->hook_native();
    return w;
}

WaylandWindow::WaylandWindow(WaylandConnection& connection, wl_egl_window* native, uint32_t fourcc)
    : connection_(connection),
      fourcc_(fourcc),
      shared_(connection, fourcc),
      native_(native),
      width_px_(native->width),
      height_px_(native->height),
      dx_(native->dx),
      dy_(native->dy) {
    buffers_.reserve(kMaxBuffers + kMaxStaleBuffers);
}

bool WaylandWindow::connect_surface() {
    queue_ = wl_display_create_queue(connection_.display);
    if (!queue_) return false;
    surface_ = wrap(native_->surface, queue_);
    shm_ = wrap(connection_.shm, queue_);
    return surface_ && shm_ && shared_.init(queue_, surface_);
}

void WaylandWindow::hook_native() {
    {
        std::lock_guard lock(connection_.mutex);
        connection_.natives.insert(native_);
    }
    native_->driver_private = this;
    native_->resize_callback = on_resize;
    native_->destroy_window_callback = on_native_destroyed;
}

void WaylandWindow::on_resize(wl_egl_window* native, void* data) {
    WaylandWindow& w = *static_cast<WaylandWindow*>(data);
    std::lock_guard lock(w.mutex_);
    w.width_px_ = native->width, w.height_px_ = native->height;
    w.dx_ = native->dx, w.dy_ = native->dy;
}

void WaylandWindow::on_native_destroyed(void* data) {
    WaylandWindow& w = *static_cast<WaylandWindow*>(data);
    std::lock_guard lock(w.mutex_);
    std::lock_guard natives(w.connection_.mutex);
    w.connection_.natives.erase(w.native_);  // a new window may get this address
    w.native_ = nullptr;
}

void WaylandWindow::on_frame(void* data, wl_callback* callback, uint32_t) {
    wl_callback_destroy(callback);
    static_cast<WaylandWindow*>(data)->frame_callback_ = nullptr;
}

WaylandWindow::~WaylandWindow() {
    {
        std::lock_guard lock(mutex_);
        if (native_) {
            native_->driver_private = nullptr;
            native_->resize_callback = nullptr;
            native_->destroy_window_callback = nullptr;
            std::lock_guard natives(connection_.mutex);
            connection_.natives.erase(native_);
        }
    }
    // libwayland's objects are freed or must not be used: leave them.
    if (!connection_.alive()) {
        for (auto& b : buffers_)
            b->forget();
        shared_.forget();
        return;
    }
    buffers_.clear();
    shared_.destroy();
    if (frame_callback_) wl_callback_destroy(frame_callback_);
    if (surface_) wl_proxy_wrapper_destroy(surface_);
    if (shm_) wl_proxy_wrapper_destroy(shm_);
    if (queue_) wl_event_queue_destroy(queue_);
    wl_display_flush(connection_.display);
}

void WaylandWindow::size(uint32_t* width_px, uint32_t* height_px) {
    std::lock_guard lock(mutex_);
    *width_px = uint32_t(width_px_);
    *height_px = uint32_t(height_px_);
}

bool WaylandWindow::native_gone() {
    std::lock_guard lock(mutex_);
    return !native_;
}

/// False: the window is lost. Waits for ever if the server never shows the window, as Mesa does. That is the
/// purpose of wl_surface.frame: a hidden window should not draw. A program that must continue uses interval
/// 0. A time limit would only make hidden windows draw at that rate.
bool WaylandWindow::wait_for_turn(int interval) {
    if (!connection_.alive() || native_gone()) return false;
    while (interval > 0 && frame_callback_)
        if (wl_display_dispatch_queue(connection_.display, queue_) < 0) return false;
    return true;
}

/// A buffer of the frame's size that the server does not read, or null. Frees those of other sizes.
ShmBuffer* WaylandWindow::free_buffer(const Frame& frame) {
    std::erase_if(buffers_, [&](const auto& b) { return !fits(*b, frame) && !b->busy(); });
    for (auto& b : buffers_)
        if (fits(*b, frame) && !b->busy()) return b.get();
    return nullptr;
}

/// Finds a free buffer: an existing one, else a new one, else waits for one.
PresentStatus WaylandWindow::find_buffer(const Frame& frame, ShmBuffer** out) {
    if ((*out = free_buffer(frame))) return PresentStatus::Ok;
    if (!connection_.dispatch_arrived(queue_)) return PresentStatus::WindowLost;
    while (!(*out = free_buffer(frame))) {
        const size_t fitting = size_t(
            std::count_if(buffers_.begin(), buffers_.end(), [&](const auto& b) { return fits(*b, frame); }));
        if (fitting < kMaxBuffers && buffers_.size() - fitting < kMaxStaleBuffers) {
            std::unique_ptr<ShmBuffer> b = ShmBuffer::create(shm_, frame.width_px, frame.height_px, fourcc_);
            if (b) {
                *out = b.get();
                buffers_.push_back(std::move(b));
                return PresentStatus::Ok;
            }
            if (fitting == 0) return PresentStatus::OutOfMemory;
        }
        if (wl_display_dispatch_queue(connection_.display, queue_) < 0) return PresentStatus::WindowLost;
    }
    return PresentStatus::Ok;
}

void WaylandWindow::attach(const Shown& shown) {
    int dx = 0, dy = 0;
    {
        std::lock_guard lock(mutex_);
        // The offset belongs to the first frame of the new size.
        if (native_ && uint32_t(width_px_) == shown.width_px && uint32_t(height_px_) == shown.height_px) {
            dx = std::exchange(dx_, 0), dy = std::exchange(dy_, 0);
            native_->dx = native_->dy = 0;
        }
        if (native_) {
            native_->attached_width = int(shown.width_px);
            native_->attached_height = int(shown.height_px);
        }
    }
    // Since version 5, an offset in attach is a protocol error.
    if (version_of(surface_) >= WL_SURFACE_OFFSET_SINCE_VERSION) {
        if (dx != 0 || dy != 0) wl_surface_offset(surface_, dx, dy);
        dx = dy = 0;
    }
    wl_surface_attach(surface_, shown.buffer, dx, dy);
}

void WaylandWindow::damage(const Shown& shown, std::span<const Rect> rects) {
    // wl_surface.damage uses surface coordinates, whose scale and transform only the application knows.
    if (version_of(surface_) < WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION) {
        wl_surface_damage(surface_, 0, 0, INT32_MAX, INT32_MAX);
        return;
    }
    const int64_t w = shown.width_px, h = shown.height_px;
    const Rect everything{0, 0, int32_t(w), int32_t(h)};
    for (const Rect& r : rects.empty() ? std::span(&everything, 1) : rects) {
        const int64_t x0 = std::clamp<int64_t>(r.x, 0, w),
                      x1 = std::clamp<int64_t>(int64_t(r.x) + r.width, 0, w);
        const int64_t y0 = std::clamp<int64_t>(r.y, 0, h),
                      y1 = std::clamp<int64_t>(int64_t(r.y) + r.height, 0, h);
        if (x0 < x1 && y0 < y1)  // origin from bottom left to top left
            wl_surface_damage_buffer(surface_, int32_t(x0), int32_t(h - y1), int32_t(x1 - x0),
                                     int32_t(y1 - y0));
    }
}

PresentStatus WaylandWindow::commit(const Shown& shown, std::span<const Rect> rects, int interval) {
    static constexpr wl_callback_listener kFrameListener{on_frame};
    attach(shown);
    damage(shown, rects);
    if (interval > 0) {
        frame_callback_ = wl_surface_frame(surface_);
        if (frame_callback_) wl_callback_add_listener(frame_callback_, &kFrameListener, this);
    }
    wl_surface_commit(surface_);
    return connection_.flush() ? PresentStatus::Ok : PresentStatus::WindowLost;
}

PresentStatus WaylandWindow::present(const Frame& frame, int interval) {
    if (!wait_for_turn(interval)) return PresentStatus::WindowLost;
    ShmBuffer* buffer = nullptr;
    if (PresentStatus status = find_buffer(frame, &buffer); status != PresentStatus::Ok) return status;
    if (native_gone())  // it was destroyed while this thread waited
        return PresentStatus::WindowLost;
    buffer->fill(frame);
    buffer->set_busy();
    return commit({buffer->handle(), buffer->width_px(), buffer->height_px()}, frame.damage, interval);
}

std::span<const uint64_t> WaylandWindow::shared_modifiers() {
    if (native_gone()) return {};
    return shared_.modifiers();
}

std::unique_ptr<WindowBuffer> WaylandWindow::create_buffer(const SharedBuffer& buffer) {
    return native_gone() ? nullptr : shared_.create(buffer);
}

PresentStatus WaylandWindow::present_shared(WindowBuffer& window_buffer, std::span<const Rect> rects,
                                            int interval, const FrameFence& fence) {
    if (!wait_for_turn(interval)) return PresentStatus::WindowLost;
    DmabufBuffer& buffer = DmabufBuffers::of(window_buffer);
    const bool explicitly = fence.fd >= 0 && shared_.server_waits_for(fence.fd);
    const auto peer = [this] { return connection_.server_fences(); };
    if (fence.fd >= 0 && !explicitly && !waits_itself(fence.implicit, peer)) wait_for_sync_file(fence.fd);
    if (native_gone())  // it was destroyed while this thread waited
        return PresentStatus::WindowLost;
    shared_.prepare_commit(buffer, explicitly ? fence.fd : -1);
    return commit({buffer.handle(), buffer.width_px, buffer.height_px}, rects, interval);
}

bool WaylandWindow::lost() {
    return native_gone() || !connection_.alive() || wl_display_get_error(connection_.display) != 0;
}

bool WaylandWindow::wait_for_buffer() {
    return connection_.alive() && !native_gone() && shared_.wait_for_release();
}

}  // namespace terrazzo::winsys
