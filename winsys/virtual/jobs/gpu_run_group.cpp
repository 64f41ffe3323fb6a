// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/gpu_run_group.h"

#include "winsys/clock.h"

namespace terrazzo::winsys::virt {

int GpuRunGroup::create(Gpu* gpu) {
    if (gpu) gpu_group_ = gpu->create_group(uint32_t(queues.size()), *this);
    return !gpu || gpu_group_ ? 0 : -ENOMEM;
}

void GpuRunGroup::destroy() {
    destroyed_ = true;
    lose();
}

bool GpuRunGroup::start_head(RunQueue& queue) {
    if (!can_run()) return false;
    if (scheduler_.simulates())
        scheduler_.wake();
    else
        queue.finish_head(0);
    return true;
}

void GpuRunGroup::lose() {
    stop_.store(true, std::memory_order_relaxed);
    if (running) return;  // the worker calls this again when its run ends
    gpu_group_.reset();
    for (const auto& queue : queues)
        queue->cancel(lost_error(*queue));
}

RunResult GpuRunGroup::run_submit(uint32_t queue, const Submit& submit, uint32_t out_of_memory) const {
    try {
        return gpu_group_->run(queue, submit);
    } catch (...) {
        return {RunStatus::Fatal, true, out_of_memory, "the host is out of memory"};
    }
}

uint64_t GpuRunGroup::timestamp() const {
    return monotonic_ticks(timestamp_hz_);
}

}  // namespace terrazzo::winsys::virt
