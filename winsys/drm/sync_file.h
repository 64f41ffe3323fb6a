// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fences of Linux' kernel drivers as descriptors (sync files).
#pragma once

#include <fcntl.h>

#include <cstdint>

#include "winsys/platform.h"

namespace terrazzo::winsys {

/// True for a sync file of the real kernel. Virtual GPUs' fences are none: only programs under the shim understand those.
[[nodiscard]] bool is_sync_file(int fd);
/// The flags of a virtual kernel's sync file, which is the read end of a pipe. O_APPEND means nothing there, so no other pipe has it.
inline constexpr int kVirtualSyncFileFlags = O_NONBLOCK | O_APPEND;
/// True for a virtual kernel's sync file, of this process or another. It can be read from when it is signalled, or its process has ended.
[[nodiscard]] inline bool is_virtual_sync_file(int fd) {
    return fcntl(fd, F_GETPIPE_SZ) >= 0 &&
           (fcntl(fd, F_GETFL) & (O_ACCMODE | kVirtualSyncFileFlags)) == kVirtualSyncFileFlags;
}
/// Which of virtual GPUs' fences the process at the other end of a socket understands: those of shared memory where it has a library of
/// Terrazzo's, sync files too where it runs under the shim.
struct PeerFences {
    bool of_memory = false, sync_files = false;
};
[[nodiscard]] PeerFences peer_fences(int socket_fd);
/// Whether a process that gets a shared buffer waits for what draws to it, though it is not given a fence. `peer` says its PeerFences,
/// where they matter.
template <typename Peer>
[[nodiscard]] bool waits_itself(ImplicitFence implicit, const Peer& peer) {
    return implicit == ImplicitFence::Kernel || (implicit == ImplicitFence::Memfd && peer().of_memory);
}
/// For tests on machines without GPUs: decides in place of the kernel. Null: the kernel decides again.
void set_sync_file_test(bool (*is_one)(int fd));
/// True where it is signalled, or no descriptor. As with all files, it can be read then.
[[nodiscard]] bool sync_file_signalled(int fd);
/// Waits until it is signalled.
void wait_for_sync_file(int fd);
/// True once it is signalled; waits at most `timeout_ns`.
[[nodiscard]] bool wait_for_sync_file(int fd, uint64_t timeout_ns);

/// The same for a dma-buf of a kernel: until those have used it whom a read, or a `write`, must wait for.
[[nodiscard]] bool wait_for_dmabuf(int fd, bool write, uint64_t timeout_ns);

/// A sync file that is signalled already, which Linux has since 6.0 for a dma-buf that no device uses: `idle_dmabuf`, or where that is -1 one
/// of /dev/udmabuf. The new descriptor is the caller's. -1: there is none.
[[nodiscard]] int create_signalled_sync_file(int idle_dmabuf);

}  // namespace terrazzo::winsys
