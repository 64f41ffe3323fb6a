// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Surfaces' buffers. If the window shows memory that it shares with the device, a frame is drawn into one of
// a few such images (back_buffers.h), top row first. Otherwise a surface has one colour buffer, which a swap
// copies to the window: its age is 1 after the first swap, and EGL_BUFFER_PRESERVED has no cost.
#include <unistd.h>

#include <algorithm>

#include "api/egl/display.h"
#include "api/egl/frame_file.h"
#include "pipe/blit/blit.h"
#include "pipe/debug.h"

namespace terrazzo::egl {

Surface::Surface(std::shared_ptr<pipe::Screen> s, SurfaceKind k, const Config& c)
    : screen(std::move(s)), kind(k), config(c) {
    color_format = buffer_format = c.color_format;
    depth_stencil_format = c.depth_stencil_format;
    red_bits = uint8_t(c.red), green_bits = uint8_t(c.green), blue_bits = uint8_t(c.blue),
    alpha_bits = uint8_t(c.alpha);
    depth_bits = uint8_t(c.depth), stencil_bits = uint8_t(c.stencil);
    samples = c.samples;
    double_buffered = k == SurfaceKind::Window;
}

Surface::~Surface() {
    if (!frames_shown_ || !pipe::debug(pipe::DebugWord::Perf)) return;
    pipe::debug_print(
        pipe::DebugWord::Perf,
        "a window was shown " + std::to_string(frames_shown_) + " frames, " + std::to_string(frames_copied_) +
            " of them by a copy, with " + std::to_string(images_copied_) + " copies between images" +
            (window ? "; " + std::to_string(window->fence_waits()) + " fences of its buffers were waited for"
                    : ""));
}

void Surface::current_size(uint32_t* width, uint32_t* height) {
    if (window)
        window->size(width, height);
    else
        *width = width_px, *height = height_px;
}

/// Acquires the window's image for the next frame; null: frames are copied to the window. False: there is
/// none now.
bool Surface::acquire_back(uint32_t width, uint32_t height, pipe::Ref<pipe::Resource>* out) {
    if (!window || frames_are_copied_) return true;
    if (!back_ && (window->shared_modifiers().empty() || screen->modifiers(buffer_format).empty())) {
        frames_are_copied_ = true;
        return true;
    }
    if (!back_) back_ = std::make_unique<BackBuffers>(screen, *window, buffer_format, config.fourcc);
    *out = back_->acquire(width, height);
    if (*out) return true;
    frames_are_copied_ = back_->refused();
    if (frames_are_copied_) back_.reset();
    return frames_are_copied_;
}

/// Creates the surface's own images. False: out of memory.
bool Surface::create_images(uint32_t width, uint32_t height, bool with_color, Buffers* out) const {
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Tex2D;
    d.width = width, d.height = height;
    d.samples = samples;
    if (with_color) {
        d.format = buffer_format;
        d.bind = samples > 1 ? pipe::bind::kColor : pipe::bind::kColor | pipe::bind::kSampled;
        out->color = screen->create_resource(d);
        if (!out->color) return false;
    }
    if (depth_stencil_format == pipe::Format::None) return true;
    d.format = depth_stencil_format;
    d.bind = pipe::bind::kDepthStencil;
    out->depth_stencil = screen->create_resource(d);
    return bool(out->depth_stencil);
}

bool Surface::acquire(Buffers* out) {
    uint32_t w = 0, h = 0;
    current_size(&w, &h);
    // A window or pbuffer without size still needs storage for a complete framebuffer.
    const uint32_t buffer_w = std::max(w, 1u), buffer_h = std::max(h, 1u);
    pipe::Ref<pipe::Resource> back;
    if (!acquire_back(buffer_w, buffer_h, &back)) return false;
    const bool draws_back = back && samples <= 1;
    const bool had_back = draws_back_;
    const bool fits =
        buffers_.color && buffers_.color->desc.width == buffer_w && buffers_.color->desc.height == buffer_h;
    if (!fits || had_back != draws_back) {
        Buffers fresh;
        if (!create_images(buffer_w, buffer_h, !draws_back, &fresh)) return false;
        buffers_ = std::move(fresh);
        presented = false;
    }
    if (draws_back) buffers_.color = std::move(back);
    draws_back_ = draws_back;
    top_down = back_ || (kind == SurfaceKind::Pbuffer && pipe::debug(pipe::DebugWord::TopDown));
    buffers_.width_px = w;
    buffers_.height_px = h;
    *out = buffers_;
    return true;
}

uint32_t Surface::age() {
    Buffers b;
    age_is_known = true;
    if (!acquire(&b)) return 0;
    return back_ && samples <= 1 ? back_->age() : presented;
}

EGLint Surface::set_damage(std::span<const winsys::Rect> rects, const char** why) {
    if (kind != SurfaceKind::Window) return *why = "the surface is not a window's", EGL_BAD_MATCH;
    if (swap_behavior != EGL_BUFFER_DESTROYED)
        return *why = "the surface's EGL_SWAP_BEHAVIOR is not EGL_BUFFER_DESTROYED", EGL_BAD_MATCH;
    if (damage_is_set) return *why = "the frame's damage region is set already", EGL_BAD_ACCESS;
    if (!age_is_known) return *why = "EGL_BUFFER_AGE was not asked for in this frame", EGL_BAD_ACCESS;
    damage_is_set = true;
    uint32_t w = 0, h = 0;
    current_size(&w, &h);
    const auto clamp = [](int64_t v, uint32_t limit) { return int32_t(std::clamp<int64_t>(v, 0, limit)); };
    pipe::Scissor box{INT32_MAX, INT32_MAX, 0, 0};
    for (const winsys::Rect& r : rects)
        box = {std::min(box.x0, clamp(r.x, w)), std::min(box.y0, clamp(r.y, h)),
               std::max(box.x1, clamp(int64_t(r.x) + r.width, w)),
               std::max(box.y1, clamp(int64_t(r.y) + r.height, h))};
    damage = rects.empty() ? pipe::kEverywhere : box;
    return EGL_SUCCESS;
}

bool Surface::copy(pipe::Context& context, pipe::Resource& from, pipe::Resource& to) {
    pipe::BlitInfo info;
    info.src.resource = &from;
    info.dst.resource = &to;
    info.src.format = info.dst.format = to.desc.format;
    info.src.box = info.dst.box = {0, 0, 0, int32_t(to.desc.width), int32_t(to.desc.height), 1};
    return pipe::blit(context, info) == pipe::BlitStatus::Ok;
}

/// TERRAZZO_DEBUG=egl: reports how frames reach the window, whenever that changes.
void Surface::tell_how_shown() {
    if (!pipe::debug(pipe::DebugWord::Egl)) return;
    std::string how = window->explain();
    if (how == how_shown_) return;
    pipe::debug_print(pipe::DebugWord::Egl, "window: " + how);
    how_shown_ = std::move(how);
}

/// The image for the window: the colour buffer, or its resolved samples. Null: out of memory.
pipe::Ref<pipe::Resource> Surface::shown(pipe::Context& context, const Buffers& b) {
    if (samples <= 1) return b.color;
    pipe::ResourceDesc d = b.color->desc;
    d.samples = 1;
    if (!resolved_ || !(resolved_->desc == d)) resolved_ = screen->create_resource(d);
    if (!resolved_) return nullptr;
    ++images_copied_;
    return copy(context, *b.color, *resolved_) ? resolved_ : nullptr;
}

/// Calls `show` with a frame in CPU memory while it is mapped. False: out of memory.
template <class F>
bool Surface::map_frame(pipe::Context& context, pipe::Resource& image, std::span<const winsys::Rect> damage,
                        F&& show) {
    const uint32_t w = image.desc.width, h = image.desc.height;
    pipe::Mapping m =
        context.map(image, 0, pipe::Box{0, 0, 0, int32_t(w), int32_t(h), 1}, pipe::map_flag::kRead);
    if (!m.data) return false;
    show(winsys::Frame{static_cast<const uint8_t*>(m.data), m.row_stride_B, w, h, config.fourcc, damage});
    context.unmap(image, m);
    return true;
}

EGLint Surface::result(winsys::PresentStatus status) {
    presented = true;
    age_is_known = damage_is_set = false;
    damage = pipe::kEverywhere;
    tell_how_shown();
    ++stamp;  // the next frame updates the size and acquires a new buffer
    switch (status) {
        case winsys::PresentStatus::Ok:
            return EGL_SUCCESS;
        case winsys::PresentStatus::OutOfMemory:
            return EGL_BAD_ALLOC;
        case winsys::PresentStatus::WindowLost:
            lost = true;
            return EGL_BAD_NATIVE_WINDOW;
    }
    return EGL_SUCCESS;
}

EGLint Surface::present_copy(pipe::Context& context, const Buffers& b, std::span<const winsys::Rect> damage,
                             const char* file) {
    const pipe::Ref<pipe::Resource> color = shown(context, b);
    if (!color) return EGL_BAD_ALLOC;
    winsys::PresentStatus status = winsys::PresentStatus::Ok;
    const bool mapped = map_frame(context, *color, damage, [&](const winsys::Frame& frame) {
        if (file) (void)write_frame(frame, file, false);
        status = window->present(frame, swap_interval);
        ++frames_shown_, ++frames_copied_;
    });
    return mapped ? result(status) : EGL_BAD_ALLOC;
}

EGLint Surface::present_shared(pipe::Context& context, const Buffers& b, pipe::Ref<pipe::Fence> drawn,
                               std::span<const winsys::Rect> damage, const char* file) {
    pipe::Ref<pipe::Resource> image;
    if (!acquire_back(b.color->desc.width, b.color->desc.height, &image) || !image) return EGL_BAD_ALLOC;
    if (samples > 1) {
        ++images_copied_;
        if (!copy(context, *b.color, *image)) return EGL_BAD_ALLOC;
        drawn = context.flush();
    }
    if (file)
        (void)map_frame(context, *image, {},
                        [&](const winsys::Frame& f) { (void)write_frame(f, file, true); });
    // Complete work needs no fence; on the CPU it always is complete.
    const bool done = !drawn || drawn->wait(0);
    const int fence_fd = screen->caps().native_fences && !done ? drawn->export_fd() : -1;
    if (fence_fd < 0 && drawn) (void)drawn->wait(pipe::Fence::kForever);
    const winsys::PresentStatus status = back_->present(damage, swap_interval, fence_fd);
    ++frames_shown_;
    if (fence_fd >= 0) close(fence_fd);
    const EGLint error = result(status);
    if (error != EGL_SUCCESS || swap_behavior != EGL_BUFFER_PRESERVED || samples > 1) return error;
    // The next frame begins with this one's pixels.
    Buffers next;
    pipe::Resource* const front = back_->front();
    if (!acquire(&next)) return EGL_BAD_ALLOC;
    if (!front || !back_ || front == next.color.get()) return EGL_SUCCESS;
    ++images_copied_;
    return copy(context, *front, *next.color) ? EGL_SUCCESS : EGL_BAD_ALLOC;
}

EGLint Surface::present(st::Context& context, pipe::Ref<pipe::Fence> drawn,
                        std::span<const winsys::Rect> damage, const char* file) {
    Buffers b;
    if (!acquire(&b)) {
        if (window->lost()) return result(winsys::PresentStatus::WindowLost);
        return back_ && back_->held() ? EGL_BAD_SURFACE : EGL_BAD_ALLOC;
    }
    if (back_) return present_shared(*context.pipe, b, std::move(drawn), damage, file);
    if (drawn) (void)drawn->wait(pipe::Fence::kForever);
    return present_copy(*context.pipe, b, damage, file);
}

}  // namespace terrazzo::egl
