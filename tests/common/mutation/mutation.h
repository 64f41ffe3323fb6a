// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Recordings run on a virtual GPU with one wait, flush or slot left out. On a virtual GPU the results are
// right even without them, so other tests would not notice. The GPU must report the omission, or the
// resulting memory must differ. A vendor's Replay says what its streams and shaders have that can be left
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/common/mutation/memory.h"
#include "tests/common/mutation/recording.h"

namespace terrazzo::test {

/// 64 bits at an address that is a multiple of 8: the original word, the word without the place, and a word
/// that must be reported.
struct Change {
    uint64_t va = 0, word = 0, without = 0, spoiled = ~0ull;
    bool operator==(const Change&) const = default;
};

/// One wait, flush or slot that can be left out.
struct Place {
    bool shader = false;
    uint64_t at = 0;     // streams: the submission's number; shaders: the address of the code
    uint32_t index = 0;  // of the instruction in the stream or shader
    std::vector<Change> changes;
    std::string what;  // "vertex: SYNC_WAIT64", "shader 0x1000: TEX_SINGLE, wait 2"
    bool is_same(const Place& o) const {
        return shader == o.shader && at == o.at && index == o.index && changes == o.changes;
    }
};

/// A word that the host wrote before a stream is replaced.
struct Damage {
    uint64_t submission = 0, va = 0, value = 0;
};

struct ReplayOptions {
    const Place* change = nullptr;
    bool spoil = false;    // use the word that must be reported, instead of leaving the place out
    unsigned variant = 0;  // one of Replay::variants()
    /// Damaged streams are stopped if they run too long.
    const std::vector<Damage>* damage = nullptr;
    /// Called for each place until it returns true. That place is left out (or spoiled) from then on, as if
    /// it had been `change` from the beginning.
    std::function<bool(const Place&)> branch;
};

inline constexpr const char *kStopped = "stopped", *kUnexplained = "a fault without a report";

/// A recording on a vendor's virtual GPU. Before a stream runs, the Replay walks through it and calls offer()
/// for each place.
class Replay {
  public:
    Replay(Recording& recording, const std::vector<Range>& more_memory)
        : recording(recording), memory(recording, more_memory) {}
    virtual ~Replay() = default;
    /// What the GPU reports. Empty if nothing.
    std::string run(const ReplayOptions& options);
    /// For the run before, which had no change.
    const std::vector<Place>& places() const { return places_; }
    /// The number of conditions under which it runs. 0 is the recorded one.
    virtual unsigned variants() const { return 1; }
    /// A digest of the last run's result, without the change itself. 0: only reports count.
    virtual uint64_t result() const { return 0; }

  protected:
    virtual std::string run_all() = 0;
    void offer(const Place& place);
    /// Before a stream: applies the host's writes and damage. `not_hosts` as in RecordedMemory.
    void begin_submission(uint64_t number, const std::function<bool(uint64_t va)>& not_hosts);

    Recording& recording;
    RecordedMemory memory;
    ReplayOptions options;

  private:
    void apply(const Place& place);

    std::vector<Place> places_;
    std::vector<Change> made_;
    Place branched_;  // the place that options.branch chose
};

/// The results for the places, one place a run.
struct Outcome {
    unsigned all = 0;        // all places
    unsigned tried = 0;      // tried places, which are:
    unsigned noticed = 0;    // reported by the GPU, maybe only in another variant, or with another result
    unsigned unreached = 0;  // never executed
    std::vector<std::string> unnoticed, reports;
    std::string broken;  // why the recording does not run unchanged
};
/// Tries every `every`-th place from `first` on. Recordings of other drivers may not run in other variants.
/// The recording runs once unchanged. At each place a child process continues without it, so that the part
/// before it does not run again; up to `jobs` of them run at once. No other thread may run.
[[nodiscard]] Outcome mutate(Replay& replay, unsigned every, unsigned first, bool ours, unsigned jobs = 1);

/// The results of `count` runs with some damaged words in streams, descriptors, shaders, or in the data that
/// they read.
struct DamageOutcome {
    unsigned unharmed = 0, reports = 0, stopped = 0;
    std::string broken;  // why the recording does not run unchanged, or that a fault has no report
};
[[nodiscard]] DamageOutcome damage(Replay& replay, const Recording& recording, unsigned count, unsigned seed);

// ---- A vendor's functions: main.cpp is linked with one vendor's ----

/// The value of TERRAZZO_DEVICE while scenes are recorded.
extern const char* const kRecordingDevice;
/// Null on failure; then `why` has the reason.
std::unique_ptr<Replay> create_replay(Recording& recording, std::string* why);

}  // namespace terrazzo::test
