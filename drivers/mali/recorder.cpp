// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: Mesa 25.0.7, pan_csf.c (what a stream does before and after a pass), panvk_cmd_buffer of CSF
// (queues that wait for each other); hw/cs.rows.
#include "drivers/mali/recorder.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <new>

#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali {

namespace {

std::atomic<uint64_t> g_next_serial{1}, g_next_job{1};

constexpr unsigned kHeapPair = kScratchRegister, kAddressPair = kScratchRegister + 2,
                   kValuePair = kScratchRegister + 4, kFlushId = kScratchRegister + 6;
/// Of compute jobs; where there are more, they are waited for.
constexpr size_t kRememberedRanges = 32;

}  // namespace

Recorder::Recorder(pipe::Ref<Device> device, std::unique_ptr<Queues> queues)
    : pool(device),
      vertex(pool),
      fragment(pool),
      compute(pool),
      device_(device),
      queues_(std::move(queues)),
      oom_handler_(TilerOomHandler::create(*device)) {
    if (!oom_handler_) throw std::bad_alloc();
    generation_ = queues_->generation();
    write_sample_locations();
    begin();
}

Recorder::~Recorder() {
    (void)finish();
}

/// 32 samples, the origin and padding: x and y in 1/256 px, 16 bits each (Mesa 25.0.7, pan_samples.c). Where
/// there is one sample, it is in the middle.
void Recorder::write_sample_locations() {
    constexpr uint32_t kPositions = 64, kOrigin = 32, kMiddle = 128 | 128 << 16;
    sample_locations_ = device_->create_block(kPositions * 4, 64);
    if (!sample_locations_) throw std::bad_alloc();
    auto* const words = reinterpret_cast<uint32_t*>(sample_locations_.cpu);
    for (uint32_t i = 0; i < kPositions; ++i)
        words[i] = i == 0 || i == kOrigin ? kMiddle : 0;
}

void Recorder::begin() {
    // A lost group is replaced here. Where it is not, the next submission is refused.
    (void)queues_->prepare();
    serial_ = g_next_serial.fetch_add(1, std::memory_order_relaxed);
    local_storage_va_ = 0;
    local_storage_B_ = 0;
    // The kernel empties the caches when a stream begins, after its queue's last.
    begun_job_ = settled_job_ = flushed_job_ = fragment_job_;
    freeing_heap_ = unfollowed_ = false;
    computed_from_.clear();
    computed_to_.clear();
    if (generation_ != queues_->generation()) {
        generation_ = queues_->generation();
        forget_streams();
        vertex_count_ = fragment_count_ = compute_count_ = 0;
        signalled_job_ = signalled_flush_ = vertex_flushed_job_ = vertex_signalled_flush_ = fragment_job_;
        compute_awaited_job_ = fragment_job_;
    }
}

/// What streams have said is said again: they did not run, or in another group.
void Recorder::forget_streams() {
    vertex_open_ = fragment_open_ = compute_open_ = false;
    vertex_awaited_ = fragment_awaited_ = compute_awaited_ = fragment_awaited_by_compute_ = 0;
}

void Recorder::note(MaliResource& r, bool write) {
    uses_.push_back({r.storage(), write});
    // Not only its memory: who shares the resource with nobody takes it to be idle (pipe/upload, buffers of
    // the state tracker).
    hold_always(pipe::Ref<const pipe::RefCounted>(&r));
    (write ? r.written_by : r.read_by).store(serial_, std::memory_order_relaxed);
}

bool Recorder::uses(const Bo& bo, bool write) const {
    for (const Use& u : uses_)
        if (u.bo.get() == &bo && (write || u.write)) return true;
    return false;
}

void Recorder::open_vertex() {
    if (vertex_open_) return;
    vertex_open_ = true;
    vertex.set_slots(kSlotIterators, kSlotLoadStore);
    hw::CsReqResource resources;
    resources.idvs = resources.tiler = true;
    vertex.emit(resources);
    vertex.set64(kHeapPair, queues_->heap_context_va());
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
    fragment.set64(kHeapPair, queues_->heap_context_va());
    fragment.emit(hw::CsHeapSet{.address = kHeapPair});
}

