// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context's queue, and the flat list of commands that one submit runs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drivers/agx/device.h"
#include "drivers/common/submission/kernel_queue.h"

namespace terrazzo::agx {

/// What a command waits for: all renders, all dispatches that were recorded or submitted before it. Without
/// either, the hardware may run it at the same time as they run.
struct After {
    bool renders = false, dispatches = false;
};

/// Renders and dispatches in their order, in lists of at most as many as one submit may have. One thread.
class Commands {
  public:
    /// `most`: Device::max_commands().
    explicit Commands(uint32_t most) : most_(most) {}
    /// Throws std::bad_alloc; the lists are then as before.
    void add(const uapi::drm_asahi_cmd_render& render, After after) {
        add(uapi::kAsahiCmdRender, &render, sizeof render, after, &Counts::renders);
    }
    void add(const uapi::drm_asahi_cmd_compute& dispatch, After after) {
        add(uapi::kAsahiCmdCompute, &dispatch, sizeof dispatch, after, &Counts::dispatches);
    }
    void clear() {
        bytes_.clear();
        full_.clear();
        counts_ = {};
    }
    [[nodiscard]] bool empty() const { return bytes_.empty(); }
    /// Calls f(list) with the bytes of each list, until it returns false. Returns whether all returned true.
    template <class F>
    [[nodiscard]] bool for_each_list(F&& f) const {
        const std::span<const uint8_t> all = bytes_;
        size_t begin_B = 0;
        for (const size_t end_B : full_) {
            if (!f(all.subspan(begin_B, end_B - begin_B))) return false;
            begin_B = end_B;
        }
        return begin_B == all.size() || f(all.subspan(begin_B));
    }

  private:
    struct Counts {
        uint16_t renders = 0, dispatches = 0;
    };
    void add(uint16_t type, const void* payload, uint16_t size_B, After after, uint16_t Counts::*kind);

    uint32_t most_;
    std::vector<uint8_t> bytes_;
    std::vector<size_t> full_;  // where full lists end in them
    Counts counts_;             // of the last list
};

class Queue final : public submission::VendorQueue<Queue, Device> {
  public:
    /// Submits the commands, at least one, in as many submits as they need; all begin after `waits`. Returns
    /// the point of the timeline that is reached when all have ended. 0: the device is lost, or the kernel is
    /// out of memory: none of them run any more, but those of earlier submits may have run. Throws
    /// std::bad_alloc before the first submit.
    [[nodiscard]] uint64_t submit(const Commands& commands, std::span<const Point> waits);

  private:
    friend VendorQueue;
    using VendorQueue::VendorQueue;
    using DestroyQueue = uapi::drm_asahi_queue_destroy;
    static constexpr unsigned long kDestroyQueue = uapi::kAsahiQueueDestroy;
    [[nodiscard]] int create_queue(uint32_t* id) override;
    /// One submit. Waits for the first `waits` of syncs_. Returns its point, or 0.
    [[nodiscard]] uint64_t submit_list(std::span<const uint8_t> list, uint32_t waits);

    std::vector<uapi::drm_asahi_sync> syncs_;  // waits, then the signal
};

}  // namespace terrazzo::agx
