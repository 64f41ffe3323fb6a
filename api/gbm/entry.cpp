// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The functions of gbm.h that libgbm.so.1 exports. They call through a device's table, as Mesa's libgbm calls
// a backend. Mesa's does the same checks.
#include <gbm.h>

#include <cerrno>
#include <cstdio>

#include "api/gbm/bo.h"
#include "api/gbm/formats.h"
#include "api/gbm/surface.h"

using namespace terrazzo;

namespace {

bool refused(bool broken) {
    if (broken) errno = EINVAL;
    return broken;
}

/// Whether a list of modifiers breaks the rules of gbm.h.
bool bad_list(const uint64_t* modifiers, unsigned count, uint32_t flags) {
    return (count != 0) != (modifiers != nullptr) || (modifiers && flags & GBM_BO_USE_LINEAR);
}

}  // namespace

extern "C" {

gbm_device* gbm_create_device(int fd) {
    return gbm::create_device(fd, kGbmAbiVersion);
}
int gbm_device_get_fd(gbm_device* device) {
    return device->v0.fd;
}
const char* gbm_device_get_backend_name(gbm_device* device) {
    return device->v0.name;
}
int gbm_device_is_format_supported(gbm_device* device, uint32_t format, uint32_t flags) {
    return device->v0.is_format_supported(device, format, flags);
}
int gbm_device_get_format_modifier_plane_count(gbm_device* device, uint32_t format, uint64_t modifier) {
    return device->v0.get_format_modifier_plane_count(device, format, modifier);
}
void gbm_device_destroy(gbm_device* device) {
    device->v0.destroy(device);
}

// --- buffers

gbm_bo* gbm_bo_create(gbm_device* device, uint32_t width, uint32_t height, uint32_t format, uint32_t flags) {
    return device->v0.bo_create(device, width, height, format, flags, nullptr, 0);
}
gbm_bo* gbm_bo_create_with_modifiers2(gbm_device* device, uint32_t width, uint32_t height, uint32_t format,
                                      const uint64_t* modifiers, const unsigned count, uint32_t flags) {
    if (refused(bad_list(modifiers, count, flags))) return nullptr;
    return device->v0.bo_create(device, width, height, format, flags, modifiers, count);
}
gbm_bo* gbm_bo_create_with_modifiers(gbm_device* device, uint32_t width, uint32_t height, uint32_t format,
                                     const uint64_t* modifiers, const unsigned count) {
    // Programs that use this older function show the buffer.
    return gbm_bo_create_with_modifiers2(device, width, height, format, modifiers, count, GBM_BO_USE_SCANOUT);
}
gbm_bo* gbm_bo_import(gbm_device* device, uint32_t type, void* buffer, uint32_t flags) {
    return device->v0.bo_import(device, type, buffer, flags);
}
void* gbm_bo_map(gbm_bo* bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t flags,
                 uint32_t* stride, void** map_data) {
    if (refused(!bo)) return nullptr;
    return gbm::map_bo(bo, x, y, width, height, flags, stride, map_data);
}
void gbm_bo_unmap(gbm_bo* bo, void* map_data) {
    gbm::unmap_bo(bo, map_data);
}
uint32_t gbm_bo_get_width(gbm_bo* bo) {
    return bo->v0.width;
}
uint32_t gbm_bo_get_height(gbm_bo* bo) {
    return bo->v0.height;
}
uint32_t gbm_bo_get_stride(gbm_bo* bo) {
    return bo->v0.stride;
}
uint32_t gbm_bo_get_stride_for_plane(gbm_bo* bo, int plane) {
    return bo->device->v0.bo_get_stride(bo, plane);
}
uint32_t gbm_bo_get_format(gbm_bo* bo) {
    return bo->v0.format;
}
uint32_t gbm_bo_get_bpp(gbm_bo* bo) {
    return gbm::bits_per_pixel(bo->v0.format);
}
uint32_t gbm_bo_get_offset(gbm_bo* bo, int plane) {
    return bo->device->v0.bo_get_offset(bo, plane);
}
gbm_device* gbm_bo_get_device(gbm_bo* bo) {
    return bo->device;
}
gbm_bo_handle gbm_bo_get_handle(gbm_bo* bo) {
    return bo->v0.handle;
}
int gbm_bo_get_fd(gbm_bo* bo) {
    return bo->device->v0.bo_get_fd(bo);
}
uint64_t gbm_bo_get_modifier(gbm_bo* bo) {
    return bo->device->v0.bo_get_modifier(bo);
}
int gbm_bo_get_plane_count(gbm_bo* bo) {
    return bo->device->v0.bo_get_planes(bo);
}
gbm_bo_handle gbm_bo_get_handle_for_plane(gbm_bo* bo, int plane) {
    return bo->device->v0.bo_get_handle(bo, plane);
}
int gbm_bo_get_fd_for_plane(gbm_bo* bo, int plane) {
    return bo->device->v0.bo_get_plane_fd(bo, plane);
}
int gbm_bo_write(gbm_bo* bo, const void* data, size_t count) {
    return bo->device->v0.bo_write(bo, data, count);
}
void gbm_bo_set_user_data(gbm_bo* bo, void* data, void (*destroy_user_data)(gbm_bo*, void*)) {
    bo->v0.user_data = data;
    bo->v0.destroy_user_data = destroy_user_data;
}
void* gbm_bo_get_user_data(gbm_bo* bo) {
    return bo->v0.user_data;
}
void gbm_bo_destroy(gbm_bo* bo) {
    gbm::destroy_bo_and_data(bo);
}

// --- surfaces

gbm_surface* gbm_surface_create(gbm_device* device, uint32_t width, uint32_t height, uint32_t format,
                                uint32_t flags) {
    return device->v0.surface_create(device, width, height, format, flags, nullptr, 0);
}
gbm_surface* gbm_surface_create_with_modifiers2(gbm_device* device, uint32_t width, uint32_t height,
                                                uint32_t format, const uint64_t* modifiers,
                                                const unsigned count, uint32_t flags) {
    if (refused(bad_list(modifiers, count, flags))) return nullptr;
    return device->v0.surface_create(device, width, height, format, flags, modifiers, count);
}
gbm_surface* gbm_surface_create_with_modifiers(gbm_device* device, uint32_t width, uint32_t height,
                                               uint32_t format, const uint64_t* modifiers,
                                               const unsigned count) {
    return gbm_surface_create_with_modifiers2(device, width, height, format, modifiers, count,
                                              GBM_BO_USE_SCANOUT);
}
gbm_bo* gbm_surface_lock_front_buffer(gbm_surface* surface) {
    return surface->device->v0.surface_lock_front_buffer(surface);
}
void gbm_surface_release_buffer(gbm_surface* surface, gbm_bo* bo) {
    surface->device->v0.surface_release_buffer(surface, bo);
}
int gbm_surface_has_free_buffers(gbm_surface* surface) {
    return surface->device->v0.surface_has_free_buffers(surface);
}
void gbm_surface_destroy(gbm_surface* surface) {
    surface->device->v0.surface_destroy(surface);
}

char* gbm_format_get_name(uint32_t format, gbm_format_name_desc* desc) {
    const uint32_t code = gbm::canonical_format(format);
    for (unsigned i = 0; i < 4; ++i)
        desc->name[i] = char(code >> 8 * i);
    desc->name[4] = '\0';
    return desc->name;
}

/// For terrazzo_gbm.so, which Mesa's libgbm opens.
__attribute__((visibility("default"))) const gbm_backend* terrazzo_gbm_backend() {
    static constexpr gbm_backend kBackend = {{kGbmAbiVersion, "terrazzo", gbm::create_device}};
    return &kBackend;
}

}  // extern "C"
