// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads arrays of a caller's structs (drm_panthor_obj_array).
#pragma once

#include <vector>

#include "winsys/uapi/panthor.h"
#include "winsys/virtual/jobs/submission.h"
#include "winsys/virtual/memory/user_memory.h"

namespace terrazzo::winsys::virt::panthor {

/// Reads an array of a caller's structs into ours. `min_stride_B`: the size of the struct's first version.
/// Returns 0; -EINVAL: the stride is smaller; -E2BIG, -EFAULT, -ENOMEM.
template <typename T>
[[nodiscard]] int read_array(const UserMemory& user, const uapi::drm_panthor_obj_array& array,
                             size_t min_stride_B, std::vector<T>* out) {
    if (array.count == 0) return 0;
    if (array.stride < min_stride_B) return -22;          // EINVAL
    if (array.count > INT32_MAX / sizeof(T)) return -12;  // ENOMEM, as kvmalloc
    uint8_t last;
    if (const int error = user.read(&last, array.array + uint64_t{array.stride} * array.count - 1, 1))
        return error;  // before an allocation as large as the array
    out->resize(array.count);
    if (array.stride == sizeof(T)) return user.read(out->data(), array.array, sizeof(T) * out->size());
    for (size_t i = 0; i < out->size(); i++)
        if (const int error = user.read_struct(&(*out)[i], sizeof(T),
                                               array.array + uint64_t{array.stride} * i, array.stride))
            return error;
    return 0;
}

/// Reads what a job waits for and signals. Returns 0 or an error of read_array().
[[nodiscard]] int read_syncs(const UserMemory& user, const uapi::drm_panthor_obj_array& array,
                             std::vector<SyncOp>* out);

}  // namespace terrazzo::winsys::virt::panthor
