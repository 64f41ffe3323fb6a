// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/compute/dispatch.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "drivers/soft/screen/time_limit.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

namespace {

/// With fewer invocations, waking a thread costs more than it saves.
constexpr uint64_t kParallelInvocations = 2048;
constexpr uint32_t kItemsPerThread = 16;
constexpr uint32_t kInvocationsPerLook = 1 << 14;

}  // namespace

LocalIds::LocalIds(const uint32_t size[3])
    : count_(size[0] * size[1] * size[2]),
      stride_((count_ + kMostLanes - 1) / kMostLanes * kMostLanes),
      words_(size_t(stride_) * 4) {
    for (uint32_t i = 0; i < count_; ++i) {
        words_[i] = i % size[0];
        words_[stride_ + i] = i / size[0] % size[1];
        words_[stride_ * 2 + i] = i / size[0] / size[1];
        words_[stride_ * 3 + i] = i;
    }
}

Dispatcher::Dispatcher(pipe::Ref<ThreadPool> pool)
    : pool_(std::move(pool)),
      queue_(pipe::Ref<JobQueue>::adopt(new JobQueue(pool_))),
      workers_(pool_->threads()) {}

Dispatcher::~Dispatcher() {
    queue_->close();
}

/// Allocates the memory that this dispatch needs on a thread.
void Dispatcher::prepare(Worker& w) const {
    const auto aligned = [](size_t n) { return (n + kAreaAlign_B - 1) & ~(kAreaAlign_B - 1); };
    const size_t shared_B = aligned(now_->shared_B + kBehindShared_B);
    const size_t wanted_B = shared_B + calls_ * array_B_ + kAreaAlign_B;
    if (w.bytes_B < wanted_B) {
        w.bytes_B = 0;
        w.bytes.reset(new uint8_t[wanted_B]);  // not zeroed: pages that are never touched cost nothing
        w.bytes_B = wanted_B;
    }
    const auto first = reinterpret_cast<uintptr_t>(w.bytes.get());
    w.shared = w.bytes.get() + (aligned(first) - first);
    w.arrays = w.shared + shared_B;
    // Zeroes the padding that code may read beyond the end. Each workgroup zeroes its own memory (run_item).
    std::memset(w.shared + now_->shared_B, 0, kBehindShared_B);
    if (calls_ > 1) w.fibers.reserve(calls_);
}

void Dispatcher::run_waiting(Worker& w, std::vector<Call>& calls, const ComputeArgs& args) const {
    const uint32_t lanes = now_->code->lanes;
    for (uint32_t n = 0; n < calls_; ++n) {
        Call& c = calls[n];
        c = {args, &w.fibers};
        c.args.wait = [](ComputeArgs* a) { reinterpret_cast<Call*>(a)->fibers->wait(); };
        c.args.count = std::min(lanes, args.count - n * lanes);
        c.args.arrays = w.arrays + n * array_B_;
        for (unsigned i = 0; i < 4; ++i)
            c.args.ids[i] += n * lanes;
    }
    struct Body {
        const CompiledShader& code;
        std::vector<Call>& calls;
    } body{*now_->code, calls};
    w.fibers.run(
        calls_,
        [](void* data, unsigned n) {
            const Body& b = *static_cast<const Body*>(data);
            b.code.compute(&b.calls[n].args);
        },
        &body);
}

void Dispatcher::run_item(Worker& w, std::vector<Call>& calls, uint32_t item) const {
    ComputeArgs args = now_->args;
    args.shader = now_->code->self;
    args.work = w.memory.work();
    args.arrays = w.arrays;
    args.count = now_->ids->count();
    args.shared = {w.shared, now_->shared_B};
    args.wait = [](ComputeArgs*) {};  // there is only one call
    for (unsigned i = 0; i < 4; ++i)
        args.ids[i] = now_->ids->row(i);
    const uint64_t first = item * per_item_, end = std::min(total_, first + per_item_);
    Patience patience(kInvocationsPerLook);
    for (uint64_t i = first; i < end; ++i) {
        if (!patience.goes_on(*args.watch, args.count)) return;
        args.group[0] = uint32_t(i % args.groups[0]);
        args.group[1] = uint32_t(i / args.groups[0] % args.groups[1]);
        args.group[2] = uint32_t(i / args.groups[0] / args.groups[1]);
        // A shader may read shared memory that it has not written: it must not see other data of the process.
        std::memset(w.shared, 0, now_->shared_B);
        if (calls_ > 1)
            run_waiting(w, calls, args);
        else
            now_->code->compute(&args);
    }
}

void Dispatcher::work(unsigned worker, TileWorker&) {
    std::vector<Call> calls;
    std::unique_ptr<Worker>& w = workers_[worker];
    for (uint32_t item; next(worker, &item);) {
        if (failed_.load(std::memory_order_relaxed)) continue;
        try {
            if (!w) w = std::make_unique<Worker>();
            if (calls.size() < calls_) {
                prepare(*w);
                calls.resize(calls_);
            }
            run_item(*w, calls, item);
        } catch (const std::bad_alloc&) {
            failed_.store(true, std::memory_order_relaxed);
        }
    }
}

void Dispatcher::run(const Workgroups& now) {
    total_ = uint64_t(now.args.groups[0]) * now.args.groups[1] * now.args.groups[2];
    if (!total_) return;
    now_ = &now;
    const uint32_t lanes = now.code->lanes;
    calls_ = now.code->waits ? (now.ids->count() + lanes - 1) / lanes : 1;
    array_B_ = now.code->private_scalars
                   ? (size_t(now.code->private_scalars) + 2) * kMostLanes * sizeof(uint32_t)
                   : 0;
    failed_.store(false, std::memory_order_relaxed);
    const uint64_t most = uint64_t(pool_->threads()) * kItemsPerThread;
    per_item_ = (total_ + most - 1) / most;
    items_ = uint32_t((total_ + per_item_ - 1) / per_item_);
    const bool alone =
        items_ == 1 || pool_->threads() == 1 || total_ * now.ids->count() < kParallelInvocations;
    if (!alone && pool_->start()) {
        (void)queue_->wait(pool_->add(*queue_, *this), pipe::Fence::kForever);
    } else {
        // This thread waits, so it is worker 0.
        if (!workers_[0]) workers_[0] = std::make_unique<Worker>();
        prepare(*workers_[0]);
        std::vector<Call> calls(calls_);
        for (uint32_t i = 0; i < items_; ++i)
            run_item(*workers_[0], calls, i);
    }
    if (failed_.load(std::memory_order_relaxed)) throw std::bad_alloc();
}

}  // namespace terrazzo::soft
