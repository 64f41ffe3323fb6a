// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// test_pipe_conformance [--device=NAME,...|others] [options of doctest]: runs all cases on each device. The
// default are the devices of default_devices().
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <sstream>

#include "tests/pipe_conformance/devices.h"

namespace {

using namespace terrazzo::test;

/// Whether the command line selects cases. Then the known limits are not checked.
bool chooses_cases(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
        for (const char* option :
             {"-tc", "--test-case", "-tce", "--test-case-exclude", "-ltc", "--list-test-cases"})
            if (std::strncmp(argv[i], option, std::strlen(option)) == 0) return true;
    return false;
}

/// Only cases of TEST_SUITE("memory") run on a device that cannot draw.
void choose_suites(doctest::Context& context) {
    if (!judged().draws()) context.addFilter("test-suite", "memory");
}

/// Whether a case that is listed as failing still fails.
bool still_fails(const KnownLimit& limit) {
    doctest::Context context;
    choose_suites(context);
    context.addFilter("test-case", std::string(limit.test_case).c_str());
    std::ostringstream swallowed;
    context.setCout(&swallowed);
    context.setOption("no-intro", true);
    return context.run() != 0;
}

int run(const std::string& device, int argc, char** argv) {
    judge(device);
    doctest::Context context;
    choose_suites(context);
    const bool all = !chooses_cases(argc, argv);
    if (all)
        for (const KnownLimit& limit : known_limits())
            if (device.starts_with(limit.device))
                context.addFilter("test-case-exclude", std::string(limit.test_case).c_str());
    context.applyCommandLine(argc, argv);
    std::printf("device %s\n", device.c_str());
    std::fflush(stdout);
    int failed = context.run();
    if (context.shouldExit()) return failed;
    for (const std::string& what : lacked())
        std::printf("%s: not run, it has no %s\n", device.c_str(), what.c_str());
    if (!all) return failed;
    for (const KnownLimit& limit : known_limits()) {
        if (!device.starts_with(limit.device)) continue;
        std::printf("%s: known limit \"%.*s\": %.*s\n", device.c_str(), int(limit.test_case.size()),
                    limit.test_case.data(), int(limit.reason.size()), limit.reason.data());
        if (still_fails(limit)) continue;
        std::printf("%s: it passes now: its row in known_limits.cpp is stale\n", device.c_str());
        failed = 1;
    }
    return failed;
}

std::vector<std::string> names_of(std::string_view list) {
    if (list == "others") return other_devices();
    std::vector<std::string> names;
    while (!list.empty()) {
        const size_t comma = std::min(list.find(','), list.size());
        names.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(list.size(), comma + 1));
    }
    return names;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> devices = default_devices();
    constexpr std::string_view kOption = "--device=";
    std::vector<char*> rest;
    for (int i = 0; i < argc; ++i)
        if (std::string_view(argv[i]).starts_with(kOption))
            devices = names_of(argv[i] + kOption.size());
        else
            rest.push_back(argv[i]);
    int failed = 0;
    for (const std::string& device : devices)
        failed |= run(device, int(rest.size()), rest.data());
    return failed;
}
