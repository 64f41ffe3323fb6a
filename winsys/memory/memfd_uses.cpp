// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/memory/memfd_uses.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "winsys/clock.h"

namespace terrazzo::winsys {
namespace {

using Others = MemfdUses::Others;

constexpr uint64_t kFirstByte = uint64_t(1) << 61;  // above the size of any memfd
constexpr uint64_t kLastByte = INT64_MAX;
constexpr size_t kMostOthers = 64;  // the most uses to list; the others count as one
constexpr uint64_t kFirstPause_ns = 50'000, kLongestPause_ns = 2'000'000;

/// A byte that no other use locks, in this process or another: 29 bits of the process id and 32 of a counter.
/// Two containers may have processes with the same id; if both choose the same byte, the second one does not
/// get its lock.
uint64_t next_byte() {
    static std::atomic<uint32_t> count{0};
    return kFirstByte +
           ((uint64_t(getpid()) & 0x1fffffff) << 32 | count.fetch_add(1, std::memory_order_relaxed));
}

struct flock range(short type, uint64_t first, uint64_t last) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = off_t(first);
    lock.l_len = last >= kLastByte ? 0 : off_t(last - first + 1);  // 0: to the end
    return lock;
}

/// The process that holds the lock. The kernel reports it only for a lock of a process, not for one of an
/// open file description. Our own locks have the process id in their offset (next_byte). The result is not
/// reliable for locks of other programs.
pid_t holder(const struct flock& lock) {
    constexpr uint64_t kMaxPid = uint64_t(1) << 22;  // the kernel's PID_MAX_LIMIT
    if (lock.l_pid > 0) return lock.l_pid;
    const auto start = uint64_t(lock.l_start);
    const uint64_t pid = start >= kFirstByte ? (start - kFirstByte) >> 32 : 0;
    return pid <= kMaxPid ? pid_t(pid) : 0;
}

/// Finds a lock in the range that conflicts with an access. False: there is none.
bool find_other(int fd, uint64_t first, uint64_t last, bool write, Others* found) {
    struct flock lock = range(short(write ? F_WRLCK : F_RDLCK), first, last);
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return false;
    const uint64_t start = uint64_t(lock.l_start);
    const uint64_t end = lock.l_len ? start + uint64_t(lock.l_len) - 1 : kLastByte;
    *found = {std::max(first, start), std::min(last, end), lock.l_type == F_WRLCK, holder(lock)};
    return true;
}

void collect_others(int fd, bool write, std::vector<Others>* out) {
    std::vector<std::pair<uint64_t, uint64_t>> to_look{{kFirstByte, kLastByte}};
    while (!to_look.empty()) {
        const auto [first, last] = to_look.back();
        to_look.pop_back();
        Others found;
        if (!find_other(fd, first, last, write, &found)) continue;
        if (out->size() >= kMostOthers) {
            out->push_back({first, last, !write, 0});  // if `write`: both kinds
            continue;
        }
        out->push_back(found);
        if (found.first > first) to_look.emplace_back(first, found.first - 1);
        if (found.last < last) to_look.emplace_back(found.last + 1, last);
    }
}

bool has_ended(int fd, const Others& others) {
    Others any;
    return !find_other(fd, others.first, others.last, !others.write, &any);
}

/// Waits until all uses have ended. False: the remaining ones have not ended within the limit.
bool wait_until_ended(int fd, uint64_t limit_ns, std::vector<Others>* others) {
    if (others->empty()) return true;
    const uint64_t began_ns = monotonic_ns();
    uint64_t pause_ns = kFirstPause_ns;
    while (std::erase_if(*others, [fd](const Others& o) { return has_ended(fd, o); }), !others->empty()) {
        const uint64_t waited_ns = monotonic_ns() - began_ns;
        if (waited_ns >= limit_ns) return false;
        const timespec pause{0, long(std::min(pause_ns, limit_ns - waited_ns))};
        nanosleep(&pause, nullptr);
        pause_ns = std::min(pause_ns * 2, kLongestPause_ns);
    }
    return true;
}

}  // namespace

int open_memfd_again(int fd) {
    char name[32];
    std::snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    const int mode = fcntl(fd, F_GETFL);
    return mode < 0 ? -1 : open(name, (mode & O_ACCMODE) | O_CLOEXEC);
}

MemfdUses::~MemfdUses() {
    close(fd_);
}

int MemfdUses::export_fd(bool close_on_exec) {
    if (own_) {
        const int again = open_memfd_again(fd_);
        if (again >= 0 && !close_on_exec) (void)fcntl(again, F_SETFD, 0);
        if (again >= 0 || errno == EMFILE || errno == ENFILE) return again;
        own_ = false;  // without /proc: the copy shares this open file description
    }
    return fcntl(fd_, close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 3);
}

uint64_t MemfdUses::begin(bool write) {
    if (!own_) return 0;
    const uint64_t byte = next_byte();
    struct flock lock = range(short(write ? F_WRLCK : F_RDLCK), byte, byte);
    return fcntl(fd_, F_OFD_SETLK, &lock) == 0 ? byte : 0;
}

void MemfdUses::end(uint64_t use) {
    struct flock lock = range(F_UNLCK, use, use);
    (void)fcntl(fd_, F_OFD_SETLK, &lock);
}

void MemfdUses::collect(bool write, std::vector<Others>* out) const {
    if (any_given_up_.load(std::memory_order_acquire)) {
        const std::lock_guard lock(mutex_);
        std::erase_if(given_up_, [this](const Others& o) { return has_ended(fd_, o); });
        if (!given_up_.empty()) return;
        any_given_up_.store(false, std::memory_order_release);
    }
    collect_others(fd_, write, out);
}

void MemfdUses::give_up(const std::vector<Others>& others) const {
    const std::lock_guard lock(mutex_);
    given_up_.insert(given_up_.end(), others.begin(), others.end());
    any_given_up_.store(!given_up_.empty(), std::memory_order_release);
}

bool MemfdUses::wait(bool write, uint64_t limit_ns, pid_t* pid) const {
    std::vector<Others> others;
    collect(write, &others);
    if (wait_until_ended(fd_, limit_ns, &others)) return true;
    give_up(others);
    *pid = 0;
    for (const Others& o : others)
        if (o.pid) *pid = o.pid;
    return false;
}

bool MemfdUses::ended(const Others& others) const {
    return has_ended(fd_, others);
}

void wait_for_memfd(int fd, bool write, uint64_t limit_ns) {
    std::vector<Others> others;
    collect_others(fd, write, &others);
    (void)wait_until_ended(fd, limit_ns, &others);
}

}  // namespace terrazzo::winsys
