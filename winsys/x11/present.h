// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An X window that shows shared buffers: pixmaps (DRI3), which the server shows in turn and releases when it
// no longer needs them (Present).
#pragma once

#include <xcb/present.h>
#include <xcb/xfixes.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "winsys/platform.h"
#include "winsys/x11/connection.h"

namespace terrazzo::winsys {

/// Implements the methods of Window that have the same names. Thread: the window's.
class X11Presenter final : public X11Listener {
  public:
    /// The connection must have DRI3. `depth`: the window's.
    X11Presenter(X11Connection& connection, xcb_window_t window, uint8_t depth, uint32_t fourcc);
    /// Its buffers must be destroyed and the window removed from the connection's list.
    ~X11Presenter() override;

    [[nodiscard]] std::span<const uint64_t> modifiers();
    [[nodiscard]] unsigned rank(uint64_t modifier) const;
    [[nodiscard]] std::unique_ptr<WindowBuffer> create(const SharedBuffer& buffer);
    [[nodiscard]] PresentStatus present(WindowBuffer& buffer, std::span<const Rect> damage, int interval);
    [[nodiscard]] bool wait_for_buffer();
    /// Waits until all presented frames have been shown. False: the window is lost.
    [[nodiscard]] bool wait_until_shown();
    [[nodiscard]] bool lost() const;
    /// How the last frame was shown, and why frames are copied instead.
    [[nodiscard]] std::string explain() const;
    [[nodiscard]] std::string why_copied() const;

    void on_destroyed() override { lost_ = true; }
    void on_present_event(const xcb_ge_generic_event_t& event) override;
    void on_error(const xcb_generic_error_t& error) override;

  private:
    class Buffer;
    void query_modifiers();
    [[nodiscard]] uint64_t modifier_to_send(const SharedBuffer& buffer) const;
    [[nodiscard]] xcb_void_cookie_t send_buffer(xcb_pixmap_t pixmap, const SharedBuffer& buffer,
                                                uint64_t modifier, int fd);
    void refuse(uint64_t modifier, unsigned error_code);
    [[nodiscard]] xcb_xfixes_region_t region(const Buffer& buffer, std::span<const Rect> damage);

    X11Connection& x_;
    const xcb_window_t window_;
    const uint8_t depth_;
    const uint32_t fourcc_;
    const uint32_t event_id_;
    xcb_xfixes_region_t region_ = 0;
    bool queried_ = false;
    std::vector<uint64_t> modifiers_;                    // the window's modifiers first, then its screen's
    size_t window_modifiers_ = 0;                        // how many of modifiers_ are the window's
    uint32_t shown_width_px_ = 0, shown_height_px_ = 0;  // the last frame's
    uint64_t shown_modifier_ = 0;
    std::string refused_;

    // Changed by events; guarded by the connection's mutex.
    std::vector<Buffer*> buffers_;
    uint32_t sent_ = 0, done_ = 0;  // serial numbers of the last frame, and of the last one that was shown
    unsigned last_request_ = 0;     // the sequence number of the last frame's request
    uint64_t msc_ = 0;              // the screen's frame count when the last one was shown
    unsigned releases_ = 0;         // events that released a buffer
    unsigned seen_releases_ = 0;    // releases_ when wait_for_buffer() returned last
    bool suboptimal_ = false;       // with other modifiers the server would need no copy
    bool failed_ = false;           // the server accepts buffers, but does not present them
    bool lost_ = false;
};

}  // namespace terrazzo::winsys
