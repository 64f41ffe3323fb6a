// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the submits of a recording on the virtual GPU: a file of the freedreno tools (.rd, compressed or not),
// or a capture of an Adreno.
#pragma once

#include "drivers/common/capture/replay.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::sim {

inline constexpr capture::Vendor kVendor = capture::Vendor::Adreno;

using capture::ReplayCounts;
using capture::ReplayOptions;

/// See drivers/common/capture/replay.h.
[[nodiscard]] bool replay(std::span<const uint8_t> file, const ReplayOptions& options, fields::Sink& sink,
                          ReplayCounts* counts, std::string* error);

}  // namespace terrazzo::adreno::sim
