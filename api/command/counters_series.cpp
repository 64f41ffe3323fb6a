// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/counters_series.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "api/command/html_text.h"

namespace terrazzo::command {
namespace {

std::string_view next_word(std::string_view* rest) {
    const size_t begin = std::min(rest->find_first_not_of(' '), rest->size());
    const size_t end = std::min(rest->find(' ', begin), rest->size());
    const std::string_view word = rest->substr(begin, end - begin);
    rest->remove_prefix(end);
    return word;
}

std::string format(const char* how, double v) {
    char text[64];
    std::snprintf(text, sizeof text, how, v);
    return text;
}

uint64_t highest(const CounterSeries& s, size_t i) {
    uint64_t v = 0;
    for (const CounterSeries::Sample& sample : s.samples)
        v = std::max(v, sample.values[i]);
    return v;
}

constexpr int kWidth = 720, kHeight = 120;

void add_plot(const CounterSeries& s, size_t i, double end_ms, std::string* out) {
    const uint64_t most = highest(s, i);
    out->append("<figure id=\"")
        .append(html_text(s.names[i]))
        .append("\"><figcaption><b>")
        .append(html_text(s.names[i]));
    out->append("</b> sum ")
        .append(std::to_string(s.totals[i]))
        .append(", highest ")
        .append(std::to_string(most));
    out->append("</figcaption>\n<svg viewBox=\"0 0 720 120\"><polyline points=\"");
    for (const CounterSeries::Sample& sample : s.samples) {
        const double x = end_ms > 0 ? sample.ms / end_ms * kWidth : 0;
        const double y = kHeight - double(sample.values[i]) / double(most) * (kHeight - 4);
        out->append(format("%.1f,", x)).append(format("%.1f ", y));
    }
    out->append("\"/></svg></figure>\n");
}

}  // namespace

bool CounterSeries::add_line(std::string_view line) {
    const std::string_view kind = next_word(&line);
    if (kind == "counters") {
        std::vector<std::string> all;
        for (std::string_view name = next_word(&line); !name.empty(); name = next_word(&line))
            all.emplace_back(name);
        if (names.empty()) {
            names = std::move(all);
            totals.resize(names.size());
        }
        return false;
    }
    if (kind != "sample") return false;
    Sample sample;
    sample.ms = std::strtod(std::string(next_word(&line)).c_str(), nullptr);
    sample.frame = next_word(&line) == "frame";
    for (std::string_view v = next_word(&line); !v.empty(); v = next_word(&line))
        sample.values.push_back(std::strtoull(std::string(v).c_str(), nullptr, 10));
    if (sample.values.size() != names.size()) return false;
    for (size_t i = 0; i < names.size(); ++i)
        totals[i] += sample.values[i];
    frames += sample.frame;
    samples.push_back(std::move(sample));
    return true;
}

std::string sample_line(const CounterSeries& series, const CounterSeries::Sample& sample) {
    std::string line = format("%.1f ms, ", sample.ms) + (sample.frame ? "frame:" : "flush:");
    const char* between = " ";
    for (size_t i = 0; i < sample.values.size(); ++i) {
        if (!sample.values[i]) continue;
        line.append(between).append(series.names[i]).append(" ").append(std::to_string(sample.values[i]));
        between = ", ";
    }
    return line;
}

std::vector<std::string> counter_table(const CounterSeries& series) {
    std::vector<std::string> lines;
    const double seconds = series.samples.empty() ? 0 : series.samples.back().ms / 1000;
    size_t width = 8;
    for (size_t i = 0; i < series.names.size(); ++i)
        if (series.totals[i]) width = std::max(width, series.names[i].size());
    char text[256];
    std::snprintf(text, sizeof text, "%-*s %14s %14s %16s   %llu frames, %.1f s", int(width), "counter",
                  "last", "a second", "sum", static_cast<unsigned long long>(series.frames), seconds);
    lines.emplace_back(text);
    for (size_t i = 0; i < series.names.size(); ++i) {
        if (!series.totals[i]) continue;
        std::snprintf(text, sizeof text, "%-*s %14llu %14.0f %16llu", int(width), series.names[i].c_str(),
                      static_cast<unsigned long long>(series.samples.back().values[i]),
                      seconds > 0 ? double(series.totals[i]) / seconds : 0.0,
                      static_cast<unsigned long long>(series.totals[i]));
        lines.emplace_back(text);
    }
    return lines;
}

std::string counters_html(const CounterSeries& series, const std::string& title) {
    const double end_ms = series.samples.empty() ? 0 : series.samples.back().ms;
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + html_text(title) +
        "</title>\n<style>body{font:14px sans-serif;margin:2em;max-width:760px}figure{margin:0 0 1.5em}"
        "svg{width:100%;background:#f4f4f4}polyline{fill:none;stroke:#06c;stroke-width:1.5;vector-effect:non-"
        "scaling-"
        "stroke}</style>\n<h1>" +
        html_text(title) + "</h1>\n<p>" + std::to_string(series.samples.size()) + " samples, " +
        std::to_string(series.frames) + " frames, " + format("%.1f ms", end_ms) +
        ". From left to right: time. A value is what was counted since the one before.</p>\n";
    for (size_t i = 0; i < series.names.size(); ++i)
        if (series.totals[i]) add_plot(series, i, end_ms, &out);
    return out + "</html>\n";
}

}  // namespace terrazzo::command
