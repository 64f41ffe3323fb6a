// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shared-memory buffers. Each has a memfd and a pool of its own, since a window's buffers are replaced when
// its size changes.
#include "winsys/wayland/shm.h"

#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstring>

#include "winsys/memory/memory_file.h"
#include "winsys/wayland/connection.h"

namespace terrazzo::winsys {
namespace {

constexpr uint32_t fourcc_code(char a, char b, char c, char d) {
    return uint32_t(a) | uint32_t(b) << 8 | uint32_t(c) << 16 | uint32_t(d) << 24;
}
constexpr uint32_t kArgb8888 = fourcc_code('A', 'R', '2', '4');
constexpr uint32_t kXrgb8888 = fourcc_code('X', 'R', '2', '4');
constexpr uint32_t kRgb565 = fourcc_code('R', 'G', '1', '6');

}  // namespace

uint32_t shm_format(uint32_t fourcc) {
    switch (fourcc) {
        case kArgb8888:
            return WL_SHM_FORMAT_ARGB8888;
        case kXrgb8888:
            return WL_SHM_FORMAT_XRGB8888;
        default:
            return fourcc;
    }
}

uint32_t shm_fourcc(uint32_t format) {
    switch (format) {
        case WL_SHM_FORMAT_ARGB8888:
            return kArgb8888;
        case WL_SHM_FORMAT_XRGB8888:
            return kXrgb8888;
        default:
            return format;
    }
}

uint32_t pixel_size_B(uint32_t fourcc) {
    switch (fourcc) {
        case kArgb8888:
        case kXrgb8888:
            return 4;
        case kRgb565:
            return 2;
        default:
            return 0;
    }
}

void ShmBuffer::on_release(void* data, wl_buffer*) {
    static_cast<ShmBuffer*>(data)->busy_ = false;
}

std::unique_ptr<ShmBuffer> ShmBuffer::create(wl_shm* shm, uint32_t width_px, uint32_t height_px,
                                             uint32_t fourcc) {
    static constexpr wl_buffer_listener kListener{on_release};
    const uint32_t texel_B = pixel_size_B(fourcc);
    const uint64_t stride_B = (uint64_t(width_px) * texel_B + 3) & ~uint64_t(3);
    const uint64_t size_B = stride_B * height_px;
    if (size_B == 0 || size_B > INT_MAX)  // wl_shm_pool's sizes are int32
        return nullptr;
    std::unique_ptr<ShmBuffer> b(new ShmBuffer);
    const int fd = create_memory_file(size_t(size_B));
    if (fd < 0) return nullptr;
    void* map = mmap(nullptr, size_t(size_B), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) {
        close(fd);
        return nullptr;
    }
    b->pixels_ = static_cast<uint8_t*>(map);
    b->size_B_ = size_t(size_B);
    b->width_px_ = width_px, b->height_px_ = height_px;
    b->stride_B_ = uint32_t(stride_B), b->row_B_ = width_px * texel_B;
    if (!descriptors_left()) {
        close(fd);
        return nullptr;
    }
    if (wl_shm_pool* pool = wl_shm_create_pool(shm, fd, int32_t(size_B))) {
        b->buffer_ = wl_shm_pool_create_buffer(pool, 0, int32_t(width_px), int32_t(height_px),
                                               int32_t(stride_B), shm_format(fourcc));
        wl_shm_pool_destroy(pool);
    }
    close(fd);  // libwayland holds a duplicate until it is sent
    if (!b->buffer_) return nullptr;
    wl_buffer_add_listener(b->buffer_, &kListener, b.get());
    return b;
}

ShmBuffer::~ShmBuffer() {
    if (buffer_) wl_buffer_destroy(buffer_);
    if (pixels_) munmap(pixels_, size_B_);
}

void ShmBuffer::fill(const Frame& frame) {
    for (uint32_t y = 0; y < height_px_; ++y)
        std::memcpy(pixels_ + size_t(y) * stride_B_,
                    frame.pixels + size_t(height_px_ - 1 - y) * frame.stride_B, row_B_);
}

}  // namespace terrazzo::winsys
