// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/command/counters_series.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

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

double to_number(std::string_view word) {
    return std::strtod(std::string(word).c_str(), nullptr);
}

}  // namespace

bool CounterSeries::add_line(std::string_view line) {
    const std::string_view kind = next_word(&line), context = next_word(&line);
    const double ms = to_number(next_word(&line)) - begin_ms_;
    if (kind == "counters") {
        std::vector<std::string> all;
        for (std::string_view name = next_word(&line); !name.empty(); name = next_word(&line))
            all.emplace_back(name);
        if (names.empty() && !all.empty()) {
            names = all;
            totals.resize(names.size());
            first_ms_ = last_ms_ = ms;
        }
        contexts.push_back({std::string(context), ms, all == names});
        if (all == names) first_ms_ = std::min(first_ms_, ms);
        return false;
    }
    if (kind != "sample") return false;
    Sample sample;
    sample.ms = ms;
    sample.frame = next_word(&line) == "frame";
    for (std::string_view v = next_word(&line); !v.empty(); v = next_word(&line))
        sample.values.push_back(std::strtoull(std::string(v).c_str(), nullptr, 10));
    const auto at = std::find_if(contexts.begin(), contexts.end(),
                                 [&](const ContextInfo& c) { return c.name == context; });
    if (at == contexts.end() || !at->counts || sample.values.size() != names.size()) return false;
    sample.context = size_t(at - contexts.begin());
    sample.span_ms = ms - at->last_ms;
    at->last_ms = ms;
    last_ms_ = std::max(last_ms_, ms);
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
    const double seconds = series.seconds();
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

}  // namespace terrazzo::command
