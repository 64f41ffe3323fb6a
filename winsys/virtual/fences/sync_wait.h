// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Waits for syncobjs and fences. All functions are called with the domain's lock and release it while they
// wait.
#pragma once

#include <vector>

#include "winsys/virtual/fences/syncobj.h"

namespace terrazzo::winsys::virt {

struct WaitEntry {
    Syncobj* syncobj;
    uint64_t point;
    std::shared_ptr<Fence> fence;  // null until the point exists
};

/// `flags`: uapi::kSyncobjWait*. `timeout_ns` is a time of CLOCK_MONOTONIC; 0 or a past time does not wait.
/// Returns 0 and the index of the first signalled entry in `*first`; -ETIME; or -EINVAL if a fence is missing
/// and the flags do not allow to wait for it.
[[nodiscard]] int wait_syncobjs(SyncDomain& domain, std::vector<WaitEntry>& entries, uint32_t flags,
                                int64_t timeout_ns, uint32_t* first);

/// Waits for all of `fences`. Returns 0 or -ETIME. `timeout_ns` as above.
[[nodiscard]] int wait_fences(SyncDomain& domain, const std::vector<std::shared_ptr<Fence>>& fences,
                              int64_t timeout_ns);

/// Waits up to five seconds for a point to exist. Returns 0 and its fence, or -ETIME.
[[nodiscard]] int wait_for_fence(SyncDomain& domain, Syncobj& syncobj, uint64_t point,
                                 std::shared_ptr<Fence>* out);

}  // namespace terrazzo::winsys::virt
