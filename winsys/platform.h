// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How pixels reach a screen: a Platform for each native display, a Window for each native window. Only system
// types appear here; formats are DRM fourccs. Thread: a Platform may be used from any thread, a Window from
// one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace terrazzo::winsys {

struct Rect {
    int32_t x, y, width, height;  // px, origin bottom left (as EGL counts)
};

/// A finished frame in CPU memory; row 0 is the bottom row. Valid during present() only.
struct Frame {
    const uint8_t* pixels = nullptr;
    uint32_t stride_B = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t fourcc = 0;
    std::span<const Rect> damage;  // empty: the whole frame
};

enum class PresentStatus : uint8_t { Ok, WindowLost, OutOfMemory };

/// A buffer in memory that devices share (a dma-buf); row 0 is the top row. drm_fourcc.h explains modifiers.
struct SharedBuffer {
    int fd = -1;
    uint64_t modifier = 0;
    uint32_t offset_B = 0, stride_B = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t fourcc = 0;
};

/// The users of a shared buffer that wait for rendering to it without a fence: none; all users of a kernel's
/// dma-buf; those users of a memfd that know its locks (memory/memfd_uses.h), as Terrazzo's libraries do.
enum class ImplicitFence : uint8_t { None, Kernel, Memfd };

/// Tells when the pixels of a shared buffer are complete.
struct FrameFence {
    int fd = -1;  // a sync file, which the caller owns; -1: they are complete
    ImplicitFence implicit = ImplicitFence::None;
};

/// A shared buffer that a window can show. Must be destroyed before its window; it may be busy then.
class WindowBuffer {
  public:
    virtual ~WindowBuffer() = default;
    /// True from Window::present_shared() until the server needs the buffer no longer.
    [[nodiscard]] virtual bool busy() const = 0;
};

/// A native window. Must be destroyed before its platform.
///
/// A frame is shown in one of two ways. If shared_modifiers() is not empty, the window shows buffers without
/// a copy: the caller calls create_buffer() once per buffer and present_shared() once per frame. The caller
/// allocates the buffers, unless the window does. Any window copies a frame from CPU memory: present(). Both
/// may be mixed.
class Window {
  public:
    virtual ~Window() = default;
    /// The size for the next frame.
    virtual void size(uint32_t* width_px, uint32_t* height_px) = 0;
    /// Shows a frame; waits as `interval` demands (0: never). Copies the pixels before it returns.
    [[nodiscard]] virtual PresentStatus present(const Frame& frame, int interval) = 0;

    // --- shared buffers; optional
    /// The modifiers of buffers of the window's format that can be shown, the best first. 0x00ffffffffffffff
    /// means linear buffers without an explicit modifier. The list may change between frames. Empty: only
    /// present() works.
    [[nodiscard]] virtual std::span<const uint64_t> shared_modifiers() { return {}; }
    /// The rank of such a modifier: the number of groups of modifiers that the window prefers to its group.
    /// All modifiers of a group are equally good.
    [[nodiscard]] virtual unsigned shared_modifier_rank(uint64_t modifier) const {
        (void)modifier;
        return 0;
    }
    /// Whether the window allocates the buffers itself. If so, allocate_buffer() returns a new one, whose
    /// descriptor the caller owns. It returns false if the window does not allocate buffers or is out of
    /// memory.
    [[nodiscard]] virtual bool allocates_buffers() const { return false; }
    [[nodiscard]] virtual bool allocate_buffer(uint32_t width_px, uint32_t height_px, SharedBuffer* out) {
        (void)width_px, (void)height_px, (void)out;
        return false;
    }
    /// The caller keeps the descriptor. Null: the window refuses this buffer and others like it.
    [[nodiscard]] virtual std::unique_ptr<WindowBuffer> create_buffer(const SharedBuffer& buffer) {
        (void)buffer;
        return nullptr;
    }
    /// Shows a buffer of create_buffer() that is not busy; waits as `interval` demands.
    [[nodiscard]] virtual PresentStatus present_shared(WindowBuffer& buffer, std::span<const Rect> damage,
                                                       int interval, const FrameFence& fence) {
        (void)buffer, (void)damage, (void)interval, (void)fence;
        return PresentStatus::WindowLost;
    }
    /// Waits until a busy buffer may have become free. False: none will be free before the caller acts, or
    /// the window is lost.
    [[nodiscard]] virtual bool wait_for_buffer() { return false; }
    /// How often wait_for_buffer() found a buffer that the window had released while its device still read
    /// it.
    [[nodiscard]] virtual uint64_t fence_waits() const { return 0; }
    /// For a person: how the last frame was shown, and why no better method was used. Empty: nothing to
    /// report.
    [[nodiscard]] virtual std::string explain() const { return {}; }
    /// True: no more frames will be shown.
    [[nodiscard]] virtual bool lost() { return false; }
};

class Platform {
  public:
    virtual ~Platform() = default;
    /// Connects. False: `*why` is the reason in one line.
    [[nodiscard]] virtual bool initialize(std::string* why) = 0;
    [[nodiscard]] virtual bool has_windows() const = 0;
    /// Whether windows can show this fourcc.
    [[nodiscard]] virtual bool can_present(uint32_t fourcc) const = 0;
    /// EGL_NATIVE_VISUAL_ID of configs of that format: the fourcc itself, or X11's visual.
    [[nodiscard]] virtual uint32_t native_visual(uint32_t fourcc) const { return fourcc; }
    /// `native`: defined by the platform's specification (Wayland: wl_egl_window*, X11: the window's id).
    /// Null: see `*why`.
    [[nodiscard]] virtual std::unique_ptr<Window> create_window(void* native, uint32_t fourcc,
                                                                std::string* why) = 0;
    /// False if `native` is a window of another format (EGL_BAD_MATCH).
    [[nodiscard]] virtual bool matches(void* native, uint32_t fourcc) const {
        (void)native, (void)fourcc;
        return true;
    }
    /// True if `native` already has a Window (EGL_BAD_ALLOC).
    [[nodiscard]] virtual bool window_in_use(void* native) const = 0;
    /// The device number of a card* or renderD* node of the GPU that shows the windows. 0: unknown.
    [[nodiscard]] virtual uint64_t main_device() const { return 0; }
    /// For a person: how windows show frames here, and why no better method is used. Empty: nothing to
    /// report.
    [[nodiscard]] virtual std::string explain() const { return {}; }
};

/// A platform without windows: EGL_PLATFORM_SURFACELESS_MESA and EGL_PLATFORM_DEVICE_EXT.
[[nodiscard]] std::unique_ptr<Platform> create_surfaceless_platform();
/// `display`: a wl_display*, or null to connect to $WAYLAND_DISPLAY. Null in builds without Wayland.
[[nodiscard]] std::unique_ptr<Platform> create_wayland_platform(void* display);
/// Connects to the server at $DISPLAY. `display` is the application's Xlib Display, or with `xcb` its
/// xcb_connection_t, and may be null. It is only used to flush the application's buffered requests. Null in
/// builds without X11.
[[nodiscard]] std::unique_ptr<Platform> create_x11_platform(void* display, bool xcb);
/// Whether a Wayland server answers at $WAYLAND_DISPLAY or $WAYLAND_SOCKET.
[[nodiscard]] bool wayland_available();
/// Whether `native` looks like a wl_display: its first word points to libwayland's interface.
[[nodiscard]] bool is_wayland_display(void* native);

}  // namespace terrazzo::winsys
