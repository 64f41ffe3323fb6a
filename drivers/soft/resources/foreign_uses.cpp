// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/resources/foreign_uses.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "pipe/time_limit.h"
#include "winsys/clock.h"

namespace terrazzo::soft {

ForeignUses::ForeignUses(const TimeLimit& limit, uint64_t most_ns, const pipe::Log& log)
    : limit_(limit), most_ns_(std::min(most_ns, pipe::kDrawLimit_ns)), log_(log) {}

uint64_t ForeignUses::limit_ns() const {
    if (limit_.stopped()) return 0;  // the results are undefined already
    return limit_.abandoned() ? std::min(most_ns_, pipe::kAbandonedLimit_ns) : most_ns_;
}

uint64_t ForeignUses::Wait::left_ns() {
    const uint64_t now = winsys::monotonic_ns();
    if (!end_ns_) end_ns_ = now + uses_.limit_ns();
    return end_ns_ - std::min(now, end_ns_);
}

void ForeignUses::Wait::for_image(const SoftResource& r, bool write) {
    const winsys::SharedMemory* const memory = r.shared_memory();
    if (!memory) return;
    if (!memory->used_by_others(write)) return;
    pid_t pid = 0;
    if (memory->wait_for_others(write, left_ns(), &pid)) return;
    char process[48] = "another process";
    if (pid) std::snprintf(process, sizeof process, "process %ld", long(pid));
    char text[256];
    std::snprintf(text, sizeof text,
                  "soft: %s uses the shared image of %ux%u (%s, inode %" PRIu64
                  ") for too long. It is not waited for any more; what is drawn with the image may be torn",
                  process, r.desc.width, r.desc.height, memory->is_dmabuf() ? "dma-buf" : "memfd",
                  memory->inode());
    uses_.log_(pipe::Severity::Warning, text);
}

void ForeignUses::Wait::for_fence(pipe::Fence& fence) {
    if (fence.wait(0) || fence.wait(left_ns())) return;
    uses_.log_(
        pipe::Severity::Warning,
        "soft: a fence of another process is not signalled for too long. It is not waited for any more");
}

}  // namespace terrazzo::soft
