// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/environment.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "winsys/environment/foreign.h"

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

TEST_CASE("variables that look like ours and are none are found") {
    const std::vector<std::string> before = unknown_variables();
    setenv("TERRAZZO_DEVISE", "soft", 1);
    setenv("TERRAZZO_DEVICE2", "soft", 1);
    setenv("XTERRAZZO_DEVISE", "soft", 1);
    std::vector<std::string> after = unknown_variables();
    std::erase_if(after,
                  [&](const std::string& name) { return std::count(before.begin(), before.end(), name); });
    CHECK(after == std::vector<std::string>{"TERRAZZO_DEVICE2", "TERRAZZO_DEVISE"});
    for (const char* name : {"TERRAZZO_DEVISE", "TERRAZZO_DEVICE2", "XTERRAZZO_DEVISE"})
        unsetenv(name);
    CHECK(unknown_variables() == before);
}

TEST_CASE("what other loaders read") {
    setenv("GBM_BACKEND", "terrazzo", 1);
    CHECK(std::string(foreign_environment(ForeignVariable::GbmBackend)) == "terrazzo");
    CHECK(std::string(name_of(ForeignVariable::GbmFolders)) == "GBM_BACKENDS_PATH");
    unsetenv("GBM_BACKEND");
    CHECK(foreign_environment(ForeignVariable::GbmBackend) == nullptr);
}
