// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers for the CPU: the pixels in rows, whatever their layout in memory is.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "api/gbm/bo.h"

namespace terrazzo::gbm {
namespace {

/// Waits until other devices have finished with the memory, by its dma-buf's fences. A memfd has none.
void wait_for_others(Device& device, pipe::Resource& image, bool write) {
    pipe::SharedImage shared;
    if (!device.screen().export_resource(image, &shared)) return;
    pollfd p{shared.fd, short(write ? POLLOUT : POLLIN), 0};
    while (poll(&p, 1, -1) < 0 && errno == EINTR) {
    }
    close(shared.fd);
}

/// Null: errno is the reason.
BoMapping* begin(Bo& bo, const pipe::Box& box, uint32_t flags) try {
    pipe::Resource& image = *bo.planes[0].image;
    const bool write = flags & GBM_BO_TRANSFER_WRITE;
    if (write && image.not_writable) {
        errno = EPERM;
        return nullptr;
    }
    wait_for_others(*bo.owner, image, write);
    auto m = std::make_unique<BoMapping>();
    m->written = write;
    const bool has_context = bo.owner->with_context([&](pipe::Context& context) {
        // Pixels that are not written keep their values.
        m->mapping = context.map(image, 0, box, pipe::map_flag::kRead | (write ? pipe::map_flag::kWrite : 0));
    });
    if (!has_context || !m->mapping.data) throw std::bad_alloc();
    BoMapping* const result = m.get();
    const std::lock_guard lock(bo.mutex);
    bo.mappings.push_back(std::move(m));
    return result;
} catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return nullptr;
}

/// When it returns, other devices see the written pixels.
void end(Bo& bo, const BoMapping& m) {
    (void)bo.owner->with_context([&](pipe::Context& context) {
        context.unmap(*bo.planes[0].image, m.mapping);
        if (!m.written) return;
        const pipe::Ref<pipe::Fence> fence = context.flush();
        if (fence) (void)fence->wait(pipe::Fence::kForever);
    });
}

std::unique_ptr<BoMapping> take(Bo& bo, const void* map_data) {
    const std::lock_guard lock(bo.mutex);
    const auto found = std::ranges::find_if(bo.mappings, [&](const auto& m) { return m.get() == map_data; });
    if (found == bo.mappings.end()) return nullptr;
    std::unique_ptr<BoMapping> m = std::move(*found);
    bo.mappings.erase(found);
    return m;
}

}  // namespace

void* map_bo(gbm_bo* handle, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t flags,
             uint32_t* stride, void** map_data) {
    Bo* const bo = static_cast<Bo*>(handle);
    const auto fits = [](uint32_t at, uint32_t size, uint32_t whole) {
        return size && at < whole && size <= whole - at;
    };
    if (!bo || !stride || !map_data || !flags || flags & ~uint32_t(GBM_BO_TRANSFER_READ_WRITE) ||
        bo->plane_count != 1 || !fits(x, width, bo->v0.width) || !fits(y, height, bo->v0.height)) {
        errno = EINVAL;
        return nullptr;
    }
    const pipe::Box box = {int32_t(x), int32_t(y), 0, int32_t(width), int32_t(height), 1};
    BoMapping* const m = begin(*bo, box, flags);
    if (!m) return nullptr;
    *stride = uint32_t(m->mapping.row_stride_B);
    *map_data = m;
    return m->mapping.data;
}

void unmap_bo(gbm_bo* handle, void* map_data) {
    Bo* const bo = static_cast<Bo*>(handle);
    if (const std::unique_ptr<BoMapping> m = take(*bo, map_data)) end(*bo, *m);
}

void unmap_all(Bo& bo) {
    for (const auto& m : bo.mappings)
        end(bo, *m);
    bo.mappings.clear();
}

int write_bo(gbm_bo* handle, const void* data, size_t count) {
    Bo* const bo = static_cast<Bo*>(handle);
    const uint64_t stride_B = bo->plane_count == 1 ? bo->planes[0].stride_B : 0;
    if (!(bo->usage & GBM_BO_USE_WRITE) || !data || count > stride_B * bo->v0.height) {
        errno = EINVAL;
        return -1;
    }
    const uint64_t row_B = pipe::format_row_B(bo->planes[0].image->desc.format, bo->v0.width);
    const pipe::Box all = {0, 0, 0, int32_t(bo->v0.width), int32_t(bo->v0.height), 1};
    BoMapping* const m = begin(*bo, all, GBM_BO_TRANSFER_WRITE);
    if (!m) return -1;
    // The bytes have the buffer's own stride. Those between rows are ignored.
    for (uint64_t at = 0, y = 0; at < count; at += stride_B, ++y)
        std::memcpy(static_cast<uint8_t*>(m->mapping.data) + y * m->mapping.row_stride_B,
                    static_cast<const uint8_t*>(data) + at, std::min(row_B, count - at));
    unmap_bo(bo, m);
    return 0;
}

}  // namespace terrazzo::gbm
