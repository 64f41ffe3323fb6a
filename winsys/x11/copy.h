// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies frames from CPU memory to an X window: once, into memory that the server maps (MIT-SHM), or in the
// core protocol's PutImage requests, which every server has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "winsys/platform.h"
#include "winsys/x11/connection.h"

namespace terrazzo::winsys {

class X11Copier {
  public:
    X11Copier(X11Connection& connection, xcb_window_t window);
    ~X11Copier();
    /// Before a call, the server must have answered a request that was sent after the last copy(): then it
    /// has read that frame. `depth`: the window's.
    [[nodiscard]] PresentStatus copy(const Frame& frame, uint8_t depth);
    /// How frames are copied, and why no better method is used.
    [[nodiscard]] std::string explain() const;

  private:
    class Segment;
    [[nodiscard]] bool put_shared(const Frame& frame, uint8_t depth);
    void put_requests(const Frame& frame, uint8_t depth);

    X11Connection& x_;
    const xcb_window_t window_;
    xcb_gcontext_t gc_ = 0;
    std::unique_ptr<Segment> segment_;
    bool segment_works_ = false;  // the server has drawn from it
    std::string why_not_shared_;  // why MIT-SHM is not used; empty: it is
    std::vector<uint8_t> scratch_;
};

}  // namespace terrazzo::winsys
