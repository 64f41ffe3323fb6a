// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/foreign_fences.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "winsys/clock.h"
#include "winsys/drm/sync_file.h"

namespace terrazzo::winsys::virt {
namespace {

using namespace std::chrono_literals;

/// The time between two checks. It starts short, since most foreign work is nearly complete when it is waited
/// for.
constexpr std::chrono::microseconds kFirstPause = 50us, kLongestPause = 2ms;

}  // namespace

void ForeignFences::stop() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
    // A fence that waits for several holds those that wait, and they hold it.
    const std::lock_guard domain(domain_.mutex);
    for (const Wait& w : waits_)
        w.fence->abandon();
    waits_.clear();
}

std::shared_ptr<Fence> ForeignFences::watch(std::function<bool()> ended, std::function<void()> give_up) {
    auto fence = std::make_shared<Fence>(domain_);
    const std::lock_guard lock(mutex_);
    waits_.push_back({fence, std::move(ended), std::move(give_up), monotonic_ns() + limit_ns_.load()});
    if (!thread_.joinable() && !start()) {
        waits_.pop_back();
        throw std::bad_alloc();
    }
    changed_.notify_all();
    return fence;
}

/// Returns false if no thread can be created.
bool ForeignFences::start() {
    // The application's threads handle the signals.
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    try {
        thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &old, nullptr);
    return thread_.joinable();
}

std::shared_ptr<Fence> ForeignFences::of_others(const std::shared_ptr<MemfdUses>& file, bool writes) {
    const auto others = std::make_shared<std::vector<MemfdUses::Others>>();
    file->collect(writes, others.get());
    if (others->empty()) return nullptr;
    return watch(
        [file, others] {
            std::erase_if(*others, [&](const MemfdUses::Others& o) { return file->ended(o); });
            return others->empty();
        },
        [file, others] {
            const pid_t pid = others->front().pid;
            fprintf(stderr,
                    "terrazzo: %s%s uses a shared buffer for longer than work may wait; it is not waited for "
                    "any more\n",
                    pid ? "process " : "another process", pid ? std::to_string(pid).c_str() : "");
            try {
                file->give_up(*others);
            } catch (const std::bad_alloc&) {  // the next wait lasts as long
            }
        });
}

std::shared_ptr<Fence> ForeignFences::of_sync_file(int fd) {
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0) return nullptr;
    const auto closed_later = std::shared_ptr<void>(nullptr, [own](void*) { close(own); });
    return watch([own, closed_later] { return sync_file_signalled(own); }, {});
}

/// A fence is signalled under the domain's lock, which must be acquired before mutex_.
void ForeignFences::run() {
    auto pause = kFirstPause;
    std::unique_lock lock(mutex_);
    while (!stop_) {
        if (waits_.empty()) {
            changed_.wait(lock);
            pause = kFirstPause;
            continue;
        }
        std::list<Wait> ended, lost;
        const uint64_t now = monotonic_ns();
        for (auto it = waits_.begin(); it != waits_.end();) {
            const auto next = std::next(it);
            if (it->ended())
                ended.splice(ended.end(), waits_, it);
            else if (now > it->give_up_ns)
                lost.splice(lost.end(), waits_, it);
            it = next;
        }
        if (ended.empty() && lost.empty()) {
            const bool more = changed_.wait_for(lock, pause) == std::cv_status::no_timeout;
            pause = more ? kFirstPause : std::min(pause * 2, kLongestPause);
            continue;
        }
        lock.unlock();
        for (const Wait& w : lost)
            if (w.give_up) w.give_up();
        {
            const std::lock_guard domain(domain_.mutex);
            for (const Wait& w : ended)
                w.fence->signal(0);
            for (const Wait& w : lost)
                w.fence->signal(-ETIMEDOUT);
        }
        lock.lock();
        pause = kFirstPause;
    }
}

}  // namespace terrazzo::winsys::virt
