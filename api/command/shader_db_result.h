// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What `terrazzo shader-db` finds out: rows of numbers, what was left out and what failed; totals and
// merging.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace terrazzo::command::shader_db {

/// One part of one program on one device.
struct Row {
    std::string name, device, part;
    uint32_t instructions = 0, loops = 0, registers = 0, threads = 0, spills = 0, code_B = 0;
    std::vector<double> cycles;  // by unit of the device
    double time_us = 0;          // CPU time of the device's compiler

    [[nodiscard]] double bound() const;  // cycles of the busiest unit
    /// Its name; the first of several. "": none has anything to do.
    [[nodiscard]] std::string_view bound_unit(const struct DeviceUnits& of) const;
    bool operator==(const Row&) const = default;
};

struct DeviceUnits {
    std::string name;
    std::vector<std::string> units;
    bool operator==(const DeviceUnits&) const = default;
};

/// A program that was skipped, or what failed. Device and part are empty where no device's compiler saw it.
struct Note {
    std::string name, device, part, reason;
    bool operator==(const Note&) const = default;
};

/// Which pieces of the whole these results are; the whole is the only piece of one.
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

/// The order that files have: by name, device, part.
void sort(Results* results);
/// Adds `from`; both are sorted then. False: the same row or shard is in both, or devices differ, as `why`
/// says.
[[nodiscard]] bool merge(Results from, Results* into, std::string* why);

/// A column of numbers. The lower, the better, but where more is better.
struct Metric {
    const char* key;    // in JSON
    const char* title;  // for people
    const char* help;
    bool more_is_better = false;
    double (*get)(const Row& row);
};
/// Instructions, cycles of the bound, loops, registers, threads, spills, bytes.
[[nodiscard]] std::span<const Metric> metrics();

/// Sums over the rows of a device and a part; of all its parts where that is empty.
struct Total {
    std::string device, part;
    uint32_t rows = 0, spilling = 0;
    uint64_t instructions = 0, loops = 0, spills = 0, code_B = 0;
    std::vector<double> cycles;
    double bound = 0, time_us = 0;
};
/// By device, as the results name them; each device's parts by name, then all.
[[nodiscard]] std::vector<Total> totals(const Results& results);

/// Reasons and how often each is there, the most frequent first.
[[nodiscard]] std::vector<std::pair<std::string, size_t>> count_reasons(std::span<const Note> notes);

}  // namespace terrazzo::command::shader_db
