// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Recordings run on a virtual GPU with one wait, flush or slot left out. Work on the same memory comes out right on a virtual GPU without them, so nothing else
// would tell: it must complain, or the memory that comes out must differ. What a vendor's streams and shaders have to leave out is its Replay's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/common/mutation/memory.h"
#include "tests/common/mutation/recording.h"

namespace terrazzo::test {

/// 64 bits at a multiple of 8: as they are, without the thing, and so that whoever runs them complains.
struct Change {
    uint64_t va = 0, word = 0, without = 0, spoiled = ~0ull;
    bool operator==(const Change&) const = default;
};

/// One thing that can be left out.
struct Place {
    bool shader = false;
    uint64_t at = 0;     // streams: which submission; shaders: the address of the code
    uint32_t index = 0;  // of the instruction in a walk
    std::vector<Change> changes;
    std::string what;  // "vertex: SYNC_WAIT64", "shader 0x1000: TEX_SINGLE, wait 2"
    bool is_same(const Place& o) const {
        return shader == o.shader && at == o.at && index == o.index && changes == o.changes;
    }
};

/// A word that the host wrote before a stream, changed.
struct Damage {
    uint64_t submission = 0, va = 0, value = 0;
};

struct ReplayOptions {
    const Place* change = nullptr;
    bool spoil = false;    // instead of leaving it out
    unsigned variant = 0;  // of Replay::variants()
    /// Damaged streams are stopped where they seem to go on for ever.
    const std::vector<Damage>* damage = nullptr;
    /// Asked about each place that is offered, until it says yes: then that place is left out (or spoiled)
    /// from here on, as if it had been `change` from the beginning.
    std::function<bool(const Place&)> branch;
};

inline constexpr const char *kStopped = "stopped", *kUnexplained = "a fault without a report";

/// A recording on a vendor's virtual GPU. Its walks offer() what can be left out before it runs.
class Replay {
  public:
    Replay(Recording& recording, const std::vector<Range>& more_memory)
        : recording(recording), memory(recording, more_memory) {}
    virtual ~Replay() = default;
    /// What the GPU complains of; empty: of nothing.
    std::string run(const ReplayOptions& options);
    /// After a run() without a change: of it.
    const std::vector<Place>& places() const { return places_; }
    /// Conditions under which it runs; 0 is as it was recorded.
    virtual unsigned variants() const { return 1; }
    /// Of what came out of the last run, but for the change itself. 0: only complaints count.
    virtual uint64_t result() const { return 0; }

  protected:
    virtual std::string run_all() = 0;
    void offer(const Place& place);
    /// Before a stream: what the host wrote, and damage. `not_hosts` as RecordedMemory's.
    void begin_submission(uint64_t number, const std::function<bool(uint64_t va)>& not_hosts);

    Recording& recording;
    RecordedMemory memory;
    ReplayOptions options;

  private:
    void apply(const Place& place);

    std::vector<Place> places_;
    std::vector<Change> made_;
    Place branched_;  // that options.branch chose
};

/// What became of places that were left out, one a run.
struct Outcome {
    unsigned all = 0;        // places that there are
    unsigned tried = 0;      // as follows:
    unsigned noticed = 0;    // the GPU complained, maybe only in another variant, or something else came out
    unsigned unreached = 0;  // nobody executes them
    std::vector<std::string> unnoticed, complaints;
    std::string broken;  // the recording does not run as it is: why
};
/// Every `every`-th place from `first`. Recordings of others need not stand other variants. A recording runs
/// once as it is; at each place a child process goes on without it, so that nothing before it runs again: up
/// to `jobs` of them at once. No thread may run meanwhile.
[[nodiscard]] Outcome mutate(Replay& replay, unsigned every, unsigned first, bool ours, unsigned jobs = 1);

/// What became of `count` runs with some words damaged, of streams, descriptors, shaders or what they read.
struct DamageOutcome {
    unsigned unharmed = 0, complaints = 0, stopped = 0;
    std::string broken;  // the recording does not run as it is, or the GPU does not say what it minds
};
[[nodiscard]] DamageOutcome damage(Replay& replay, const Recording& recording, unsigned count, unsigned seed);

// ---- A vendor's: the program of main.cpp is linked with one ----

/// What TERRAZZO_DEVICE is while scenes are recorded.
extern const char* const kRecordingDevice;
/// Null: `why`.
std::unique_ptr<Replay> create_replay(Recording& recording, std::string* why);

}  // namespace terrazzo::test
