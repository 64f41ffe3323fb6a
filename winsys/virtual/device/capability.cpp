// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/device/capability.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace terrazzo::winsys::virt {

bool has_capability(unsigned capability) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    return syscall(SYS_capget, &header, data) == 0 &&
           (data[capability / 32].effective >> capability % 32 & 1);
}

}  // namespace terrazzo::winsys::virt
