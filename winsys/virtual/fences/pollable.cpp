// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/pollable.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "winsys/drm/sync_file.h"

namespace terrazzo::winsys::virt {
namespace {

bool closed_by_all(int write_fd) {
    pollfd p{write_fd, 0, 0};
    return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

}  // namespace

Pollables::Entry::~Entry() {
    if (write_fd >= 0) close(write_fd);
}

Pollables::~Pollables() = default;

int Pollables::add(std::shared_ptr<Fence> fence, std::shared_ptr<Syncobj> syncobj) {
    if (entries_.size() >= collect_at_) collect();
    auto entry = std::make_shared<Entry>();
    std::list<std::shared_ptr<Entry>> one{entry};
    entry->fence = std::move(fence);
    entry->syncobj = std::move(syncobj);
    int fds[2];
    if (pipe2(fds, O_CLOEXEC | O_NONBLOCK) != 0) return -errno;
    if (entry->fence) (void)fcntl(fds[0], F_SETFL, kVirtualSyncFileFlags);
    entry->write_fd = fds[1];
    (void)inode_of(fds[0], &entry->inode);
    if (entry->fence) {
        try {
            entry->fence->on_signal([weak = std::weak_ptr<Entry>(entry)](int) {
                if (const auto e = weak.lock()) (void)!write(e->write_fd, "", 1);
            });
        } catch (...) {
            close(fds[0]);
            throw;
        }
    }
    entries_.splice(entries_.end(), one);
    return fds[0];
}

int Pollables::create(std::shared_ptr<Fence> fence) {
    return add(std::move(fence), nullptr);
}

int Pollables::create(std::shared_ptr<Syncobj> syncobj) {
    return add(nullptr, std::move(syncobj));
}

Pollables::Entry* Pollables::find(int fd) {
    Inode inode;
    if (!inode_of(fd, &inode)) return nullptr;
    const auto it =
        std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e->inode == inode; });
    return it == entries_.end() ? nullptr : it->get();
}

std::shared_ptr<Fence> Pollables::fence_now(int fd) {
    if (Entry* e = find(fd)) return e->fence;
    if (!is_virtual_sync_file(fd)) return nullptr;
    return sync_file_signalled(fd) ? Fence::done(domain_) : std::make_shared<Fence>(domain_);
}

std::shared_ptr<Fence> Pollables::fence_of(int fd) {
    if (Entry* e = find(fd)) return e->fence;
    if (!is_virtual_sync_file(fd)) return nullptr;
    // When the other process ends, its pipe hangs up, which counts as signalled.
    if (sync_file_signalled(fd)) return Fence::done(domain_);
    if (auto fence = foreign_.of_sync_file(fd)) return fence;
    // No descriptor is left for a later check, so wait now, without the lock.
    domain_.mutex.unlock();
    wait_for_sync_file(fd);
    domain_.mutex.lock();
    return Fence::done(domain_);
}

std::shared_ptr<Syncobj> Pollables::syncobj_of(int fd) {
    Entry* e = find(fd);
    return e ? e->syncobj : nullptr;
}

void Pollables::collect() {
    entries_.remove_if([](const auto& e) { return closed_by_all(e->write_fd); });
    collect_at_ = std::max<size_t>(16, entries_.size() * 2);
}

size_t Pollables::size() {
    collect();
    return entries_.size();
}

}  // namespace terrazzo::winsys::virt
