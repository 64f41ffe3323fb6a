// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The two sides of a virtual GPU: what it sees of the world outside (Host), and what a vendor implements for
// each group of queues (Group). The virtual kernel (gpu.h), a recording (replay.h) or a test is the Host.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "drivers/common/host/counters.h"
#include "drivers/common/host/picture.h"
#include "drivers/common/window/window.h"
#include "winsys/virtual/jobs/gpu.h"

namespace terrazzo::host {

using winsys::virt::RunResult;
using winsys::virt::RunStatus;
using winsys::virt::Stream;
using winsys::virt::Submit;

/// What is outside the GPU. Mandatory, except where a comment says otherwise.
class Host {
  public:
    virtual ~Host() = default;
    virtual window::Space& space() = 0;
    /// Ticks of the GPU's clock.
    virtual uint64_t timestamp() const = 0;
    /// True if the running work should end: must be called at least every millisecond. Thread: any.
    virtual bool should_stop() const = 0;
    /// Optional. A draw, a dispatch or similar work has ended. On the thread that runs the stream.
    virtual void note_progress() {}
    /// Optional, for GPUs with heaps. Grows the heap whose context is at `context_va`: the new chunk in the
    /// hardware's form; 0: there is none. winsys/virtual/jobs/gpu.h explains the counts.
    virtual uint64_t grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) {
        (void)context_va, (void)in_flight, (void)pending_fragment;
        return 0;
    }
};

struct GroupOptions {
    uint32_t queues = 1;         // of the group
    unsigned threads = 1;        // the most threads of a submit
    bool draws_nothing = false;  // streams are followed, but draws are only counted
    bool watches = false;        // take_picture() is called
};

/// A vendor's GPU as a group of queues sees it: command processors and units. The host outlives it.
/// Mandatory, except where a comment says otherwise.
class Group {
  public:
    virtual ~Group() = default;
    /// As winsys::virt::GpuGroup::run(). A report names the command, the object and the rule.
    [[nodiscard]] virtual RunResult run(uint32_t queue, const Submit& submit) = 0;
    /// What its units have counted so far.
    [[nodiscard]] virtual const Counters& counters() const = 0;
    /// Optional. After a fault the queue goes on with the next submit, in a replay: the kernel would have
    /// created the group again.
    virtual void reset(uint32_t queue) { (void)queue; }
    /// Optional. The colour target that was written last since the previous call. False: none was; or `why`
    /// says why it cannot be shown.
    [[nodiscard]] virtual bool take_picture(Picture* out, std::string* why) {
        (void)out, (void)why;
        return false;
    }
    /// Optional. After a fault of this submit: writes the GPU's state as the kernel driver's core dump.
    /// False: a write failed, with errno.
    [[nodiscard]] virtual bool write_core_dump(std::FILE* file, const Submit& submit,
                                               const winsys::virt::AddressSpace& space) {
        (void)file, (void)submit, (void)space;
        return true;
    }
};

}  // namespace terrazzo::host
