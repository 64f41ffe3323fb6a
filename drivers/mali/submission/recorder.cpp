// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_csf.c (what a stream does before and after a pass), panvk_cmd_buffer of CSF
// (queues that wait for each other); hw/cs.rows.
#include "drivers/mali/submission/recorder.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <new>

#include "drivers/mali/hw/descriptors.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::mali {

namespace {

constexpr size_t kVertex = size_t(QueueKind::VertexTiler), kFragment = size_t(QueueKind::Fragment),
                 kCompute = size_t(QueueKind::Compute);

// The tables of sample positions, in this order.
constexpr uint32_t kTabledSamples[] = {1, 4, 8}, kSampleTable_B = 64 * 4;
static_assert(kTabledSamples[std::size(kTabledSamples) - 1] == kMaxSamples);

constexpr unsigned kHeapPair = kScratchRegister, kAddressPair = kScratchRegister + 2,
                   kValuePair = kScratchRegister + 4, kFlushId = kScratchRegister + 6;

}  // namespace

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues)
    : VendorRecording(std::move(device), std::move(queues)) {
    if (!oom_handler_) throw std::bad_alloc();
    begin();
}

/// A table for each number of samples. It has room for 32 samples, the origin and padding: x and y in 1/256
/// px, 16 bits each (Mesa 25.0.7, pan_samples.c).
Block Recorder::create_sample_locations() {
    constexpr uint32_t kOrigin = 32, kMiddle = 128 | 128 << 16;
    Block block = create_block(std::size(kTabledSamples) * kSampleTable_B, 64);
    std::memset(block.cpu, 0, std::size(kTabledSamples) * kSampleTable_B);
    auto* words = reinterpret_cast<uint32_t*>(block.cpu);
    for (const uint32_t samples : kTabledSamples) {
        words[kOrigin] = kMiddle;
        for (uint32_t n = 0; n < samples; ++n) {
            const pipe::raster::SamplePosition& at = pipe::raster::sample_at(samples, n);
            words[n] = uint32_t(128 + at.x * 16) | uint32_t(128 + at.y * 16) << 16;
        }
        words += kSampleTable_B / 4;
    }
    return block;
}

uint64_t Recorder::sample_locations_va(uint32_t samples) const {
    const auto* const found = std::find(std::begin(kTabledSamples), std::end(kTabledSamples), samples);
    return sample_locations_.va + uint64_t(found - std::begin(kTabledSamples)) * kSampleTable_B;
}

