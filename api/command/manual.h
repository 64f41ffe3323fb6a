// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The manual page and the shell completion. The build generates both from the parser's options and from the
// table of variables, so they name all options and variables, and no others.
#pragma once

#include <string>
#include <vector>

namespace terrazzo::command {

struct OptionText {
    std::vector<std::string> names;  // "-v", "--verbose"; for a positional argument its name: "FILE"
    std::string value;               // the option's value: "FILE"; empty: none
    std::string meaning;
    [[nodiscard]] bool is_positional() const { return names[0][0] != '-'; }
};

struct CommandText {
    std::string name;  // empty: of all commands
    std::string meaning;
    bool runs_program = false;  // ends with "-- CMD..."
    std::vector<OptionText> options;
};

/// roff, for man(1): section 1.
[[nodiscard]] std::string manual_page(const std::vector<CommandText>& commands, const std::string& version);
/// A function for bash's `complete`, which does not need the package bash-completion.
[[nodiscard]] std::string bash_completion(const std::vector<CommandText>& commands);

}  // namespace terrazzo::command
