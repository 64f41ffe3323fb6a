// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/bo.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "api/gbm/formats.h"
#include "api/gbm/live_set.h"
#include "pipe/modifier.h"

namespace terrazzo::gbm {
namespace {

/// Uses for which the display itself reads the buffer.
constexpr uint32_t kShown = GBM_BO_USE_SCANOUT | GBM_BO_USE_CURSOR;
constexpr uint32_t kFixedCompression = 0x780;  // GBM_BO_FIXED_COMPRESSION_* of later headers: hints
constexpr uint32_t kKnownUsage = GBM_BO_USE_SCANOUT | GBM_BO_USE_CURSOR | GBM_BO_USE_RENDERING |
                                 GBM_BO_USE_WRITE | GBM_BO_USE_LINEAR | GBM_BO_USE_FRONT_RENDERING |
                                 kFixedCompression;
/// Rows of dumb buffers are padded to so many pixels, and their number to an even one: the CPU device draws
/// in blocks.
constexpr uint32_t kDumbWidth_px = 16, kDumbHeight_px = 2;

constexpr uint64_t kImplicit[] = {pipe::kModifierInvalid};
constexpr uint64_t kLinear[] = {pipe::kModifierLinear};

template <class T>
T fail(int error, T value) {
    errno = error;
    return value;
}

pipe::ResourceDesc describe(const NewBo& d, pipe::Format format) {
    pipe::ResourceDesc r;
    r.kind = pipe::ResourceKind::Tex2D;
    r.format = format;
    r.width = d.width, r.height = d.height;
    r.bind = pipe::bind::kShared | pipe::bind::kSampled | pipe::bind::kColor;
    if (d.usage & kShown) r.bind |= pipe::bind::kScanout;
    return r;
}

/// The format of the image. If the device cannot draw to it, it may still sample it.
pipe::Format choose_format(const pipe::Screen& screen, const NewBo& d, bool* drawn) {
    *drawn = true;
    pipe::Format f = image_format(screen, d.fourcc, true);
    if (f != pipe::Format::None || d.usage & GBM_BO_USE_RENDERING) return f;
    *drawn = false;
    return image_format(screen, d.fourcc, false);
}

const Bo* as_bo(gbm_bo* bo, int plane) {
    const Bo* b = static_cast<const Bo*>(bo);
    if (plane >= 0 && unsigned(plane) < b->plane_count) return b;
    errno = EINVAL;
    return nullptr;
}

gbm_bo_handle get_handle(gbm_bo* handle, int plane) {
    gbm_bo_handle out{};
    out.s32 = -1;
    if (const Bo* const bo = as_bo(handle, plane)) {
        out.u64 = 0;
        out.u32 = bo->planes[plane].handle;
        if (!out.u32) errno = bo->handle_error;
    }
    return out;
}

uint32_t get_stride(gbm_bo* handle, int plane) {
    const Bo* const bo = as_bo(handle, plane);
    return bo ? bo->planes[plane].stride_B : 0;
}

uint32_t get_offset(gbm_bo* handle, int plane) {
    const Bo* const bo = as_bo(handle, plane);
    return bo ? bo->planes[plane].offset_B : 0;
}

}  // namespace

Bo* find_bo(void* native) {
    return live<gbm_bo>().contains(native) ? static_cast<Bo*>(static_cast<gbm_bo*>(native)) : nullptr;
}

int export_plane(gbm_bo* handle, int plane) {
    Bo* const bo = static_cast<Bo*>(handle);
    pipe::SharedImage image;
    if (!as_bo(handle, plane)) return -1;
    if (!bo->owner->screen().export_resource(*bo->planes[plane].image, &image)) return fail(EMFILE, -1);
    return image.fd;
}

bool describe_plane(Bo& bo, unsigned plane) {
    Bo::Plane& p = bo.planes[plane];
    pipe::SharedImage image;
    if (!bo.owner->screen().export_resource(*p.image, &image)) return fail(EMFILE, false);
    p.stride_B = image.stride_B;
    p.offset_B = image.offset_B;
    bo.modifier = image.modifier;
    // Without KMS handles are not used, so their absence is no error.
    if (const int error = bo.owner->handles().import(image.fd, &p.handle)) bo.handle_error = -error;
    close(image.fd);
    if (plane == 0) {
        bo.v0.stride = p.stride_B;
        bo.v0.handle.u64 = 0;
        bo.v0.handle.u32 = p.handle;
    }
    return true;
}

bool create_dumb(Device& device, uint32_t width_px, uint32_t height_px, uint32_t fourcc,
                 winsys::SharedBuffer* out) {
    const uint32_t limit = device.screen().caps().max_renderbuffer_size_px;
    const uint32_t bpp = bits_per_pixel(fourcc);
    if (!bpp || !width_px || !height_px || width_px > limit || height_px > limit) return fail(EINVAL, false);
    const uint32_t rows = (height_px + kDumbHeight_px - 1) & ~(kDumbHeight_px - 1);
    const uint32_t columns = (width_px + kDumbWidth_px - 1) & ~(kDumbWidth_px - 1);
    Handles& handles = device.handles();
    uint32_t handle = 0, pitch_B = 0;
    uint64_t size_B = 0;
    if (const int error = handles.create_dumb(columns, rows, bpp, &handle, &pitch_B, &size_B))
        return fail(-error, false);
    int fd = -1;
    const int error = handles.export_fd(handle, &fd);
    handles.release(handle);  // the dma-buf holds the memory
    if (error) return fail(-error, false);
    *out = {fd, pipe::kModifierLinear, 0, pitch_B, width_px, height_px, fourcc};
    return true;
}

gbm_bo* create_bo(const Owner& owner, const NewBo& desc) {
    const std::shared_ptr<Device>& device = owner.device;
    pipe::Screen& screen = device->screen();
    const uint32_t limit = screen.caps().max_renderbuffer_size_px;
    if (!desc.width || !desc.height || desc.width > limit || desc.height > limit)
        return fail(EINVAL, nullptr);
    if (desc.usage & ~kKnownUsage) return fail(EINVAL, nullptr);  // such as protected memory
    std::span<const uint64_t> modifiers = desc.modifiers;
    if (modifiers.empty())
        modifiers = desc.usage & (GBM_BO_USE_LINEAR | GBM_BO_USE_WRITE) ? kLinear : kImplicit;
    bool drawn = false;
    const pipe::Format format = choose_format(screen, desc, &drawn);
    if (format == pipe::Format::None) return fail(EINVAL, nullptr);
    if (device->scans_out_dumb() && desc.usage & kShown) {
        winsys::SharedBuffer memory;
        if (!pipe::allows_modifier(modifiers, pipe::kModifierLinear)) return fail(EINVAL, nullptr);
        if (!create_dumb(*device, desc.width, desc.height, desc.fourcc, &memory)) return nullptr;
        gbm_bo* const bo = import_bo(owner, {&memory, 1}, desc.usage | (drawn ? GBM_BO_USE_RENDERING : 0));
        close(memory.fd);
        return bo;
    }
    pipe::ResourceDesc r = describe(desc, format);
    if (!drawn) r.bind &= ~pipe::bind::kColor;
    auto bo = std::make_unique<Bo>();
    bo->device = owner.handle;
    bo->v0.width = desc.width, bo->v0.height = desc.height;
    bo->v0.format = desc.fourcc;
    bo->owner = device;
    bo->usage = desc.usage;
    bo->plane_count = 1;
    {
        const ExpectedFailure quiet;
        bo->planes[0].image = screen.create_shared_resource(r, modifiers);
    }
    // Sizes and formats were checked, so the modifiers are unknown, or there is too little memory.
    const bool known = std::ranges::any_of(screen.modifiers(format), [&](const pipe::Modifier& m) {
        return pipe::allows_modifier(modifiers, m.value);
    });
    if (!bo->planes[0].image) return fail(known ? ENOMEM : EINVAL, nullptr);
    if (!describe_plane(*bo, 0)) return nullptr;
    live<gbm_bo>().insert(static_cast<gbm_bo*>(bo.get()));
    return bo.release();
}

void destroy_bo(gbm_bo* handle) {
    Bo* const bo = static_cast<Bo*>(handle);
    live<gbm_bo>().erase(handle);
    unmap_all(*bo);
    for (unsigned i = 0; i < bo->plane_count; ++i)
        bo->owner->handles().release(bo->planes[i].handle);
    delete bo;
}

void fill_bo_functions(gbm_device_v0* v) {
    v->bo_create = [](gbm_device* device, uint32_t width, uint32_t height, uint32_t format, uint32_t usage,
                      const uint64_t* modifiers, unsigned count) -> gbm_bo* {
        if ((count && !modifiers) || (count && usage & GBM_BO_USE_LINEAR)) return fail(EINVAL, nullptr);
        try {
            return create_bo(owner_of(device),
                             {width, height, canonical_format(format), usage, {modifiers, count}});
        } catch (const std::bad_alloc&) {
            return fail(ENOMEM, nullptr);
        }
    };
    v->bo_import = [](gbm_device* device, uint32_t type, void* buffer, uint32_t usage) -> gbm_bo* {
        try {
            return import_bo(owner_of(device), type, buffer, usage);
        } catch (const std::bad_alloc&) {
            return fail(ENOMEM, nullptr);
        }
    };
    v->bo_map = map_bo;
    v->bo_unmap = unmap_bo;
    v->bo_write = write_bo;
    v->bo_get_fd = [](gbm_bo* bo) { return export_plane(bo, 0); };
    v->bo_get_planes = [](gbm_bo* bo) { return int(static_cast<Bo*>(bo)->plane_count); };
    v->bo_get_handle = get_handle;
    v->bo_get_plane_fd = export_plane;
    v->bo_get_stride = get_stride;
    v->bo_get_offset = get_offset;
    v->bo_get_modifier = [](gbm_bo* bo) { return static_cast<Bo*>(bo)->modifier; };
    v->bo_destroy = destroy_bo;
}

}  // namespace terrazzo::gbm
