// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/memory/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "winsys/environment/file_size.h"

namespace terrazzo::winsys {

int create_memory_file(size_t size_B) {
    const int fd = memfd_create("terrazzo-window", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    const FileSizeSignalBlock no_signal;
    int error;
    do {
        error = posix_fallocate(fd, 0, off_t(size_B));
    } while (error == EINTR);
    if (error == EINVAL || error == EOPNOTSUPP)  // kernels without fallocate on memfds
        error = ftruncate(fd, off_t(size_B)) == 0 ? 0 : errno;
    if (error != 0) {
        close(fd);
        return -1;
    }
    // A file that cannot shrink spares the server a SIGBUS handler. Failure is harmless.
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
    return fd;
}

}  // namespace terrazzo::winsys
