// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Implicit fences: the kernel keeps fences for memory that is shared as a dma-buf. Each user adds its fence
// and waits for those of others. So a compositor never reads an incomplete frame, and the CPU need not wait
// before an image is sent.
// Source: Linux Documentation/driver-api/dma-buf.rst ("Implicit Fence Poll Support"),
// include/uapi/linux/dma-buf.h (Linux 6.0).
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/memory/timeline.h"

namespace terrazzo::memory {

class Bo;

/// Appends what an access to shared memory must wait for. If the kernel is older than 6.0 and cannot export
/// fences, waits here. Throws std::bad_alloc.
void collect_foreign(const Bo& bo, bool write, std::vector<Point>* out);
/// Waits until the other users' accesses that conflict with this one have ended. Never returns Lost.
[[nodiscard]] WaitResult wait_for_foreign(const Bo& bo, bool write, uint64_t timeout_ns);
/// From now on, other users wait for `sync_file` before they write the memory and, if `write`, before they
/// read it. False: they do not, because the kernel is older or no descriptor is left.
[[nodiscard]] bool tell_foreign(const Bo& bo, int sync_file, bool write);

}  // namespace terrazzo::memory
