// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: xorgproto's dri3proto.txt (1.2: GetSupportedModifiers, PixmapFromBuffers), presentproto.txt (1.2),
// drm_fourcc.h.
//
// Present's two fences are not used. We wait for the pixels before the request. When the server reports a
// pixmap as idle, dma-bufs' implicit fences tell whether its devices have finished reading it.
#include "winsys/x11/present.h"

#include <fcntl.h>
#include <unistd.h>
#include <xcb/dri3.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace terrazzo::winsys {
namespace {

constexpr uint64_t kLinear = 0, kInvalid = 0x00ffffffffffffff;
constexpr uint32_t kArgb8888 = 0x34325241;
constexpr uint8_t kBitsPerPixel = 32;
constexpr uint32_t kMaxSize_px = INT16_MAX;  // the protocol's coordinates have 16 bits

}  // namespace

/// A pixmap, as the window's user holds it.
class X11Presenter::Buffer final : public WindowBuffer {
  public:
    Buffer(X11Presenter& owner, xcb_pixmap_t pixmap, const SharedBuffer& b)
        : owner_(owner), pixmap(pixmap), width_px(b.width_px), height_px(b.height_px), modifier(b.modifier) {}
    /// The server keeps the pixmap's memory while it shows it.
    ~Buffer() override {
        std::lock_guard lock(owner_.x_.mutex);
        std::erase(owner_.buffers_, this);
        xcb_free_pixmap(owner_.x_.c, pixmap);
    }
    bool busy() const override {
        std::lock_guard lock(owner_.x_.mutex);
        return held;
    }

  private:
    X11Presenter& owner_;

  public:
    const xcb_pixmap_t pixmap;
    const uint32_t width_px, height_px;
    const uint64_t modifier;
    bool held = false;    // guarded by the connection's mutex, as is `serial`
    uint32_t serial = 0;  // the frame that it is held for
};

X11Presenter::X11Presenter(X11Connection& connection, xcb_window_t window, uint8_t depth, uint32_t fourcc)
    : x_(connection),
      window_(window),
      depth_(depth),
      fourcc_(fourcc),
      event_id_(xcb_generate_id(connection.c)),
      region_(xcb_generate_id(connection.c)) {
    const uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;  // for DestroyNotify
    xcb_change_window_attributes(x_.c, window_, XCB_CW_EVENT_MASK, &mask);
    xcb_present_select_input(x_.c, event_id_, window_,
                             XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY);
    xcb_xfixes_create_region(x_.c, region_, 0, nullptr);
}

X11Presenter::~X11Presenter() {
    xcb_xfixes_destroy_region(x_.c, region_);
    if (!lost()) {
        const uint32_t none = 0;
        xcb_present_select_input(x_.c, event_id_, window_, 0);
        xcb_change_window_attributes(x_.c, window_, XCB_CW_EVENT_MASK, &none);
    }
    xcb_flush(x_.c);
}

bool X11Presenter::lost() const {
    std::lock_guard lock(x_.mutex);
    return lost_;
}

// --- events; the connection's mutex is held

void X11Presenter::on_present_event(const xcb_ge_generic_event_t& event) {
    switch (event.event_type) {
        case XCB_PRESENT_COMPLETE_NOTIFY: {
            const auto& e = reinterpret_cast<const xcb_present_complete_notify_event_t&>(event);
            if (e.event != event_id_ || e.kind != XCB_PRESENT_COMPLETE_KIND_PIXMAP) break;
            done_ = e.serial;
            msc_ = e.msc;
            suboptimal_ |= e.mode == XCB_PRESENT_COMPLETE_MODE_SUBOPTIMAL_COPY;
            break;
        }
        case XCB_PRESENT_EVENT_IDLE_NOTIFY: {
            const auto& e = reinterpret_cast<const xcb_present_idle_notify_event_t&>(event);
            if (e.event != event_id_) break;
            for (Buffer* b : buffers_) {
                if (b->pixmap != e.pixmap || b->serial != e.serial || !b->held) continue;
                b->held = false;
                ++releases_;
            }
            break;
        }
        default:
            break;
    }
}

/// The server refused the frame: it is never shown and never released.
void X11Presenter::on_error(const xcb_generic_error_t& error) {
    if (sent_ == done_ || error.full_sequence != last_request_) return;
    (error.error_code == XCB_WINDOW ? lost_ : failed_) = true;
    done_ = sent_;
    for (Buffer* b : buffers_)
        if (b->serial == sent_) b->held = false;
    ++releases_;
}

