// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What vendors share that run recordings on their virtual GPUs: how they are asked, what they tell, and
// reading of our captures. A vendor's sim/replay.h has
//     bool replay(std::span<const uint8_t> file, const capture::ReplayOptions&, fields::Sink&,
//                 capture::ReplayCounts*, std::string* error)
// Each submission gets a line, and so does its fault. Memory is what the recording has, and what submissions
// before wrote where it has nothing newer. False, with a reason, where the file is damaged, or no such chip
// is there; what came before has run. Faults are no failure: see the counts. May throw std::bad_alloc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/recorded_space.h"

namespace terrazzo::capture {

/// The last colour target that a submission wrote: rows as memory has them, four bytes a pixel, R first. Of
/// OpenGL's own images the first is the lowest.
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
    std::string device;    // "adreno-650", "sim:adreno-650"; empty: the chip that the recording is of
    unsigned threads = 1;  // that a submission may use
    uint64_t limit_ns = 60'000'000'000;  // of a submission
    bool draws_nothing = false;          // streams are followed, and their draws are counted only
    PictureSink* pictures = nullptr;     // optional: gets one for each submission that wrote a colour target
};

struct ReplayCounts {
    uint64_t submits = 0, faults = 0, packets = 0, draws = 0, dispatches = 0, blits = 0, pictures = 0;
};

/// The name of a chip, without "sim:".
[[nodiscard]] std::string chip_name(const ReplayOptions& options);

/// The vendor of the chip that one of our captures is of. False: the file is no capture, or does not say.
[[nodiscard]] bool capture_vendor(std::span<const uint8_t> file, Vendor* out);

/// Commands of one submission, in the GPU's memory.
struct RecordedStream {
    uint64_t va = 0, size_B = 0;
};

/// What runs a capture's records.
class CapturePlayer {
  public:
    virtual ~CapturePlayer() = default;
    virtual RecordedSpace& memory() = 0;
    /// False: there is no such chip, or another vendor's.
    [[nodiscard]] virtual bool chip(const Record& chip, std::string* error) = 0;
    /// Streams of one submission: those of a queue that follow each other, and memory does not change between
    /// them.
    [[nodiscard]] virtual bool submit(uint32_t queue, std::span<const RecordedStream> streams,
                                      std::string* error) = 0;
};

/// Gives the player all of a capture. False: `error`.
[[nodiscard]] bool play_capture(std::span<const uint8_t> file, CapturePlayer& player, std::string* error);

}  // namespace terrazzo::capture
