// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors that stand for a fence (sync files: readable once it has signalled) or for a syncobj. Each is
// the read end of a pipe: it can be polled, duplicated and sent to other processes, its inode tells which it
// is, and the write end, which stays here, tells when the last copy was closed.
#pragma once

#include <list>
#include <memory>

#include "winsys/virtual/fences/fence.h"
#include "winsys/virtual/fences/foreign_fences.h"
#include "winsys/virtual/fences/syncobj.h"
#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys::virt {

/// All under the lock of the SyncDomain.
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
    /// The fence of a sync file, or one that signals when another process' does. Null: no sync file.
    [[nodiscard]] std::shared_ptr<Fence> fence_of(int fd);
    /// As fence_of(), to be asked now: where another process' fence has not signalled, the one that comes back never will.
    [[nodiscard]] std::shared_ptr<Fence> fence_now(int fd);
    /// Null: no syncobj file of this kernel.
    [[nodiscard]] std::shared_ptr<Syncobj> syncobj_of(int fd);
    /// How many live (tests).
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

/// As SYNC_IOC_FILE_INFO on another process' sync file (winsys/drm/sync_file.h, is_virtual_sync_file): whether it is signalled is all that can
/// be known.
[[nodiscard]] int foreign_sync_file_info(int fd, void* arg);

}  // namespace terrazzo::winsys::virt
