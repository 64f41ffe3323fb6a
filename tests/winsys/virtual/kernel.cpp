// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/winsys/virtual/kernel.h"

#include <unistd.h>

namespace terrazzo::test {

int Kernel::status(uint32_t syncobj) {
    drm_syncobj_handle args{syncobj, kSyncobjFdSyncFile, -1, 0};
    REQUIRE(ioctl(kIoctlSyncobjHandleToFd, &args) == 0);
    sync_fence_info fence{};
    sync_file_info info{};
    info.num_fences = 1;
    info.sync_fence_info = reinterpret_cast<uintptr_t>(&fence);
    bool ours = false;
    REQUIRE(device->descriptor_ioctl(args.fd, kIoctlSyncFileInfo, &info, &ours) == 0);
    CHECK(info.num_fences == 1);
    CHECK(info.status == fence.status);
    CHECK(std::string(fence.driver_name) == "panthor");
    close(args.fd);
    return info.status;
}

}  // namespace terrazzo::test
