// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/threads/cpu.h"

#include <doctest/doctest.h>

using namespace terrazzo::threads;

TEST_CASE("CPU quotas") {
    CHECK(cpus_of_quota("max 100000") == 0);
    CHECK(cpus_of_quota("200000 100000") == 2);
    CHECK(cpus_of_quota("150000 100000") == 2);
    CHECK(cpus_of_quota("1000 100000") == 1);
    CHECK(cpus_of_quota("-1 100000") == 0);
    CHECK(cpus_of_quota("") == 0);
    const std::string v2 = "0::/user.slice/a:b\n";
    CHECK(cgroup_path(v2, "") == "/user.slice/a:b");
    CHECK(cgroup_path(v2, "cpu").empty());
    const std::string v1 = "9:cpuset:/x\n4:cpuacct,cpu:/docker/1\n1:name=systemd:/y\n0::/z";
    CHECK(cgroup_path(v1, "cpu") == "/docker/1");
    CHECK(cgroup_path(v1, "") == "/z");
    CHECK(cgroup_path("", "").empty());
    CHECK(cgroup_path("broken", "cpu").empty());
    CHECK(default_threads() >= 1);
}
