// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The work that a context records between two submissions: renders, each with its VDM stream, and the memory
// and objects that they use. Used by one thread at a time.
#pragma once

#include "drivers/agx/images/resource.h"
#include "drivers/agx/stream/vdm_builder.h"
#include "drivers/agx/submission/queue.h"
#include "drivers/common/submission/queued_recording.h"

namespace terrazzo::agx {

class Recorder final : public submission::VendorRecording<Device, Queue, VdmBuilder> {
  public:
    using VendorRecording::VendorRecording;

    VdmBuilder& vdm = builders_[0];
    /// Adds a render, whose stream has ended. It runs after all work that was recorded or submitted before.
    /// Throws std::bad_alloc.
    void add_render(const uapi::drm_asahi_cmd_render& render) {
        commands_.add(render, {.renders = true, .dispatches = true});
    }
    /// Memory for `count` words. Throws std::bad_alloc.
    struct Words {
        uint32_t* cpu;
        uint64_t va;
    };
    [[nodiscard]] Words allocate(unsigned count, uint32_t align_B) {
        const memory::Pool::Piece p = pool.allocate(count * uint32_t(sizeof(uint32_t)), align_B);
        return {reinterpret_cast<uint32_t*>(p.cpu), p.va};
    }

  private:
    void finish_streams() override {}
    [[nodiscard]] uint64_t submit_streams(const submission::Needs& needs) override {
        return queue().submit(commands_, needs.waits);
    }
    void begin_streams(bool ran) override {
        (void)ran;
        commands_.clear();
        vdm.discard();
    }

    Commands commands_{device().max_commands()};
};

}  // namespace terrazzo::agx
