// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fences of Linux' kernel drivers as descriptors (sync files).
#pragma once

namespace terrazzo::winsys {

/// True for a kernel's sync file. Virtual GPUs' fences are none, not even under the shim: they mean nothing to other programs.
[[nodiscard]] bool is_sync_file(int fd);
/// For tests on machines without GPUs: decides in place of the kernel. Null: the kernel decides again.
void set_sync_file_test(bool (*is_one)(int fd));
/// True where it is signalled, or no descriptor. As with all files, it can be read then.
[[nodiscard]] bool sync_file_signalled(int fd);
/// Waits until it is signalled.
void wait_for_sync_file(int fd);

}  // namespace terrazzo::winsys
