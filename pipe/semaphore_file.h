// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A semaphore that processes share: an eventfd, whose count is the number of signals that no wait has
// consumed. A wait consumes all of them, or one if the file was created with EFD_SEMAPHORE. Source:
// eventfd(2).
#pragma once

#include <cstdint>

namespace terrazzo::pipe {

/// Whether the descriptor is an eventfd.
[[nodiscard]] bool is_semaphore_file(int fd);
/// Adds one signal. False: the count is full, or the descriptor is not an eventfd.
[[nodiscard]] bool signal_semaphore_file(int fd);
/// Waits at most `timeout_ns` for a signal, and consumes it (see above). False: there was none.
[[nodiscard]] bool wait_semaphore_file(int fd, uint64_t timeout_ns);

}  // namespace terrazzo::pipe
