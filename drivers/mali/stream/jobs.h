// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The queues of a context, command streams, and the jobs of one queue that wait for those of another.
#pragma once

#include <cstdint>

#include "drivers/common/submission/job_order.h"

namespace terrazzo::mali {

enum class QueueKind : uint8_t { VertexTiler, Fragment, Compute };
inline constexpr unsigned kQueueCount = 3;

/// A command stream in GPU memory. Size 0: no work for the queue.
struct Stream {
    uint64_t va = 0;
    uint32_t size_B = 0;
};

/// A read by a vertex job is noted as a read by the fragment job of its pass.
using LastJobs = submission::LastJobs<kQueueCount>;
using JobNumbers = submission::JobNumbers<kQueueCount>;
using Needs = submission::JobNeeds<kQueueCount>;

}  // namespace terrazzo::mali
