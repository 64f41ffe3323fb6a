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

/// Renders and dispatches in their order. One thread.
class Commands {
  public:
    /// Throws std::bad_alloc; the list is then as before.
    void add(const uapi::drm_asahi_cmd_render& render, After after) {
        add(uapi::kAsahiCmdRender, &render, sizeof render, after);
        renders_++;
    }
    void add(const uapi::drm_asahi_cmd_compute& dispatch, After after) {
        add(uapi::kAsahiCmdCompute, &dispatch, sizeof dispatch, after);
        dispatches_++;
    }
    void clear() {
        bytes_.clear();
        renders_ = dispatches_ = 0;
    }
    [[nodiscard]] uint32_t count() const { return uint32_t{renders_} + dispatches_; }
    [[nodiscard]] std::span<const uint8_t> bytes() const { return bytes_; }

  private:
    void add(uint16_t type, const void* payload, uint16_t size_B, After after);

    std::vector<uint8_t> bytes_;
    uint16_t renders_ = 0, dispatches_ = 0;
};

class Queue final : public submission::VendorQueue<Queue, Device> {
  public:
    /// Waits for the submitted work.
    ~Queue() override;

    /// Submits the commands, at least one and at most Device::max_commands(); all begin after `waits`.
    /// Returns the point of the timeline that is reached when all have ended. 0: the submission failed and
    /// has no effect: the device is lost, or the kernel is out of memory.
    [[nodiscard]] uint64_t submit(const Commands& commands, std::span<const Point> waits);

  private:
    friend VendorQueue;
    Queue(pipe::Ref<Device> device, int priority);
    [[nodiscard]] bool create_queue(uint32_t* id) override;
    void destroy_queue() override;

    uint32_t id_ = 0;                          // 0: none
    std::vector<uapi::drm_asahi_sync> syncs_;  // waits, then the signal
};

}  // namespace terrazzo::agx
