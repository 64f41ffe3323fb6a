// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_result.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace terrazzo::command::shader_db {

namespace {

template <class T>
auto key(const T& t) {
    return std::tie(t.name, t.device, t.part);
}
constexpr auto kByKey = [](const auto& a, const auto& b) { return key(a) < key(b); };

constexpr Metric kMetrics[] = {
    {"instructions", "inst", "instructions", false, [](const Row& r) { return double(r.instructions); }},
    {"bound", "cycles", "cycles of the busiest unit", false, [](const Row& r) { return r.bound(); }},
    {"loops", "loops", "loops", false, [](const Row& r) { return double(r.loops); }},
    {"registers", "regs", "registers of a thread", false, [](const Row& r) { return double(r.registers); }},
    {"threads", "threads", "threads of a core", true, [](const Row& r) { return double(r.threads); }},
    {"spills", "spills", "spilled words of a thread", false, [](const Row& r) { return double(r.spills); }},
    {"code_bytes", "bytes", "bytes of code", false, [](const Row& r) { return double(r.code_B); }},
};

/// Changes nothing if it fails.
bool merge_shards(const Shards& from, Shards* into, std::string* why) {
    if (from.count != into->count) {
        // Complete runs of different programs or devices may be merged; shards of different runs may not.
        *why = "these are shards of " + std::to_string(into->count) + " and of " + std::to_string(from.count);
        return false;
    }
    if (from.count == 1) return true;
    Shards sum{from.count, {}};
    for (const unsigned i : from.have) {
        if (std::find(into->have.begin(), into->have.end(), i) == into->have.end()) continue;
        *why = "shard " + std::to_string(i) + "/" + std::to_string(from.count) + " is there twice";
        return false;
    }
    std::merge(from.have.begin(), from.have.end(), into->have.begin(), into->have.end(),
               std::back_inserter(sum.have));
    *into = sum.complete() ? Shards() : sum;
    return true;
}

bool merge_devices(const std::vector<DeviceUnits>& from, std::vector<DeviceUnits>* into, std::string* why) {
    for (const DeviceUnits& d : from) {
        const auto known =
            std::find_if(into->begin(), into->end(), [&](const DeviceUnits& k) { return k.name == d.name; });
        if (known == into->end()) {
            into->push_back(d);
        } else if (known->units != d.units) {
            *why = d.name + " has other units in each";
            return false;
        }
    }
    return true;
}

template <class T>
void append(std::vector<T>&& from, std::vector<T>* into) {
    std::move(from.begin(), from.end(), std::back_inserter(*into));
}

void add(const Row& row, Total* t) {
    t->rows++;
    t->spilling += row.spills != 0;
    t->instructions += row.instructions;
    t->loops += row.loops;
    t->spills += row.spills;
    t->code_B += row.code_B;
    t->bound += row.bound();
    t->time_us += row.time_us;
    t->cycles.resize(std::max(t->cycles.size(), row.cycles.size()));
    for (size_t i = 0; i < row.cycles.size(); ++i)
        t->cycles[i] += row.cycles[i];
}

}  // namespace

double Row::bound() const {
    return cycles.empty() ? 0 : *std::max_element(cycles.begin(), cycles.end());
}

std::string_view Row::bound_unit(const DeviceUnits& of) const {
    const auto busiest = std::max_element(cycles.begin(), cycles.end());
    if (busiest == cycles.end() || *busiest == 0) return {};
    return of.units[size_t(busiest - cycles.begin())];
}

std::span<const Metric> metrics() {
    return kMetrics;
}

void sort(Results* results) {
    std::sort(results->rows.begin(), results->rows.end(), kByKey);
    std::sort(results->skipped.begin(), results->skipped.end(), kByKey);
    std::sort(results->failed.begin(), results->failed.end(), kByKey);
}

bool merge(Results from, Results* into, std::string* why) {
    sort(&from);
    sort(into);
    std::vector<Row> both;
    std::set_intersection(into->rows.begin(), into->rows.end(), from.rows.begin(), from.rows.end(),
                          std::back_inserter(both), kByKey);
    if (!both.empty()) {
        *why = both[0].name + " (" + both[0].device + " " + both[0].part + ") is there twice";
        return false;
    }
    std::vector<DeviceUnits> devices = into->devices;
    if (!merge_devices(from.devices, &devices, why) || !merge_shards(from.shards, &into->shards, why))
        return false;
    into->devices = std::move(devices);
    append(std::move(from.rows), &into->rows);
    append(std::move(from.skipped), &into->skipped);
    append(std::move(from.failed), &into->failed);
    // A program that two devices' runs skipped for the same reason counts once.
    sort(into);
    into->skipped.erase(std::unique(into->skipped.begin(), into->skipped.end()), into->skipped.end());
    into->failed.erase(std::unique(into->failed.begin(), into->failed.end()), into->failed.end());
    return true;
}

std::vector<Total> totals(const Results& results) {
    std::vector<Total> out;
    for (const DeviceUnits& device : results.devices) {
        std::map<std::string, Total> parts;
        Total all{.device = device.name};
        for (const Row& row : results.rows) {
            if (row.device != device.name) continue;
            add(row, &parts[row.part]);
            add(row, &all);
        }
        for (auto& [part, total] : parts) {
            total.device = device.name;
            total.part = part;
            out.push_back(std::move(total));
        }
        out.push_back(std::move(all));
    }
    return out;
}

std::vector<std::pair<std::string, size_t>> count_reasons(std::span<const Note> notes) {
    std::map<std::string, size_t> counts;
    for (const Note& n : notes)
        counts[n.reason]++;
    std::vector<std::pair<std::string, size_t>> out(counts.begin(), counts.end());
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return out;
}

}  // namespace terrazzo::command::shader_db
