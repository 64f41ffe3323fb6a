// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_csf.c (what a stream does before and after a pass), panvk_cmd_buffer of CSF
// (queues that wait for each other); hw/cs.rows.
#include "drivers/mali/submission/recorder.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>
#include <numeric>

#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali {

namespace {

std::atomic<uint64_t> g_next_job{1};

constexpr unsigned kVertex = unsigned(QueueKind::VertexTiler), kFragment = unsigned(QueueKind::Fragment),
                   kCompute = unsigned(QueueKind::Compute);

constexpr unsigned kHeapPair = kScratchRegister, kAddressPair = kScratchRegister + 2,
                   kValuePair = kScratchRegister + 4, kFlushId = kScratchRegister + 6;
/// The memory ranges of compute jobs that are remembered. If there are more, the stream waits.
constexpr size_t kRememberedRanges = 32;

}  // namespace

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues)
    : QueuedRecording(device, std::move(queues)),
      vertex(pool),
      fragment(pool),
      compute(pool),
      device_(device),
      oom_handler_(TilerOomHandler::create(*device)) {
    if (!oom_handler_) throw std::bad_alloc();
    generation_ = this->queues().generation();
    write_sample_locations();
    begin();
}

Recorder::~Recorder() {
    queues().abandon();
}

/// 32 samples, the origin and padding: x and y in 1/256 px, 16 bits each (Mesa 25.0.7, pan_samples.c). A
/// single sample is in the middle of the pixel.
void Recorder::write_sample_locations() {
    constexpr uint32_t kPositions = 64, kOrigin = 32, kMiddle = 128 | 128 << 16;
    sample_locations_ = device_->create_block(kPositions * 4, 64);
    if (!sample_locations_) throw std::bad_alloc();
    auto* const words = reinterpret_cast<uint32_t*>(sample_locations_.cpu);
    for (uint32_t i = 0; i < kPositions; ++i)
        words[i] = i == 0 || i == kOrigin ? kMiddle : 0;
}

void Recorder::begin() {
    // Replaces a lost group. If that fails, the next submission fails.
    (void)queues().prepare();
    local_storage_va_ = 0;
    local_storage_B_ = 0;
    freeing_heap_ = false;
    computed_.clear();
    if (generation_ != queues().generation()) {
        generation_ = queues().generation();
        forget_streams();
        // Work of the old group has ended.
        now_.count = {};
        for (Known& k : now_.known)
            k.done = now_.last;
        now_.signalled = now_.known;
    }
    // A stream begins after the previous one of its queue has ended, and the kernel flushes the caches then.
    for (unsigned q = 0; q < kQueueCount; ++q) {
        now_.known[q].done[q] = now_.last[q];
        now_.known[q].seen = now_.known[q].done;
    }
    submitted_ = now_;
}

/// The next streams set all state again, since the earlier ones did not run, or ran in another group.
void Recorder::forget_streams() {
    vertex_open_ = fragment_open_ = compute_open_ = false;
}

void Recorder::open_vertex() {
    if (vertex_open_) return;
    vertex_open_ = true;
    vertex.set_slots(kSlotIterators, kSlotLoadStore);
    hw::CsReqResource resources;
    resources.idvs = resources.tiler = true;
    vertex.emit(resources);
    vertex.set64(kHeapPair, queues().heap_context_va());
    vertex.emit(hw::CsHeapSet{.address = kHeapPair});
    oom_handler_->install(vertex);
}

void Recorder::open_fragment() {
    if (fragment_open_) return;
    fragment_open_ = true;
    fragment.set_slots(kSlotIterators, kSlotLoadStore);
    hw::CsReqResource resources;
    resources.fragment = true;
    fragment.emit(resources);
    fragment.set64(kHeapPair, queues().heap_context_va());
    fragment.emit(hw::CsHeapSet{.address = kHeapPair});
}

void Recorder::open_compute() {
    if (compute_open_) return;
    compute_open_ = true;
    compute.set_slots(kSlotIterators, kSlotLoadStore);
    hw::CsReqResource resources;
    resources.compute = true;
    compute.emit(resources);
}

