// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The structures that gbm.h keeps opaque. Mesa's libgbm opens backends and calls them through these
// structures, so their layout is an interface between libraries: that of Mesa's
// src/gbm/main/gbm_backend_abi.h, versions 0 and 1 (25.0.7). Our libgbm uses the same structures, so EGL need
// not distinguish the two.
#pragma once

#include <gbm.h>

#include <cstddef>
#include <cstdint>

/// The version of these structures. In version 1, bo_create and surface_create accept flags together with
/// modifiers.
inline constexpr uint32_t kGbmAbiVersion = 1;

struct gbm_device_v0 {
    const void* backend_desc;  // of Mesa's libgbm
    uint32_t backend_version;  // the lower version of the loader and the backend
    int fd;
    const char* name;

    void (*destroy)(gbm_device*);
    int (*is_format_supported)(gbm_device*, uint32_t format, uint32_t flags);
    int (*get_format_modifier_plane_count)(gbm_device*, uint32_t format, uint64_t modifier);
    gbm_bo* (*bo_create)(gbm_device*, uint32_t width, uint32_t height, uint32_t format, uint32_t flags,
                         const uint64_t* modifiers, unsigned count);
    gbm_bo* (*bo_import)(gbm_device*, uint32_t type, void* buffer, uint32_t flags);
    void* (*bo_map)(gbm_bo*, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t flags,
                    uint32_t* stride, void** map_data);
    void (*bo_unmap)(gbm_bo*, void* map_data);
    int (*bo_write)(gbm_bo*, const void* data, size_t count);
    int (*bo_get_fd)(gbm_bo*);
    int (*bo_get_planes)(gbm_bo*);
    gbm_bo_handle (*bo_get_handle)(gbm_bo*, int plane);
    int (*bo_get_plane_fd)(gbm_bo*, int plane);
    uint32_t (*bo_get_stride)(gbm_bo*, int plane);
    uint32_t (*bo_get_offset)(gbm_bo*, int plane);
    uint64_t (*bo_get_modifier)(gbm_bo*);
    void (*bo_destroy)(gbm_bo*);
    gbm_surface* (*surface_create)(gbm_device*, uint32_t width, uint32_t height, uint32_t format,
                                   uint32_t flags, const uint64_t* modifiers, unsigned count);
    gbm_bo* (*surface_lock_front_buffer)(gbm_surface*);
    void (*surface_release_buffer)(gbm_surface*, gbm_bo*);
    int (*surface_has_free_buffers)(gbm_surface*);
    void (*surface_destroy)(gbm_surface*);
};

struct gbm_device {
    /// gbm_create_device of the libgbm that created it. EGL recognises a gbm_device by this address.
    gbm_device* (*create)(int fd);
    gbm_device_v0 v0;
};

struct gbm_bo_v0 {
    uint32_t width, height;
    uint32_t stride;  // of the first plane
    uint32_t format;
    gbm_bo_handle handle;  // of the first plane
    void* user_data;
    void (*destroy_user_data)(gbm_bo*, void* user_data);
};

struct gbm_bo {
    gbm_device* device;
    gbm_bo_v0 v0;
};

struct gbm_surface_v0 {
    uint32_t width, height;
    uint32_t format;
    uint32_t flags;
    uint64_t* modifiers;
    unsigned count;
};

struct gbm_surface {
    gbm_device* device;
    gbm_surface_v0 v0;
};

struct gbm_backend_v0 {
    uint32_t backend_version;
    const char* backend_name;
    gbm_device* (*create_device)(int fd, uint32_t backend_version);
};

struct gbm_backend {
    gbm_backend_v0 v0;
};
