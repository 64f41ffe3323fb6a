// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words of TERRAZZO_DEBUG, a comma list: what every room asks, and what `help` prints. debug.cpp has a
// row a word. The environment is read once, at the first question.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace terrazzo::pipe {

enum class DebugWord : uint8_t {
    Help,
    Egl,
    Gl,
    Perf,
    Ir,
    Shaders,
    Sync,
    Flush,
    Trace,
    TraceLimit,
    Frames,
    NoAfbc,
    NoCrc,
    NoFp16,
    NoEarlyZ,
    Linear,
    TopDown,
    NoHiZ,
    Gmem,
    Sysmem,
    NoBin,
    NoLrz,
    NoUbwc,
};
inline constexpr unsigned kDebugWordCount = unsigned(DebugWord::NoUbwc) + 1;

/// A set of words. A device has its own, which tests change.
struct DebugWords {
    uint32_t bits = 0;
    [[nodiscard]] constexpr bool has(DebugWord w) const { return bits >> unsigned(w) & 1; }
    constexpr void set(DebugWord w, bool on = true) {
        const uint32_t bit = 1u << unsigned(w);
        bits = on ? bits | bit : bits & ~bit;
    }
};
static_assert(kDebugWordCount <= 32);

/// What a device is, as bits: a word has an effect on a device if they have a bit in common.
enum DebugDevice : uint8_t {
    kOnSoft = 1,
    kOnMali = 2,
    kOnAdreno = 4,
    kOnVirtualGpu = 8,  // beside its driver's
    kOnAll = kOnSoft | kOnMali | kOnAdreno,
};

struct DebugRow {
    DebugWord word;
    const char* name;
    const char*
        argument;  // how `help` calls what follows a colon ("FILE", "[FILE]": it may be left out), or null
    const char* meaning;
    uint8_t devices = kOnAll;  // DebugDevice
};
/// In the order of DebugWord.
[[nodiscard]] std::span<const DebugRow> debug_rows();

struct DebugOptions {
    DebugWords words;
    std::string trace_file;             // empty: the trace is text on stderr
    uint64_t trace_limit = UINT64_MAX;  // submissions
    std::string frames_folder;
    std::vector<std::string> unknown;  // words that there are not, or with a wrong argument
};
[[nodiscard]] DebugOptions parse_debug(std::string_view list);
/// Words that have no effect on a device of these bits (DebugDevice).
[[nodiscard]] DebugWords words_without_effect(DebugWords words, uint8_t device);
/// The lines that `help` prints.
[[nodiscard]] std::string debug_help();

/// What TERRAZZO_DEBUG says. The first call prints `help` where it was asked for, and names what is not
/// known. Thread: any.
[[nodiscard]] const DebugOptions& debug_options();
[[nodiscard]] inline bool debug(DebugWord w) {
    return debug_options().words.has(w);
}

/// Reports the words of TERRAZZO_DEBUG that have no effect on a device that was opened, on stderr, once a word
/// and process. `name`: as TERRAZZO_DEVICE has it. Thread: any.
void report_words_without_effect(std::string_view name, uint8_t device);

/// Text on stderr whose lines all begin with "terrazzo: WORD: ", in one piece however many threads there are.
void debug_print(DebugWord w, std::string_view text);

}  // namespace terrazzo::pipe
