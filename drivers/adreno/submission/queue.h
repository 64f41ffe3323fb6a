// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queue: a submitqueue of the msm kernel driver. For one thread at a time, except the timeline.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drivers/adreno/device.h"
#include "drivers/adreno/stream/segment.h"
#include "drivers/common/submission/kernel_queue.h"
#include "winsys/uapi/msm.h"

namespace terrazzo::adreno {

class Queue final : public submission::VendorQueue<Queue, Device> {
  public:
    /// Submits a stream. Returns the point of the timeline that is reached when it ends. 0: the submission
    /// failed and has no effect, since the queue is lost and take_state() was not called since, the kernel is
    /// out of memory, or the device is gone. Throws std::bad_alloc.
    [[nodiscard]] uint64_t submit(std::span<const Segment> stream, const submission::Needs& needs);

  private:
    friend VendorQueue;
    using VendorQueue::VendorQueue;
    using DestroyQueue = uint32_t;
    static constexpr unsigned long kDestroyQueue = uapi::kMsmSubmitqueueClose;
    [[nodiscard]] int create_queue(uint32_t* id) override;
};

}  // namespace terrazzo::adreno
