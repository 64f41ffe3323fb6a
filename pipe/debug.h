// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words of TERRAZZO_DEBUG, a list separated by commas. debug.cpp has one row per word. The environment is
// read once, at the first query.
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
    Interpret,
};
inline constexpr unsigned kDebugWordCount = unsigned(DebugWord::Interpret) + 1;

/// A set of words. A device has its own copy, which tests change.
struct DebugWords {
    uint32_t bits = 0;
    [[nodiscard]] constexpr bool has(DebugWord w) const { return bits >> unsigned(w) & 1; }
    constexpr void set(DebugWord w, bool on = true) {
        const uint32_t bit = 1u << unsigned(w);
        bits = on ? bits | bit : bits & ~bit;
    }
};
static_assert(kDebugWordCount <= 32);

/// The devices on which a word has an effect.
enum class DebugScope : uint8_t {
    All,
    Cpu,         // the CPU driver
    Gpu,         // the drivers of all vendors
    Driver,      // the drivers that list the word
    VirtualGpu,  // virtual GPUs, with any driver
};

struct DebugRow {
    DebugWord word;
    const char* name;
    const char* argument;  // for `help`: what follows a colon: "FILE", or "[FILE]" if it is optional; or null
    const char* meaning;
    DebugScope scope = DebugScope::All;
};

/// A vendor's driver, and the words of DebugScope::Driver that it lists.
struct DebugDriver {
    const char* name;  // as in messages: "Adreno"
    std::span<const DebugWord> words;
};
/// A device as far as words are concerned.
struct DebugDevice {
    const DebugDriver* driver = nullptr;  // null: the CPU driver
    bool is_virtual_gpu = false;
};
/// In the order of DebugWord.
[[nodiscard]] std::span<const DebugRow> debug_rows();

struct DebugOptions {
    DebugWords words;
    std::string trace_file;             // empty: the trace is text on stderr
    uint64_t trace_limit = UINT64_MAX;  // submissions
    std::string frames_folder;
    std::vector<std::string> unknown;  // unknown words, and those with a wrong argument
};
[[nodiscard]] DebugOptions parse_debug(std::string_view list);
/// The words that have no effect on the device.
[[nodiscard]] DebugWords words_without_effect(DebugWords words, const DebugDevice& device);
/// The devices on which a row's word has an effect, as text. `drivers`: all vendors' drivers of this build.
[[nodiscard]] std::string scope_text(const DebugRow& row, std::span<const DebugDriver> drivers);
/// The text that `help` prints.
[[nodiscard]] std::string debug_help();

/// The options in TERRAZZO_DEBUG. The first call prints the help if `help` is among them, and reports unknown
/// words. Callable from any thread.
[[nodiscard]] const DebugOptions& debug_options();
[[nodiscard]] inline bool debug(DebugWord w) {
    return debug_options().words.has(w);
}

/// Reports words of TERRAZZO_DEBUG that have no effect on an opened device, on stderr, once per word and
/// process. `name`: as in TERRAZZO_DEVICE. `drivers`: as for scope_text(). Callable from any thread.
void report_words_without_effect(std::string_view name, const DebugDevice& device,
                                 std::span<const DebugDriver> drivers = {});

/// Prints text to stderr, each line with the prefix "terrazzo: WORD: ". Texts of several threads do not mix.
void debug_print(DebugWord w, std::string_view text);

}  // namespace terrazzo::pipe
