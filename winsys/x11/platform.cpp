// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The X11 platform (EGL_EXT_platform_x11, EGL_EXT_platform_xcb): the connection, its visuals, its windows.
#include <dlfcn.h>

#include "winsys/environment/environment.h"
#include "winsys/x11/window.h"

namespace terrazzo::winsys {
namespace {

using SyncFunction = int(void*, int);

/// XSync of the library that the Display belongs to, or null. A plugin of the program (weston's
/// x11-backend.so) may have loaded the library, so that its symbols are not in the program's scope.
SyncFunction* xlib_sync() {
    void* found = dlsym(RTLD_DEFAULT, "XSync");
    if (void* const library = found ? nullptr : dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD)) {
        found = dlsym(library, "XSync");
        dlclose(library);  // the library that loaded it holds a reference
    }
    return reinterpret_cast<SyncFunction*>(found);
}

constexpr uint32_t kXrgb8888 = 0x34325258, kArgb8888 = 0x34325241;

class X11 final : public Platform {
  public:
    X11(void* display, bool xcb) : display_(display), xcb_(xcb) {}
    bool initialize(std::string* why) override {
        // XCB itself reads the environment. If the program is connected, it used the same variable.
        if (!display_ && has_elevated_rights()) {
            *why = kNoServerOfEnvironment;
            return false;
        }
        auto x = std::make_shared<X11Connection>();
        if (!x->connect(why)) return false;
        for (auto d = xcb_screen_allowed_depths_iterator(x->screen); d.rem; xcb_depth_next(&d)) {
            for (auto v = xcb_depth_visuals_iterator(d.data); v.rem; xcb_visualtype_next(&v)) {
                const bool bgra = v.data->_class == XCB_VISUAL_CLASS_TRUE_COLOR &&
                                  v.data->red_mask == 0xff0000 && v.data->green_mask == 0xff00 &&
                                  v.data->blue_mask == 0xff;
                uint32_t& slot = d.data->depth == 32 ? visual_argb_ : visual_xrgb_;
                if (bgra && (d.data->depth == 24 || d.data->depth == 32) &&
                    (!slot || v.data->visual_id == x->screen->root_visual))
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
    std::unique_ptr<Window> create_window(void* native, uint32_t fourcc, std::string* why) override {
        send_waiting_requests();
        return X11Window::create(connection_, native, fourcc, why);
    }
    bool window_in_use(void* native) const override {
        std::lock_guard lock(connection_->mutex);
        return connection_->windows.count(xcb_window_t(reinterpret_cast<uintptr_t>(native))) != 0;
    }
    uint64_t main_device() const override { return connection_->extensions.gpu; }
    std::string explain() const override;

  private:
    /// The request that created the window may still be in the application's buffer. Our connection is
    /// another one, so only a reply on the application's shows that the server has executed the request.
    void send_waiting_requests() {
        if (!display_) return;
        if (xcb_) {
            auto* const c = static_cast<xcb_connection_t*>(display_);
            const XReply<xcb_get_input_focus_reply_t> done(
                xcb_get_input_focus_reply(c, xcb_get_input_focus(c), nullptr));
        } else if (auto* const sync = xlib_sync()) {
            sync(display_, 0);
        }
    }
    void* const display_;
    const bool xcb_;
    std::shared_ptr<X11Connection> connection_;
    uint32_t visual_xrgb_ = 0, visual_argb_ = 0;
};

std::string X11::explain() const {
    const X11Extensions& e = connection_->extensions;
    if (e.dri3)
        return "the server has DRI3 1." + std::to_string(e.dri3 % 100) + " and Present 1." +
               std::to_string(e.present % 100) +
               ": it shows the memory that is drawn to, if it accepts the device's layouts";
    if (e.shm) return e.why_no_dri3 + ": frames are copied into memory that it maps (MIT-SHM)";
    const std::string why =
        e.why_no_shm == e.why_no_dri3 ? e.why_no_dri3 : e.why_no_dri3 + ", " + e.why_no_shm;
    return why + ": frames are sent in requests (PutImage)";
}

}  // namespace

std::unique_ptr<Platform> create_x11_platform(void* display, bool xcb) {
    return std::make_unique<X11>(display, xcb);
}

}  // namespace terrazzo::winsys
