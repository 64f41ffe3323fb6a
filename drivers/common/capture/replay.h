// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The records of a capture in the order in which something runs them (drivers/common/host/replay.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/recorded_space.h"

namespace terrazzo::capture {

/// The vendor of a capture's chip. False: the file is no capture, or has no chip record.
[[nodiscard]] bool capture_vendor(std::span<const uint8_t> file, Vendor* out);

/// Commands of one submission, in the GPU's memory.
struct RecordedStream {
    uint64_t va = 0, size_B = 0;
};

/// Executes a capture's records.
class CapturePlayer {
  public:
    virtual ~CapturePlayer() = default;
    virtual RecordedSpace& memory() = 0;
    /// False: there is no such chip, or it belongs to another vendor.
    [[nodiscard]] virtual bool chip(const Record& chip, std::string* error) = 0;
    /// The streams of one submission: consecutive streams of a queue without changes of memory between them.
    [[nodiscard]] virtual bool submit(uint32_t queue, std::span<const RecordedStream> streams,
                                      std::string* error) = 0;
};

/// Says that memory does not fit. Returns false.
bool is_too_large(std::string* error);

/// Plays a whole capture. False: see `error`.
[[nodiscard]] bool play_capture(std::span<const uint8_t> file, CapturePlayer& player, std::string* error);

}  // namespace terrazzo::capture
