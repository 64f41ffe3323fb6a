// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of the freedreno tools (decode/rd.h): recording submits to them, and replaying them.
#pragma once

#include "drivers/adreno/hw/chips.h"
#include "drivers/common/capture/recorder.h"
#include "drivers/common/host/replay.h"

namespace terrazzo::adreno::sim {

/// A recorder whose file has all memory for each submission. Null: the name is not that of such a file.
std::unique_ptr<capture::Recorder> create_rd_recorder(const hw::Chip& chip, const std::string& name,
                                                      uint64_t limit);

/// host::Vendor::play_tools_file.
[[nodiscard]] bool play_rd(std::span<const uint8_t> file, host::Player& player, std::string* error);

}  // namespace terrazzo::adreno::sim
