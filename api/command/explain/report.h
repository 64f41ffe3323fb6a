// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The findings of `terrazzo explain`, as a page and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrazzo::command {

enum class Level : uint8_t {
    Works,
    Unused,  // absent, or present and not used: nothing is wrong
    Wrong,
};

struct Finding {
    Level level = Level::Works;
    std::string subject;  // "libEGL.so.1"
    std::string what;     // the finding, in words
    std::string file;     // its location; may be empty
    std::string remedy;   // advice; may be empty
};

struct Section {
    const char* name;   // in JSON
    const char* title;  // on the page
    std::vector<Finding> findings;
};

struct Report {
    bool works = false;  // a program gets a context that draws
    std::vector<Section> sections;
};

/// Text from outside, made safe for the page and JSON: UTF-8 without control characters, on one line.
[[nodiscard]] std::string cleaned(std::string text);
[[nodiscard]] std::string page_of(const Report& report);
[[nodiscard]] std::string json_of(const Report& report);

}  // namespace terrazzo::command
