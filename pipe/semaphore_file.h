// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A semaphore that processes share: an eventfd, whose count is the signals that nobody has waited for. A wait takes all of them, or one
// where the file was made with EFD_SEMAPHORE. Source: eventfd(2).
#pragma once

#include <cstdint>

namespace terrazzo::pipe {

/// True for an eventfd.
[[nodiscard]] bool is_semaphore_file(int fd);
/// One signal more. False: the count is full, or it is no eventfd.
[[nodiscard]] bool signal_semaphore_file(int fd);
/// Waits for a signal, at most `timeout_ns`, and takes it (see above). False: there was none.
[[nodiscard]] bool wait_semaphore_file(int fd, uint64_t timeout_ns);

}  // namespace terrazzo::pipe
