// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Linux include/uapi/linux/magic.h (DMA_BUF_MAGIC, since Linux 5.3).
#pragma once

#include <sys/vfs.h>

namespace terrazzo::winsys {

/// True for a dma-buf of a real kernel: they have a file system of their own. (DMA_BUF_IOCTL_SYNC is no test:
/// udmabuf refuses to end an access that has not begun.)
[[nodiscard]] inline bool is_kernel_dmabuf(int fd) {
    constexpr long kDmaBufMagic = 0x444d4142;
    struct statfs s {};
    return fstatfs(fd, &s) == 0 && s.f_type == kDmaBufMagic;
}

}  // namespace terrazzo::winsys
