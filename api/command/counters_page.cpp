// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The page of `terrazzo counters`: plots with axes, drawn as SVG.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "api/command/counters_series.h"
#include "api/command/html_text.h"

namespace terrazzo::command {
namespace {

// The plot within its figure, which also has axes and their labels.
constexpr double kWidth = 760, kHeight = 190, kLeft = 70, kRight = 750, kTop = 10, kBottom = 145;
/// With more samples, the dots of a plot would overlap.
constexpr size_t kMostDots = 400;
constexpr const char* kColors[] = {"#0066cc", "#cc3300", "#118833", "#8833aa", "#aa7700", "#008899"};

std::string format(const char* how, double v) {
    char text[64];
    std::snprintf(text, sizeof text, how, v);
    return text;
}

/// A step of 1, 2 or 5 times a power of ten, which divides `range` into about `count` parts.
double step_of(double range, unsigned count) {
    const double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (power * factor >= rough * 0.999) return power * factor;
    return power * 10;
}

/// "1500", "20k", "3.5M".
std::string short_number(double v) {
    constexpr struct {
        double unit;
        const char* name;
    } kUnits[] = {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}};
    for (const auto& u : kUnits)
        if (v >= u.unit) return format("%.4g", v / (u.unit == 1e4 ? 1e3 : u.unit)) + u.name;
    return format("%.4g", v);
}

class Plot {
  public:
    Plot(const CounterSeries& s, size_t counter) : s_(s), counter_(counter) {
        for (const CounterSeries::Sample& sample : s.samples)
            most_ = std::max(most_, sample.values[counter]);
        y_step_ = std::max(1.0, step_of(double(std::max<uint64_t>(most_, 1)), 3));
        y_end_ = std::ceil(double(most_) / y_step_) * y_step_;
        const double end_ms = std::max(s.last_ms(), 1e-3);
        in_seconds_ = end_ms >= 2000;
        x_step_ms_ = step_of(end_ms, 8);
        x_end_ms_ = std::ceil(end_ms / x_step_ms_) * x_step_ms_;
    }
    void append(std::string* out) const {
        const std::string name = html_text(s_.names[counter_]);
        out->append("<figure id=\"" + name + "\"><figcaption><b>" + name + "</b> sum " +
                    std::to_string(s_.totals[counter_]) + ", highest " + std::to_string(most_));
        if (s_.seconds() > 0)
            out->append(", " + short_number(double(s_.totals[counter_]) / s_.seconds()) + " a second");
        out->append("</figcaption>\n<svg viewBox=\"0 0 " + format("%g ", kWidth) + format("%g", kHeight) +
                    "\">\n");
        append_axes(out);
        for (size_t c = 0; c < s_.contexts.size(); ++c)
            append_line(c, out);
        out->append("</svg></figure>\n");
    }

  private:
    double x(double ms) const { return kLeft + std::clamp(ms / x_end_ms_, 0.0, 1.0) * (kRight - kLeft); }
    double y(double value) const { return kBottom - value / y_end_ * (kBottom - kTop); }

    static void append_text(double at_x, double at_y, const char* anchor, const std::string& text,
                            std::string* out) {
        out->append("<text x=\"" + format("%.1f", at_x) + "\" y=\"" + format("%.1f", at_y) +
                    "\" text-anchor=\"" + anchor + "\">" + text + "</text>\n");
    }
    static void append_rule(double x0, double y0, double x1, double y1, std::string* out) {
        out->append("<line x1=\"" + format("%.1f", x0) + "\" y1=\"" + format("%.1f", y0) + "\" x2=\"" +
                    format("%.1f", x1) + "\" y2=\"" + format("%.1f", y1) + "\"/>\n");
    }
    void append_axes(std::string* out) const {
        out->append("<rect class=\"plot\" x=\"" + format("%g", kLeft) + "\" y=\"" + format("%g", kTop) +
                    "\" width=\"" + format("%g", kRight - kLeft) + "\" height=\"" +
                    format("%g", kBottom - kTop) + "\"/>\n");
        for (double v = 0; v <= y_end_ * 1.001; v += y_step_) {
            append_rule(kLeft, y(v), kRight, y(v), out);
            append_text(kLeft - 6, y(v) + 4, "end", short_number(v), out);
        }
        for (double ms = 0; ms <= x_end_ms_ * 1.001; ms += x_step_ms_) {
            append_rule(x(ms), kBottom, x(ms), kBottom + 4, out);
            append_text(x(ms), kBottom + 17, "middle", format("%g", in_seconds_ ? ms / 1000 : ms), out);
        }
        append_text((kLeft + kRight) / 2, kHeight - 8, "middle",
                    std::string("time since the program began, ") + (in_seconds_ ? "s" : "ms"), out);
        out->append("<text transform=\"translate(14 " + format("%g", (kTop + kBottom) / 2) +
                    ") rotate(-90)\" text-anchor=\"middle\">a sample</text>\n");
    }
    /// Appends the line of one context, if it has counted anything.
    void append_line(size_t context, std::string* out) const {
        std::string points, dots;
        uint64_t sum = 0;
        const std::string color = kColors[context % std::size(kColors)];
        for (const CounterSeries::Sample& sample : s_.samples) {
            if (sample.context != context) continue;
            const uint64_t v = sample.values[counter_];
            sum += v;
            points += format("%.1f,", x(sample.ms)) + format("%.1f ", y(double(v)));
            if (s_.samples.size() > kMostDots) continue;
            dots += "<circle cx=\"" + format("%.1f", x(sample.ms)) + "\" cy=\"" +
                    format("%.1f", y(double(v))) + "\" r=\"2\" fill=\"" + color + "\"><title>" +
                    format("%.1f ms: ", sample.ms) + std::to_string(v) +
                    (sample.frame ? ", a frame" : ", a flush") + format(" of %.2f ms", sample.span_ms) +
                    ", context " + html_text(s_.contexts[context].name) + "</title></circle>\n";
        }
        if (!sum) return;
        out->append("<polyline stroke=\"" + color + "\" points=\"" + points + "\"/>\n" + dots);
    }

    const CounterSeries& s_;
    const size_t counter_;
    uint64_t most_ = 0;
    double y_step_ = 1, y_end_ = 1, x_step_ms_ = 1, x_end_ms_ = 1;
    bool in_seconds_ = false;
};

}  // namespace

std::string counters_html(const CounterSeries& series, const std::string& title) {
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>" + html_text(title) +
        "</title>\n<style>body{font:14px sans-serif;margin:2em;max-width:800px}figure{margin:0 0 1.5em}"
        "svg{width:100%}rect.plot{fill:#f4f4f4}line{stroke:#ccc}text{font:11px sans-serif;fill:#333}"
        "polyline{fill:none;stroke-width:1.5;vector-effect:non-scaling-stroke}</style>\n<h1>" +
        html_text(title) + "</h1>\n<p>" + std::to_string(series.samples.size()) + " samples, " +
        std::to_string(series.frames) + " frames, " +
        format("%.1f ms", series.last_ms() - series.first_ms()) +
        " from the first context to the last sample. A sample is what a context has counted since its sample "
        "before: "
        "a frame, or what it had flushed. Each context has a line of its own.</p>\n";
    for (size_t i = 0; i < series.names.size(); ++i)
        if (series.totals[i]) Plot(series, i).append(&out);
    return out + "</html>\n";
}

}  // namespace terrazzo::command
