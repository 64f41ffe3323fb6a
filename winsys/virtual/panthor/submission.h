// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A batch of jobs and what they wait for and signal (panthor_drv.c, panthor_submit_ctx): a job may wait for
// what an earlier one of the batch signals. Nothing happens unless everything is right.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "winsys/uapi/panthor.h"
#include "winsys/virtual/file.h"
#include "winsys/virtual/panthor/job.h"

namespace terrazzo::winsys::virt::panthor {

/// Reads an array of a caller's structs into ours; `min_stride_B`: what the first version of the struct had.
/// 0; -EINVAL: shorter than that; -E2BIG, -EFAULT, -ENOMEM.
template <typename T>
[[nodiscard]] int read_array(const UserMemory& user, const uapi::drm_panthor_obj_array& array,
                             size_t min_stride_B, std::vector<T>* out) {
    if (array.count == 0) return 0;
    if (array.stride < min_stride_B) return -22;          // EINVAL
    if (array.count > INT32_MAX / sizeof(T)) return -12;  // ENOMEM, as kvmalloc
    uint8_t last;
    if (const int error = user.read(&last, array.array + uint64_t{array.stride} * array.count - 1, 1))
        return error;  // before anything as large as the array is allocated
    out->resize(array.count);
    if (array.stride == sizeof(T)) return user.read(out->data(), array.array, sizeof(T) * out->size());
    for (size_t i = 0; i < out->size(); i++)
        if (const int error = user.read_struct(&(*out)[i], sizeof(T),
                                               array.array + uint64_t{array.stride} * i, array.stride))
            return error;
    return 0;
}

class Submission {
  public:
    explicit Submission(File& file) : file_(file) {}

    /// 0, or -errno of read_array. `queue` stays alive while the job is in it.
    [[nodiscard]] int add(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job,
                          const uapi::drm_panthor_obj_array& syncs);
    /// Whether the job that was added last is to signal anything.
    [[nodiscard]] bool last_signals() const;
    /// 0 and all is queued, or -errno and nothing is: -EINVAL for flags and for syncobjs to signal, -ENOENT
    /// for syncobjs to wait for, -EINVAL where those have no fence yet.
    [[nodiscard]] int commit();

  private:
    struct Entry {
        std::shared_ptr<JobQueue> queue;
        std::shared_ptr<Job> job;
        std::vector<uapi::drm_panthor_sync_op> syncs;
        std::vector<std::shared_ptr<Fence>> waits;  // that have not signalled
    };
    struct Signal {
        uint32_t handle;
        uint64_t point;
        std::shared_ptr<Syncobj> syncobj;
        std::shared_ptr<Fence> fence;  // the last that this batch puts there, before: what is there
    };
    [[nodiscard]] Signal* find_signal(uint32_t handle, uint64_t point);
    [[nodiscard]] int collect_signals(const Entry& entry);
    [[nodiscard]] int collect_waits(Entry& entry);

    File& file_;
    std::vector<Entry> entries_;
    std::vector<Signal> signals_;
    std::map<std::pair<uint32_t, uint64_t>, size_t> signal_of_;  // in signals_, by handle and point
};

}  // namespace terrazzo::winsys::virt::panthor
