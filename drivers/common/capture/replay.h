// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The common part of replaying recordings on virtual GPUs: options, results, and reading of our captures. A
// vendor's sim/replay.h has
//     bool replay(std::span<const uint8_t> file, const capture::ReplayOptions&, fields::Sink&,
//                 capture::ReplayCounts*, std::string* error)
// It prints a line for each submission and each fault. Memory has the recording's contents, unless an earlier
// submission wrote newer ones. False, with a reason: the file is damaged, or there is no such chip; the part
// before the error has run. Faults are no failure: see the counts. May throw std::bad_alloc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/recorded_space.h"

namespace terrazzo::capture {

/// The last colour target that a submission wrote: rows in memory's order, four bytes per pixel, R first. In
/// OpenGL's own images the first row is the lowest.
struct Picture {
    uint64_t submission = 0;
    uint32_t width_px = 0, height_px = 0;
    std::vector<uint8_t> rgba;
};

class PictureSink {
  public:
    virtual ~PictureSink() = default;
    virtual void picture(const Picture& picture) = 0;
};

struct ReplayOptions {
    std::string device;                  // "adreno-650", "sim:adreno-650"; empty: the recording's chip
    unsigned threads = 1;                // the most threads of a submission
    uint64_t limit_ns = 60'000'000'000;  // per submission
    bool draws_nothing = false;          // streams are followed, but draws are only counted
    // Optional: receives a picture for each submission that wrote a colour target.
    PictureSink* pictures = nullptr;
};

struct ReplayCounts {
    uint64_t submits = 0, faults = 0, packets = 0, draws = 0, dispatches = 0, blits = 0, pictures = 0;
};

/// The name of a chip, without "sim:".
[[nodiscard]] std::string chip_name(const ReplayOptions& options);

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

/// Plays a whole capture. False: see `error`.
[[nodiscard]] bool play_capture(std::span<const uint8_t> file, CapturePlayer& player, std::string* error);

}  // namespace terrazzo::capture
