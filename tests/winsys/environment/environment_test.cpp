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
        CHECK(std::string(environment_text(row.variable, false)) == "value");
        const char* const elevated = environment_text(row.variable, true);
        if (row.variable == Variable::X11Display)
            CHECK(std::string(elevated) == "value");
        else
            CHECK(elevated == nullptr);
        unsetenv(row.name);
        CHECK(environment_text(row.variable, false) == nullptr);
        CHECK(environment(row.variable) == nullptr);
        if (before) setenv(row.name, before->c_str(), 1);
    }
    CHECK(!has_elevated_rights());  // tests/api/elevated tests a real one
}

namespace {

/// The values of variables that their row checks by itself.
struct Values {
    Variable variable;
    std::vector<const char*> allowed, refused;
};
const Values kValues[] = {
    {Variable::DrawLimit, {"10", "2.5", "off"}, {"soon", "-1", "0", "10s", "OFF", " 1"}},
    {Variable::GlesVersion, {"2.0", "3.0", "3.1", "3.2"}, {"3", "1.1", "3.3", "3.2 ", "es"}},
    {Variable::ShimInterface, {"current", "older"}, {"old", "Older", "1"}},
    {Variable::Threads, {"1", "256"}, {"abc", "0", "257", "-1", "1.5", "4x", " 4", "99999999999999999999"}},
    {Variable::CacheHome, {"/var/cache"}, {"cache", "~/cache"}},
    {Variable::Home, {"/"}, {"home", "."}},
    {Variable::EglPlatform,
     {"wayland", "x11", "gbm", "drm", "surfaceless", "device"},
     {"Wayland", "xcb", "0x31DD"}},
    {Variable::RuntimeFolder, {"/run/user/0"}, {"run"}},
    {Variable::WaylandSocket, {"3"}, {"abc", "-1", "3x", "99999999999"}},
    {Variable::LibraryPath, {"anything", ":"}, {}},
};
/// Variables whose values can only be checked when they are used (tests/api/command/environment_test.py).
constexpr Variable kAtUse[] = {Variable::Counters,    Variable::Debug,      Variable::Device,
                               Variable::ShaderCache, Variable::ShaderDump, Variable::WaylandDisplay,
                               Variable::X11Display};

struct Restore {
    explicit Restore(const char* n) : name(n) {
        if (const char* v = std::getenv(n)) before = v;
    }
    ~Restore() { before ? setenv(name, before->c_str(), 1) : unsetenv(name); }
    const char* name;
    std::optional<std::string> before;
};

std::vector<std::string> reports() {
    std::vector<std::string> out;
    check_environment(
        {[](void* user, const char* text) { static_cast<std::vector<std::string>*>(user)->push_back(text); },
         &out});
    return out;
}

}  // namespace

TEST_CASE("each row describes its values, and every variable's values are tested") {
    std::vector<Variable> tested(std::begin(kAtUse), std::end(kAtUse));
    for (const Values& v : kValues)
        tested.push_back(v.variable);
    std::sort(tested.begin(), tested.end());
    REQUIRE(tested.size() == kVariableCount);
    for (const VariableRow& row : variable_rows()) {
        CAPTURE(row.name);
        CHECK(tested[unsigned(row.variable)] == row.variable);
        CHECK(row.allowed[0] != '\0');
        CHECK(row.meaning[0] != '\0');
        CHECK((row.is_allowed == nullptr) ==
              bool(std::count(std::begin(kAtUse), std::end(kAtUse), row.variable)));
        CHECK(is_allowed(row.variable, ""));
    }
}

TEST_CASE("a value that is not allowed is reported once, with its variable's name, and is ignored") {
    for (const Values& v : kValues) {
        const VariableRow& row = variable_rows()[unsigned(v.variable)];
        CAPTURE(row.name);
        const Restore restore(row.name);
        for (const char* text : v.allowed) {
            CAPTURE(text);
            setenv(row.name, text, 1);
            CHECK(is_allowed(row.variable, text));
            REQUIRE(environment(row.variable) != nullptr);
            CHECK(std::string(environment(row.variable)) == text);
            CHECK(reports().empty());
        }
        for (size_t i = 0; i < v.refused.size(); ++i) {
            const std::string text = v.refused[i];
            CAPTURE(text);
            setenv(row.name, text.c_str(), 1);
            CHECK(environment(row.variable) == nullptr);
            const std::vector<std::string> said = reports();
            REQUIRE(said.size() == (i == 0 ? 1 : 0));
            if (i == 0) CHECK(said[0] == row.name + ("=" + text) + " is ignored: allowed is " + row.allowed);
        }
    }
}

TEST_CASE("unknown variables with our prefix are found") {
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

TEST_CASE("variables that other loaders read") {
    setenv("GBM_BACKEND", "terrazzo", 1);
    CHECK(std::string(foreign_environment(ForeignVariable::GbmBackend)) == "terrazzo");
    CHECK(std::string(name_of(ForeignVariable::GbmFolders)) == "GBM_BACKENDS_PATH");
    unsetenv("GBM_BACKEND");
    CHECK(foreign_environment(ForeignVariable::GbmBackend) == nullptr);
}
