// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Affinity and cgroup quota. Sources: sched_getaffinity(2); the kernel's
// Documentation/admin-guide/cgroup-v2.rst (cpu.max) and scheduler/sched-bwc.rst (cpu.cfs_quota_us,
// cpu.cfs_period_us of v1).
#include "drivers/common/threads/cpu.h"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include "winsys/environment/environment.h"
#include "winsys/environment/values.h"

namespace terrazzo::threads {

namespace {

/// The first line of a small file; empty if it cannot be read.
std::string first_line(const std::string& path) {
    std::string line;
    if (FILE* f = std::fopen(path.c_str(), "re")) {
        char buffer[4096];
        if (std::fgets(buffer, sizeof buffer, f)) line.assign(buffer, std::strcspn(buffer, "\n"));
        std::fclose(f);
    }
    return line;
}

std::string whole_file(const char* path) {
    std::string text;
    if (FILE* f = std::fopen(path, "re")) {
        char buffer[4096];
        for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, f)) > 0;)
            text.append(buffer, n);
        std::fclose(f);
    }
    return text;
}

unsigned tighter(unsigned a, unsigned b) {
    return !a || !b ? std::max(a, b) : std::min(a, b);
}

unsigned quota_v1(const std::string& group) {
    const std::string quota = first_line(group + "/cpu.cfs_quota_us");
    const std::string period = first_line(group + "/cpu.cfs_period_us");
    return quota.empty() || period.empty() ? 0 : cpus_of_quota((quota + " " + period).c_str());
}

/// The smallest quota of the process' group and its parents; 0: none. Inside a container the path may be the
/// host's: missing files are skipped, and the root is the container's group.
unsigned cgroup_quota() {
    const std::string groups = whole_file("/proc/self/cgroup");
    unsigned least = 0;
    for (const bool v1 : {false, true}) {
        std::string path = cgroup_path(groups, v1 ? "cpu" : "");
        while (true) {
            least =
                tighter(least, v1 ? quota_v1("/sys/fs/cgroup/cpu" + path)
                                  : cpus_of_quota(first_line("/sys/fs/cgroup" + path + "/cpu.max").c_str()));
            const size_t slash = path.rfind('/');
            if (slash == std::string::npos) break;
            path.resize(slash);
        }
    }
    return least;
}

}  // namespace

std::string cgroup_path(const std::string& text, const std::string& controller) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const size_t first = text.find(':', at), second = text.find(':', first + 1);
        if (first < end && second < end) {
            const std::string names = "," + text.substr(first + 1, second - first - 1) + ",";
            if (names.find("," + controller + ",") != std::string::npos)
                return text.substr(second + 1, end - second - 1);
        }
        at = end + 1;
    }
    return {};
}

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
    unsigned n = 0;
    const char* const text = winsys::environment(winsys::Variable::Threads);
    return text && winsys::parse_threads(text, &n) ? n : usable_cpus();
}

}  // namespace terrazzo::threads