// ---- Dependencies between queues ----

uint64_t Recorder::next_job() {
    return g_next_job.fetch_add(1, std::memory_order_relaxed);
}

void Recorder::Known::learn(const Known& from) {
    for (unsigned q = 0; q < kQueueCount; ++q) {
        done[q] = std::max(done[q], from.done[q]);
        seen[q] = std::max(seen[q], from.seen[q]);
    }
}

// (The kernel waits for the jobs of other contexts.)
bool Recorder::lacks(const JobNumbers& have, const JobNumbers& needed) const {
    for (unsigned q = 0; q < kQueueCount; ++q)
        if (std::min(needed[q], now_.last[q]) > have[q]) return true;
    return false;
}

void Recorder::add_number(QueueKind q, uint32_t wait_mask) {
    CsBuilder& b = stream(q);
    b.set64(kAddressPair, queues().sequence_va(q));
    b.set64(kValuePair, 1);
    hw::CsSyncAdd64 add;
    add.scope = hw::CsSyncScope::Csg;
    add.error_propagate = true;
    add.wait_mask = wait_mask;
    add.data = kValuePair;
    add.address = kAddressPair;
    add.signal_slot = kSlotDeferred;
    b.emit(add);
    const unsigned i = unsigned(q);
    ++now_.count[i];
    now_.signalled[i] = now_.known[i];
    now_.signalled[i].done[i] = now_.last[i];
}

uint64_t Recorder::signal(QueueKind q) {
    const unsigned i = unsigned(q);
    Known all = now_.known[i];
    all.done[i] = now_.last[i];
    if (lacks(now_.signalled[i].done, all.done)) {
        if (q == QueueKind::Fragment) open_fragment();
        const bool runs = now_.known[i].done[i] != now_.last[i];
        add_number(q, q == QueueKind::Fragment ? fragment_slots() : uint32_t(runs) << kSlotIterators);
    }
    return now_.count[i];
}

void Recorder::follow(QueueKind q, QueueKind other, uint64_t job) {
    Known& known = now_.known[unsigned(q)];
    const unsigned o = unsigned(other);
    job = std::min(job, now_.last[o]);
    if (job <= known.done[o]) return;
    if (q == other) {
        stream(q).wait(1u << kSlotIterators);
        known.done[o] = now_.last[o];
        return;
    }
    const uint64_t number = now_.signalled[o].done[o] >= job ? now_.count[o] : signal(other);
    if (q == QueueKind::Fragment) open_fragment();
    CsBuilder& b = stream(q);
    b.set64(kAddressPair, queues().sequence_va(other));
    b.set64(kValuePair, number - 1);
    hw::CsSyncWait64 wait;
    wait.condition = hw::CsCondition::Greater;
    wait.error_reject = true;
    wait.data = kValuePair;
    wait.address = kAddressPair;
    b.emit(wait);
    known.learn(now_.signalled[o]);
}

void Recorder::meet(QueueKind q, const Needs& needs) {
    // From the latest job on: a later one may have waited for earlier ones of other queues, which then need
    // no wait.
    std::array<unsigned, kQueueCount> order;
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
        const bool a_own = a == unsigned(q), b_own = b == unsigned(q);
        return a_own != b_own ? b_own : needs.done[a] > needs.done[b];
    });
    for (const unsigned o : order)
        follow(q, QueueKind(o), needs.done[o]);
    if (lacks(now_.known[unsigned(q)].seen, needs.seen)) flush_caches(q, false);
}

void Recorder::signal_vertex() {
    now_.last[kVertex] = next_job();
    add_number(QueueKind::VertexTiler, 1u << kSlotDeferred);  // the heap operation
}