// --- layouts

void X11Presenter::query_modifiers() {
    queried_ = true;
    modifiers_.clear();
    window_modifiers_ = 0;
    if (x_.extensions.dri3 >= 102) {
        const XReply<xcb_dri3_get_supported_modifiers_reply_t> r(xcb_dri3_get_supported_modifiers_reply(
            x_.c, xcb_dri3_get_supported_modifiers(x_.c, window_, depth_, kBitsPerPixel), nullptr));
        const auto add = [this](const uint64_t* list, int count) {
            // If the format differs from the depth's own, only the linear layout is sure to be the same.
            const bool same_format = (fourcc_ == kArgb8888) == (depth_ == 32);
            for (const uint64_t m : std::span(list, size_t(std::max(count, 0))))
                if ((same_format || m == kLinear) && !std::ranges::count(modifiers_, m))
                    modifiers_.push_back(m);
        };
        if (r) {
            add(xcb_dri3_get_supported_modifiers_window_modifiers(r.get()),
                xcb_dri3_get_supported_modifiers_window_modifiers_length(r.get()));
            window_modifiers_ = modifiers_.size();
            add(xcb_dri3_get_supported_modifiers_screen_modifiers(r.get()),
                xcb_dri3_get_supported_modifiers_screen_modifiers_length(r.get()));
            if (r->num_window_modifiers || r->num_screen_modifiers) return;
        }
    }
    modifiers_.push_back(kInvalid);  // the server supports no modifiers
}

std::span<const uint64_t> X11Presenter::modifiers() {
    x_.dispatch();
    bool query = !queried_;
    {
        std::lock_guard lock(x_.mutex);
        if (lost_ || failed_) return {};
        query |= std::exchange(suboptimal_, false);
    }
    if (query) query_modifiers();
    return modifiers_;
}

unsigned X11Presenter::rank(uint64_t modifier) const {
    const auto end = modifiers_.begin() + ptrdiff_t(window_modifiers_);
    return std::find(modifiers_.begin(), end, modifier) == end;
}

// --- buffers

/// The modifier to send for such a buffer.
uint64_t X11Presenter::modifier_to_send(const SharedBuffer& buffer) const {
    const bool offered = std::ranges::count(modifiers_, buffer.modifier) != 0;
    return !offered && buffer.modifier == kLinear ? kInvalid : buffer.modifier;
}

/// XCB closes the descriptor.
xcb_void_cookie_t X11Presenter::send_buffer(xcb_pixmap_t pixmap, const SharedBuffer& b, uint64_t modifier,
                                            int fd) {
    const auto w = uint16_t(b.width_px), h = uint16_t(b.height_px);
    if (modifier == kInvalid)
        return xcb_dri3_pixmap_from_buffer_checked(x_.c, pixmap, window_, b.stride_B * b.height_px, w, h,
                                                   uint16_t(b.stride_B), depth_, kBitsPerPixel, fd);
    return xcb_dri3_pixmap_from_buffers_checked(x_.c, pixmap, window_, 1, w, h, b.stride_B, b.offset_B, 0, 0,
                                                0, 0, 0, 0, depth_, kBitsPerPixel, modifier, &fd);
}

void X11Presenter::refuse(uint64_t modifier, unsigned error_code) {
    char text[96];
    std::snprintf(text, sizeof text, "the server refused a buffer of modifier 0x%llx (X error %u)",
                  static_cast<unsigned long long>(modifier), error_code);
    refused_ = text;
    const auto it = std::ranges::find(modifiers_, modifier);
    if (it == modifiers_.end()) return;
    if (size_t(it - modifiers_.begin()) < window_modifiers_) --window_modifiers_;
    modifiers_.erase(it);
}

