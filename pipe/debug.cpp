// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "pipe/debug.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <new>

#include "winsys/environment/environment.h"
#include "winsys/environment/file_size.h"
#include "winsys/trap.h"

namespace terrazzo::pipe {
namespace {

constexpr DebugRow kRows[] = {
    {DebugWord::Help, "help", nullptr, "print this"},
    {DebugWord::Egl, "egl", nullptr, "each error of EGL, with its reason"},
    {DebugWord::Gl, "gl", nullptr, "each error and message of OpenGL ES, with its reason"},
    {DebugWord::Perf, "perf", nullptr,
     "what makes a program slow: waits, copies by the CPU, costly blending"},
    {DebugWord::Ir, "ir", nullptr, "each linked stage's IR, and what a device's compiler makes of it first"},
    {DebugWord::Shaders, "shaders", nullptr, "each compiled shader: machine code and statistics"},
    {DebugWord::Sync, "sync", nullptr, "wait for each submission at once, and say when one fails"},
    {DebugWord::Flush, "flush", nullptr, "submit after each draw; with sync a fault is its draw's",
     DebugScope::Gpu},
    {DebugWord::Trace, "trace", "[FILE]",
     "what a virtual GPU is given: as text here, or to FILE (%p: the process' number) for `terrazzo decode`; "
     "for some GPUs, FILE.devcd gets the first fault",
     DebugScope::VirtualGpu},
    {DebugWord::TraceLimit, "trace-limit", "N", "trace N submissions at most", DebugScope::VirtualGpu},
    {DebugWord::Frames, "frames", "FOLDER",
     "each frame that a window is shown, as FOLDER/PROCESS-NUMBER.ppm"},
    {DebugWord::NoAfbc, "noafbc", nullptr, "no image is compressed (AFBC)", DebugScope::Driver},
    {DebugWord::NoCrc, "nocrc", nullptr, "unchanged tiles are written, too", DebugScope::Driver},
    {DebugWord::NoFp16, "nofp16", nullptr, "mediump is computed in 32 bits", DebugScope::Gpu},
    {DebugWord::NoEarlyZ, "noearlyz", nullptr, "depth and stencil are tested after the fragment shader",
     DebugScope::Driver},
    {DebugWord::Linear, "linear", nullptr, "images lie in rows where the device can use them",
     DebugScope::Gpu},
    {DebugWord::TopDown, "topdown", nullptr,
     "pbuffers begin with the top row in memory, as windows that are shown without a copy"},
    {DebugWord::NoHiZ, "nohiz", nullptr, "each depth is compared: no square of pixels is skipped as a whole",
     DebugScope::Cpu},
    {DebugWord::Gmem, "gmem", nullptr, "passes are drawn in tile memory wherever they can be",
     DebugScope::Driver},
    {DebugWord::Sysmem, "sysmem", nullptr, "passes are drawn directly to memory", DebugScope::Driver},
    {DebugWord::NoBin, "nobin", nullptr,
     "each tile runs all vertices: no binning pass finds out which it needs", DebugScope::Driver},
    {DebugWord::NoLrz, "nolrz", nullptr, "no depth of 8x8 pixels is kept to skip what is hidden",
     DebugScope::Driver},
    {DebugWord::NoUbwc, "noubwc", nullptr, "no image is compressed (UBWC)", DebugScope::Driver},
    {DebugWord::Interpret, "interpret", nullptr,
     "a virtual GPU interprets its shaders, and never translates them to machine code",
     DebugScope::VirtualGpu},
};
static_assert(std::size(kRows) == kDebugWordCount);
static_assert([] {
    for (unsigned i = 0; i < kDebugWordCount; ++i)
        if (unsigned(kRows[i].word) != i) return false;
    return true;
}());

const DebugRow* find_row(std::string_view name) {
    const auto* const row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const DebugRow& r) { return name == r.name; });
    return row == std::end(kRows) ? nullptr : row;
}

bool lists(const DebugDriver& driver, DebugWord word) {
    return std::find(driver.words.begin(), driver.words.end(), word) != driver.words.end();
}

bool may_have(const DebugRow& row, std::string_view argument, bool given) {
    if (!row.argument) return !given;
    return !argument.empty() || (row.argument[0] == '[' && !given);
}

bool parse_word(std::string_view word, DebugOptions* out) {
    const size_t colon = word.find(':');
    const bool given = colon != std::string_view::npos;
    const std::string_view argument = given ? word.substr(colon + 1) : std::string_view();
    const DebugRow* const row = find_row(word.substr(0, colon));
    if (!row || !may_have(*row, argument, given)) return false;
    if (row->word == DebugWord::Trace) out->trace_file = argument;
    if (row->word == DebugWord::Frames) out->frames_folder = argument;
    if (row->word == DebugWord::TraceLimit) {
        uint64_t limit = 0;
        const char* const end = argument.data() + argument.size();
        const auto result = std::from_chars(argument.data(), end, limit);
        if (result.ec != std::errc() || result.ptr != end) return false;
        out->trace_limit = limit;
    }
    out->words.set(row->word);
    return true;
}

