// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs a recording on the virtual GPU, with one instruction changed if wanted, and lists what could be.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/mali/mutation/recording.h"

namespace terrazzo::test {

/// One thing that can be left out: bits of the index-th instruction of a stream's or a shader's walk.
struct Place {
    bool shader = false;
    uint64_t at = 0;     // streams: which submission; shaders: the address of the code
    uint32_t index = 0;  // of the instruction
    uint64_t word = 0;   // as it is
    uint64_t without = 0;
    std::string what;  // "vertex: SYNC_WAIT64", "shader 0x1000: TEX_SINGLE, wait 2"
};

/// A word that the host wrote before a stream, changed.
struct Damage {
    uint64_t submission = 0, va = 0, value = 0;
};

struct ReplayOptions {
    const Place* change = nullptr;
    /// What `change` becomes is no instruction: whoever runs it complains.
    bool spoil = false;
    /// The first two draws of each pass find the heap exhausted, once each.
    bool exhausted = false;
    /// The GPU is stopped where it seems to go on for ever.
    const std::vector<Damage>* damage = nullptr;
};

class Replay {
  public:
    explicit Replay(Recording& recording);
    ~Replay();
    Replay(const Replay&) = delete;

    /// What the GPU complains of; empty: of nothing.
    std::string run(const ReplayOptions& options);
    /// After a run() without a change: of it.
    const std::vector<Place>& places() const;

  private:
    class Machine;
    const std::unique_ptr<Machine> machine_;
};

/// What became of places that were left out, one a run.
struct Outcome {
    unsigned all = 0;        // places that there are
    unsigned tried = 0;      // as follows:
    unsigned noticed = 0;    // the GPU complained, maybe only with an exhausted heap
    unsigned unreached = 0;  // nobody executes them
    std::vector<std::string> unnoticed, complaints;
    std::string broken;  // the recording does not run as it is: why
};
/// Every `every`-th place from `first`. Recordings of others need not stand an exhausted heap.
[[nodiscard]] Outcome mutate(Recording& recording, unsigned every, unsigned first, bool ours);

/// What became of `count` runs with some words damaged, of streams, descriptors, shaders or what they read.
struct DamageOutcome {
    unsigned unharmed = 0, complaints = 0, stopped = 0;
    std::string broken;  // the recording does not run as it is, or the GPU does not say what it minds
};
[[nodiscard]] DamageOutcome damage(Recording& recording, unsigned count, unsigned seed);

}  // namespace terrazzo::test
