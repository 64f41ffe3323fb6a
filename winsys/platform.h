// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How pixels reach a screen: one Platform a native display, one Window a native window. Only system types
// appear here; formats are DRM fourccs. Thread: a Platform may be used from any thread, a Window from one at
// a time.
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
    std::span<const Rect> damage;  // empty: everything
};

enum class PresentStatus : uint8_t { Ok, WindowLost, OutOfMemory };

/// A native window. Destroyed before its platform.
class Window {
  public:
    virtual ~Window() = default;
    /// The size that the next frame should have.
    virtual void size(uint32_t* width_px, uint32_t* height_px) = 0;
    /// Shows a frame; waits as the interval demands (0: never). The pixels are copied before it returns.
    [[nodiscard]] virtual PresentStatus present(const Frame& frame, int interval) = 0;
};

class Platform {
  public:
    virtual ~Platform() = default;
    /// Connects. False: `why` says the reason in one line.
    [[nodiscard]] virtual bool initialize(std::string* why) = 0;
    [[nodiscard]] virtual bool has_windows() const = 0;
    /// True where a window can show that fourcc.
    [[nodiscard]] virtual bool can_present(uint32_t fourcc) const = 0;
    /// EGL_NATIVE_VISUAL_ID of configs of that format: the fourcc itself, X11: the visual.
    [[nodiscard]] virtual uint32_t native_visual(uint32_t fourcc) const { return fourcc; }
    /// `native`: what the platform's spec says (Wayland: wl_egl_window*, X11: the window's id). Null: `why` says the reason.
    [[nodiscard]] virtual std::unique_ptr<Window> create_window(void* native, uint32_t fourcc,
                                                                std::string* why) = 0;
    /// True where `native` already has a Window (EGL_BAD_ALLOC).
    [[nodiscard]] virtual bool window_in_use(void* native) const = 0;
};

/// No windows at all: EGL_PLATFORM_SURFACELESS_MESA and EGL_PLATFORM_DEVICE_EXT.
[[nodiscard]] std::unique_ptr<Platform> create_surfaceless_platform();
/// `display`: a wl_display* or null to connect to $WAYLAND_DISPLAY. Null where built without Wayland.
[[nodiscard]] std::unique_ptr<Platform> create_wayland_platform(void* display);
/// Talks to the server at $DISPLAY. `display`: the application's Xlib Display, or with `xcb` its xcb_connection_t; may be
/// null. Only used to send the application's waiting requests on. Null where built without X11.
[[nodiscard]] std::unique_ptr<Platform> create_x11_platform(void* display, bool xcb);
/// True where a Wayland server answers at $WAYLAND_DISPLAY or $WAYLAND_SOCKET.
[[nodiscard]] bool wayland_available();
/// True where `native` looks like a wl_display (its first word is libwayland's interface).
[[nodiscard]] bool is_wayland_display(void* native);

}  // namespace terrazzo::winsys
