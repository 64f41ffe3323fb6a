// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/shim/open_files.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "winsys/environment/environment.h"
#include "winsys/shim/devices.h"
#include "winsys/shim/real.h"

namespace terrazzo::winsys::shim {

int real_fstat(int fd, struct stat* st) {
    return SHIM_REAL(int (*)(int, struct stat*), fstat)(fd, st);
}

OpenFiles& OpenFiles::instance() {
    static OpenFiles* const files = new OpenFiles;
    return *files;
}

OpenFiles::OpenFiles() {
    // No thread holds the lock during fork(), so that the child can use it.
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().mutex_.unlock(); });
}

std::shared_ptr<virt::Device> OpenFiles::make_device() {
    if (device_ && device_->alive()) return device_;
    if (device_)  // a forked child cannot use its parent's device and must not destroy it
        (void)new (std::nothrow) std::shared_ptr<virt::Device>(device_);
    std::string why;
    device_ = create_chosen_device(&why);
    if (!why.empty() && !std::exchange(complained_, true))
        fprintf(stderr, "terrazzo-shim: %s\n", why.c_str());
    return device_;
}

int OpenFiles::open(const Entry& node, int flags) {
    collect();
    std::unique_lock lock(mutex_);
    const auto device = make_device();
    lock.unlock();
    if (!device) return -ENODEV;
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) != 0) return -errno;
    // The flags that a caller may set: close on exec, and non-blocking.
    if (!(flags & O_CLOEXEC)) (void)fcntl(fds[0], F_SETFD, 0);
    if (flags & O_NONBLOCK) (void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
    struct stat st {};
    (void)real_fstat(fds[0], &st);
    try {
        const bool card = strcmp(node.content, "card") == 0;
        auto file = std::make_shared<virt::File>(device, card ? virt::Node::Card : virt::Node::Render, false);
        lock.lock();
        open_.push_back({{st.st_dev, st.st_ino}, fds[1], node.minor, std::move(file)});
    } catch (const std::bad_alloc&) {
        ::close(fds[0]);
        ::close(fds[1]);
        return -ENOMEM;
    }
    note(fds[0]);
    return fds[0];
}

std::shared_ptr<virt::File> OpenFiles::find(int fd) {
    struct stat st;
    if (real_fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode)) return nullptr;
    const virt::Inode inode = {st.st_dev, st.st_ino};
    const std::lock_guard lock(mutex_);
    for (const Open& o : open_)
        if (o.inode == inode) return o.file;
    return nullptr;
}

bool OpenFiles::minor_of(const virt::Inode& inode, uint32_t* minor) {
    const std::lock_guard lock(mutex_);
    for (const Open& o : open_)
        if (o.inode == inode) {
            *minor = o.minor;
            return true;
        }
    return false;
}

bool OpenFiles::disguise(struct stat* st) {
    uint32_t minor;
    if (!S_ISFIFO(st->st_mode) || !minor_of({st->st_dev, st->st_ino}, &minor)) return false;
    st->st_mode = S_IFCHR | 0666;
    st->st_rdev = makedev(kDrmMajor, minor);
    return true;
}

std::shared_ptr<virt::Device> OpenFiles::device() {
    const std::lock_guard lock(mutex_);
    return device_;
}

void OpenFiles::note(int fd) {
    if (fd >= 0 && fd < kNotedCount) noted_[fd / 64].fetch_or(1ull << (fd % 64), std::memory_order_relaxed);
}

void OpenFiles::note_copy(int from, int to) {
    if (to >= 0 && noted(from)) note(to);
}

bool OpenFiles::noted(int fd) const {
    return fd >= 0 && fd < kNotedCount && (noted_[fd / 64].load(std::memory_order_relaxed) >> (fd % 64) & 1);
}

void OpenFiles::collect() {
    std::vector<std::shared_ptr<virt::File>> ended;  // destroyed outside the lock
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < open_.size();) {
        pollfd p{open_[i].write_fd, 0, 0};
        if (poll(&p, 1, 0) > 0 && (p.revents & POLLERR)) {
            SHIM_REAL(int (*)(int), close)(open_[i].write_fd);
            ended.push_back(std::move(open_[i].file));
            open_.erase(open_.begin() + static_cast<ptrdiff_t>(i));
        } else {
            i++;
        }
    }
}

}  // namespace terrazzo::winsys::shim
