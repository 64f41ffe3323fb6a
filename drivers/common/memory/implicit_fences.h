// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Memory that is shared as a dma-buf has fences of its own in the kernel: everybody who uses it leaves one there, and waits for those of
// others. So a compositor never reads half a frame, and nobody waits on the CPU before he gives an image away.
// Source: Linux Documentation/driver-api/dma-buf.rst ("Implicit Fence Poll Support"), include/uapi/linux/dma-buf.h (Linux 6.0).
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/memory/timeline.h"

namespace terrazzo::memory {

class Bo;

/// Appends what an access to shared memory must wait for. What a kernel before 6.0 does not give as a fence is waited for here. Throws
/// std::bad_alloc.
void collect_foreign(const Bo& bo, bool write, std::vector<Point>* out);
/// Waits until others have used the memory as far as an access needs. Never Lost.
[[nodiscard]] WaitResult wait_for_foreign(const Bo& bo, bool write, uint64_t timeout_ns);
/// Others wait for `sync_file` from now on before they write the memory, and where it is written also before they read it. False: they
/// do not, because the kernel is older, or no descriptor is left.
[[nodiscard]] bool tell_foreign(const Bo& bo, int sync_file, bool write);

}  // namespace terrazzo::memory
