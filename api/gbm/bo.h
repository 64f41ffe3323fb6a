// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffer objects: images in memory that devices share.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "api/gbm/device.h"
#include "pipe/fourcc.h"
#include "winsys/platform.h"

namespace terrazzo::gbm {

/// A mapping of a Bo for the CPU. gbm_bo_map() returns its address as map_data.
struct BoMapping {
    pipe::Mapping mapping;
    bool written = false;
};

/// One image per plane. Created by the functions below, destroyed by destroy_bo(). Only the mappings change,
/// and they have a lock.
struct Bo : gbm_bo {
    struct Plane {
        pipe::Ref<pipe::Resource> image;
        uint32_t stride_B = 0, offset_B = 0;
        uint32_t handle = 0;  // 0: the file has no handle; see `handle_error`
    };
    std::shared_ptr<Device> owner;  // the buffer may outlive `device`
    uint32_t usage = 0;             // GBM_BO_USE_*
    uint64_t modifier = pipe::kModifierInvalid;
    unsigned plane_count = 0;
    Plane planes[pipe::kMaxPlanes];
    int handle_error = 0;
    std::mutex mutex;
    std::vector<std::unique_ptr<BoMapping>> mappings;
};

/// The owner of a new buffer. The buffer stores the handle, which is not dereferenced.
struct Owner {
    gbm_device* handle;
    std::shared_ptr<Device> device;
};
[[nodiscard]] inline Owner owner_of(gbm_device* handle) {
    return {handle, device_of(handle)};
}

/// Sets a gbm_device's functions for buffers.
void fill_bo_functions(gbm_device_v0* functions);

struct NewBo {
    uint32_t width = 0, height = 0;  // px
    uint32_t fourcc = 0;
    uint32_t usage = 0;
    /// Empty: the device chooses a layout that needs no explicit modifier.
    std::span<const uint64_t> modifiers;
};
/// Null: errno is the reason.
[[nodiscard]] gbm_bo* create_bo(const Owner& owner, const NewBo& desc);
/// Creates a dumb buffer of KMS (Device::scans_out_dumb) as a dma-buf, which the caller owns. False: errno is
/// the reason.
[[nodiscard]] bool create_dumb(Device& device, uint32_t width_px, uint32_t height_px, uint32_t fourcc,
                               winsys::SharedBuffer* out);

/// Imports images from the memory of planes, whose descriptors the caller keeps. Null: errno is the reason.
[[nodiscard]] gbm_bo* import_bo(const Owner& owner, std::span<const winsys::SharedBuffer> planes,
                                uint32_t usage);
[[nodiscard]] gbm_bo* import_bo(const Owner& owner, uint32_t type, void* buffer, uint32_t usage);
/// Null: it is not a gbm_bo of ours (any pointer may be passed).
[[nodiscard]] Bo* find_bo(void* native);
/// A new dma-buf of a plane, which the caller owns. -1: errno is the reason.
[[nodiscard]] int export_plane(gbm_bo* bo, int plane);

/// Calls the destructor of the program's user data first.
void destroy_bo(gbm_bo* bo);

void* map_bo(gbm_bo* bo, uint32_t x, uint32_t y, uint32_t width, uint32_t height, uint32_t flags,
             uint32_t* stride, void** map_data);
void unmap_bo(gbm_bo* bo, void* map_data);
int write_bo(gbm_bo* bo, const void* data, size_t count);
void unmap_all(Bo& bo);

/// Reads the file's handle for the image of a plane, and its layout. False: errno is the reason.
[[nodiscard]] bool describe_plane(Bo& bo, unsigned plane);

}  // namespace terrazzo::gbm