uint64_t Recorder::signal_handler(const Needs& needs, bool draws, bool* flushes) {
    // Draws of the pass can precede a wait of its stream. Only what was known when recording began holds for
    // all.
    Known known = submitted_.known[kVertex];
    JobNumbers done = draws ? needs.done : JobNumbers{};
    done[kFragment] = now_.last[kFragment];
    uint64_t number = 0;
    if (lacks(known.done, done)) {
        if (std::min(done[kCompute], now_.last[kCompute]) > known.done[kCompute])
            follow(QueueKind::Fragment, QueueKind::Compute, done[kCompute]);
        number =
            lacks(now_.signalled[kFragment].done, done) ? signal(QueueKind::Fragment) : now_.count[kFragment];
        known.learn(now_.signalled[kFragment]);
    }
    *flushes = draws && lacks(known.seen, needs.seen);
    return number;
}

void Recorder::begin_compute(const Touched& reads, const Touched& writes, bool buffer) {
    open_compute();
    Needs needs;
    if (reads.jobs) needs.reads(*reads.jobs);
    if (writes.jobs) needs.writes(*writes.jobs);
    // Of the queue's own jobs, those that access the same bytes.
    uint64_t done = 0, seen = 0;
    for (const Computed& c : computed_) {
        if (c.written && c.range.meets(reads.range)) seen = std::max(seen, c.job);
        if (c.range.meets(writes.range)) done = std::max(done, c.job);
    }
    if (computed_.size() + 2 > kRememberedRanges) seen = last(QueueKind::Compute);
    needs.seen[kCompute] = seen;
    needs.done[kCompute] = std::max(done, seen);
    if (buffer) needs.done[kVertex] = last(QueueKind::VertexTiler);
    meet(QueueKind::Compute, needs);
    const Known& known = now_.known[kCompute];
    std::erase_if(computed_, [&](const Computed& c) {
        return c.job <= (c.written ? known.seen : known.done)[kCompute];
    });
    compute_job_ = next_job();
    if (buffer) buffer_job_ = compute_job_;
    computed_.push_back({reads.range, compute_job_, false});
    computed_.push_back({writes.range, compute_job_, true});
    if (reads.jobs) reads.jobs->note_read(QueueKind::Compute, compute_job_);
    if (writes.jobs) writes.jobs->note_written(QueueKind::Compute, compute_job_);
}

void Recorder::await_buffers() {
    if (!buffer_job_) return;
    Needs needs;
    needs.done[kCompute] = needs.seen[kCompute] = buffer_job_;
    meet(QueueKind::VertexTiler, needs);
}

void Recorder::end_compute() {
    now_.last[kCompute] = compute_job_;
}

void Recorder::run_fragment(uint64_t job, uint64_t tiler_va) {
    CsBuilder& b = fragment;
    b.emit(hw::CsRunFragment{});
    now_.last[kFragment] = job;
    if (!tiler_va) return;
    // The heap chunks to free: completed_top and completed_bottom of the tiler context.
    constexpr unsigned kContext = kScratchRegister + 8, kChunks = kScratchRegister + 10;
    b.set64(kContext, tiler_va);
    b.load(kChunks, 4, kContext, kTilerCompleted_B);
    b.wait(1u << kSlotIterators | 1u << kSlotLoadStore);
    now_.known[kFragment].done[kFragment] = job;
    hw::CsFinishFragment finish;
    finish.increment_fragment_completed = true;
    finish.first_heap_chunk = kChunks;
    finish.last_heap_chunk = kChunks + 2;
    finish.signal_slot = kSlotDeferred;
    b.emit(finish);
    freeing_heap_ = true;
}
uint32_t Recorder::fragment_slots() const {
    return (now_.known[kFragment].done[kFragment] != now_.last[kFragment] ? 1u << kSlotIterators : 0) |
           (freeing_heap_ ? 1u << kSlotDeferred : 0);
}