DebugOptions read_environment() {
    const char* const list = winsys::environment(winsys::Variable::Debug);
    DebugOptions o = parse_debug(list ? list : "");
    for (const std::string& word : o.unknown)
        std::fprintf(stderr, "terrazzo: TERRAZZO_DEBUG has no '%s'; help prints what there is\n",
                     word.c_str());
    if (o.words.has(DebugWord::Help)) std::fputs(debug_help().c_str(), stderr);
    return o;
}

}  // namespace

std::span<const DebugRow> debug_rows() {
    return kRows;
}

DebugOptions parse_debug(std::string_view list) {
    DebugOptions o;
    while (!list.empty()) {
        const size_t end = list.find(',');
        const std::string_view word = list.substr(0, end);
        list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
        if (!word.empty() && !parse_word(word, &o)) o.unknown.emplace_back(word);
    }
    return o;
}

DebugWords words_without_effect(DebugWords words, const DebugDevice& device) {
    const auto has_effect = [&](const DebugRow& row) {
        switch (row.scope) {
            case DebugScope::All:
                return true;
            case DebugScope::Cpu:
                return !device.driver;
            case DebugScope::Gpu:
                return device.driver != nullptr;
            case DebugScope::Driver:
                return device.driver && lists(*device.driver, row.word);
            case DebugScope::VirtualGpu:
                return device.is_virtual_gpu;
        }
        winsys::unreachable();
    };
    DebugWords without;
    for (const DebugRow& row : kRows)
        if (words.has(row.word) && !has_effect(row)) without.set(row.word);
    return without;
}

std::string scope_text(const DebugRow& row, std::span<const DebugDriver> drivers) {
    switch (row.scope) {
        case DebugScope::All:
            return "all devices";
        case DebugScope::Cpu:
            return "the CPU driver";
        case DebugScope::VirtualGpu:
            return "virtual GPUs (sim:, noop:)";
        case DebugScope::Gpu:
        case DebugScope::Driver:
            break;
    }
    std::string names;
    for (const DebugDriver& d : drivers)
        if (row.scope == DebugScope::Gpu || lists(d, row.word))
            names += (names.empty() ? "" : " and ") + std::string(d.name);
    return names.empty() ? "drivers that this build lacks" : names;
}

void report_words_without_effect(std::string_view name, const DebugDevice& device,
                                 std::span<const DebugDriver> drivers) {
    static std::atomic<uint32_t> reported = 0;
    DebugWords without = words_without_effect(debug_options().words, device);
    without.bits &= ~reported.fetch_or(without.bits);
    const winsys::FileSizeSignalBlock no_signal;  // stderr may be a file
    for (const DebugRow& row : kRows)
        if (without.has(row.word))
            std::fprintf(stderr, "terrazzo: TERRAZZO_DEBUG=%s has no effect on %.*s: it is for %s\n",
                         row.name, int(name.size()), name.data(), scope_text(row, drivers).c_str());
}

namespace {

/// What `help` adds to the meaning of a word.
const char* short_scope(DebugScope scope) {
    switch (scope) {
        case DebugScope::All:
            return "";
        case DebugScope::Cpu:
            return " (the CPU driver)";
        case DebugScope::Gpu:
            return " (GPUs)";
        case DebugScope::Driver:
            return " (some GPUs)";
        case DebugScope::VirtualGpu:
            return " (virtual GPUs)";
    }
    winsys::unreachable();
}

}  // namespace

std::string debug_help() {
    std::string out = "terrazzo: TERRAZZO_DEBUG is a comma list of\n";
    for (const DebugRow& r : kRows) {
        std::string name = r.name;
        if (r.argument)
            name +=
                r.argument[0] == '[' ? std::string("[:") + (r.argument + 1) : std::string(":") + r.argument;
        name.resize(std::max(name.size(), size_t(14)), ' ');
        out += "  " + name + "  " + r.meaning + short_scope(r.scope) + "\n";
    }
    return out;
}

namespace {

/// Used while there is no memory to read the options: no word is set. Never destroyed, like the real ones.
const DebugOptions& no_options() {
    alignas(DebugOptions) static std::byte room[sizeof(DebugOptions)];
    static const auto* const none = new (room) DebugOptions;
    return *none;
}

}  // namespace

const DebugOptions& debug_options() {
    try {
        // Never destroyed: a program may draw while it exits.
        static const auto* const options = new DebugOptions(read_environment());
        return *options;
    } catch (const std::bad_alloc&) {
        return no_options();  // the next call tries again
    }
}

void debug_print(DebugWord w, std::string_view text) try {
    const std::string prefix = std::string("terrazzo: ") + kRows[unsigned(w)].name + ": ";
    std::string out;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        out.append(prefix).append(text.substr(0, end)) += '\n';
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    const winsys::FileSizeSignalBlock no_signal;  // stderr may be a file
    std::fwrite(out.data(), 1, out.size(), stderr);
} catch (const std::bad_alloc&) {  // losing a message is no error
}

}  // namespace terrazzo::pipe
