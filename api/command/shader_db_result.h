// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The results of `terrazzo shader-db`: rows of numbers, skipped programs and failures; totals and merging.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace terrazzo::command::shader_db {

/// One part of one program for one device.
struct Row {
    std::string name, device, part;
    uint32_t instructions = 0, loops = 0, registers = 0, threads = 0, spills = 0, code_B = 0;
    std::vector<double> cycles;  // by unit of the device
    double time_us = 0;          // CPU time of the device's compiler

    [[nodiscard]] double bound() const;  // cycles of the busiest unit
    /// The name of the busiest unit, the first one of several; "": no unit has anything to do.
    [[nodiscard]] std::string_view bound_unit(const struct DeviceUnits& of) const;
    bool operator==(const Row&) const = default;
};

struct DeviceUnits {
    std::string name;
    std::vector<std::string> units;
    bool operator==(const DeviceUnits&) const = default;
};

/// A program that was skipped, or a failure. Device and part are empty if no device's compiler was called.
struct Note {
    std::string name, device, part, reason;
    bool operator==(const Note&) const = default;
};

/// The shards of these results; all programs are the only shard of one.
struct Shards {
    unsigned count = 1;
    std::vector<unsigned> have{1};
    [[nodiscard]] bool complete() const { return have.size() == count; }
    bool operator==(const Shards&) const = default;
};

struct Results {
    std::vector<DeviceUnits> devices;
    std::vector<Row> rows;
    std::vector<Note> skipped, failed;
    Shards shards;
    bool operator==(const Results&) const = default;
};

/// Sorts by name, device, part, as in files.
void sort(Results* results);
/// Adds `from`; both are sorted afterwards. False: both have the same row or shard, or devices differ; `why`
/// says which.
[[nodiscard]] bool merge(Results from, Results* into, std::string* why);

/// A column of numbers. Lower is better, unless `more_is_better`.
struct Metric {
    const char* key;    // in JSON
    const char* title;  // for people
    const char* help;
    bool more_is_better = false;
    double (*get)(const Row& row);
};
/// Instructions, cycles of the busiest unit, loops, registers, threads, spills, bytes.
[[nodiscard]] std::span<const Metric> metrics();

/// Sums over the rows of a device and a part, or of all its parts if `part` is empty.
struct Total {
    std::string device, part;
    uint32_t rows = 0, spilling = 0;
    uint64_t instructions = 0, loops = 0, spills = 0, code_B = 0;
    std::vector<double> cycles;
    double bound = 0, time_us = 0;
};
/// In the results' order of devices; for each the parts by name, then the total.
[[nodiscard]] std::vector<Total> totals(const Results& results);

/// Reasons and their numbers, the most frequent first.
[[nodiscard]] std::vector<std::pair<std::string, size_t>> count_reasons(std::span<const Note> notes);

}  // namespace terrazzo::command::shader_db
