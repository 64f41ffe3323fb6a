// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sync files: fences of Linux' kernel drivers as descriptors.
#pragma once

#include <fcntl.h>

#include <cstdint>

#include "winsys/platform.h"

namespace terrazzo::winsys {

/// True for a sync file of the real kernel. Fences of virtual GPUs are not: only programs under the shim
/// understand those.
[[nodiscard]] bool is_sync_file(int fd);
/// The flags of a virtual kernel's sync file, which is the read end of a pipe. Other pipes do not have
/// O_APPEND, which has no effect on a pipe.
inline constexpr int kVirtualSyncFileFlags = O_NONBLOCK | O_APPEND;
/// True for a sync file of a virtual kernel, in this process or another one. It becomes readable when it is
/// signalled or its process ends.
[[nodiscard]] inline bool is_virtual_sync_file(int fd) {
    return fcntl(fd, F_GETPIPE_SZ) >= 0 &&
           (fcntl(fd, F_GETFL) & (O_ACCMODE | kVirtualSyncFileFlags)) == kVirtualSyncFileFlags;
}
/// The fences of virtual GPUs that the process at the other end of a socket understands: fences in shared
/// memory if it has a library of Terrazzo, and sync files if it runs under the shim.
struct PeerFences {
    bool of_memory = false, sync_files = false;
};
[[nodiscard]] PeerFences peer_fences(int socket_fd);
/// Whether a process that receives a shared buffer waits for the rendering to it without being sent a fence.
/// `peer` is called only if its PeerFences matter.
template <typename Peer>
[[nodiscard]] bool waits_itself(ImplicitFence implicit, const Peer& peer) {
    return implicit == ImplicitFence::Kernel || (implicit == ImplicitFence::Memfd && peer().of_memory);
}
/// For tests on machines without GPUs: replaces the kernel's answer. Null: the kernel answers again.
void set_sync_file_test(bool (*is_one)(int fd));
/// True if the sync file is signalled or `fd` is no descriptor. A signalled sync file is readable.
[[nodiscard]] bool sync_file_signalled(int fd);
/// Waits until the sync file is signalled.
void wait_for_sync_file(int fd);
/// Waits at most `timeout_ns`. True: the sync file is signalled.
[[nodiscard]] bool wait_for_sync_file(int fd, uint64_t timeout_ns);

/// Waits until the uses of a kernel's dma-buf have ended that conflict with a read or, with `write`, with a
/// write. False: the time is over.
[[nodiscard]] bool wait_for_dmabuf(int fd, bool write, uint64_t timeout_ns);

/// Creates a signalled sync file, which Linux exports since 6.0 for a dma-buf that no device uses:
/// `idle_dmabuf`, or if that is -1 a new one of /dev/udmabuf. The caller owns the descriptor. -1: the kernel
/// cannot.
[[nodiscard]] int create_signalled_sync_file(int idle_dmabuf);

}  // namespace terrazzo::winsys
