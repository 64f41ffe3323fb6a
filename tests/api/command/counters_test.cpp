// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo counters` reads the lines that contexts write: it uses one clock for all, and the points of its
// pages are inside their plots.
#include "api/command/counters_series.h"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace terrazzo::command;

namespace {

/// Two contexts, one after the other. The device of a third one has other counters.
CounterSeries two_contexts() {
    CounterSeries s(1000);
    for (const char* line : {"counters 7.0 1100.5 CPU/draws CPU/tiles", "sample 7.0 1200.5 frame 3 40",
                             "sample 7.0 1300.5 frame 5 0", "counters 7.1 3100.5 CPU/draws CPU/tiles",
                             "counters 7.2 3200 GPU/cycles", "sample 7.2 3300 frame 9",
                             "sample 7.1 3350.5 flush 2 1000000", "sample 7.0 3400.5 frame 0 1", "rubbish",
                             "sample 7.1 3500.5 frame 1 7 8", "sample 9.9 3500.5 frame 1 7"})
        s.add_line(line);
    return s;
}

double number(const std::string& text, size_t at) {
    return std::strtod(text.c_str() + at, nullptr);
}
double attribute(const std::string& text, size_t from, const char* name) {
    const std::string word = std::string(" ") + name + "=\"";
    const size_t at = text.find(word, from);
    REQUIRE(at != text.npos);
    return number(text, at + word.size());
}
size_t count_of(const std::string& text, const std::string& what) {
    size_t n = 0;
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1))
        ++n;
    return n;
}

}  // namespace

TEST_CASE("counters: all contexts use one clock, and each sample has its duration") {
    const CounterSeries s = two_contexts();
    REQUIRE(s.samples.size() == 4);
    CHECK(s.samples[0].ms == doctest::Approx(200.5));
    CHECK(s.samples[0].span_ms == doctest::Approx(100));
    CHECK(s.samples[1].ms == doctest::Approx(300.5));
    // The second context's first sample is later than the first context's, and its duration begins with the
    // context.
    CHECK(s.samples[2].ms == doctest::Approx(2350.5));
    CHECK(s.samples[2].span_ms == doctest::Approx(250));
    CHECK(s.samples[2].context == 1);
    CHECK(s.samples[3].ms == doctest::Approx(2400.5));
    CHECK(s.samples[3].span_ms == doctest::Approx(2100));
    CHECK(s.frames == 3);
    CHECK(s.totals == std::vector<uint64_t>{10, 1000041});
    // From the first context's beginning to the last sample: 2.3 s.
    CHECK(s.seconds() == doctest::Approx(2.3));
    CHECK(sample_line(s, s.samples[2]) == "2350.5 ms, flush: CPU/draws 2, CPU/tiles 1000000");
    const std::vector<std::string> table = counter_table(s);
    REQUIRE(table.size() == 3);
    CHECK(table[0].find("3 frames, 2.3 s") != std::string::npos);
    // Ten draws in 2.3 s are four a second.
    CHECK(table[1].find("              4               10") != std::string::npos);
}

TEST_CASE(
    "counters: every point of the page is inside its plot, in the order of time, and axes have labels") {
    CounterSeries one(0);
    one.add_line("counters 1.0 5 CPU/draws");
    one.add_line("sample 1.0 17 flush 3");
    CounterSeries many(500);
    many.add_line("counters 1.0 600 CPU/draws CPU/tiles");
    many.add_line("counters 1.1 900 CPU/draws CPU/tiles");
    for (unsigned k = 0; k < 1000; ++k) {
        const std::string ms = std::to_string(1000 + 7 * k), value = std::to_string(k * k * 977 % 1000003);
        many.add_line("sample 1." + std::to_string(k % 2) + " " + ms + " frame 1 " + value);
    }
    for (const CounterSeries& s : {two_contexts(), one, many}) {
        const std::string page = counters_html(s, "a & b");
        CHECK(page.find("<h1>a &amp; b</h1>") != page.npos);
        size_t points = 0;
        for (size_t at = page.find("<figure"); at != page.npos; at = page.find("<figure", at + 1)) {
            const std::string figure = page.substr(at, page.find("</figure>", at) - at);
            const size_t plot = figure.find("class=\"plot\"");
            REQUIRE(plot != figure.npos);
            const double left = attribute(figure, plot, "x"), top = attribute(figure, plot, "y");
            const double right = left + attribute(figure, plot, "width"),
                         bottom = top + attribute(figure, plot, "height");
            for (size_t line = figure.find("points=\""); line != figure.npos;
                 line = figure.find("points=\"", line + 1)) {
                double before = left;
                size_t p = line + 8;
                while (figure[p] != '"') {
                    const double x = number(figure, p);
                    p = figure.find(',', p) + 1;
                    const double y = number(figure, p);
                    p = figure.find(' ', p) + 1;
                    ++points;
                    CHECK(x >= before);
                    CHECK(x <= right + 0.05);
                    CHECK(y >= top - 0.05);
                    CHECK(y <= bottom + 0.05);
                    before = x;
                }
            }
            // Both axes have numbers and units.
            CHECK(count_of(figure, "text-anchor=\"middle\">") >= 4);
            CHECK(count_of(figure, "text-anchor=\"end\">") >= 2);
            CHECK((figure.find("since the program began, s<") != figure.npos ||
                   figure.find("since the program began, ms<") != figure.npos));
            CHECK(figure.find("a sample</text>") != figure.npos);
        }
        // Each sample is a point of each counter of its context.
        CHECK(points >= s.samples.size());
    }
    // One line for each context.
    CHECK(count_of(counters_html(many, ""), "<polyline") == 4);
    CHECK(count_of(counters_html(one, ""), "<polyline") == 1);
}
