// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An X window that shows memory: pixmaps of shared buffers (DRI3), which the server shows when their turn comes and gives back
// when it needs them no longer (Present).
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

/// What Window says of its methods of the same names holds here. Thread: the window's.
class X11Presenter final : public X11Listener {
  public:
    /// The connection has DRI3. `depth`: the window's.
    X11Presenter(X11Connection& connection, xcb_window_t window, uint8_t depth, uint32_t fourcc);
    /// After its buffers. The window must have been taken off the connection's list.
    ~X11Presenter() override;

    [[nodiscard]] std::span<const uint64_t> modifiers();
    [[nodiscard]] unsigned rank(uint64_t modifier) const;
    [[nodiscard]] std::unique_ptr<WindowBuffer> create(const SharedBuffer& buffer);
    [[nodiscard]] PresentStatus present(WindowBuffer& buffer, std::span<const Rect> damage, int interval);
    [[nodiscard]] bool wait_for_buffer();
    /// Returns when nothing presented waits for its turn any more. False: the window is lost.
    [[nodiscard]] bool wait_until_shown();
    [[nodiscard]] bool lost() const;
    /// How the last frame was shown; why such frames cannot be.
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
    std::vector<uint64_t> modifiers_;  // those of the window first, then those of its screen
    size_t window_modifiers_ = 0;      // of modifiers_
    uint32_t shown_width_px_ = 0, shown_height_px_ = 0;  // of the last frame
    uint64_t shown_modifier_ = 0;
    std::string refused_;

    // What events change; the connection's mutex guards it.
    std::vector<Buffer*> buffers_;
    uint32_t sent_ = 0, done_ = 0;  // serial numbers of the last frame, and of the last that had its turn
    unsigned last_request_ = 0;     // the sequence number of the request with the last frame
    uint64_t msc_ = 0;              // the screen's frame in which the last one was shown
    unsigned releases_ = 0;         // events that made a buffer less busy
    unsigned seen_releases_ = 0;    // of those, when wait_for_buffer() returned last
    bool suboptimal_ = false;       // other modifiers would spare the server a copy
    bool failed_ = false;           // the server does not present what it has taken
    bool lost_ = false;
};

}  // namespace terrazzo::winsys
