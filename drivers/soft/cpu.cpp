// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Affinity and cgroup quota. Sources: sched_getaffinity(2); the kernel's
// Documentation/admin-guide/cgroup-v2.rst (cpu.max) and scheduler/sched-bwc.rst (cpu.cfs_quota_us,
// cpu.cfs_period_us of v1).
#include "drivers/soft/cpu.h"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace terrazzo::soft {

namespace {

/// The first line of a small file; empty when it cannot be read.
std::string first_line(const std::string& path) {
    std::string line;
    if (FILE* f = std::fopen(path.c_str(), "re")) {
        char buffer[4096];
        if (std::fgets(buffer, sizeof buffer, f)) line.assign(buffer, std::strcspn(buffer, "\n"));
        std::fclose(f);
    }
    return line;
}

/// The path of this process in the unified hierarchy, from the line "0::/path".
std::string cgroup_v2_path() {
    std::string path;
    if (FILE* f = std::fopen("/proc/self/cgroup", "re")) {
        char line[4096];
        while (std::fgets(line, sizeof line, f))
            if (!std::strncmp(line, "0::", 3)) path.assign(line + 3, std::strcspn(line + 3, "\n"));
        std::fclose(f);
    }
    return path;
}

/// The tightest quota from the process's group up to the root; 0: none.
unsigned cgroup_quota() {
    unsigned least = 0;
    const auto take = [&](unsigned n) {
        if (n) least = least ? std::min(least, n) : n;
    };
    std::string path = cgroup_v2_path();
    while (true) {
        take(cpus_of_quota(first_line("/sys/fs/cgroup" + path + "/cpu.max").c_str()));
        const size_t slash = path.rfind('/');
        if (slash == std::string::npos) break;
        path.resize(slash);
    }
    const std::string quota = first_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    const std::string period = first_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!quota.empty() && !period.empty()) take(cpus_of_quota((quota + " " + period).c_str()));
    return least;
}

}  // namespace

unsigned cpus_of_quota(const char* text) {
    long long quota = 0, period = 0;
    if (std::sscanf(text, "%lld %lld", &quota, &period) != 2 || quota <= 0 || period <= 0) return 0;
    return unsigned(std::clamp<long long>((quota + period - 1) / period, 1, 4096));
}

unsigned usable_cpus() {
    unsigned n = 0;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) n = unsigned(CPU_COUNT(&set));
    if (n == 0) n = std::max(1u, std::thread::hardware_concurrency());
    if (const unsigned quota = cgroup_quota()) n = std::min(n, quota);
    return n;
}

unsigned default_threads() {
    if (const char* text = std::getenv("TERRAZZO_THREADS")) {
        char* end;
        const long n = std::strtol(text, &end, 10);
        if (end != text && !*end && n >= 1 && n <= 256) return unsigned(n);
    }
    return usable_cpus();
}

}  // namespace terrazzo::soft
