// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of the freedreno tools (decode/rd.h): recording submits to them, and replaying them.
#pragma once

#include <string_view>
#include <vector>

#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/hw/chips.h"
#include "drivers/common/capture/recorder.h"
#include "drivers/common/host/replay.h"

namespace terrazzo::adreno::sim {

using decode::RdType;

/// Builds a file. The functions may throw std::bad_alloc.
class RdWriter {
  public:
    void section(RdType type, std::span<const uint8_t> data);
    void cmd(std::string_view program);
    void gpu_id(uint32_t id);
    void chip_id(uint64_t id);
    /// A buffer's address and contents; at most 4 GiB.
    void buffer(uint64_t va, std::span<const uint8_t> contents);
    /// The contents of the streams must have been written before.
    void submit(uint64_t va, uint32_t size_dw);

    const std::vector<uint8_t>& file() const { return file_; }

  private:
    void put_u32(uint32_t value);
    void address(RdType type, uint64_t va, uint32_t size);

    std::vector<uint8_t> file_;
};

/// A recorder whose file has all memory for each submission. Null: the name is not that of such a file.
std::unique_ptr<capture::Recorder> create_rd_recorder(const hw::Chip& chip, const std::string& name,
                                                      uint64_t limit);

/// host::Vendor::play_tools_file.
[[nodiscard]] bool play_rd(std::span<const uint8_t> file, host::Player& player, std::string* error);

}  // namespace terrazzo::adreno::sim
