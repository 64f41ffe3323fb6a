// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors that represent a fence (sync files, readable once the fence has signalled) or a syncobj. Each
// is the read end of a pipe. It can be polled, duplicated and sent to other processes. Its inode identifies
// it. The write end stays here and tells when the last copy was closed.
#pragma once

#include <list>
#include <memory>

#include "winsys/virtual/fences/fence.h"
#include "winsys/virtual/fences/foreign_fences.h"
#include "winsys/virtual/fences/syncobj.h"
#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys::virt {

/// All methods run under the lock of the SyncDomain.
class Pollables {
  public:
    Pollables(SyncDomain& domain, ForeignFences& foreign) : domain_(domain), foreign_(foreign) {}
    ~Pollables();
    Pollables(const Pollables&) = delete;
    Pollables& operator=(const Pollables&) = delete;

    /// A new sync file (O_CLOEXEC), or -errno.
    [[nodiscard]] int create(std::shared_ptr<Fence> fence);
    /// A new syncobj file, or -errno.
    [[nodiscard]] int create(std::shared_ptr<Syncobj> syncobj);
    /// The fence of a sync file; for another process' sync file, a fence that signals with it. Null: `fd` is
    /// no sync file.
    [[nodiscard]] std::shared_ptr<Fence> fence_of(int fd);
    /// As fence_of(), for a caller that only checks the state now: a fence of another process that has not
    /// signalled never will.
    [[nodiscard]] std::shared_ptr<Fence> fence_now(int fd);
    /// Null: `fd` is no syncobj file of this kernel.
    [[nodiscard]] std::shared_ptr<Syncobj> syncobj_of(int fd);
    /// How many descriptors are open (for tests).
    [[nodiscard]] size_t size();

  private:
    struct Entry {
        Inode inode;
        int write_fd = -1;
        std::shared_ptr<Fence> fence;
        std::shared_ptr<Syncobj> syncobj;
        ~Entry();
    };
    [[nodiscard]] int add(std::shared_ptr<Fence> fence, std::shared_ptr<Syncobj> syncobj);
    [[nodiscard]] Entry* find(int fd);
    void collect();

    SyncDomain& domain_;
    ForeignFences& foreign_;
    std::list<std::shared_ptr<Entry>> entries_;
    size_t collect_at_ = 16;
};

/// Answers SYNC_IOC_FILE_INFO for another process' sync file (winsys/drm/sync_file.h, is_virtual_sync_file).
/// Only its state is known.
[[nodiscard]] int foreign_sync_file_info(int fd, void* arg);

}  // namespace terrazzo::winsys::virt
