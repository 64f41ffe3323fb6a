// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/panthor/user_arrays.h"

#include <cerrno>

namespace terrazzo::winsys::virt::panthor {
namespace {

using uapi::drm_panthor_sync_op;

int check(const drm_panthor_sync_op& op) {
    const uint32_t type = op.flags & uapi::kSyncOpTypeMask;
    if ((op.flags & ~(uapi::kSyncOpTypeMask | uapi::kSyncOpSignal)) ||
        (type != uapi::kSyncOpSyncobj && type != uapi::kSyncOpTimeline) ||
        (type == uapi::kSyncOpSyncobj && op.timeline_value != 0))
        return -EINVAL;
    return 0;
}

}  // namespace

int read_syncs(const UserMemory& user, const uapi::drm_panthor_obj_array& array, std::vector<SyncOp>* out) {
    std::vector<drm_panthor_sync_op> ops;
    if (const int error = read_array(user, array, sizeof(drm_panthor_sync_op), &ops)) return error;
    for (const drm_panthor_sync_op& op : ops)
        out->push_back({op.handle, op.timeline_value, (op.flags & uapi::kSyncOpSignal) != 0, check(op)});
    return 0;
}

}  // namespace terrazzo::winsys::virt::panthor
