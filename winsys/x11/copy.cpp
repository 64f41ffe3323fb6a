// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: the X protocol's PutImage, xorgproto's shm.txt (AttachFd, PutImage).
#include "winsys/x11/copy.h"

#include <sys/mman.h>
#include <unistd.h>
#include <xcb/shm.h>

#include <algorithm>
#include <cstring>

#include "winsys/memory/memory_file.h"

namespace terrazzo::winsys {
namespace {

constexpr uint32_t kTexel_B = 4;

/// Copies `rows` rows of the frame from `first` on, counted from the top.
void copy_rows(const Frame& f, uint32_t first, uint32_t rows, uint8_t* out) {
    const size_t row_B = size_t(f.width_px) * kTexel_B;
    for (uint32_t i = 0; i < rows; ++i)
        std::memcpy(out + i * row_B, f.pixels + size_t(f.height_px - 1 - first - i) * f.stride_B, row_B);
}

}  // namespace

/// Memory that this process and the server map.
class X11Copier::Segment {
  public:
    /// Null: out of memory, or the server refuses it.
    static std::unique_ptr<Segment> create(X11Connection& x, size_t size_B) {
        const int fd = create_memory_file(size_B);
        if (fd < 0) return nullptr;
        void* const map = mmap(nullptr, size_B, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (map == MAP_FAILED) {
            close(fd);
            return nullptr;
        }
        std::unique_ptr<Segment> s(new Segment(x, static_cast<uint8_t*>(map), size_B));
        s->id_ = xcb_generate_id(x.c);
        // XCB closes the descriptor.
        const XReply<xcb_generic_error_t> error(
            xcb_request_check(x.c, xcb_shm_attach_fd_checked(x.c, s->id_, fd, 1)));
        if (!error && x.alive()) return s;
        s->id_ = 0;
        return nullptr;
    }
    ~Segment() {
        if (id_) xcb_shm_detach(x_.c, id_);
        munmap(data_, size_B_);
    }
    [[nodiscard]] uint8_t* data() const { return data_; }
    [[nodiscard]] size_t size_B() const { return size_B_; }
    [[nodiscard]] xcb_shm_seg_t id() const { return id_; }

  private:
    Segment(X11Connection& x, uint8_t* data, size_t size_B) : x_(x), data_(data), size_B_(size_B) {}
    X11Connection& x_;
    uint8_t* const data_;
    const size_t size_B_;
    xcb_shm_seg_t id_ = 0;
};

X11Copier::X11Copier(X11Connection& connection, xcb_window_t window) : x_(connection), window_(window) {}

X11Copier::~X11Copier() {
    segment_.reset();
    if (gc_) xcb_free_gc(x_.c, gc_);
    xcb_flush(x_.c);
}

/// False: the frame must be sent in requests.
bool X11Copier::put_shared(const Frame& f, uint8_t depth) {
    const size_t size_B = size_t(f.width_px) * f.height_px * kTexel_B;
    if (!x_.extensions.shm || !why_not_shared_.empty()) return false;
    if (!segment_ || segment_->size_B() < size_B || segment_->size_B() / 4 > size_B) {
        segment_.reset();
        segment_ = Segment::create(x_, size_B);
        if (!segment_) {
            why_not_shared_ = "the server has refused memory for MIT-SHM, or there is none";
            return false;
        }
    }
    copy_rows(f, 0, f.height_px, segment_->data());
    const auto w = uint16_t(f.width_px), h = uint16_t(f.height_px);
    const xcb_void_cookie_t put = xcb_shm_put_image_checked(x_.c, window_, gc_, w, h, 0, 0, w, h, 0, 0, depth,
                                                            XCB_IMAGE_FORMAT_Z_PIXMAP, 0, segment_->id(), 0);
    if (segment_works_) {
        xcb_discard_reply(x_.c, put.sequence);
        return true;
    }
    const XReply<xcb_generic_error_t> error(xcb_request_check(x_.c, put));
    segment_works_ = !error;
    if (segment_works_) return true;
    segment_.reset();
    why_not_shared_ = "the server has refused a picture by MIT-SHM";
    return false;
}

void X11Copier::put_requests(const Frame& f, uint8_t depth) {
    // In pieces that fit into a request (its header is 24 bytes; lengths count units of 4 bytes).
    const uint64_t limit_B = uint64_t(xcb_get_maximum_request_length(x_.c)) * 4 - 32;
    const uint32_t row_B = f.width_px * kTexel_B;
    const uint32_t rows = uint32_t(std::max<uint64_t>(1, limit_B / std::max(row_B, 1u)));
    for (uint32_t y = 0; y < f.height_px; y += rows) {
        const uint32_t n = std::min(rows, f.height_px - y);
        scratch_.resize(size_t(n) * row_B);
        copy_rows(f, y, n, scratch_.data());
        xcb_put_image(x_.c, XCB_IMAGE_FORMAT_Z_PIXMAP, window_, gc_, uint16_t(f.width_px), uint16_t(n), 0,
                      int16_t(y), 0, depth, uint32_t(scratch_.size()), scratch_.data());
    }
}

PresentStatus X11Copier::copy(const Frame& frame, uint8_t depth) {
    if (!gc_) {
        gc_ = xcb_generate_id(x_.c);
        xcb_create_gc(x_.c, gc_, window_, 0, nullptr);
    }
    if (!put_shared(frame, depth)) put_requests(frame, depth);
    xcb_flush(x_.c);
    return x_.alive() ? PresentStatus::Ok : PresentStatus::WindowLost;
}

std::string X11Copier::explain() const {
    const std::string& why = why_not_shared_.empty() ? x_.extensions.why_no_shm : why_not_shared_;
    return why.empty() ? "frames are copied into memory that the server maps (MIT-SHM)"
                       : "frames are sent to the server (PutImage): " + why;
}

}  // namespace terrazzo::winsys
