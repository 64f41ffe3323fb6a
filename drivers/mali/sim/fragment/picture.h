// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Colour targets as pictures, kept as they are written.
#pragma once

#include <map>
#include <mutex>

#include "drivers/common/capture/replay.h"
#include "drivers/mali/sim/fragment/area.h"

namespace terrazzo::mali::sim {

class TargetPictures final : public TargetWatcher {
  public:
    void wrote(const FramebufferState& fb, unsigned target, const Area& area, uint32_t tiles) override;
    /// The target that was written last since the call before; null: none. `why`: "", or what it was whose
    /// colours cannot be shown.
    [[nodiscard]] const capture::Picture* take_last(std::string* why);

  private:
    /// So many images are kept, for those who draw a part of one.
    static constexpr size_t kMostPictures = 64;

    std::mutex mutex_;
    std::map<uint64_t, capture::Picture> by_address_;
    const capture::Picture* last_ = nullptr;
    std::string why_;
};

}  // namespace terrazzo::mali::sim
