// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tracks which work of other queues a queue may rely on. Here queues run one after the other, so a missing
// SYNC_WAIT would not show in the picture. Therefore each queue counts its jobs and records, for each other
// queue, up to which job it has waited (vector clocks), and for its own, up to which job it has waited for
// their slots. A wait acquires what the signalling queue knew when it set the value. A stream that begins
// acquires what ended streams knew.
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
    /// A job of the queue begins; returns its number.
    uint64_t begin_job(unsigned queue) { return ++begun_[queue % kQueues]; }
    /// The number of the last job that began.
    uint64_t job(unsigned queue) const { return begun_[queue % kQueues]; }
    /// The queue has waited for its own jobs up to `job`.
    void finish_jobs(unsigned queue, uint64_t job) {
        uint64_t& mine = of(queue).done[queue % kQueues];
        mine = std::max(mine, job);
    }
    /// The last job of `other` (or of itself) that the queue has waited for.
    [[nodiscard]] uint64_t done(unsigned queue, unsigned other) { return of(queue).done[other % kQueues]; }
    /// Whether the queue has waited for this job of `other` (or of itself).
    [[nodiscard]] bool knows(unsigned queue, unsigned other, uint64_t job) {
        return done(queue, other) >= job;
    }
    /// `follows`: the stream was submitted after all streams that have ended.
    void begin_stream(unsigned queue, bool follows) {
        if (follows) learn(of(queue), ended_);
        flush(queue, job(queue), true, true);  // as the kernel's wrapper does
    }
    /// The queue's last stream waited for all its jobs and ended. `announced`: the host is told.
    void end_stream(unsigned queue, bool announced) {
        learn(ended_, of(queue));
        if (announced) learn(announced_, of(queue).done);
    }
    /// Whether the host was told of everything that was written.
    [[nodiscard]] bool all_announced() const {
        for (unsigned i = 0; i < kQueues; ++i)
            if (written_[i] > announced_[i]) return false;
        return true;
    }
    /// The queue set the sync object at `va` to `value` after its own jobs up to `done` had ended.
    void signal(unsigned queue, uint64_t done, uint64_t va, uint64_t value) {
        auto& values = signals_[va];
        Knowledge& k = values[value] = of(queue);
        k.done[queue % kQueues] = done;
        // A wait for a forgotten value acquires too much, so that there are no false findings.
        if (values.size() > kRemembered) values.erase(values.begin());
    }
    /// The queue waited until the value was in [low, high].
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

    /// The queue's job writes memory that the host will read.
    void wrote(unsigned queue, uint64_t job) { written_[queue % kQueues] = job; }
    /// The writes of the queue's jobs up to `done`, and of all work that it knows of, are in memory
    /// (`clean`), and no texture cache has older data (`invalidate`).
    void flush(unsigned queue, uint64_t done, bool clean, bool invalidate) {
        Knowledge& k = of(queue);
        Clock all = k.done;
        all[queue % kQueues] = done;
        if (clean) learn(k.cleaned, all);
        if (invalidate) learn(k.flushed, all);
    }
    /// Whether everything that the queue knows to be done is in memory.
    [[nodiscard]] bool clean(unsigned queue) {
        const Knowledge& k = of(queue);
        for (unsigned i = 0; i < kQueues; ++i)
            if (written_[i] <= k.done[i] && written_[i] > k.cleaned[i]) return false;
        return true;
    }

    /// Why the queue may not draw the image that begins at `va` yet; null: it may.
    [[nodiscard]] const char* busy(unsigned queue, uint64_t va) {
        const Knowledge& k = of(queue);
        if (runs_in(&Page::stored, queue, {}, va, 1))
            return "is drawn while a job may still store to it: it was not waited for";
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
    void drew(unsigned queue, uint64_t va, uint64_t job) {
        images_[va].drawn = {queue % kQueues, job};
        ++image_uses_;
    }
    /// The queue's last job stores to this range within a page. May be called by several threads, as read().
    void stored(unsigned queue, uint64_t va, uint64_t size_B) {
        const std::lock_guard lock(accessing_);
        queue %= kQueues;
        const Work now{queue, job(queue)};
        each_page(va, size_B, [&](Page& page, uint64_t begin, uint64_t end) {
            if (!(page.storing == now) || page.image_uses != image_uses_) {
                const char* why = may_not_store(now, begin / kPage_B * kPage_B, kPage_B);
                page.storing = why ? Work{} : now;
                page.image_uses = image_uses_;
                if (why) why = may_not_store(now, begin, end - begin);
                if (why && (!mistake_.why || va < mistake_.va)) mistake_ = {why, va};
            }
            note(page.stored, page, now, begin, end);
        });
    }
    /// The queue's last job loads from this range. Returns why it may not; null: it may. May be called by
    /// several threads, as read().
    [[nodiscard]] const char* loaded(unsigned queue, uint64_t va, uint64_t size_B) {
        const std::lock_guard lock(accessing_);
        queue %= kQueues;
        const Work now{queue, job(queue)};
        each_page(va, size_B, [&](Page& page, uint64_t begin, uint64_t end) {
            note(page.loaded, page, now, begin, end);
        });
        return read_stored(queue, va, size_B, now);
    }
    /// The invalid store with the lowest address since the last call; null: there was none.
    struct Mistake {
        const char* why = nullptr;
        uint64_t va = 0;
    };
    [[nodiscard]] Mistake take_mistake() { return std::exchange(mistake_, {}); }
    /// The queue's last job reads the image. Returns why it may not; null: it may. May be called by several
    /// threads while no other method is.
    [[nodiscard]] const char* read(unsigned queue, uint64_t va, uint64_t size_B) {
        const std::lock_guard lock(accessing_);
        Image& image = images_[va];
        image.read[queue % kQueues] = begun_[queue % kQueues];
        image.size_B = std::max(image.size_B, size_B);
        ++image_uses_;
        const Work& w = image.drawn;
        const Knowledge& k = of(queue);
        if (k.done[w.queue] < w.job)
            return "is read, and a fragment job that may still draw it was not waited for";
        if (k.flushed[w.queue] < w.job)
            return "is read without a FLUSH_CACHE2 after the fragment job that drew it";
        return read_stored(queue, va, size_B, {queue % kQueues, job(queue)});
    }
    /// The same for loads of the queue's front end, which are not noted.
    [[nodiscard]] const char* load(unsigned queue, uint64_t va, uint64_t size_B) {
        return read_stored(queue, va, size_B, {});
    }

    /// The counts of a tiler heap: passes that have begun and not been drawn, and those of them that have
    /// been tiled.
    struct HeapCounts {
        uint32_t in_flight = 0, pending_fragment = 0;
    };
    HeapCounts& heap(uint64_t context_va) { return heaps_[context_va]; }

  private:
    static constexpr unsigned kQueues = 32, kRemembered = 256, kRememberedStores = 32;
    static constexpr uint64_t kPage_B = 4096, kPages = 256;
    using Clock = std::array<uint64_t, kQueues>;
    struct Knowledge {
        Clock done{}, flushed{}, cleaned{};
    };
    struct Work {
        unsigned queue = 0;
        uint64_t job = 0;
        bool operator==(const Work&) const = default;
    };
    struct Stores {  // or loads, of one job in a page
        Work by;
        uint64_t begin, end;
    };
    struct Image {
        Work drawn;
        Clock read{};         // the last job of each queue that read it
        uint64_t size_B = 1;  // the largest size that a reader named
    };
    struct Page {
        std::vector<Stores> stored, loaded;
        // What allows a store without a search: this job may store to the whole page until another job
        // accesses it, or until image_uses_ has another value.
        Work storing;
        uint64_t image_uses = 0;
    };
    using Pages = std::array<Page, kPages>;
    /// Calls f(page, the part of the range in it).
    template <class F>
    void each_page(uint64_t va, uint64_t size_B, F&& f) {
        for (uint64_t begin = va, end; begin < va + size_B; begin = end) {
            const uint64_t n = begin / kPage_B;
            end = begin + std::min(kPage_B - begin % kPage_B, va + size_B - begin);
            f(memory_[n / kPages][n % kPages], begin, end);
        }
    }
    /// Whether f(page) is true for any page of the range that was accessed.
    template <class F>
    [[nodiscard]] bool any_page(uint64_t va, uint64_t size_B, F&& f) const {
        const uint64_t first = va / kPage_B, last = (va + size_B - 1) / kPage_B;
        for (auto at = memory_.lower_bound(first / kPages); at != memory_.end(); ++at) {
            const uint64_t base = at->first * kPages;
            if (base > last) break;
            for (uint64_t n = std::max(first, base); n <= last && n - base < kPages; ++n)
                if (f(at->second[n - base])) return true;
        }
        return false;
    }
    /// An access to the page; `jobs` is one of its lists.
    static void note(std::vector<Stores>& jobs, Page& page, const Work& now, uint64_t begin, uint64_t end) {
        if (!(page.storing == now)) page.storing = {};
        if (!jobs.empty() && jobs.back().by == now) {
            jobs.back().begin = std::min(jobs.back().begin, begin);
            jobs.back().end = std::max(jobs.back().end, end);
            return;
        }
        // Accesses after a forgotten job are not reported.
        if (jobs.size() == kRememberedStores) jobs.erase(jobs.begin());
        jobs.push_back({now, begin, end});
    }
    /// Whether a job that `queue` has not waited for, other than `now`, has accesses in the range.
    [[nodiscard]] bool runs_in(std::vector<Stores> Page::*list, unsigned queue, const Work& now, uint64_t va,
                               uint64_t size_B) {
        const Knowledge& k = of(queue);
        const auto runs = [&](const Stores& s) {
            return s.begin < va + size_B && va < s.end && k.done[s.by.queue] < s.by.job && !(s.by == now);
        };
        return any_page(va, size_B, [&](const Page& page) {
            return std::any_of((page.*list).begin(), (page.*list).end(), runs);
        });
    }
    [[nodiscard]] const char* may_not_store(const Work& now, uint64_t va, uint64_t size_B) {
        const Knowledge& k = of(now.queue);
        const auto runs = [&](const Work& w) { return k.done[w.queue] < w.job && !(w == now); };
        // For nested images, the one that begins last.
        for (auto at = images_.upper_bound(va + size_B - 1); at != images_.begin();) {
            const Image& image = (--at)->second;
            if (va < at->first + image.size_B) {
                if (runs(image.drawn))
                    return "is stored to while a fragment job may still draw it: it was not waited for";
                for (unsigned i = 0; i < kQueues; ++i)
                    if (runs({i, image.read[i]}))
                        return "is stored to while a job before may still read it: it was not waited for";
            }
            if (at->first <= va) break;
        }
        if (runs_in(&Page::loaded, now.queue, now, va, size_B))
            return "is stored to while a job before may still load it: it was not waited for";
        if (runs_in(&Page::stored, now.queue, now, va, size_B))
            return "is stored to while a job before may still do so: it was not waited for";
        return nullptr;
    }
    /// `by`: the job that reads, whose own stores need no wait.
    [[nodiscard]] const char* read_stored(unsigned queue, uint64_t va, uint64_t size_B, const Work& by) {
        const Knowledge& k = of(queue);
        const char* why = nullptr;
        (void)any_page(va, size_B, [&](const Page& page) {
            for (const Stores& stores : page.stored) {
                const Work& s = stores.by;
                if (stores.begin >= va + size_B || stores.end <= va || s == by) continue;
                if (k.done[s.queue] < s.job)
                    why = "is read, and a job that may still store to it was not waited for";
                else if (k.flushed[s.queue] < s.job)
                    why = "is read without a FLUSH_CACHE2 after the job that stored to it";
                if (why) return true;
            }
            return false;
        });
        return why;
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
    uint64_t image_uses_ = 1;  // counts changes of images_
    std::map<uint64_t, Pages> memory_;
    std::mutex accessing_;
    Mistake mistake_;
    std::map<uint64_t, HeapCounts> heaps_;
};

}  // namespace terrazzo::mali::sim
