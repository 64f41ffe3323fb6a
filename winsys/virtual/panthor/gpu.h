// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU with a command-stream front end, as panthor's virtual kernel sees it. jobs/gpu.h has the interface
// that it implements.
//
// There is no firmware. A submit has one stream, which the wrapper in the kernel's ring calls. Before a
// stream the wrapper has flushed caches and has reset nothing: registers keep their values, except the last
// `unpreserved_cs_reg_count`, which the wrapper uses and which are undefined. After a stream, once every
// scoreboard slot is free, it adds 1 to the queue's own sync object and clears a recoverable fault
// (ERROR_BARRIER). Fault is a CS_FAULT, and Fatal is a CS_FATAL or a fault of the MMU. The exception is a
// code of panthor_device.h; codes of the MMU (0xc0 and above) lose every queue of the group. When a heap is
// out of memory, the stream's exception handler may help; HeapGrowth::chunk_va is address | size in pages,
// with a header of 64 bytes.
#pragma once

#include "winsys/uapi/panthor.h"
#include "winsys/virtual/jobs/gpu.h"

namespace terrazzo::winsys::virt::panthor {

/// A GPU as the kernel describes it to programs. Each chip has one row.
struct GpuInfo {
    const char* name;  // "mali-g610": the name after "sim:" and "noop:"
    uapi::drm_panthor_gpu_info gpu;
    uapi::drm_panthor_csif_info csif;
    uint64_t timestamp_hz;
};

}  // namespace terrazzo::winsys::virt::panthor
