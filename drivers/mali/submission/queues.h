// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queues: a panthor group with one queue for vertices and tiling, one for fragments, one for
// compute; the tiler heap that they share; and what is submitted to them. One thread (but for the timeline).
#pragma once

#include <array>
#include <memory>
#include <span>

#include "drivers/mali/device.h"

namespace terrazzo::mali {

enum class QueueKind : uint8_t { VertexTiler, Fragment, Compute };
inline constexpr unsigned kQueueCount = 3;

/// A command stream in GPU memory; size 0: nothing for this queue.
struct Stream {
    uint64_t va = 0;
    uint32_t size_B = 0;
};

class Queues {
  public:
    /// `priority` as in pipe::ContextDesc, lower where the kernel does not give it. Null: out of memory, or
    /// refused (said in the log).
    [[nodiscard]] static std::unique_ptr<Queues> create(pipe::Ref<Device> device, int priority);
    /// Waits for what was submitted.
    ~Queues();

    /// Hands over one stream a queue. All have begun after `waits`. The timeline's next point (returned) is
    /// reached when the *fragment* queue's stream is done, so that one must be there and wait for the others
    /// by their sequence numbers. 0: refused, nothing was done: the group is lost and take_state() has not
    /// been asked since, or the kernel is out of memory (take_state() says Usable), or the device is gone.
    /// Where a lost group was replaced first, generation() is another than before: streams that were built
    /// for the old one must not be passed, so look at prepare() before building.
    [[nodiscard]] uint64_t submit(const std::array<Stream, kQueueCount>& streams,
                                  std::span<const Point> waits);
    /// Before streams are built: replaces a group that was lost and reported. False: there is none, submit()
    /// will refuse.
    [[nodiscard]] bool prepare();

    const pipe::Ref<Timeline>& timeline() const { return timeline_; }
    /// Ends the group's work where it goes on for longer than pipe::kAbandonedLimit_ns, and waits for its
    /// end.
    void abandon();
    uint64_t last_point() const { return last_point_; }
    /// A lost group is replaced by the next prepare() or submit(), after this has reported it, which it does
    /// once.
    [[nodiscard]] QueueState take_state();

    /// A 64-bit sequence number (and 64 bits of status) of a queue, for SYNC_ADD64 and SYNC_WAIT64; begins at
    /// 0, also in a group that replaced a lost one.
    uint64_t sequence_va(QueueKind q) const { return sequences_.va + unsigned(q) * 64; }
    /// How often the queues' numbers were begun anew: whoever counts along begins anew, too.
    uint32_t generation() const { return generation_; }
    /// Of the TilerHeap descriptor, for TilerContext::heap; the heap context's address for HEAP_SET.
    uint64_t tiler_heap_va() const { return tiler_heap_desc_.va; }
    uint64_t heap_context_va() const { return heap_context_va_; }
    /// What the heap can grow to.
    uint64_t heap_limit_B() const { return uint64_t{heap_desc_.chunk_B} * heap_desc_.max_chunks; }
    /// For TilerContext::geometry_buffer: only one tiling at a time, which the vertex queue's order sees to.
    uint64_t geometry_buffer_va() const { return geometry_->va; }
    uint32_t geometry_buffer_B() const { return uint32_t(geometry_->size_B); }

  private:
    explicit Queues(pipe::Ref<Device> device);
    [[nodiscard]] bool create_group();
    [[nodiscard]] bool create_heap();
    void destroy_group();
    bool refuse(const char* what, int error);

    const pipe::Ref<Device> device_;
    const HeapDesc heap_desc_;
    pipe::Ref<Timeline> timeline_;
    uint8_t priority_ = 0;
    uint32_t group_ = 0, heap_ = 0;  // 0: none
    uint32_t generation_ = 0;
    uint64_t last_point_ = 0;
    uint64_t heap_context_va_ = 0;
    Block sequences_, tiler_heap_desc_;
    pipe::Ref<Bo> geometry_;
    bool reported_ = false;  // that the group is lost
    struct Ops;
    std::unique_ptr<Ops> ops_;
};

}  // namespace terrazzo::mali
