// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The X11 platform (EGL_EXT_platform_x11, EGL_EXT_platform_xcb): frames are sent with the core protocol's
// PutImage, which every X server has. Window ids are the server's, not a connection's, so Terrazzo talks over
// a connection of its own and never touches the application's.
#include <dlfcn.h>
#include <xcb/xcb.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "winsys/environment/environment.h"
#include "winsys/platform.h"

namespace terrazzo::winsys {
namespace {

constexpr uint32_t kXrgb8888 = 0x34325258, kArgb8888 = 0x34325241;

template <class T>
struct Free {
    void operator()(T* p) const { std::free(p); }
};
template <class T>
using Reply = std::unique_ptr<T, Free<T>>;

struct Connection {
    xcb_connection_t* c = nullptr;
    std::mutex mutex;
    std::unordered_set<void*> windows;
    ~Connection() {
        if (c) xcb_disconnect(c);
    }
};

class XWindow final : public Window {
  public:
    XWindow(std::shared_ptr<Connection> x, xcb_window_t id) : x_(std::move(x)), id_(id) {}
    ~XWindow() override {
        if (gc_) xcb_free_gc(x_->c, gc_);
        std::lock_guard lock(x_->mutex);
        x_->windows.erase(native());
    }
    [[nodiscard]] void* native() const { return reinterpret_cast<void*>(uintptr_t(id_)); }

    void size(uint32_t* width, uint32_t* height) override {
        Reply<xcb_get_geometry_reply_t> g = geometry();
        if (g) width_ = g->width, height_ = g->height, depth_ = g->depth;
        *width = width_, *height = height_;
    }

    PresentStatus present(const Frame& f, int) override {
        Reply<xcb_get_geometry_reply_t> g = geometry();
        if (!g) return PresentStatus::WindowLost;
        depth_ = g->depth;
        if (!gc_) {
            gc_ = xcb_generate_id(x_->c);
            xcb_create_gc(x_->c, gc_, id_, 0, nullptr);
        }
        // Top row first, in pieces that fit a request (its header is 24 bytes; lengths count 4-byte units).
        const uint64_t limit_B = uint64_t(xcb_get_maximum_request_length(x_->c)) * 4 - 32;
        const uint32_t row_B = f.width_px * 4;
        const uint32_t rows = uint32_t(std::max<uint64_t>(1, limit_B / std::max(row_B, 1u)));
        for (uint32_t y = 0; y < f.height_px; y += rows) {
            const uint32_t n = std::min(rows, f.height_px - y);
            scratch_.resize(size_t(n) * row_B);
            for (uint32_t i = 0; i < n; ++i)
                std::memcpy(scratch_.data() + size_t(i) * row_B,
                            f.pixels + size_t(f.height_px - 1 - y - i) * f.stride_B, row_B);
            xcb_put_image(x_->c, XCB_IMAGE_FORMAT_Z_PIXMAP, id_, gc_, uint16_t(f.width_px), uint16_t(n), 0,
                          int16_t(y), 0, depth_, uint32_t(scratch_.size()), scratch_.data());
        }
        xcb_flush(x_->c);
        return xcb_connection_has_error(x_->c) ? PresentStatus::WindowLost : PresentStatus::Ok;
    }

  private:
    Reply<xcb_get_geometry_reply_t> geometry() {
        return Reply<xcb_get_geometry_reply_t>(
            xcb_get_geometry_reply(x_->c, xcb_get_geometry(x_->c, id_), nullptr));
    }
    std::shared_ptr<Connection> x_;
    const xcb_window_t id_;
    xcb_gcontext_t gc_ = 0;
    uint32_t width_ = 0, height_ = 0;
    uint8_t depth_ = 24;
    std::vector<uint8_t> scratch_;
};

class X11 final : public Platform {
  public:
    X11(void* display, bool xcb) : display_(display), xcb_(xcb) {}
    bool initialize(std::string* why) override {
        // XCB itself reads the environment. Where the program is connected, it went to the same server.
        if (!display_ && has_elevated_rights()) {
            *why = kNoServerOfEnvironment;
            return false;
        }
        auto x = std::make_shared<Connection>();
        int screen_number = 0;
        x->c = xcb_connect(nullptr, &screen_number);
        if (xcb_connection_has_error(x->c)) {
            const char* name = environment(Variable::X11Display);
            *why = std::string("no X server answers at DISPLAY=") + (name ? name : "");
            return false;
        }
        xcb_screen_iterator_t s = xcb_setup_roots_iterator(xcb_get_setup(x->c));
        while (screen_number-- > 0 && s.rem > 1)
            xcb_screen_next(&s);
        for (auto d = xcb_screen_allowed_depths_iterator(s.data); d.rem; xcb_depth_next(&d)) {
            for (auto v = xcb_depth_visuals_iterator(d.data); v.rem; xcb_visualtype_next(&v)) {
                const bool bgra = v.data->_class == XCB_VISUAL_CLASS_TRUE_COLOR &&
                                  v.data->red_mask == 0xff0000 && v.data->green_mask == 0xff00 &&
                                  v.data->blue_mask == 0xff;
                uint32_t& slot = d.data->depth == 32 ? visual_argb_ : visual_xrgb_;
                if (bgra && (d.data->depth == 24 || d.data->depth == 32) &&
                    (!slot || v.data->visual_id == s.data->root_visual))
                    slot = v.data->visual_id;
            }
        }
        connection_ = std::move(x);
        return true;
    }
    bool has_windows() const override { return true; }
    bool can_present(uint32_t fourcc) const override { return native_visual(fourcc) != 0; }
    uint32_t native_visual(uint32_t fourcc) const override {
        return fourcc == kXrgb8888 ? visual_xrgb_ : fourcc == kArgb8888 ? visual_argb_ : 0;
    }
    std::unique_ptr<Window> create_window(void* native, uint32_t, std::string* why) override {
        send_waiting_requests();
        const auto id = xcb_window_t(reinterpret_cast<uintptr_t>(native));
        Connection& x = *connection_;
        Reply<xcb_get_geometry_reply_t> g(xcb_get_geometry_reply(x.c, xcb_get_geometry(x.c, id), nullptr));
        if (!g || (g->depth != 24 && g->depth != 32)) {
            *why = g ? "the X window is not 24 or 32 bits deep" : "there is no X window of that id";
            return nullptr;
        }
        auto w = std::make_unique<XWindow>(connection_, id);
        std::lock_guard lock(x.mutex);
        x.windows.insert(native);
        return w;
    }
    bool window_in_use(void* native) const override {
        std::lock_guard lock(connection_->mutex);
        return connection_->windows.count(native) != 0;
    }

  private:
    /// The window may have been created by a request that still waits in the application's own buffer.
    void send_waiting_requests() {
        if (!display_) return;
        if (xcb_) {
            xcb_flush(static_cast<xcb_connection_t*>(display_));
        } else if (auto sync = reinterpret_cast<int (*)(void*, int)>(dlsym(RTLD_DEFAULT, "XSync"))) {
            sync(display_, 0);
        }
    }
    void* const display_;
    const bool xcb_;
    std::shared_ptr<Connection> connection_;
    uint32_t visual_xrgb_ = 0, visual_argb_ = 0;
};

}  // namespace

std::unique_ptr<Platform> create_x11_platform(void* display, bool xcb) {
    return std::make_unique<X11>(display, xcb);
}

}  // namespace terrazzo::winsys
