// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Imported buffers: dma-bufs and EGLImages. Their descriptions are not trusted: the device's import checks
// offsets and strides against the memory, this file everything before.
#include <unistd.h>

#include <cerrno>

#include "api/egl/image_lookup.h"
#include "api/gbm/bo.h"
#include "api/gbm/formats.h"
#include "api/gbm/live_set.h"

namespace terrazzo::gbm {
namespace {

gbm_bo* refuse(int error) {
    errno = error;
    return nullptr;
}

bool good_size(const Device& device, uint32_t width, uint32_t height) {
    const uint32_t limit = device.screen().caps().max_renderbuffer_size_px;
    return width && height && width <= limit && height <= limit;
}

std::unique_ptr<Bo> new_bo(const Owner& owner, uint32_t width, uint32_t height, uint32_t fourcc,
                           uint32_t usage) {
    auto bo = std::make_unique<Bo>();
    bo->device = owner.handle;
    bo->owner = owner.device;
    bo->v0.width = width, bo->v0.height = height;
    bo->v0.format = fourcc;
    bo->usage = usage;
    return bo;
}

gbm_bo* finish(std::unique_ptr<Bo> bo, unsigned plane_count) {
    bo->plane_count = plane_count;
    live<gbm_bo>().insert(static_cast<gbm_bo*>(bo.get()));
    return bo.release();
}

/// Releases the planes that were described, and fails.
gbm_bo* abandon(std::unique_ptr<Bo> bo, unsigned described, int error) {
    bo->plane_count = described;
    destroy_bo(bo.release());
    return refuse(error);
}

gbm_bo* import_fds(const Owner& owner, const gbm_import_fd_modifier_data& d, uint32_t usage) {
    const uint32_t fourcc = canonical_format(d.format);
    const pipe::FourccRow* const row = pipe::find_fourcc(fourcc);
    if (!row || !d.num_fds || d.num_fds > GBM_MAX_PLANES || d.num_fds != row->planes) return refuse(EINVAL);
    winsys::SharedBuffer planes[pipe::kMaxPlanes];
    for (unsigned i = 0; i < row->planes; ++i) {
        if (d.fds[i] < 0 || d.strides[i] <= 0 || d.offsets[i] < 0) return refuse(EINVAL);
        planes[i] = {d.fds[i], d.modifier, uint32_t(d.offsets[i]), uint32_t(d.strides[i]), d.width,
                     d.height, fourcc};
    }
    return import_bo(owner, {planes, row->planes}, usage);
}

/// Uses the image itself if its display has the same screen; otherwise imports its export.
gbm_bo* import_egl_image(const Owner& owner, void* image, uint32_t usage) {
    const egl::ImageStorage storage = egl::find_image_storage(image);
    const Device& own = *owner.device;
    if (!storage.resource || storage.level || storage.layer) return refuse(EINVAL);
    const pipe::ResourceDesc& desc = storage.resource->desc;
    const uint32_t fourcc = pipe::fourcc_of(storage.format);
    pipe::SharedImage shared;
    if (!fourcc || !good_size(own, desc.width, desc.height)) return refuse(EINVAL);
    if (storage.screen.get() == &own.screen()) {
        std::unique_ptr<Bo> bo = new_bo(owner, desc.width, desc.height, fourcc, usage);
        bo->planes[0].image = storage.resource;
        if (!describe_plane(*bo, 0)) return abandon(std::move(bo), 0, EINVAL);
        return finish(std::move(bo), 1);
    }
    if (!storage.screen->export_resource(*storage.resource, &shared)) return refuse(EINVAL);
    const winsys::SharedBuffer plane = {shared.fd,  shared.modifier, shared.offset_B, shared.stride_B,
                                        desc.width, desc.height,     fourcc};
    gbm_bo* const bo = import_bo(owner, {&plane, 1}, usage);
    const int error = errno;
    close(shared.fd);
    errno = error;
    return bo;
}

}  // namespace

gbm_bo* import_bo(const Owner& owner, std::span<const winsys::SharedBuffer> planes, uint32_t usage) {
    const winsys::SharedBuffer& first = planes[0];
    const pipe::FourccRow* const row = pipe::find_fourcc(first.fourcc);
    const Device& own = *owner.device;
    if (!row || planes.size() != row->planes || !good_size(own, first.width_px, first.height_px))
        return refuse(EINVAL);
    std::unique_ptr<Bo> bo = new_bo(owner, first.width_px, first.height_px, first.fourcc, usage);
    const ExpectedFailure quiet;
    for (unsigned i = 0; i < row->planes; ++i) {
        pipe::ResourceDesc d;
        d.kind = pipe::ResourceKind::Tex2D;
        d.format = row->plane[i].format;
        d.width = row->plane[i].width(first.width_px);
        d.height = row->plane[i].height(first.height_px);
        d.bind = pipe::bind::kShared | pipe::bind::kSampled;
        if (usage & GBM_BO_USE_RENDERING) d.bind |= pipe::bind::kColor;
        const winsys::SharedBuffer& from = planes[i];
        // Without any modifier, the device cannot import the format.
        if (own.screen().modifiers(d.format).empty()) return abandon(std::move(bo), i, EINVAL);
        bo->planes[i].image =
            own.screen().import_resource(d, {from.fd, from.modifier, from.offset_B, from.stride_B});
        if (!bo->planes[i].image || !describe_plane(*bo, i)) return abandon(std::move(bo), i, EINVAL);
    }
    return finish(std::move(bo), row->planes);
}

gbm_bo* import_bo(const Owner& owner, uint32_t type, void* buffer, uint32_t usage) {
    if (!buffer) return refuse(EINVAL);
    switch (type) {
        case GBM_BO_IMPORT_FD: {
            const auto& d = *static_cast<const gbm_import_fd_data*>(buffer);
            gbm_import_fd_modifier_data all{};
            all.width = d.width, all.height = d.height, all.format = d.format;
            all.num_fds = 1;
            all.fds[0] = d.fd;
            all.strides[0] = int(d.stride);
            all.modifier = pipe::kModifierInvalid;
            return import_fds(owner, all, usage);
        }
        case GBM_BO_IMPORT_FD_MODIFIER:
            return import_fds(owner, *static_cast<const gbm_import_fd_modifier_data*>(buffer), usage);
        case GBM_BO_IMPORT_EGL_IMAGE:
            return import_egl_image(owner, buffer, usage);
        case GBM_BO_IMPORT_WL_BUFFER:  // of EGL_WL_bind_wayland_display: EGL creates images from them
        default:
            return refuse(ENOSYS);
    }
}

}  // namespace terrazzo::gbm
