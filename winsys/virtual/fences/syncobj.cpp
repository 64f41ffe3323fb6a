// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/fences/syncobj.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace terrazzo::winsys::virt {
namespace {

void write_event(int fd) {
    const uint64_t one = 1;
    (void)!write(fd, &one, sizeof one);
    close(fd);
}

}  // namespace

Syncobj::~Syncobj() {
    for (const Notify& n : notify_)
        close(n.fd);
}

void Syncobj::replace(std::shared_ptr<Fence> fence) {
    fence_.swap(fence);
    changed();
}

void Syncobj::add_point(std::shared_ptr<Fence> fence, uint64_t point) {
    fence_ = ChainFence::create(domain_, fence_, std::move(fence), point);
    changed();
}

int Syncobj::find(uint64_t point, std::shared_ptr<Fence>* out) const {
    if (!fence_) return -EINVAL;
    std::shared_ptr<Fence> fence = fence_;
    if (const int error = find_point(&fence, point)) return error;
    *out = fence ? std::move(fence) : Fence::done(domain_);
    return 0;
}

uint64_t Syncobj::query(bool submitted) const {
    ChainFence* last = fence_ ? fence_->chain() : nullptr;
    if (!last) return 0;
    if (submitted) return last->point();
    ChainFence* oldest = last;  // the oldest point that has not signalled
    for (ChainFence* at = last; at && at->context() == last->context();) {
        oldest = at;
        const auto& before = at->previous();
        at = before ? before->chain() : nullptr;
    }
    return oldest->signaled() ? oldest->point() : oldest->previous_point();
}

bool Syncobj::settle(const Notify& n) const {
    std::shared_ptr<Fence> fence;
    if (find(n.point, &fence) != 0) return false;
    if (n.available)
        write_event(n.fd);
    else
        fence->on_signal([fd = n.fd](int) { write_event(fd); });
    return true;
}

void Syncobj::notify(int fd, uint64_t point, bool available) {
    std::list<Notify> one;
    one.push_back({fd, point, available});
    if (!settle(one.front())) notify_.splice(notify_.end(), one);
}

void Syncobj::changed() {
    for (auto it = notify_.begin(); it != notify_.end();)
        it = settle(*it) ? notify_.erase(it) : std::next(it);
    domain_.changed.notify_all();
}

}  // namespace terrazzo::winsys::virt
