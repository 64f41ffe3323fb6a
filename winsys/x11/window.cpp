// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/x11/window.h"

#include "winsys/drm/sync_file.h"

namespace terrazzo::winsys {

std::unique_ptr<X11Window> X11Window::create(std::shared_ptr<X11Connection> connection, void* native,
                                             uint32_t fourcc, std::string* why) {
    const auto id = xcb_window_t(reinterpret_cast<uintptr_t>(native));
    X11Connection& x = *connection;
    std::unique_ptr<X11Window> w(new X11Window(std::move(connection), id));
    const bool exists = w->ask_geometry();
    if (!exists || (w->depth_ != 24 && w->depth_ != 32)) {
        *why = exists ? "the X window is not 24 or 32 bits deep" : "there is no X window of that id";
        return nullptr;
    }
    if (x.extensions.dri3) w->presenter_ = std::make_unique<X11Presenter>(x, id, w->depth_, fourcc);
    std::lock_guard lock(x.mutex);
    w->listed_ = x.windows.emplace(id, w->presenter_.get()).second;
    return w;
}

X11Window::~X11Window() {
    std::lock_guard lock(x_->mutex);
    if (listed_) x_->windows.erase(id_);
}

/// False: the window or its server is gone. When this returns, the server has executed all earlier requests.
bool X11Window::ask_geometry() {
    const XReply<xcb_get_geometry_reply_t> g(
        xcb_get_geometry_reply(x_->c, xcb_get_geometry(x_->c, id_), nullptr));
    x_->dispatch();
    if (g) width_px_ = g->width, height_px_ = g->height, depth_ = g->depth;
    return bool(g);
}

void X11Window::size(uint32_t* width_px, uint32_t* height_px) {
    (void)ask_geometry();  // present() reports a lost window
    *width_px = width_px_, *height_px = height_px_;
}

PresentStatus X11Window::present(const Frame& frame, int) {
    copies_ = true;
    // A pending frame would appear on top of this one.
    if (presenter_ && !presenter_->wait_until_shown()) return PresentStatus::WindowLost;
    if (!ask_geometry()) return PresentStatus::WindowLost;
    const PresentStatus status = copier_.copy(frame, depth_);
    x_->dispatch();
    return status;
}

std::span<const uint64_t> X11Window::shared_modifiers() {
    return presenter_ ? presenter_->modifiers() : std::span<const uint64_t>{};
}

unsigned X11Window::shared_modifier_rank(uint64_t modifier) const {
    return presenter_ ? presenter_->rank(modifier) : 0;
}

std::unique_ptr<WindowBuffer> X11Window::create_buffer(const SharedBuffer& buffer) {
    return presenter_ ? presenter_->create(buffer) : nullptr;
}

PresentStatus X11Window::present_shared(WindowBuffer& buffer, std::span<const Rect> damage, int interval,
                                        const FrameFence& fence) {
    copies_ = false;
    if (!ask_geometry()) return PresentStatus::WindowLost;
    const auto server = [this] {
        if (!server_fences_) server_fences_ = peer_fences(xcb_get_file_descriptor(x_->c));
        return *server_fences_;
    };
    if (fence.fd >= 0 && !waits_itself(fence.implicit, server)) wait_for_sync_file(fence.fd);
    return presenter_->present(buffer, damage, interval);
}

bool X11Window::wait_for_buffer() {
    return presenter_ && presenter_->wait_for_buffer();
}

std::string X11Window::explain() const {
    if (!copies_) return presenter_ ? presenter_->explain() : std::string{};
    return copier_.explain() + "; " + (presenter_ ? presenter_->why_copied() : x_->extensions.why_no_dri3);
}

}  // namespace terrazzo::winsys
