// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context needs for the work it records between two submissions: memory for it, the objects and memory
// that must live until it has run, and what it must wait for. Submissions that have not completed are kept
// here, too. A vendor's recorder adds its streams. One thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "drivers/common/images/stored.h"
#include "drivers/common/memory/pool.h"
#include "drivers/common/memory/timeline.h"
#include "drivers/common/submission/kernel_queue.h"

namespace terrazzo::submission {

using memory::Bo;
using memory::Point;
using memory::Timeline;

class Recording {
  public:
    explicit Recording(pipe::Ref<memory::Device> device);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    memory::Pool pool;

    /// Unique in the process; changes with every submission.
    [[nodiscard]] uint64_t serial() const { return serial_; }
    /// Recorded work reads (or writes) the resource's current storage.
    void read(images::StoredResource& r) {
        if (r.read_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, false);
    }
    void write(images::StoredResource& r) {
        if (r.written_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, true);
    }
    /// As read(), for work that contains addresses of the storage: pack() writes them. It is called again if
    /// this recording did not yet have a reference to the storage, or if another context has replaced the
    /// storage meanwhile.
    template <class F>
    void read_as_packed(images::StoredResource& r, F&& pack) {
        for (;;) {
            pack();
            // Replacing the storage resets `read_by` before it changes the address. If pack() has read
            // anything of the new storage, this fence makes the reset visible, too.
            std::atomic_thread_fence(std::memory_order_acquire);
            if (r.read_by.load(std::memory_order_relaxed) == serial_) [[likely]]
                return;
            note(r, false);
        }
    }
    /// As read_as_packed(), for several resources: each(f) calls f(resource) for each of them.
    template <class Each, class F>
    void read_all_as_packed(Each&& each, F&& pack) {
        for (bool held = false; !held;) {
            pack();
            std::atomic_thread_fence(std::memory_order_acquire);
            held = true;
            each([&](images::StoredResource& r) {
                if (r.read_by.load(std::memory_order_relaxed) == serial_) [[likely]]
                    return;
                note(r, false);
                held = false;
            });
        }
    }
    /// Keeps an object with a member `held_by` (a view, a program) alive.
    template <class T>
    void hold(T& object) {
        if (object.held_by.load(std::memory_order_relaxed) == serial_) return;
        held_.push_back(pipe::Ref<const pipe::RefCounted>(&object));
        object.held_by.store(serial_, std::memory_order_relaxed);
    }
    void hold_always(pipe::Ref<const pipe::RefCounted> object) { held_.push_back(std::move(object)); }
    /// As read() and write(), for memory that is not a resource.
    void use(const pipe::Ref<Bo>& bo, bool write);
    /// Whether recorded work conflicts with an access of that kind: both use the memory, and at least one
    /// writes.
    [[nodiscard]] bool uses(const Bo& bo, bool write) const;
    /// How many recorded uses write it: this recording's part of `recorded_writes`.
    [[nodiscard]] uint32_t count_writes(const Bo& bo) const;
    /// Another context waits for the work recorded here (images/form_change.h): it should be submitted soon.
    [[nodiscard]] bool is_awaited() const {
        return pool.device().awaited_submissions.load(std::memory_order_relaxed) != 0 && !uses_.empty();
    }
    /// The next submission, and all later work, begins after the point.
    void wait_for(const Point& point) { waits_.push_back(point); }

    /// Discards the recorded work.
    void discard();
    /// Releases what completed submissions used.
    void retire(Timeline& timeline);

  protected:
    /// Drops the recorded uses. Only valid if no work is recorded: they come from passes that recorded
    /// nothing.
    void drop_uses();
    /// Called before the recorded work is submitted to a queue of the timeline. If it throws std::bad_alloc,
    /// nothing has changed.
    [[nodiscard]] Needs begin_submission(const Timeline& own);
    /// Called after the submission. `point`: the point that the work will signal, or 0 if none of it will
    /// run. A new recording begins.
    void end_submission(const pipe::Ref<Timeline>& timeline, uint64_t point);

  private:
    struct Use {
        pipe::Ref<Bo> bo;
        bool write;
    };
    static void tell_others(const pipe::Ref<Timeline>& timeline, uint64_t point,
                            const std::vector<Use>& uses);
    struct InFlight {
        uint64_t point = 0;
        std::vector<pipe::Ref<Bo>> chunks;
        std::vector<pipe::Ref<const pipe::RefCounted>> held;
        std::vector<Use> uses;
    };
    void note(images::StoredResource& r, bool write);
    void renew_serial();
    /// The uses are submitted, or never will be: recorded_writes no longer counts them.
    static void forget(const std::vector<Use>& uses);

    uint64_t serial_ = 0;
    std::vector<pipe::Ref<const pipe::RefCounted>> held_;
    std::vector<Use> uses_;
    std::vector<Point> waits_;
    std::deque<InFlight>
        in_flight_;  // the last entry is incomplete between begin_submission() and end_submission()
};

}  // namespace terrazzo::submission
