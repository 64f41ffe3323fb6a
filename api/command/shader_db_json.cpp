// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_json.h"

#include <nlohmann/json.hpp>

#include "api/command/json_text.h"

namespace terrazzo::command::shader_db {

namespace {

constexpr const char* kFormat = "terrazzo shader-db";
constexpr int kVersion = 1;

/// An array with one line per element.
template <class T, class F>
std::string lines(const char* key, const std::vector<T>& list, F&& text) {
    std::string out = "  " + json_quoted(key) + ": [";
    for (size_t i = 0; i < list.size(); ++i)
        out += (i ? ",\n    " : "\n    ") + text(list[i]);
    return out + (list.empty() ? "]" : "\n  ]");
}

template <class T, class F>
std::string in_line(const std::vector<T>& list, F&& text) {
    std::string out = "[";
    for (size_t i = 0; i < list.size(); ++i)
        out += (i ? ", " : "") + text(list[i]);
    return out + "]";
}

std::string pair(const char* key, std::string_view value) {
    return json_quoted(key) + ": " + std::string(value);
}

std::string key_text(const std::string& name, const std::string& device, const std::string& part) {
    std::string out = "{" + pair("name", json_quoted(name));
    if (!device.empty()) out += ", " + pair("device", json_quoted(device));
    if (!part.empty()) out += ", " + pair("part", json_quoted(part));
    return out;
}

std::string row_text(const Row& row, const JsonOptions& options) {
    std::string out = key_text(row.name, row.device, row.part);
    const auto add = [&](const char* key, uint32_t v) { out += ", " + pair(key, std::to_string(v)); };
    add("instructions", row.instructions);
    out += ", " + pair("cycles", in_line(row.cycles, json_number));
    add("loops", row.loops);
    add("registers", row.registers);
    add("threads", row.threads);
    add("spills", row.spills);
    add("code_bytes", row.code_B);
    if (options.times) out += ", " + pair("time_us", json_number(row.time_us));
    return out + "}";
}

std::string note_text(const Note& note) {
    return key_text(note.name, note.device, note.part) + ", " + pair("reason", json_quoted(note.reason)) +
           "}";
}

using Json = nlohmann::json;

std::string optional_text(const Json& j, const char* key) {
    const auto i = j.find(key);
    return i == j.end() ? std::string() : i->get<std::string>();
}

Row read_row(const Json& j) {
    Row row;
    row.name = j.at("name").get<std::string>();
    row.device = j.at("device").get<std::string>();
    row.part = j.at("part").get<std::string>();
    row.instructions = j.at("instructions").get<uint32_t>();
    row.cycles = j.at("cycles").get<std::vector<double>>();
    row.loops = j.at("loops").get<uint32_t>();
    row.registers = j.at("registers").get<uint32_t>();
    row.threads = j.at("threads").get<uint32_t>();
    row.spills = j.at("spills").get<uint32_t>();
    row.code_B = j.at("code_bytes").get<uint32_t>();
    if (const auto time = j.find("time_us"); time != j.end()) row.time_us = time->get<double>();
    return row;
}

std::vector<Note> read_notes(const Json& list) {
    std::vector<Note> out;
    for (const Json& j : list)
        out.push_back({j.at("name").get<std::string>(), optional_text(j, "device"), optional_text(j, "part"),
                       j.at("reason").get<std::string>()});
    return out;
}

Results read(const Json& j) {
    Results out;
    for (const Json& d : j.at("devices"))
        out.devices.push_back(
            {d.at("name").get<std::string>(), d.at("units").get<std::vector<std::string>>()});
    for (const Json& r : j.at("shaders"))
        out.rows.push_back(read_row(r));
    out.skipped = read_notes(j.at("skipped"));
    out.failed = read_notes(j.at("failed"));
    out.shards.count = j.at("shards").at("count").get<unsigned>();
    out.shards.have = j.at("shards").at("have").get<std::vector<unsigned>>();
    return out;
}

bool good_shards(const Shards& s) {
    if (s.have.empty() || s.have[0] < 1 || s.have.back() > s.count) return false;
    for (size_t i = 1; i < s.have.size(); ++i)
        if (s.have[i - 1] >= s.have[i]) return false;
    return s.count != 0;
}

/// Checks the facts that the rest of the command assumes.
bool consistent(const Results& r, std::string* why) {
    if (!good_shards(r.shards)) {
        *why = "the numbers of its shards make no sense";
        return false;
    }
    for (const Row& row : r.rows) {
        const DeviceUnits* device = nullptr;
        for (const DeviceUnits& d : r.devices)
            if (d.name == row.device) device = &d;
        if (device && row.cycles.size() == device->units.size()) continue;
        *why = row.name + (device ? " has not one number a unit" : " is of a device that is not listed");
        return false;
    }
    for (size_t i = 1; i < r.rows.size(); ++i) {
        const Row &a = r.rows[i - 1], &b = r.rows[i];
        if (a.name != b.name || a.device != b.device || a.part != b.part) continue;
        *why = a.name + " (" + a.device + " " + a.part + ") is there twice";
        return false;
    }
    return true;
}

}  // namespace

std::string to_json(const Results& r, const JsonOptions& options) {
    std::string out = "{\n  " + pair("format", json_quoted(kFormat)) + ",\n  ";
    out += pair("version", std::to_string(kVersion)) + ",\n  ";
    const auto number = [](unsigned n) { return std::to_string(n); };
    out += pair("shards", "{" + pair("count", number(r.shards.count)) + ", " +
                              pair("have", in_line(r.shards.have, number)) + "}") +
           ",\n";
    out += lines("devices", r.devices,
                 [](const DeviceUnits& d) {
                     return "{" + pair("name", json_quoted(d.name)) + ", " +
                            pair("units", in_line(d.units, json_quoted)) + "}";
                 }) +
           ",\n";
    out += lines("shaders", r.rows, [&](const Row& row) { return row_text(row, options); }) + ",\n";
    out += lines("skipped", r.skipped, note_text) + ",\n";
    out += lines("failed", r.failed, note_text) + "\n}\n";
    return out;
}

bool from_json(std::string_view text, Results* results, std::string* why) {
    // The library throws exceptions for members that are missing or have another type.
    try {
        const Json j = Json::parse(text);
        if (!j.is_object() || j.value("format", std::string()) != kFormat) {
            *why = "no results of terrazzo shader-db";
            return false;
        }
        if (j.at("version") != kVersion) {
            *why = "results of another version of terrazzo shader-db";
            return false;
        }
        Results r = read(j);
        sort(&r);
        if (!consistent(r, why)) return false;
        *results = std::move(r);
        return true;
    } catch (const Json::exception& e) {
        *why = e.what();
        return false;
    }
}

}  // namespace terrazzo::command::shader_db
