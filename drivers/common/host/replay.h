// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Replays recordings on any vendor's virtual GPU: the recording is the memory, and the player does what a
// kernel does. Queues run one after the other, each until its submission ends or waits for a value in memory.
// Memory has the recording's contents, unless an earlier submission wrote newer ones.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/replay.h"
#include "drivers/common/fields/fields.h"
#include "drivers/common/host/chip.h"

namespace terrazzo::host {

struct ReplayOptions {
    std::string device;                  // "adreno-650", "sim:adreno-650"; empty: the recording's chip
    unsigned threads = 1;                // the most threads of a submission
    uint64_t limit_ns = 60'000'000'000;  // per submission
    bool draws_nothing = false;          // streams are followed, but draws are only counted
    // Optional: receives a picture of the last colour target that each submission wrote.
    PictureSink* pictures = nullptr;
};

struct ReplayCounts {
    uint64_t submits = 0, faults = 0, pictures = 0;
    Counters work;
};

/// Runs a recording: a capture of the vendor's, or a file of its tools, compressed or not. Prints a line for
/// each submission, picture that is missing, and fault. False, with a reason: the file is damaged, or there
/// is no such chip; the part before the error has run. Faults are no failure: see the counts. May throw
/// std::bad_alloc.
[[nodiscard]] bool replay(std::span<const uint8_t> file, const Vendor& vendor, const ReplayOptions& options,
                          fields::Sink& sink, ReplayCounts* counts, std::string* error);

/// What replay() gives to Vendor::play_tools_file. Where a method returns false, `error` says why.
class Player final : public capture::CapturePlayer {
  public:
    Player(const Vendor& vendor, const ReplayOptions& options, fields::Sink& sink, ReplayCounts* counts);
    ~Player() override;

    capture::RecordedSpace& memory() override;
    /// Memory that the recording lacks is zero, and submissions are without the streams that it lacks.
    void fill_gaps() { memory().fills_gaps = true; }
    [[nodiscard]] bool map(uint64_t va, uint64_t size_B, std::string* error);
    [[nodiscard]] bool put(uint64_t va, std::span<const uint8_t> bytes, std::string* error);
    /// The recording's chip. It does not replace the one of ReplayOptions::device.
    [[nodiscard]] bool chip(uint32_t gpu_id, uint64_t variant, std::string* error);
    [[nodiscard]] bool chip(const capture::Record& record, std::string* error) override;
    [[nodiscard]] bool submit(uint32_t queue, std::span<const capture::RecordedStream> streams,
                              std::string* error) override;

    /// ReplayOptions::device, if it names a chip.
    [[nodiscard]] bool choose(std::string* error);
    /// The end: queues that still wait never end.
    void finish();

  private:
    class ReplayHost;
    struct Queue;
    struct ReplayGroup;

    ReplayGroup* group_of(uint32_t queue, std::string* error);
    void run(ReplayGroup& group, Queue& queue, bool* goes_on);
    void run_all();
    void end(ReplayGroup& group, Queue& queue, const std::string& fault);
    void tell();

    const Vendor& vendor_;
    const ReplayOptions& options_;
    fields::Sink& sink_;
    ReplayCounts& counts_;
    const Chip* chip_ = nullptr;
    const std::unique_ptr<ReplayHost> host_;
    std::map<uint32_t, std::unique_ptr<ReplayGroup>> groups_;
    ReplayGroup* last_ = nullptr;     // the group that ran last; null: the GPU was reset
    std::vector<std::string> later_;  // findings of running submissions, which follow the submission's line
};

}  // namespace terrazzo::host
