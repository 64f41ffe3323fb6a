// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Surfaces' buffers. A surface has one colour buffer, which is copied to the window on a swap, so that the
// back buffer keeps its contents: its age is 1 after the first swap, and EGL_BUFFER_PRESERVED costs nothing.
#include <algorithm>

#include "api/egl/display.h"
#include "api/egl/frame_file.h"
#include "pipe/blit/blit.h"

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

Surface::~Surface() = default;

void Surface::current_size(uint32_t* width, uint32_t* height) {
    if (window)
        window->size(width, height);
    else
        *width = width_px, *height = height_px;
}

bool Surface::acquire(Buffers* out) {
    uint32_t w = 0, h = 0;
    current_size(&w, &h);
    // A window or pbuffer of no size still needs storage to be a complete framebuffer.
    const uint32_t buffer_w = std::max(w, 1u), buffer_h = std::max(h, 1u);
    if (!buffers_.color || buffers_.color->desc.width != buffer_w ||
        buffers_.color->desc.height != buffer_h) {
        pipe::ResourceDesc d;
        d.kind = pipe::ResourceKind::Tex2D;
        d.width = buffer_w, d.height = buffer_h;
        d.format = buffer_format;
        d.samples = samples;
        d.bind = samples > 1 ? pipe::bind::kColor : pipe::bind::kColor | pipe::bind::kSampled;
        Buffers fresh;
        fresh.color = screen->create_resource(d);
        if (!fresh.color) return false;
        if (depth_stencil_format != pipe::Format::None) {
            d.format = depth_stencil_format;
            d.bind = pipe::bind::kDepthStencil;
            fresh.depth_stencil = screen->create_resource(d);
            if (!fresh.depth_stencil) return false;
        }
        buffers_ = std::move(fresh);
        presented = false;
    }
    buffers_.width_px = w;
    buffers_.height_px = h;
    *out = buffers_;
    return true;
}

/// What a window is shown: the colour buffer, or what its samples make. Null: out of memory.
pipe::Ref<pipe::Resource> Surface::shown(pipe::Context& context, const Buffers& b) {
    if (samples <= 1) return b.color;
    pipe::ResourceDesc d = b.color->desc;
    d.samples = 1;
    if (!resolved_ || !(resolved_->desc == d)) resolved_ = screen->create_resource(d);
    if (!resolved_) return nullptr;
    pipe::BlitInfo info;
    info.src.resource = b.color.get();
    info.dst.resource = resolved_.get();
    info.src.format = info.dst.format = d.format;
    info.src.box = info.dst.box = {0, 0, 0, int32_t(d.width), int32_t(d.height), 1};
    return pipe::blit(context, info) == pipe::BlitStatus::Ok ? resolved_ : nullptr;
}

EGLint Surface::present(st::Context& context, const winsys::Rect* damage, unsigned damage_count,
                        const char* file) {
    Buffers b;
    if (!acquire(&b)) return EGL_BAD_ALLOC;
    const pipe::Ref<pipe::Resource> color = shown(*context.pipe, b);
    if (!color) return EGL_BAD_ALLOC;
    const uint32_t w = color->desc.width, h = color->desc.height;
    pipe::Mapping m =
        context.pipe->map(*color, 0, pipe::Box{0, 0, 0, int32_t(w), int32_t(h), 1}, pipe::map_flag::kRead);
    if (!m.data) return EGL_BAD_ALLOC;
    winsys::Frame frame{
        static_cast<const uint8_t*>(m.data), m.row_stride_B, w, h, config.fourcc, {damage, damage_count}};
    if (file) (void)write_frame(frame, file);
    winsys::PresentStatus status = window->present(frame, swap_interval);
    context.pipe->unmap(*color, m);
    presented = true;
    ++stamp;  // the size is asked anew for the next frame
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

}  // namespace terrazzo::egl
