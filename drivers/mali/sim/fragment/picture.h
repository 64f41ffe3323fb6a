// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Collects colour targets as pictures while they are written.
#pragma once

#include <map>
#include <mutex>

#include "drivers/common/host/picture.h"
#include "drivers/mali/sim/fragment/area.h"

namespace terrazzo::mali::sim {

class TargetPictures final : public TargetWatcher {
  public:
    void wrote(const FramebufferState& fb, unsigned target, const Area& area, const uint8_t* pixels,
               uint32_t tiles) override;
    /// As host::Group::take_picture().
    [[nodiscard]] bool take_last(host::Picture* out, std::string* why);

  private:
    /// The number of pictures that are kept, for draws to a part of an image.
    static constexpr size_t kMostPictures = 64;

    std::mutex mutex_;
    std::map<uint64_t, host::Picture> by_address_;
    const host::Picture* last_ = nullptr;
    std::string why_;
};

}  // namespace terrazzo::mali::sim
