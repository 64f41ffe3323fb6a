// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What of the other queues' work a queue may rely on. Queues run one after the other here, so that a missing
// SYNC_WAIT would give the right picture: therefore each queue counts its jobs, and knows of each other queue
// up to which job it waited (vector clocks). A wait learns what its signaller knew when it gave the value;
// a stream that begins, what streams that have ended knew.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

namespace terrazzo::mali::sim {

class Order {
  public:
    /// A job of the queue begins: its number.
    uint64_t begin_job(unsigned queue) {
        Clock& mine = clock(queue);
        return ++mine[queue % kQueues];
    }
    /// Whether the queue waited for that job of another.
    [[nodiscard]] bool knows(unsigned queue, unsigned other, uint64_t job) {
        return clock(queue)[other % kQueues] >= job;
    }
    void begin_stream(unsigned queue) {
        learn(of(queue), ended_);
        flush(queue);  // as the kernel's wrapper does
    }
    void end_stream(unsigned queue) { learn(ended_, of(queue)); }
    /// The queue gave the sync object at `va` that value.
    void signal(unsigned queue, uint64_t va, uint64_t value) {
        auto& values = signals_[va];
        values[value] = of(queue);
        // Who waits for one that is forgotten learns too much, so that it is not blamed wrongly.
        if (values.size() > kRemembered) values.erase(values.begin());
    }
    /// The queue waited until the value was one of [low, high].
    void wait(unsigned queue, uint64_t va, uint64_t low, uint64_t high) {
        const auto at = signals_.find(va);
        if (at == signals_.end()) return;
        const auto first = at->second.lower_bound(low);
        if (first != at->second.end() && first->first <= high) learn(of(queue), first->second);
    }

    /// A draw into the tiler context.
    void tiled(unsigned queue, uint64_t context_va, uint64_t job) { tilings_[context_va] = {queue, job}; }
    /// Whether the queue may draw what was tiled there.
    [[nodiscard]] bool may_draw(unsigned queue, uint64_t context_va) {
        const auto at = tilings_.find(context_va);
        return at == tilings_.end() || knows(queue, at->second.queue, at->second.job);
    }

    /// The queue's job drew the image whose first byte is at `va`.
    void drew(unsigned queue, uint64_t va, uint64_t job) { images_[va] = {queue, job}; }
    /// The queue empties all caches: what its work up to now, and all that it knows of, wrote is in memory,
    /// and no texture cache holds what was there before.
    void flush(unsigned queue) { learn(flushed(queue), clock(queue)); }
    /// Why the queue may not read the image yet; null: it may. Any number of threads, while none changes.
    [[nodiscard]] const char* stale(unsigned queue, uint64_t va) const {
        const auto at = images_.find(va);
        if (at == images_.end()) return nullptr;
        const Work& w = at->second;
        const Knowledge& k = knowledge_[queue % kQueues];
        if (k.done[w.queue % kQueues] < w.job)
            return "is read, and a fragment job that may still draw it was not waited for";
        if (k.flushed[w.queue % kQueues] < w.job)
            return "is read without a FLUSH_CACHE2 after the fragment job that drew it";
        return nullptr;
    }

    /// Of a tiler heap: passes begun and not drawn, and those of them that only wait for their drawing.
    struct HeapCounts {
        uint32_t in_flight = 0, pending_fragment = 0;
    };
    HeapCounts& heap(uint64_t context_va) { return heaps_[context_va]; }

  private:
    static constexpr unsigned kQueues = 32, kRemembered = 256;
    using Clock = std::array<uint64_t, kQueues>;
    struct Knowledge {
        Clock done{}, flushed{};
    };
    struct Work {
        unsigned queue;
        uint64_t job;
    };
    Knowledge& of(unsigned queue) { return knowledge_[queue % kQueues]; }
    Clock& clock(unsigned queue) { return of(queue).done; }
    Clock& flushed(unsigned queue) { return of(queue).flushed; }
    static void learn(Clock& to, const Clock& from) {
        for (unsigned i = 0; i < kQueues; ++i)
            to[i] = std::max(to[i], from[i]);
    }
    static void learn(Knowledge& to, const Knowledge& from) {
        learn(to.done, from.done);
        learn(to.flushed, from.flushed);
    }

    std::array<Knowledge, kQueues> knowledge_{};
    Knowledge ended_;
    std::map<uint64_t, std::map<uint64_t, Knowledge>> signals_;
    std::map<uint64_t, Work> tilings_, images_;
    std::map<uint64_t, HeapCounts> heaps_;
};

}  // namespace terrazzo::mali::sim