/// Flushes caches between work and the reader of its results: later work, or the host, which reads after the
/// stream has ended.
void Recorder::flush_caches(QueueKind q, bool for_host, uint32_t wait_mask) {
    CsBuilder& b = stream(q);
    hw::CsFlushCache2 flush;
    flush.l2_flush_mode = flush.lsc_flush_mode =
        for_host ? hw::CsFlushMode::Clean : hw::CsFlushMode::CleanAndInvalidate;
    flush.other_invalidate = true;
    flush.latest_flush_id = kFlushId;
    flush.wait_mask = wait_mask;
    flush.signal_slot = kSlotDeferred;
    b.set32(kFlushId, 0);
    b.emit(flush);
    if (for_host) return;
    b.wait(1u << kSlotDeferred);
    Known& known = now_.known[unsigned(q)];
    known.seen = known.done;
    if (q == QueueKind::Fragment) freeing_heap_ = false;
}

uint64_t Recorder::local_storage(uint32_t tls_B) {
    if (local_storage_va_ && tls_B <= local_storage_B_) return local_storage_va_;
    hw::LocalStorage d;
    if (tls_B) {
        // A power of two, at least 16 bytes a thread, for every thread that a core can run.
        const uint32_t thread_B = std::bit_ceil(std::max(tls_B, 16u));
        const hw::Chip& chip = device_->chip();
        const uint64_t size_B = uint64_t(thread_B) * chip.max_threads * chip.core_id_range();
        if (!tls_ || tls_->size_B < size_B) {
            pipe::Ref<Bo> bo = device_->create_bo(size_B, bo_flag::kNoCpu);
            if (!bo) throw std::bad_alloc();
            if (tls_) hold_always(tls_);
            tls_ = std::move(bo);
        }
        hold_always(tls_);
        d.tls_size = uint32_t(std::countr_zero(thread_B / 16));
        d.tls_address_mode = hw::AddressMode::Packed;
        d.tls_base_pointer = tls_->va >> 8;
        tls_B = thread_B;
    }
    const Pool::Piece p = pool.allocate(hw::LocalStorage::kSize_B, hw::LocalStorage::kAlign_B);
    hw::pack(d, reinterpret_cast<uint32_t*>(p.cpu));
    local_storage_va_ = p.va;
    local_storage_B_ = tls_B;
    return p.va;
}

/// The submission ends with the fragment queue's stream.
void Recorder::finish_streams() {
    open_fragment();
    await_vertex();
    follow(QueueKind::Fragment, QueueKind::Compute, last(QueueKind::Compute));
    const JobNumbers& seen = now_.known[kFragment].seen;
    if (seen[kFragment] != last(QueueKind::Fragment) || seen[kCompute] != last(QueueKind::Compute))
        flush_caches(QueueKind::Fragment, true, fragment_slots() & 1u << kSlotIterators);
    for (unsigned q = 0; q < kQueueCount; ++q)
        streams_[q] = stream(QueueKind(q)).finish();
    watched_in_flight_.push_back({0, std::move(watched_)});
    watched_.clear();
}

uint64_t Recorder::submit_streams(const submission::Needs& needs) {
    const uint64_t point = queues().submit(streams_, needs.waits);
    if (point && !watched_in_flight_.back().contexts.empty())
        watched_in_flight_.back().point = point;
    else
        watched_in_flight_.pop_back();
    return point;
}

void Recorder::tell_exhausted(const Watched& w) const {
    for (const uint8_t* context : w.contexts) {
        uint32_t times = 0;
        std::memcpy(&times, context + offsetof(OomContext, counter), sizeof times);
        if (times) device_->slow("the tiler's heap was exhausted: a pass was drawn in %u parts", times + 1);
    }
}

void Recorder::discard_streams() {
    for (unsigned q = 0; q < kQueueCount; ++q)
        stream(QueueKind(q)).discard();
}

void Recorder::begin_streams(bool ran) {
    if (!ran) {
        // None of it runs. Earlier submissions may.
        now_ = submitted_;
        forget_streams();
        watched_.clear();
    }
    begin();
}

void Recorder::retire() {
    // Before the pool reuses their memory.
    while (!watched_in_flight_.empty() &&
           timeline()->wait(watched_in_flight_.front().point, 0) != WaitResult::Timeout) {
        tell_exhausted(watched_in_flight_.front());
        watched_in_flight_.pop_front();
    }
    QueuedRecording::retire();
}

}  // namespace terrazzo::mali
