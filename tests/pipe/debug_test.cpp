// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The words of TERRAZZO_DEBUG.
#include "pipe/debug.h"

#include <set>

#include <doctest/doctest.h>

using namespace terrazzo::pipe;

TEST_CASE("debug: an empty value") {
    for (const char* list : {"", ",", ",,"}) {
        const DebugOptions o = parse_debug(list);
        CHECK(o.words.bits == 0);
        CHECK(o.unknown.empty());
        CHECK(o.trace_limit == UINT64_MAX);
    }
}

TEST_CASE("debug: words with and without arguments") {
    const DebugOptions o = parse_debug("egl,,noafbc,trace:/tmp/x:y,trace-limit:20");
    CHECK(o.unknown.empty());
    CHECK(o.words.has(DebugWord::Egl));
    CHECK(o.words.has(DebugWord::NoAfbc));
    CHECK_FALSE(o.words.has(DebugWord::Gl));
    CHECK_FALSE(o.words.has(DebugWord::NoCrc));
    CHECK(o.words.has(DebugWord::Trace));
    CHECK(o.trace_file == "/tmp/x:y");
    CHECK(o.trace_limit == 20);
    const DebugOptions text = parse_debug("trace");
    CHECK(text.words.has(DebugWord::Trace));
    CHECK(text.trace_file.empty());
    CHECK(text.unknown.empty());
}

TEST_CASE("debug: unknown words are reported, known ones take effect") {
    const DebugOptions o =
        parse_debug("eg,gl,EGL,egl:1,trace:,trace-limit,trace-limit:,trace-limit:-1,trace-limit:1x, sync,:");
    CHECK(o.unknown == std::vector<std::string>{"eg", "EGL", "egl:1", "trace:", "trace-limit", "trace-limit:",
                                                "trace-limit:-1", "trace-limit:1x", " sync", ":"});
    DebugWords gl;
    gl.set(DebugWord::Gl);
    CHECK(o.words.bits == gl.bits);
    CHECK(o.trace_limit == UINT64_MAX);
}

TEST_CASE("debug: help has one line for each word") {
    const std::string help = debug_help();
    std::set<std::string> names;
    for (const DebugRow& r : debug_rows()) {
        CHECK(names.insert(r.name).second);
        CHECK(help.find(std::string("\n  ") + r.name) != std::string::npos);
        CHECK(help.find(std::string("  ") + r.meaning) != std::string::npos);
    }
    CHECK(names.size() == kDebugWordCount);
    CHECK(help.find("  trace[:FILE]  ") != std::string::npos);
    CHECK(help.find("  trace-limit:N  ") != std::string::npos);
}

TEST_CASE("debug: a word can be disabled again") {
    DebugWords w = parse_debug("noafbc,nocrc").words;
    w.set(DebugWord::NoAfbc, false);
    CHECK_FALSE(w.has(DebugWord::NoAfbc));
    CHECK(w.has(DebugWord::NoCrc));
}

namespace {

constexpr DebugWord kOneWords[] = {DebugWord::NoAfbc, DebugWord::NoCrc}, kOtherWords[] = {DebugWord::NoUbwc};
constexpr DebugDriver kDrivers[] = {{"One", kOneWords}, {"Other", kOtherWords}};

const DebugRow& row_of(DebugWord w) {
    return debug_rows()[size_t(w)];
}

}  // namespace

TEST_CASE("debug: a word without effect on a device is still known") {
    const DebugWords w = parse_debug("gl,trace,trace-limit:1,noafbc,nohiz,noubwc,flush").words;
    const auto without = [&](const DebugDevice& device) {
        std::set<std::string> names;
        for (const DebugRow& r : debug_rows())
            if (words_without_effect(w, device).has(r.word)) names.insert(r.name);
        return names;
    };
    CHECK(without({}) == std::set<std::string>{"trace", "trace-limit", "noafbc", "noubwc", "flush"});
    CHECK(without({&kDrivers[0]}) == std::set<std::string>{"trace", "trace-limit", "nohiz", "noubwc"});
    CHECK(without({&kDrivers[0], true}) == std::set<std::string>{"nohiz", "noubwc"});
    CHECK(without({&kDrivers[1], true}) == std::set<std::string>{"noafbc", "nohiz"});
    CHECK(words_without_effect(DebugWords(), {}).bits == 0);
}

TEST_CASE("debug: the devices of a word have the names that drivers pass") {
    CHECK(scope_text(row_of(DebugWord::Gl), kDrivers) == "all devices");
    CHECK(scope_text(row_of(DebugWord::NoHiZ), kDrivers) == "the CPU driver");
    CHECK(scope_text(row_of(DebugWord::Trace), kDrivers) == "virtual GPUs (sim:, noop:)");
    CHECK(scope_text(row_of(DebugWord::Flush), kDrivers) == "One and Other");
    CHECK(scope_text(row_of(DebugWord::NoCrc), kDrivers) == "One");
    CHECK(scope_text(row_of(DebugWord::NoUbwc), kDrivers) == "Other");
    CHECK(scope_text(row_of(DebugWord::Gmem), kDrivers) == "drivers that this build lacks");
}