void Recorder::begin() {
    // Replaces a lost group. If that fails, the next submission fails.
    (void)queue().prepare();
    local_storage_va_ = 0;
    local_storage_B_ = 0;
    freeing_heap_ = false;
    computed_.clear();
    const bool replaced = generation_ != queue().generation();
    generation_ = queue().generation();
    if (replaced) forget_streams();
    order_.begin_streams(replaced);
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
    vertex.set64(kHeapPair, queue().heap_context_va());
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
    fragment.set64(kHeapPair, queue().heap_context_va());
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

void Recorder::add_number(size_t q, uint32_t wait_mask) {
    CsBuilder& b = builders_[q];
    b.set64(kAddressPair, queue().sequence_va(QueueKind(q)));
    b.set64(kValuePair, 1);
    hw::CsSyncAdd64 add;
    add.scope = hw::CsSyncScope::Csg;
    add.error_propagate = true;
    add.wait_mask = wait_mask;
    add.data = kValuePair;
    add.address = kAddressPair;
    add.signal_slot = kSlotDeferred;
    b.emit(add);
}

void Recorder::signal(size_t q, bool runs) {
    if (q == kFragment) open_fragment();
    add_number(q, q == kFragment ? fragment_slots() : uint32_t(runs) << kSlotIterators);
}

void Recorder::wait_for(size_t q, size_t other, uint64_t number) {
    if (q == kFragment) open_fragment();
    CsBuilder& b = builders_[q];
    b.set64(kAddressPair, queue().sequence_va(QueueKind(other)));
    b.set64(kValuePair, number - 1);
    hw::CsSyncWait64 wait;
    wait.condition = hw::CsCondition::Greater;
    wait.error_reject = true;
    wait.data = kValuePair;
    wait.address = kAddressPair;
    b.emit(wait);
}

void Recorder::flush(size_t q) {
    flush_caches(q, false);
    builders_[q].wait(1u << kSlotDeferred);
    if (q == kFragment) freeing_heap_ = false;
}

void Recorder::signal_vertex() {
    order_.note_job(kVertex, submission::next_job());
    add_number(kVertex, 1u << kSlotDeferred);  // the heap operation
    order_.note_signal(kVertex);
}

uint64_t Recorder::signal_handler(const Needs& needs, bool draws, bool* flushes) {
    // Draws of the pass can precede a wait of its stream. Only what was known when recording began holds for
    // all.
    auto known = order_.known_at_begin(kVertex);
    JobNumbers done = draws ? needs.done : JobNumbers{};
    done[kFragment] = order_.last(kFragment);
    uint64_t number = 0;
    if (order_.lacks(known.done, done)) {
        if (std::min(done[kCompute], order_.last(kCompute)) > known.done[kCompute])
            order_.follow(*this, kFragment, kCompute, done[kCompute]);
        number = order_.lacks(order_.signalled(kFragment).done, done) ? order_.signal(*this, kFragment)
                                                                      : order_.count(kFragment);
        known.learn(order_.signalled(kFragment));
    }
    *flushes = draws && order_.lacks(known.seen, needs.seen);
    return number;
}

/// What fragment shaders do with buffers must have ended.
void Recorder::meet_fragments(Needs* needs) const {
    if (fragments_read_buffers_) needs->done[kFragment] = order_.last(kFragment);
    needs->done[kFragment] = std::max(needs->done[kFragment], fragment_store_job_);
    needs->seen[kFragment] = std::max(needs->seen[kFragment], fragment_store_job_);
}

void Recorder::begin_compute(const Touched& reads, const Touched& writes, bool buffer) {
    open_compute();
    Needs needs;
    if (reads.jobs) needs.reads(*reads.jobs);
    if (writes.jobs) needs.writes(*writes.jobs);
    // Of the queue's own jobs, those that access the same bytes.
    const auto own = computed_.needed(reads.range, writes.range, order_.last(kCompute));
    needs.done[kCompute] = own.done;
    needs.seen[kCompute] = own.seen;
    if (buffer) needs.done[kVertex] = order_.last(kVertex);
    if (buffer) meet_fragments(&needs);
    meet(QueueKind::Compute, needs);
    compute_job_ = submission::next_job();
    if (buffer) buffer_job_ = compute_job_;
    const auto& known = order_.known(kCompute);
    computed_.add(reads.range, writes.range, compute_job_, known.done[kCompute], known.seen[kCompute]);
    if (reads.jobs) reads.jobs->note_read(kCompute, compute_job_);
    if (writes.jobs) writes.jobs->note_written(kCompute, compute_job_);
}

void Recorder::begin_dispatch(Needs needs) {
    open_compute();
    needs.done[kVertex] = order_.last(kVertex);
    meet_fragments(&needs);
    needs.done[kCompute] = needs.seen[kCompute] = order_.last(kCompute);
    meet(QueueKind::Compute, needs);
    compute_job_ = buffer_job_ = submission::next_job();
    constexpr VaRange kAll{0, UINT64_MAX};
    const auto& known = order_.known(kCompute);
    computed_.add(kAll, kAll, compute_job_, known.done[kCompute], known.seen[kCompute]);
}

void Recorder::await_buffers() {
    if (!buffer_job_ && !awaited_store_job_) return;
    Needs needs;
    needs.done[kCompute] = needs.seen[kCompute] = buffer_job_;
    needs.done[kFragment] = needs.seen[kFragment] = awaited_store_job_;
    meet(QueueKind::VertexTiler, needs);
}

void Recorder::end_compute() {
    order_.note_job(kCompute, compute_job_);
}

void Recorder::run_fragment(uint64_t job, uint64_t tiler_va) {
    CsBuilder& b = fragment;
    b.emit(hw::CsRunFragment{});
    order_.note_job(kFragment, job);
    if (!tiler_va) return;
    // The heap chunks to free: completed_top and completed_bottom of the tiler context.
    constexpr unsigned kContext = kScratchRegister + 8, kChunks = kScratchRegister + 10;
    b.set64(kContext, tiler_va);
    b.load(kChunks, 4, kContext, kTilerCompleted_B);
    b.wait(1u << kSlotIterators | 1u << kSlotLoadStore);
    order_.note_ended(kFragment);
    hw::CsFinishFragment finish;
    finish.increment_fragment_completed = true;
    finish.first_heap_chunk = kChunks;
    finish.last_heap_chunk = kChunks + 2;
    finish.signal_slot = kSlotDeferred;
    b.emit(finish);
    freeing_heap_ = true;
}
uint32_t Recorder::fragment_slots() const {
    return (order_.runs(kFragment) ? 1u << kSlotIterators : 0) | (freeing_heap_ ? 1u << kSlotDeferred : 0);
}

/// Flushes caches between work and the reader of its results: later work, or the host, which reads after the
/// stream has ended.
void Recorder::flush_caches(size_t q, bool for_host, uint32_t wait_mask) {
    CsBuilder& b = builders_[q];
    hw::CsFlushCache2 flush;
    flush.l2_flush_mode = flush.lsc_flush_mode =
        for_host ? hw::CsFlushMode::Clean : hw::CsFlushMode::CleanAndInvalidate;
    flush.other_invalidate = true;
    flush.latest_flush_id = kFlushId;
    flush.wait_mask = wait_mask;
    flush.signal_slot = kSlotDeferred;
    b.set32(kFlushId, 0);
    b.emit(flush);
}

/// Rounds `tls_B` up to what threads then have.
hw::LocalStorage Recorder::thread_storage(uint32_t* tls_B) {
    hw::LocalStorage d;
    if (!*tls_B) return d;
    // A power of two, at least 16 bytes a thread, for every thread that a core can run.
    const uint32_t thread_B = *tls_B = std::bit_ceil(std::max(*tls_B, 16u));
    const hw::Chip& chip = device().chip();
    const uint64_t size_B = uint64_t(thread_B) * chip.max_threads * chip.core_id_range();
    if (!tls_ || tls_->size_B < size_B) {
        pipe::Ref<Bo> bo = device().create_bo(size_B, bo_flag::kNoCpu);
        if (!bo) throw std::bad_alloc();
        if (tls_) hold_always(tls_);
        tls_ = std::move(bo);
    }
    hold_always(tls_);
    d.tls_size = uint32_t(std::countr_zero(thread_B / 16));
    d.tls_address_mode = hw::AddressMode::Packed;
    d.tls_base_pointer = tls_->va >> 8;
    return d;
}

uint64_t Recorder::put_storage(const hw::LocalStorage& d) {
    const Pool::Piece p = pool.allocate(hw::LocalStorage::kSize_B, hw::LocalStorage::kAlign_B);
    hw::pack(d, reinterpret_cast<uint32_t*>(p.cpu));
    return p.va;
}

uint64_t Recorder::local_storage(uint32_t tls_B) {
    if (local_storage_va_ && tls_B <= local_storage_B_) return local_storage_va_;
    local_storage_va_ = put_storage(thread_storage(&tls_B));
    local_storage_B_ = tls_B;
    return local_storage_va_;
}

uint64_t Recorder::workgroup_storage(uint32_t tls_B, uint32_t size_B, uint32_t instances) {
    hw::LocalStorage d = thread_storage(&tls_B);
    const uint32_t group_B = std::bit_ceil(std::max(size_B, 128u));
    const uint64_t all_B = uint64_t(group_B) * instances * chip().core_id_range();
    // Shaders add to the low half of addresses, so the memory must not cross a multiple of 4 GiB. If it does,
    // a second one cannot: the first keeps that place.
    for (pipe::Ref<Bo> crossing; !wls_ || wls_->size_B < all_B;) {
        pipe::Ref<Bo> bo = device().create_bo(all_B, bo_flag::kNoCpu);
        if (!bo) throw std::bad_alloc();
        const bool crosses = bo->va >> 32 != (bo->va + bo->size_B - 1) >> 32;
        (crosses ? crossing : wls_) = std::move(bo);
    }
    hold_always(wls_);
    d.wls_instances = instances;
    d.wls_size_scale = uint32_t(std::bit_width(group_B));
    d.wls_base_pointer = wls_->va;
    return put_storage(d);
}

/// The submission ends with the fragment queue's stream.
void Recorder::finish_streams() {
    open_fragment();
    await_vertex();
    follow_all(QueueKind::Fragment, QueueKind::Compute);
    const JobNumbers& seen = order_.known(kFragment).seen;
    if (seen[kFragment] != order_.last(kFragment) || seen[kCompute] != order_.last(kCompute))
        flush_caches(kFragment, true, fragment_slots() & 1u << kSlotIterators);
    watched_in_flight_.push_back({0, std::move(watched_)});
    watched_.clear();
}

uint64_t Recorder::submit_streams(const submission::Needs& needs) {
    for (unsigned q = 0; q < kQueueCount; ++q)
        streams_[q] = builders_[q].finish();
    const uint64_t point = queue().submit(streams_, needs.waits);
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
        if (times) device().slow("the tiler's heap was exhausted: a pass was drawn in %u parts", times + 1);
    }
}

void Recorder::begin_streams(bool ran) {
    if (!ran) {
        // None of it runs. Earlier submissions may.
        order_.take_back();
        forget_streams();
        watched_.clear();
        // Of a submission that threw: its OomContexts are in memory that is used again.
        std::erase_if(watched_in_flight_, [](const Watched& w) { return !w.point; });
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
