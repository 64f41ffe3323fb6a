// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Replays the streams of a Mali capture on the virtual GPU.
#pragma once

#include "drivers/common/capture/replay.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::mali::sim {

inline constexpr capture::Vendor kVendor = capture::Vendor::Mali;

/// See drivers/common/capture/replay.h. A submission is a stream of a queue; its packets are not counted.
[[nodiscard]] bool replay(std::span<const uint8_t> file, const capture::ReplayOptions& options,
                          fields::Sink& sink, capture::ReplayCounts* counts, std::string* error);

}  // namespace terrazzo::mali::sim
