// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context records between two submissions needs: memory for it, the objects and the memory that it uses and that
// must live until it has run, and what it must wait for. Submissions that have not ended are kept here, too. A
// vendor's recorder adds its streams. One thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "drivers/common/images/stored.h"
#include "drivers/common/memory/pool.h"
#include "drivers/common/memory/timeline.h"
#include "drivers/common/submission/needs.h"

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
    /// Work that is recorded reads (or writes) the resource's present storage.
    void read(images::StoredResource& r) {
        if (r.read_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, false);
    }
    void write(images::StoredResource& r) {
        if (r.written_by.load(std::memory_order_relaxed) != serial_) [[unlikely]]
            note(r, true);
    }
    /// As read(), and pack() writes addresses of the storage that is held, as it is: it is called again where that was not held yet, or
    /// another context has replaced it meanwhile.
    template <class F>
    void read_as_packed(images::StoredResource& r, F&& pack) {
        for (;;) {
            pack();
            // Who replaces the storage forgets first that it is held: where pack() has seen anything of the new one, so does this.
            std::atomic_thread_fence(std::memory_order_acquire);
            if (r.read_by.load(std::memory_order_relaxed) == serial_) [[likely]]
                return;
            note(r, false);
        }
    }
    /// The same of several: each(f) calls f(resource) for each of them.
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
    /// Keeps an object (a view, a program) alive that has `held_by`.
    template <class T>
    void hold(T& object) {
        if (object.held_by.load(std::memory_order_relaxed) == serial_) return;
        held_.push_back(pipe::Ref<const pipe::RefCounted>(&object));
        object.held_by.store(serial_, std::memory_order_relaxed);
    }
    void hold_always(pipe::Ref<const pipe::RefCounted> object) { held_.push_back(std::move(object)); }
    /// As read() and write(), of memory that is no resource.
    void use(const pipe::Ref<Bo>& bo, bool write);
    /// Whether recorded work uses the storage so that an access of that kind must come after (or before) it.
    [[nodiscard]] bool uses(const Bo& bo, bool write) const;
    [[nodiscard]] bool uses_memory() const { return !uses_.empty(); }
    /// How often recorded work writes it: what `recorded_writes` has of this recording.
    [[nodiscard]] uint32_t count_writes(const Bo& bo) const;
    /// Another context waits for what is recorded here (images/form_change.h): it should be submitted soon.
    [[nodiscard]] bool is_awaited() const {
        return pool.device().awaited_submissions.load(std::memory_order_relaxed) != 0 && !uses_.empty();
    }
    /// Work recorded from the next submission on begins after the point.
    void wait_for(const Point& point) { waits_.push_back(point); }

    /// Forgets what is recorded; recording begins anew.
    void discard();
    /// Lets go of what finished submissions used.
    void retire(Timeline& timeline);

  protected:
    /// Where nothing is recorded: what passes that came to nothing wanted to use. Recording begins anew.
    void drop_uses();
    /// Before the recorded work is handed over to a queue of the timeline. Throws std::bad_alloc, and then nothing has changed.
    [[nodiscard]] Needs begin_submission(const Timeline& own);
    /// After that: the point that the work reaches, or 0 where nothing of it will run. Recording begins anew.
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
    /// They are submitted, or nothing will be.
    static void forget(const std::vector<Use>& uses);

    uint64_t serial_ = 0;
    std::vector<pipe::Ref<const pipe::RefCounted>> held_;
    std::vector<Use> uses_;
    std::vector<Point> waits_;
    std::deque<InFlight> in_flight_;  // between begin_submission and end_submission, the last one is to come
};

}  // namespace terrazzo::submission