std::unique_ptr<WindowBuffer> X11Presenter::create(const SharedBuffer& b) {
    const uint64_t modifier = modifier_to_send(b);
    if (b.fourcc != fourcc_ || !b.width_px || !b.height_px || b.width_px > kMaxSize_px ||
        b.height_px > kMaxSize_px || !std::ranges::count(modifiers_, modifier))
        return nullptr;
    if (modifier == kInvalid && (b.offset_B || b.stride_B > UINT16_MAX)) return nullptr;
    const int fd = fcntl(b.fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0) return nullptr;
    const xcb_pixmap_t pixmap = xcb_generate_id(x_.c);
    const XReply<xcb_generic_error_t> error(xcb_request_check(x_.c, send_buffer(pixmap, b, modifier, fd)));
    x_.dispatch();
    if (!x_.alive()) return nullptr;
    if (error) {
        refuse(modifier, error->error_code);
        return nullptr;
    }
    auto made = std::make_unique<Buffer>(*this, pixmap, b);
    std::lock_guard lock(x_.mutex);
    buffers_.push_back(made.get());
    return made;
}

/// The region of the window that changes; 0: all of it.
xcb_xfixes_region_t X11Presenter::region(const Buffer& b, std::span<const Rect> damage) {
    const bool same_size = b.width_px == shown_width_px_ && b.height_px == shown_height_px_;
    if (damage.empty() || !same_size) return 0;
    std::vector<xcb_rectangle_t> rects;
    const int64_t w = b.width_px, h = b.height_px;
    for (const Rect& r : damage) {
        const int64_t x0 = std::clamp<int64_t>(r.x, 0, w),
                      x1 = std::clamp<int64_t>(int64_t(r.x) + r.width, 0, w);
        const int64_t y0 = std::clamp<int64_t>(r.y, 0, h),
                      y1 = std::clamp<int64_t>(int64_t(r.y) + r.height, 0, h);
        if (x0 < x1 && y0 < y1)  // origin from bottom left to top left
            rects.push_back({int16_t(x0), int16_t(h - y1), uint16_t(x1 - x0), uint16_t(y1 - y0)});
    }
    // The server copies the region when it executes the request that names it.
    xcb_xfixes_set_region(x_.c, region_, uint32_t(rects.size()), rects.data());
    return region_;
}

PresentStatus X11Presenter::present(WindowBuffer& window_buffer, std::span<const Rect> damage, int interval) {
    Buffer& b = static_cast<Buffer&>(window_buffer);
    if (interval > 0 && !wait_until_shown()) return PresentStatus::WindowLost;
    const xcb_xfixes_region_t changed = region(b, damage);
    std::unique_lock lock(x_.mutex);
    if (lost_ || !x_.alive()) return PresentStatus::WindowLost;
    uint32_t options = interval > 0 ? XCB_PRESENT_OPTION_NONE : XCB_PRESENT_OPTION_ASYNC;
    if (x_.extensions.present >= 102) options |= XCB_PRESENT_OPTION_SUBOPTIMAL;
    const uint64_t target_msc = interval > 0 && msc_ ? msc_ + uint64_t(interval) : 0;
    b.serial = ++sent_;
    b.held = true;
    last_request_ = xcb_present_pixmap(x_.c, window_, b.pixmap, b.serial, 0, changed, 0, 0, 0, 0, 0, options,
                                       target_msc, 0, 0, 0, nullptr)
                        .sequence;
    lock.unlock();
    xcb_flush(x_.c);
    shown_width_px_ = b.width_px, shown_height_px_ = b.height_px;
    shown_modifier_ = b.modifier;
    return x_.alive() ? PresentStatus::Ok : PresentStatus::WindowLost;
}

bool X11Presenter::wait_until_shown() {
    std::unique_lock lock(x_.mutex);
    return x_.wait_until(lock, [this] { return lost_ || done_ == sent_; }) && !lost_;
}

bool X11Presenter::wait_for_buffer() {
    std::unique_lock lock(x_.mutex);
    const bool connected = x_.wait_until(lock, [this] {
        return lost_ || releases_ != seen_releases_ ||
               std::ranges::none_of(buffers_, [](const Buffer* b) { return b->held; });
    });
    seen_releases_ = releases_;
    return connected && !lost_;
}

std::string X11Presenter::explain() const {
    char text[160];
    std::snprintf(text, sizeof text,
                  "the server shows the memory that is drawn to (DRI3 1.%u, Present 1.%u, modifier 0x%llx)",
                  x_.extensions.dri3 % 100, x_.extensions.present % 100,
                  static_cast<unsigned long long>(shown_modifier_));
    return text;
}

std::string X11Presenter::why_copied() const {
    std::lock_guard lock(x_.mutex);
    if (failed_) return "the server took buffers and refused to present them";
    return refused_.empty() ? "the server and the device share no layout" : refused_;
}

}  // namespace terrazzo::winsys
