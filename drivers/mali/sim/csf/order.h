// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What of the other queues' work a queue may rely on. Queues run one after the other here, so that a missing
// SYNC_WAIT would give the right picture: therefore each queue counts its jobs, and knows of each other queue
// up to which job it waited (vector clocks); of its own, up to which it waited for their slots. A wait learns
// what its signaller knew when it gave the value; a stream that begins, what streams that have ended knew.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace terrazzo::mali::sim {

class Order {
  public:
    /// A job of the queue begins: its number.
    uint64_t begin_job(unsigned queue) { return ++begun_[queue % kQueues]; }
    /// The last that began.
    uint64_t job(unsigned queue) const { return begun_[queue % kQueues]; }
    /// The queue waited for its own jobs up to that one.
    void finish_jobs(unsigned queue, uint64_t job) {
        uint64_t& mine = of(queue).done[queue % kQueues];
        mine = std::max(mine, job);
    }
    /// Up to which job of another, or its own, the queue waited.
    [[nodiscard]] uint64_t done(unsigned queue, unsigned other) { return of(queue).done[other % kQueues]; }
    /// Whether the queue waited for that job of another, or its own.
    [[nodiscard]] bool knows(unsigned queue, unsigned other, uint64_t job) {
        return done(queue, other) >= job;
    }
    /// `follows`: the stream was given when those that have ended had.
    void begin_stream(unsigned queue, bool follows) {
        if (follows) learn(of(queue), ended_);
        flush(queue, job(queue), true, true);  // as the kernel's wrapper does
    }
    /// The last stream of the queue waited for all its jobs and ended. `announced`: the host learns of it.
    void end_stream(unsigned queue, bool announced) {
        learn(ended_, of(queue));
        if (announced) learn(announced_, of(queue).done);
    }
    /// Whether the host could learn of all that was written.
    [[nodiscard]] bool all_announced() const {
        for (unsigned i = 0; i < kQueues; ++i)
            if (written_[i] > announced_[i]) return false;
        return true;
    }
    /// The queue gave the sync object at `va` that value when its own jobs up to `done` had ended.
    void signal(unsigned queue, uint64_t done, uint64_t va, uint64_t value) {
        auto& values = signals_[va];
        Knowledge& k = values[value] = of(queue);
        k.done[queue % kQueues] = done;
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

    /// The queue's job writes what the host will look at.
    void wrote(unsigned queue, uint64_t job) { written_[queue % kQueues] = job; }
    /// What the queue's jobs up to `done`, and all work that it knows of, wrote is in memory (`clean`), and
    /// no texture cache holds what was there before (`invalidate`).
    void flush(unsigned queue, uint64_t done, bool clean, bool invalidate) {
        Knowledge& k = of(queue);
        Clock all = k.done;
        all[queue % kQueues] = done;
        if (clean) learn(k.cleaned, all);
        if (invalidate) learn(k.flushed, all);
    }
    /// Whether all that the queue knows to be done is in memory.
    [[nodiscard]] bool clean(unsigned queue) {
        const Knowledge& k = of(queue);
        for (unsigned i = 0; i < kQueues; ++i)
            if (written_[i] <= k.done[i] && written_[i] > k.cleaned[i]) return false;
        return true;
    }

    /// Why the queue may not draw the image whose first byte is at `va` yet; null: it may.
    [[nodiscard]] const char* busy(unsigned queue, uint64_t va) {
        const Knowledge& k = of(queue);
        if (const auto page = stored_.find(va / kPage_B); page != stored_.end())
            for (const Stores& s : page->second)
                if (s.begin <= va && va < s.end && k.done[s.by.queue] < s.by.job)
                    return "is drawn while a compute job may still write it: it was not waited for";
        const auto at = images_.find(va);
        if (at == images_.end()) return nullptr;
        if (k.done[at->second.drawn.queue] < at->second.drawn.job)
            return "is drawn while a job before may still draw it: it was not waited for";
        for (unsigned i = 0; i < kQueues; ++i)
            if (k.done[i] < at->second.read[i])
                return "is drawn while a job before may still read it: it was not waited for";
        return nullptr;
    }
    /// The queue's job drew the image.
    void drew(unsigned queue, uint64_t va, uint64_t job) { images_[va].drawn = {queue % kQueues, job}; }
    /// The queue's last job, which computes, stores there, within a page.
    void stored(unsigned queue, uint64_t va, uint64_t size_B) {
        queue %= kQueues;
        const Work now{queue, job(queue)};
        if (const char* why = may_not_store(now, va, size_B); why && !mistake_.why) mistake_ = {why, va};
        std::vector<Stores>& jobs = stored_[va / kPage_B];
        if (jobs.empty() || !(jobs.back().by == now)) {
            // Who reads what a forgotten job wrote is not blamed.
            if (jobs.size() == kRememberedStores) jobs.erase(jobs.begin());
            jobs.push_back({now, va, va + size_B});
            return;
        }
        jobs.back().begin = std::min(jobs.back().begin, va);
        jobs.back().end = std::max(jobs.back().end, va + size_B);
    }
    /// The first store since the last call that may not have been; null: there was none.
    struct Mistake {
        const char* why = nullptr;
        uint64_t va = 0;
    };
    [[nodiscard]] Mistake take_mistake() { return std::exchange(mistake_, {}); }
    /// The queue's last job reads the image. Why it may not; null: it may. Any number of threads, while
    /// nothing else is called.
    [[nodiscard]] const char* read(unsigned queue, uint64_t va, uint64_t size_B) {
        const std::lock_guard lock(reading_);
        Image& image = images_[va];
        image.read[queue % kQueues] = begun_[queue % kQueues];
        image.size_B = std::max(image.size_B, size_B);
        const Work& w = image.drawn;
        const Knowledge& k = of(queue);
        if (k.done[w.queue] < w.job)
            return "is read, and a fragment job that may still draw it was not waited for";
        if (k.flushed[w.queue] < w.job)
            return "is read without a FLUSH_CACHE2 after the fragment job that drew it";
        for (auto page = stored_.lower_bound(va / kPage_B);
             page != stored_.end() && page->first * kPage_B < va + size_B; ++page) {
            for (const Stores& stores : page->second) {
                const Work& s = stores.by;
                if (stores.begin >= va + size_B || stores.end <= va) continue;
                if (s == Work{queue % kQueues, job(queue)}) continue;
                if (k.done[s.queue] < s.job)
                    return "is read, and a compute job that may still write it was not waited for";
                if (k.flushed[s.queue] < s.job)
                    return "is read without a FLUSH_CACHE2 after the compute job that wrote it";
            }
        }
        return nullptr;
    }

    /// Of a tiler heap: passes begun and not drawn, and those of them that only wait for their drawing.
    struct HeapCounts {
        uint32_t in_flight = 0, pending_fragment = 0;
    };
    HeapCounts& heap(uint64_t context_va) { return heaps_[context_va]; }

  private:
    static constexpr unsigned kQueues = 32, kRemembered = 256, kRememberedStores = 32;
    static constexpr uint64_t kPage_B = 4096;
    using Clock = std::array<uint64_t, kQueues>;
    struct Knowledge {
        Clock done{}, flushed{}, cleaned{};
    };
    struct Work {
        unsigned queue = 0;
        uint64_t job = 0;
        bool operator==(const Work&) const = default;
    };
    struct Stores {
        Work by;
        uint64_t begin, end;
    };
    struct Image {
        Work drawn;
        Clock read{};         // the last job of each queue that did
        uint64_t size_B = 1;  // as far as readers have said
    };
    [[nodiscard]] const char* may_not_store(const Work& now, uint64_t va, uint64_t size_B) {
        const Knowledge& k = of(now.queue);
        const auto runs = [&](const Work& w) { return k.done[w.queue] < w.job && !(w == now); };
        // Of images that lie in each other, the last to begin.
        if (auto at = images_.upper_bound(va + size_B - 1); at != images_.begin()) {
            const Image& image = (--at)->second;
            if (va < at->first + image.size_B) {
                if (runs(image.drawn))
                    return "is stored to while a fragment job may still draw it: it was not waited for";
                for (unsigned i = 0; i < kQueues; ++i)
                    if (runs({i, image.read[i]}))
                        return "is stored to while a job before may still read it: it was not waited for";
            }
        }
        if (const auto page = stored_.find(va / kPage_B); page != stored_.end())
            for (const Stores& s : page->second)
                if (s.begin < va + size_B && va < s.end && runs(s.by))
                    return "is stored to while a compute job before may still do so: it was not waited for";
        return nullptr;
    }
    Knowledge& of(unsigned queue) { return knowledge_[queue % kQueues]; }
    static void learn(Clock& to, const Clock& from) {
        for (unsigned i = 0; i < kQueues; ++i)
            to[i] = std::max(to[i], from[i]);
    }
    static void learn(Knowledge& to, const Knowledge& from) {
        learn(to.done, from.done);
        learn(to.flushed, from.flushed);
        learn(to.cleaned, from.cleaned);
    }

    std::array<Knowledge, kQueues> knowledge_{};
    Knowledge ended_;
    std::map<uint64_t, std::map<uint64_t, Knowledge>> signals_;
    Clock begun_{}, written_{}, announced_{};
    std::map<uint64_t, Work> tilings_;
    std::map<uint64_t, Image> images_;
    std::map<uint64_t, std::vector<Stores>> stored_;  // by page
    std::mutex reading_;
    Mistake mistake_;
    std::map<uint64_t, HeapCounts> heaps_;
};

}  // namespace terrazzo::mali::sim
