// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/environment.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

using namespace terrazzo::winsys;

TEST_CASE("a program with elevated rights sees no variable that chooses a file, a socket or a device") {
    for (const VariableRow& row : variable_rows()) {
        CAPTURE(row.name);
        std::optional<std::string> before;
        if (const char* v = std::getenv(row.name)) before = v;
        setenv(row.name, "value", 1);
        CHECK(std::string(environment(row.variable, false)) == "value");
        const char* const elevated = environment(row.variable, true);
        if (row.variable == Variable::X11Display)
            CHECK(std::string(elevated) == "value");
        else
            CHECK(elevated == nullptr);
        unsetenv(row.name);
        CHECK(environment(row.variable, false) == nullptr);
        if (before) setenv(row.name, before->c_str(), 1);
    }
    CHECK(!has_elevated_rights());  // a real one is tests/api/elevated
}
