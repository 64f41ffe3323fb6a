// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/jobs/sync_list.h"

#include <cerrno>
#include <utility>

namespace terrazzo::winsys::virt {

int SyncList::wait(uint32_t handle, uint64_t point, std::shared_ptr<Syncobj>* syncobj) {
    auto found = file_.syncobjs.find(handle);
    if (!found) return -ENOENT;
    std::shared_ptr<Fence> fence;
    if (const int error = found->find(point, &fence)) return error;
    if (!fence->signaled()) waits.push_back(std::move(fence));
    if (syncobj) *syncobj = std::move(found);
    return 0;
}

bool SyncList::add_signal(uint32_t handle, uint64_t point, bool is_timeline) {
    auto syncobj = file_.syncobjs.find(handle);
    if (!syncobj) return false;
    signals_.push_back({std::move(syncobj), point, is_timeline});
    return true;
}

void SyncList::commit(const std::shared_ptr<Fence>& done) {
    for (const Signal& signal : signals_) {
        if (signal.is_timeline)
            signal.syncobj->add_point(done, signal.point);
        else
            signal.syncobj->replace(done);
    }
}

}  // namespace terrazzo::winsys::virt
