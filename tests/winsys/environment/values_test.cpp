// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/environment/values.h"

#include <doctest/doctest.h>

using namespace terrazzo::winsys;

TEST_CASE("values: a time limit is seconds or off") {
    uint64_t ns = 7;
    CHECK(parse_time_limit("10", &ns));
    CHECK(ns == 10'000'000'000);
    CHECK(parse_time_limit("0.25", &ns));
    CHECK(ns == 250'000'000);
    CHECK(parse_time_limit("off", &ns));
    CHECK(ns == kUnlimited_ns);
    ns = 7;
    for (const char* text : {"", "0", "-1", "10s", "1e3", "nan", "inf", "99999999999", "0.0000000001", " 1"})
        CHECK_FALSE(parse_time_limit(text, &ns));
    CHECK(ns == 7);
}

TEST_CASE("values: refused values change nothing") {
    unsigned threads = 7;
    for (const char* text : {"", "0", "257", "-1", "1.5", "0x4", "4 "})
        CHECK_FALSE(parse_threads(text, &threads));
    CHECK(threads == 7);
    CHECK(parse_threads("256", &threads));
    CHECK(threads == kMaxThreads);
    int version = 7;
    for (const char* text : {"", "3", "31", "3.10"})
        CHECK_FALSE(parse_gles_version(text, &version));
    CHECK(version == 7);
    CHECK(parse_gles_version("3.1", &version));
    CHECK(version == 31);
    PlatformName platform = PlatformName::Gbm;
    CHECK_FALSE(parse_platform("X11", &platform));
    CHECK(platform == PlatformName::Gbm);
    CHECK(parse_platform("device", &platform));
    CHECK(platform == PlatformName::Surfaceless);
    int fd = 7;
    for (const char* text : {"", "-1", "2147483648", "1 "})
        CHECK_FALSE(parse_descriptor(text, &fd));
    CHECK(fd == 7);
    CHECK(parse_descriptor("0", &fd));
    CHECK(fd == 0);
}
