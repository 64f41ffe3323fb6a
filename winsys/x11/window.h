// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An X window. Its server shows shared buffers (x11/present.h) or receives copies (x11/copy.h).
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "winsys/drm/sync_file.h"
#include "winsys/platform.h"
#include "winsys/x11/copy.h"
#include "winsys/x11/present.h"

namespace terrazzo::winsys {

class X11Window final : public Window {
  public:
    /// Null: see `*why`.
    [[nodiscard]] static std::unique_ptr<X11Window> create(std::shared_ptr<X11Connection> connection,
                                                           void* native, uint32_t fourcc, std::string* why);
    ~X11Window() override;
    void size(uint32_t* width_px, uint32_t* height_px) override;
    [[nodiscard]] PresentStatus present(const Frame& frame, int interval) override;
    [[nodiscard]] std::span<const uint64_t> shared_modifiers() override;
    [[nodiscard]] unsigned shared_modifier_rank(uint64_t modifier) const override;
    [[nodiscard]] std::unique_ptr<WindowBuffer> create_buffer(const SharedBuffer& buffer) override;
    [[nodiscard]] PresentStatus present_shared(WindowBuffer& buffer, std::span<const Rect> damage,
                                               int interval, const FrameFence& fence) override;
    [[nodiscard]] bool wait_for_buffer() override;
    [[nodiscard]] bool lost() override { return !x_->alive() || (presenter_ && presenter_->lost()); }
    [[nodiscard]] std::string explain() const override;

  private:
    X11Window(std::shared_ptr<X11Connection> connection, xcb_window_t id)
        : x_(std::move(connection)), id_(id), copier_(*x_, id) {}
    [[nodiscard]] bool ask_geometry();

    const std::shared_ptr<X11Connection> x_;
    std::optional<PeerFences> server_fences_;  // empty until it is first needed
    const xcb_window_t id_;
    uint32_t width_px_ = 0, height_px_ = 0;
    uint8_t depth_ = 24;
    X11Copier copier_;
    std::unique_ptr<X11Presenter> presenter_;  // null: the server has no DRI3
    bool copies_ = false;                      // how the last frame was shown
    bool listed_ = false;                      // it is in the connection's list of windows
};

}  // namespace terrazzo::winsys