void Recorder::signal(CsBuilder& b, QueueKind queue, uint32_t wait_mask) {
    b.set64(kAddressPair, queues_->sequence_va(queue));
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

void Recorder::await(CsBuilder& b, QueueKind queue, uint64_t value, uint64_t* awaited) {
    if (value == 0 || *awaited == value) return;
    *awaited = value;
    b.set64(kAddressPair, queues_->sequence_va(queue));
    b.set64(kValuePair, value - 1);
    hw::CsSyncWait64 wait;
    wait.condition = hw::CsCondition::Greater;
    wait.error_reject = true;
    wait.data = kValuePair;
    wait.address = kAddressPair;
    b.emit(wait);
}

void Recorder::signal_vertex() {
    signal(vertex, QueueKind::VertexTiler, 1u << kSlotDeferred);  // the heap operation
    ++vertex_count_;
    vertex_signalled_flush_ = vertex_flushed_job_;
}
void Recorder::await_vertex() {
    await(fragment, QueueKind::VertexTiler, vertex_count_, &vertex_awaited_);
    flushed_job_ = std::max(flushed_job_, vertex_signalled_flush_);
}
uint64_t Recorder::signal_fragment() {
    if (signalled_job_ != fragment_job_) {
        follow_compute(true);
        open_fragment();
        signal(fragment, QueueKind::Fragment, fragment_slots());
        ++fragment_count_;
        signalled_job_ = fragment_job_;
        signalled_flush_ = flushed_job_;
    }
    return fragment_count_;
}
void Recorder::await_fragment(uint64_t job) {
    // What compute jobs have written is not noted.
    if (std::max(job, compute_job_) <= vertex_flushed_job_) return;
    await(vertex, QueueKind::Fragment, signal_fragment(), &fragment_awaited_);
    flush_caches(vertex, false);
    vertex_flushed_job_ = fragment_job_;
}
void Recorder::begin_compute(const VaRange& reads, const VaRange& writes) {
    if (!compute_open_) {
        compute_open_ = true;
        compute.set_slots(kSlotIterators, kSlotLoadStore);
        hw::CsReqResource resources;
        resources.compute = true;
        compute.emit(resources);
    }
    const auto meets = [](const std::vector<VaRange>& ranges, const VaRange& r) {
        return std::any_of(ranges.begin(), ranges.end(), [&](const VaRange& o) { return o.meets(r); });
    };
    const bool meets_own = meets(computed_to_, reads) || meets(computed_to_, writes) ||
                           meets(computed_from_, writes) || computed_to_.size() >= kRememberedRanges;
    bool flushes = meets_own;
    if (meets_own) {
        compute.wait(1u << kSlotIterators);
        computed_from_.clear();
        computed_to_.clear();
    }
    if (drawn_job_ > compute_awaited_job_) {
        await(compute, QueueKind::Fragment, signal_fragment(), &fragment_awaited_by_compute_);
        flushes |= signalled_flush_ < drawn_job_;
        compute_awaited_job_ = drawn_job_;
    }
    if (flushes) flush_caches(compute, false);
    computed_from_.push_back(reads);
    computed_to_.push_back(writes);
}
void Recorder::end_compute() {
    signal(compute, QueueKind::Compute, 1u << kSlotIterators);
    ++compute_count_;
    unfollowed_ = true;
    // As if the fragment queue did it, which waits for it before its next work.
    compute_job_ = fragment_job_ = g_next_job.fetch_add(1, std::memory_order_relaxed);
}
void Recorder::follow_compute(bool flushes) {
    if (!unfollowed_) return;
    unfollowed_ = false;
    open_fragment();
    // The compute queue waited for all that was drawn before.
    await(fragment, QueueKind::Compute, compute_count_, &compute_awaited_);
    settled_job_ = fragment_job_;
    if (!flushes) return;
    flush_caches(fragment, false);
    flushed_job_ = fragment_job_;
    freeing_heap_ = false;
}

void Recorder::run_fragment(uint64_t tiler_va) {
    follow_compute(true);
    CsBuilder& b = fragment;
    b.emit(hw::CsRunFragment{});
    drawn_job_ = fragment_job_ = g_next_job.fetch_add(1, std::memory_order_relaxed);
    if (!tiler_va) return;
    // The heap chunks that are free then: completed_top and completed_bottom of the tiler context.
    constexpr unsigned kContext = kScratchRegister + 8, kChunks = kScratchRegister + 10;
    b.set64(kContext, tiler_va);
    b.load(kChunks, 4, kContext, kTilerCompleted_B);
    b.wait(1u << kSlotIterators | 1u << kSlotLoadStore);
    settled_job_ = fragment_job_;
    hw::CsFinishFragment finish;
    finish.increment_fragment_completed = true;
    finish.first_heap_chunk = kChunks;
    finish.last_heap_chunk = kChunks + 2;
    finish.signal_slot = kSlotDeferred;
    b.emit(finish);
    freeing_heap_ = true;
}
uint32_t Recorder::fragment_slots() const {
    return (settled_job_ != fragment_job_ ? 1u << kSlotIterators : 0) |
           (freeing_heap_ ? 1u << kSlotDeferred : 0);
}
void Recorder::settle_fragment(uint64_t job) {
    follow_compute(true);
    if (job <= settled_job_) return;
    fragment.wait(1u << kSlotIterators);
    settled_job_ = fragment_job_;
}
void Recorder::flush_fragment(uint64_t job) {
    follow_compute(true);
    if (job <= flushed_job_) return;
    settle_fragment(job);
    flush_caches(fragment, false);
    freeing_heap_ = false;
    flushed_job_ = settled_job_;
}

/// Between work and what reads its results: later work, or the host. That looks when the stream has ended,
/// for which the kernel waits.
void Recorder::flush_caches(CsBuilder& b, bool for_host, uint32_t wait_mask) {
    hw::CsFlushCache2 flush;
    flush.l2_flush_mode = flush.lsc_flush_mode =
        for_host ? hw::CsFlushMode::Clean : hw::CsFlushMode::CleanAndInvalidate;
    flush.other_invalidate = true;
    flush.latest_flush_id = kFlushId;
    flush.wait_mask = wait_mask;
    flush.signal_slot = kSlotDeferred;
    b.set32(kFlushId, 0);
    b.emit(flush);
    if (!for_host) b.wait(1u << kSlotDeferred);
}

uint64_t Recorder::local_storage(uint32_t tls_B) {
    if (local_storage_va_ && tls_B <= local_storage_B_) return local_storage_va_;
    hw::LocalStorage d;
    if (tls_B) {
        // In powers of two of 16 bytes a thread, for every thread that any core may have.
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

bool Recorder::submit() {
    if (empty()) return true;
    // The fragment queue's end is the submission's.
    open_fragment();
    await_vertex();
    follow_compute(false);
    if (fragment_job_ != begun_job_) flush_caches(fragment, true, fragment_slots() & 1u << kSlotIterators);
    std::array<Stream, kQueueCount> streams;
    streams[unsigned(QueueKind::VertexTiler)] = vertex.finish();
    streams[unsigned(QueueKind::Fragment)] = fragment.finish();
    streams[unsigned(QueueKind::Compute)] = compute.finish();
    std::vector<Point> waits = std::move(waits_);
    waits_.clear();
    for (const Use& u : uses_)
        u.bo->uses.collect(*queues_->timeline(), u.write, &waits);
    InFlight f;
    pool.take(&f.chunks);
    f.held = std::move(held_);
    f.uses = std::move(uses_);
    f.watched = std::move(watched_);
    watched_.clear();
    held_.clear();
    uses_.clear();
    const uint64_t point = queues_->submit(streams, waits);
    if (point) {
        for (const Use& u : f.uses)
            u.bo->uses.note(queues_->timeline(), point, u.write);
        f.point = point;
        in_flight_.push_back(std::move(f));
    } else {
        // Nothing runs of it. What came before may.
        pool.recycle(std::move(f.chunks));
        lost_ = queues_->take_state();
        forget_streams();
    }
    begin();
    return point != 0;
}

void Recorder::tell_exhausted(const InFlight& f) const {
    for (const uint8_t* context : f.watched) {
        uint32_t times = 0;
        std::memcpy(&times, context + offsetof(OomContext, counter), sizeof times);
        if (times) device_->slow("the tiler's heap was exhausted: a pass was drawn in %u parts", times + 1);
    }
}

void Recorder::discard() {
    vertex.discard();
    fragment.discard();
    compute.discard();
    forget_streams();
    std::vector<pipe::Ref<Bo>> chunks;
    pool.take(&chunks);
    pool.recycle(std::move(chunks));
    held_.clear();
    uses_.clear();
    watched_.clear();
    begin();
}

void Recorder::retire() {
    while (!in_flight_.empty() &&
           queues_->timeline()->wait(in_flight_.front().point, 0) != WaitResult::Timeout) {
        tell_exhausted(in_flight_.front());
        pool.recycle(std::move(in_flight_.front().chunks));
        in_flight_.pop_front();
    }
}

WaitResult Recorder::finish() {
    const WaitResult r =
        last_point() ? queues_->timeline()->wait(last_point(), ~uint64_t(0)) : WaitResult::Done;
    retire();
    return r;
}

}  // namespace terrazzo::mali
