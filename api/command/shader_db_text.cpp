// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/shader_db_text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace terrazzo::command::shader_db {

namespace {

[[gnu::format(printf, 2, 3)]] void print(std::string* out, const char* format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int n = std::vsnprintf(nullptr, 0, format, arguments);
    if (n > 0) {
        const size_t size = out->size();
        out->resize(size + size_t(n) + 1);
        std::vsnprintf(out->data() + size, size_t(n) + 1, format, again);
        out->resize(size + size_t(n));
    }
    va_end(again);
    va_end(arguments);
}

/// The width of the column of names: that of the longest one, within limits.
int name_columns(const Results& results, const std::string& device) {
    size_t width = 12;
    for (const Row& row : results.rows)
        if (row.device == device) width = std::max(width, row.name.size());
    return int(std::min<size_t>(width, 60));
}

struct Cells {
    uint64_t instructions;
    double bound;
    std::string_view by;  // the busiest unit
    const std::vector<double>& cycles;
    uint64_t loops, spills, code_B;
    double time_us;
};

void print_cells(std::string* out, const Cells& c, uint32_t registers, uint32_t threads) {
    print(out, " %7llu %9.2f %-3.*s", static_cast<unsigned long long>(c.instructions), c.bound,
          int(c.by.size()), c.by.data());
    for (const double v : c.cycles)
        print(out, " %8.2f", v);
    print(out, " %5llu", static_cast<unsigned long long>(c.loops));
    if (registers)
        print(out, " %4u %7u", registers, threads);
    else
        print(out, " %4s %7s", "", "");
    print(out, " %6llu %8llu %9.3f\n", static_cast<unsigned long long>(c.spills),
          static_cast<unsigned long long>(c.code_B), c.time_us / 1000);
}

void print_head(std::string* out, int width, const DeviceUnits& device) {
    print(out, "%-*s %-9s %7s %9s %-3s", width, device.name.c_str(), "part", "inst", "cycles", "by");
    for (const std::string& unit : device.units)
        print(out, " %8s", unit.c_str());
    print(out, " %5s %4s %7s %6s %8s %9s\n", "loops", "regs", "threads", "spills", "bytes", "ms");
}

/// 3 for 3, 1.25 for 1.25: only sums of cycles have fractions.
std::string number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, v == double(int64_t(v)) ? "%.0f" : "%.3f", v);
    return text;
}

void print_reasons(std::string* out, const char* what, const std::vector<Note>& notes) {
    if (notes.empty()) return;
    print(out, "%s: %zu\n", what, notes.size());
    constexpr size_t kMostReasons = 12;
    const auto reasons = count_reasons(notes);
    for (size_t i = 0; i < reasons.size() && i < kMostReasons; ++i)
        print(out, "  %6zu  %s\n", reasons[i].second, reasons[i].first.c_str());
    if (reasons.size() > kMostReasons) print(out, "          and %zu more\n", reasons.size() - kMostReasons);
}

void print_metric(std::string* out, const MetricChange& m) {
    if (m.changes.empty()) return;
    for (const Change& c : m.changes) {
        const bool helped = (c.after < c.before) != m.metric->more_is_better;
        print(out, "%s %s: %s %s: %s -> %s (%s)\n", m.metric->title, helped ? "helped" : "HURT",
              c.row->name.c_str(), c.row->part.c_str(), number(c.before).c_str(), number(c.after).c_str(),
              percent(c.before, c.after).c_str());
    }
    out->append("\n");
}

void print_list(std::string* out, const char* what, const std::vector<const Row*>& rows) {
    for (const Row* row : rows)
        print(out, "%s: %s %s\n", what, row->name.c_str(), row->part.c_str());
    if (!rows.empty()) out->append("\n");
}

}  // namespace

std::string to_text(const Results& results, bool with_rows) {
    std::string out;
    const std::vector<Total> sums = totals(results);
    for (const DeviceUnits& device : results.devices) {
        const int width = name_columns(results, device.name);
        print_head(&out, width, device);
        for (const Row& row : results.rows) {
            if (!with_rows || row.device != device.name) continue;
            print(&out, "%-*s %-9s", width, row.name.c_str(), row.part.c_str());
            print_cells(&out,
                        {row.instructions, row.bound(), row.bound_unit(device), row.cycles, row.loops,
                         row.spills, row.code_B, row.time_us},
                        row.registers, row.threads);
        }
        for (const Total& t : sums) {
            if (t.device != device.name || t.rows == 0) continue;
            const std::string title = "total of " + std::to_string(t.rows);
            print(&out, "%-*s %-9s", width, title.c_str(), t.part.empty() ? "all" : t.part.c_str());
            print_cells(&out, {t.instructions, t.bound, "", t.cycles, t.loops, t.spills, t.code_B, t.time_us},
                        0, 0);
        }
        out += '\n';
    }
    print_reasons(&out, "skipped", results.skipped);
    print_reasons(&out, "failed", results.failed);
    if (!results.shards.complete())
        print(&out, "%zu of %u shards\n", results.shards.have.size(), results.shards.count);
    return out;
}

std::string column_key(const pipe::OfflineCompiler& device) {
    std::string out = std::string("Columns of ") + device.name() + "\n";
    const auto line = [&](const char* name, const char* meaning) {
        print(&out, "  %-8s %s\n", name, meaning);
    };
    line("part", "the shader that hardware runs; a shader of OpenGL ES may become several");
    line("inst", "instructions");
    line("cycles", "clocks of the busiest unit: each instruction once, a core's clocks for one thread");
    line("by", "that unit");
    for (const pipe::OfflineUnit& unit : device.units())
        line(unit.name, unit.meaning);
    line("loops", "loops: their instructions count once, too");
    line("regs", "registers of a thread");
    line("threads", "threads that a core can have at once with so many registers");
    line("spills", "words of 32 bits of a thread that are kept in memory, since registers ran out");
    line("bytes", "size of the code");
    line("ms", "CPU time of the compiler");
    return out;
}

std::string to_text(const std::vector<Comparison>& comparisons) {
    std::string out;
    for (const Comparison& c : comparisons) {
        print(&out, "%s: %zu shaders in both\n\n", c.device.c_str(), c.rows);
        for (const MetricChange& m : c.metrics)
            print_metric(&out, m);
        print_list(&out, "new", c.gained);
        print_list(&out, "gone", c.lost);
        for (const MetricChange& m : c.metrics)
            print(&out, "total %-9s %12s -> %12s  %10s  helped %u, hurt %u\n", m.metric->title,
                  number(m.before).c_str(), number(m.after).c_str(), percent(m.before, m.after).c_str(),
                  m.helped, m.hurt);
        if (c.time_before_us > 0 && c.time_after_us > 0)
            print(&out, "total %-9s %12.1f -> %12.1f  %10s\n", "ms", c.time_before_us / 1000,
                  c.time_after_us / 1000, percent(c.time_before_us, c.time_after_us).c_str());
        if (!c.gained.empty() || !c.lost.empty())
            print(&out, "new %zu, gone %zu\n", c.gained.size(), c.lost.size());
        out += '\n';
    }
    return out;
}

std::string to_text(const Note& failure) {
    std::string out = failure.name + ": ";
    if (!failure.device.empty()) out += failure.device + " " + failure.part + ": ";
    return out + failure.reason;
}

}  // namespace terrazzo::command::shader_db
