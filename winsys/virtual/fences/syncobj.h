// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A DRM syncobj: holds a fence (binary) or a timeline of fences (drivers/gpu/drm/drm_syncobj.c). All methods
// run under the lock of its SyncDomain.
#pragma once

#include <list>
#include <memory>

#include "winsys/virtual/fences/fence.h"

namespace terrazzo::winsys::virt {

class Syncobj {
  public:
    explicit Syncobj(SyncDomain& domain) : domain_(domain) {}
    ~Syncobj();
    Syncobj(const Syncobj&) = delete;
    Syncobj& operator=(const Syncobj&) = delete;

    /// The fence, or the timeline's last point. Null: it holds none.
    [[nodiscard]] const std::shared_ptr<Fence>& fence() const { return fence_; }
    /// Replaces the fence or timeline by `fence`; null resets the syncobj.
    void replace(std::shared_ptr<Fence> fence);
    /// Adds a point to the timeline.
    void add_point(std::shared_ptr<Fence> fence, uint64_t point);
    /// Returns 0 and the fence of a point (0: the current fence), never null; or -EINVAL if there is none
    /// yet.
    [[nodiscard]] int find(uint64_t point, std::shared_ptr<Fence>* out) const;
    /// The last point that has signalled, or with `submitted` the last one that exists. 0 for a binary
    /// syncobj.
    [[nodiscard]] uint64_t query(bool submitted) const;
    /// Adds 1 to the eventfd `fd` when `point` signals, or with `available` as soon as it exists. Owns `fd`
    /// from now on.
    void notify(int fd, uint64_t point, bool available);

  private:
    struct Notify {
        int fd;
        uint64_t point;
        bool available;
    };
    void changed();
    [[nodiscard]] bool settle(const Notify& n) const;

    SyncDomain& domain_;
    std::shared_ptr<Fence> fence_;
    std::list<Notify> notify_;  // those whose point does not exist yet
};

}  // namespace terrazzo::winsys::virt
