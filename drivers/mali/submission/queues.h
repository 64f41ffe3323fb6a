// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queues: a panthor group with one queue for vertices and tiling, one for fragments and one for
// compute, and the tiler heap that they share. For one thread at a time, except the timeline.
#pragma once

#include <array>
#include <memory>
#include <span>

#include "drivers/common/submission/kernel_queue.h"
#include "drivers/mali/device.h"
#include "drivers/mali/stream/jobs.h"

namespace terrazzo::mali {

class Queues final : public submission::VendorQueue<Queues, Device> {
  public:
    /// Waits for the submitted work.
    ~Queues() override;

    /// Submits one stream for each queue; all begin after `waits`. Returns the point of the timeline that is
    /// reached when the *fragment* queue's stream ends: that stream must exist, and wait for the others by
    /// their sequence numbers. 0: the submission failed and has no effect, since the group is lost and
    /// take_state() was not called since, the kernel is out of memory (take_state() returns Usable), or the
    /// device is gone. If a lost group was replaced, generation() changes, and streams built for the old
    /// group must not be passed. Call prepare() before building streams.
    [[nodiscard]] uint64_t submit(const std::array<Stream, kQueueCount>& streams,
                                  std::span<const Point> waits);
    /// The address of a queue's 64-bit sequence number (and 64 bits of status), for SYNC_ADD64 and
    /// SYNC_WAIT64. The number begins at 0, also in a group that replaced a lost one.
    uint64_t sequence_va(QueueKind q) const { return sequences_.va + unsigned(q) * 64; }
    /// Addresses of the TilerHeap descriptor, for TilerContext::heap, and of the heap context, for HEAP_SET.
    uint64_t tiler_heap_va() const { return tiler_heap_desc_.va; }
    uint64_t heap_context_va() const { return heap_context_va_; }
    /// The size to which the heap can grow.
    uint64_t heap_limit_B() const { return uint64_t{heap_desc_.chunk_B} * heap_desc_.max_chunks; }
    /// For TilerContext::geometry_buffer. One tiling uses it at a time, as the vertex queue runs them in
    /// order.
    uint64_t geometry_buffer_va() const { return geometry_->va; }
    uint32_t geometry_buffer_B() const { return uint32_t(geometry_->size_B); }

  private:
    friend VendorQueue;
    Queues(pipe::Ref<Device> device, int priority);
    [[nodiscard]] bool allocate();
    using DestroyQueue = uapi::drm_panthor_group_destroy;
    static constexpr unsigned long kDestroyQueue = uapi::kPanthorGroupDestroy;
    [[nodiscard]] int create_queue(uint32_t* group) override;
    void destroy_queue(uint32_t group) override;
    [[nodiscard]] int create_heap();

    const HeapDesc heap_desc_;
    uint32_t heap_ = 0;  // 0: none
    uint64_t heap_context_va_ = 0;
    Block sequences_, tiler_heap_desc_;
    pipe::Ref<Bo> geometry_;
    struct Ops;
    std::unique_ptr<Ops> ops_;
};

}  // namespace terrazzo::mali
