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

/// A buffer in memory that devices share (a dma-buf); row 0 is the top row. What the modifier means: drm_fourcc.h.
struct SharedBuffer {
    int fd = -1;
    uint64_t modifier = 0;
    uint32_t offset_B = 0, stride_B = 0;
    uint32_t width_px = 0, height_px = 0;
    uint32_t fourcc = 0;
};

/// Who waits by himself for what draws to a shared buffer: nobody; all users of a kernel's dma-buf; all users of a memfd that know its
/// locks (memory/memfd_uses.h), as Terrazzo's libraries do.
enum class ImplicitFence : uint8_t { None, Kernel, Memfd };

/// When the pixels of a shared buffer are there.
struct FrameFence {
    int fd = -1;  // a sync file, the caller's; -1: they are there
    ImplicitFence implicit = ImplicitFence::None;
};

/// A shared buffer that a window can show. Destroyed before its window; it may be busy then.
class WindowBuffer {
  public:
    virtual ~WindowBuffer() = default;
    /// True from Window::present_shared() on until whoever shows it needs it no longer.
    [[nodiscard]] virtual bool busy() const = 0;
};

/// A native window. Destroyed before its platform.
///
/// There are two ways to show a frame. A window whose shared_modifiers() are not empty shows buffers that its user draws to
/// (or reads, where the window allocates them): create_buffer() once for each, present_shared() for each frame. Nothing is
/// copied. Any window copies a frame out of CPU memory: present(). A frame may come in either way.
class Window {
  public:
    virtual ~Window() = default;
    /// The size that the next frame should have.
    virtual void size(uint32_t* width_px, uint32_t* height_px) = 0;
    /// Shows a frame; waits as the interval demands (0: never). The pixels are copied before it returns.
    [[nodiscard]] virtual PresentStatus present(const Frame& frame, int interval) = 0;

    // --- shared buffers; optional
    /// The modifiers of buffers of the window's format that can be shown, the best first; 0x00ffffffffffffff among them: linear
    /// buffers without a word about it. They may change from frame to frame. Empty: only present() works.
    [[nodiscard]] virtual std::span<const uint64_t> shared_modifiers() { return {}; }
    /// Of one of them: how many groups of modifiers the window likes better. In a group it likes all alike.
    [[nodiscard]] virtual unsigned shared_modifier_rank(uint64_t modifier) const {
        (void)modifier;
        return 0;
    }
    /// A window that has memory of its own for buffers: one more, whose descriptor is the caller's. False: it has none (the
    /// caller allocates), or is out of memory.
    [[nodiscard]] virtual bool allocates_buffers() const { return false; }
    [[nodiscard]] virtual bool allocate_buffer(uint32_t width_px, uint32_t height_px, SharedBuffer* out) {
        (void)width_px, (void)height_px, (void)out;
        return false;
    }
    /// The descriptor stays the caller's. Null: the window refuses such a buffer, and would the next one.
    [[nodiscard]] virtual std::unique_ptr<WindowBuffer> create_buffer(const SharedBuffer& buffer) {
        (void)buffer;
        return nullptr;
    }
    /// Shows a buffer of create_buffer() that is not busy; waits as the interval demands.
    [[nodiscard]] virtual PresentStatus present_shared(WindowBuffer& buffer, std::span<const Rect> damage,
                                                       int interval, const FrameFence& fence) {
        (void)buffer, (void)damage, (void)interval, (void)fence;
        return PresentStatus::WindowLost;
    }
    /// Returns when a buffer that was busy may be so no longer. False: none will be before its user acts, or the window is lost.
    [[nodiscard]] virtual bool wait_for_buffer() { return false; }
    /// How often wait_for_buffer() found a buffer that the window had let go of while its device still read it.
    [[nodiscard]] virtual uint64_t fence_waits() const { return 0; }
    /// For a person: how the last frame was shown, and why not in a better way. Empty: nothing to say.
    [[nodiscard]] virtual std::string explain() const { return {}; }
    /// True: no frame will be shown any more.
    [[nodiscard]] virtual bool lost() { return false; }
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
    /// False where `native` is a window that was made for another format (EGL_BAD_MATCH).
    [[nodiscard]] virtual bool matches(void* native, uint32_t fourcc) const {
        (void)native, (void)fourcc;
        return true;
    }
    /// True where `native` already has a Window (EGL_BAD_ALLOC).
    [[nodiscard]] virtual bool window_in_use(void* native) const = 0;
    /// The device number of a node of the GPU that shows the windows: its card* or its renderD*. 0: unknown.
    [[nodiscard]] virtual uint64_t main_device() const { return 0; }
    /// For a person: how windows show frames here, and why not in a better way. Empty: nothing to say.
    [[nodiscard]] virtual std::string explain() const { return {}; }
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
