// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The order of points, their contexts and which points are skipped follow Linux'
// drivers/dma-buf/dma-fence-chain.c.
#include "winsys/virtual/fences/fence.h"

#include <cerrno>
#include <utility>

#include "winsys/clock.h"

namespace terrazzo::winsys::virt {

void SyncDomain::run(std::list<Waiting>& callbacks, int error) {
    for (Waiting& w : callbacks)
        w.error = error;
    pending_.splice(pending_.end(), callbacks);
    if (!running_) {
        running_ = true;
        while (!pending_.empty()) {
            std::list<Waiting> one;
            one.splice(one.begin(), pending_, pending_.begin());
            one.front().callback(one.front().error);
        }
        running_ = false;
    }
    changed.notify_all();
}

std::shared_ptr<Fence> Fence::done(SyncDomain& domain, int error) {
    auto fence = std::make_shared<Fence>(domain);
    fence->signal(error);
    return fence;
}

std::shared_ptr<Fence> Fence::all_of(SyncDomain& domain, const std::list<std::shared_ptr<Fence>>& parts) {
    struct State {
        std::weak_ptr<Fence> whole;
        std::list<std::shared_ptr<Fence>> parts;
        size_t missing;
    };
    auto whole = std::make_shared<Fence>(domain);
    auto state = std::make_shared<State>(State{whole, parts, parts.size() + 1});
    const auto one_done = [state](int) {
        if (--state->missing) return;
        int error = 0;
        for (const auto& part : state->parts)
            error = error ? error : part->error();
        if (const auto f = state->whole.lock()) f->signal(error);
    };
    for (const auto& part : parts)
        part->on_signal(one_done);
    one_done(0);
    return whole;
}

void Fence::on_signal(FenceCallback callback) {
    std::list<SyncDomain::Waiting> one;
    one.push_back({std::move(callback)});
    if (signaled_)
        domain_.run(one, error_);
    else
        callbacks_.splice(callbacks_.end(), one);
}

void Fence::signal(int error) {
    if (signaled_) return;
    signaled_ = true;
    error_ = error;
    timestamp_ns_ = monotonic_ns();
    domain_.run(callbacks_, error);
}

std::shared_ptr<ChainFence> ChainFence::create(SyncDomain& domain, std::shared_ptr<Fence> prev,
                                               std::shared_ptr<Fence> contained, uint64_t point) {
    std::shared_ptr<ChainFence> fence(new ChainFence(domain));
    ChainFence* before = prev ? prev->chain() : nullptr;
    if (before && point > before->point()) {
        fence->context_ = before->context();
        fence->previous_point_ = before->point();
        fence->point_ = point;
    } else {
        fence->context_ = domain.next_context();
        fence->point_ = before && before->point() > point ? before->point() : point;
    }
    for (Fence* part : {prev.get(), contained.get()}) {
        if (!part) continue;
        if (part->signaled()) continue;
        fence->missing_++;
        part->on_signal([weak = std::weak_ptr<ChainFence>(fence)](int) {
            if (const auto self = weak.lock()) self->part_done();
        });
    }
    fence->prev_ = std::move(prev);
    fence->contained_ = std::move(contained);
    fence->part_done();
    (void)fence->previous();  // releases signalled points, so that timelines stay short
    return fence;
}

ChainFence::~ChainFence() {
    // Releases the points in a loop: a long timeline must not cause deep recursion.
    std::shared_ptr<Fence> next = std::move(prev_);
    while (next && next.use_count() == 1 && next->chain())
        next = std::move(next->chain()->prev_);
}

void ChainFence::part_done() {
    if (--missing_ == 0) signal(0);
}

const std::shared_ptr<Fence>& ChainFence::previous() {
    if (prev_ && prev_->signaled()) prev_.reset();  // all points before it have signalled, too
    return prev_;
}

std::list<std::shared_ptr<Fence>> parts_of(const std::shared_ptr<Fence>& fence) {
    std::list<std::shared_ptr<Fence>> parts;
    std::shared_ptr<Fence> at = fence;
    while (at) {
        ChainFence* const point = at->chain();
        const auto& part = point ? point->contained() : at;
        if (part) parts.push_back(part);
        at = point ? point->previous() : nullptr;
    }
    return parts;
}

int find_point(std::shared_ptr<Fence>* fence, uint64_t point) {
    if (point == 0) return 0;
    ChainFence* last = (*fence)->chain();
    if (!last || last->point() < point) return -EINVAL;
    const uint64_t context = last->context();
    std::shared_ptr<Fence> at = *fence;
    while (at) {
        ChainFence* here = at->chain();
        if (!here || here->context() != context || here->previous_point() < point) break;
        at = here->previous();
    }
    *fence = std::move(at);
    return 0;
}

}  // namespace terrazzo::winsys::virt
