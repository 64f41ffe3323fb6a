// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queue: a submitqueue of the msm kernel, and what is submitted to it. One thread (but for the timeline).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drivers/adreno/device.h"
#include "drivers/common/submission/kernel_queue.h"
#include "drivers/common/submission/needs.h"

namespace terrazzo::adreno {

/// Words in GPU memory that the CP runs one after another.
struct Segment {
    uint64_t va = 0;
    uint32_t size_dw = 0;
};

class Queue final : public submission::KernelQueue {
  public:
    /// `priority` as in pipe::ContextDesc. Null: out of memory, or refused (said in the log).
    [[nodiscard]] static std::unique_ptr<Queue> create(pipe::Ref<Device> device, int priority);
    /// A kernel with few priorities has the same for several of ours: that of medium is medium.
    [[nodiscard]] int priority() const override;
    /// Waits for what was submitted.
    ~Queue() override;

    /// Hands over a stream. The timeline's next point is reached when it has ended; 0: refused, nothing was
    /// done: the queue is lost and take_state() has not been asked since, or the kernel is out of memory, or the device is
    /// gone. Throws std::bad_alloc.
    [[nodiscard]] uint64_t submit(std::span<const Segment> stream, const submission::Needs& needs);

  private:
    Queue(pipe::Ref<Device> device, uint32_t priority)
        : KernelQueue(std::move(device)), priority_(priority) {}
    [[nodiscard]] bool create_queue(uint32_t* id) override;
    void destroy_queue() override;
    [[nodiscard]] Device& device() const { return static_cast<Device&>(*device_); }

    const uint32_t priority_;  // the kernel's
    uint32_t id_ = 0;
    bool exists_ = false;
};

}  // namespace terrazzo::adreno
