// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compares Terrazzo with a peer: runs each case of gl_bench on both in turn, several rounds, and prints
// medians and ratios.
//   gl_compare GL_BENCH OUR_LIBRARY_FOLDER [--peer WRAPPER] [--rounds N] [--seconds S] [--lower] [CASE...]
// By default the peer is the system's own implementation (llvmpipe if there is no GPU). WRAPPER is a program
// that runs its arguments on another implementation. Both get two threads. Above 1 Terrazzo is better.
// --lower: lower values of GL_BENCH are better (tests/bench/draw_overhead).
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

struct Settings {
    std::string bench, ours, peer, seconds = "0.5", cache;
    int rounds = 3;
    bool lower = false;
    std::vector<std::string> cases;
};

struct Run {
    double value = 0, cpu_ms = 0, memory_MB = 0;
    bool ok = false;
};

/// One process; `cache` is the folder for the disk caches of both implementations.
Run run(const Settings& s, bool ours, const std::string& name, unsigned seed) {
    int fd[2];
    if (pipe(fd)) std::exit(1);
    std::fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(fd[1], 1);
        close(fd[0]);
        close(fd[1]);
        setenv("EGL_PLATFORM", "surfaceless", 1);
        setenv("TERRAZZO_THREADS", "2", 1);
        setenv("LP_NUM_THREADS", "2", 1);
        setenv("TERRAZZO_SHADER_CACHE", (s.cache + "/terrazzo").c_str(), 1);
        setenv("MESA_SHADER_CACHE_DIR", (s.cache + "/mesa").c_str(), 1);
        if (ours) setenv("LD_LIBRARY_PATH", s.ours.c_str(), 1);
        const std::string seed_text = std::to_string(seed);
        std::vector<const char*> argv;
        if (!ours && !s.peer.empty()) argv.push_back(s.peer.c_str());
        for (const char* const a :
             {s.bench.c_str(), "--seconds", s.seconds.c_str(), "--seed", seed_text.c_str(), name.c_str()})
            argv.push_back(a);
        argv.push_back(nullptr);
        execvp(argv[0], const_cast<char**>(argv.data()));
        _exit(127);
    }
    close(fd[1]);
    std::string text;
    char buffer[256];
    for (ssize_t n; (n = read(fd[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, size_t(n));
    close(fd[0]);
    int status = 0;
    rusage u{};
    wait4(pid, &status, 0, &u);
    Run r;
    const size_t tab = text.find('\t');
    r.ok = WIFEXITED(status) && WEXITSTATUS(status) == 0 && tab != std::string::npos;
    if (!r.ok) return r;
    r.value = std::atof(text.c_str() + tab + 1);
    const auto ms = [](const timeval& t) { return double(t.tv_sec) * 1e3 + double(t.tv_usec) * 1e-3; };
    r.cpu_ms = ms(u.ru_utime) + ms(u.ru_stime);
    r.memory_MB = double(u.ru_maxrss) / 1024;
    return r;
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? NAN : v[v.size() / 2];
}

bool is_first_draw(const std::string& name) {
    return name.compare(0, 10, "first_draw") == 0;
}

/// `warm`: every round reads the programs that the previous round left in the disk cache.
void compare(const Settings& s, const std::string& name, bool warm, std::vector<double>* fill_ratios,
             std::vector<double>* es3_ratios) {
    std::vector<double> value[2], memory[2];
    const auto seed0 = unsigned(std::time(nullptr));
    const bool start = name == "start", lower = start || s.lower || is_first_draw(name);
    for (int round = 0; round < s.rounds + (warm ? 1 : 0); ++round)
        for (const bool ours : {true, false}) {
            const Run r = run(s, ours, name, warm ? seed0 : seed0 + unsigned(round));
            if (!r.ok) {
                std::printf("%-18s %s failed\n", name.c_str(), ours ? "Terrazzo" : "the peer");
                return;
            }
            if (warm && round == 0) continue;
            value[ours].push_back(start ? r.cpu_ms : r.value);
            memory[ours].push_back(r.memory_MB);
        }
    const double a = median(value[1]), b = median(value[0]), ratio = lower ? b / a : a / b;
    std::printf("%-18s %10.2f %10.2f %8.2f   %6.0f %6.0f\n", (name + (warm ? "_warm" : "")).c_str(), a, b,
                ratio, median(memory[1]), median(memory[0]));
    std::fflush(stdout);
    const char* const fills[] = {"flat",    "blend",    "depth",     "depth_rejected", "varying",
                                 "nearest", "bilinear", "trilinear", "phong"};
    if (std::find(std::begin(fills), std::end(fills), name) != std::end(fills)) fill_ratios->push_back(ratio);
    const char* const es3[] = {"multisample", "block_updates", "feedback", "instances", "texture_array",
                               "shadow_map",  "texture_3d",    "mrt",      "matrix",    "prefix_sum",
                               "nbody",       "image_blur",    "histogram"};
    if (std::find(std::begin(es3), std::end(es3), name) != std::end(es3)) es3_ratios->push_back(ratio);
}

void print_mean(const char* what, const std::vector<double>& ratios) {
    if (ratios.size() < 2) return;
    double sum = 0;
    for (const double r : ratios)
        sum += std::log(r);
    std::printf("%-18s %30.2f\n", what, std::exp(sum / double(ratios.size())));
}

std::vector<std::string> all_cases(const std::string& bench) {
    std::vector<std::string> names;
    FILE* const p = popen(("'" + bench + "'").c_str(), "r");
    char line[128];
    while (p && std::fgets(line, sizeof line, p))
        names.emplace_back(line, std::strcspn(line, "\n"));
    if (p) pclose(p);
    return names;
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if (a == "--lower") {
            s.lower = true;
            continue;
        }
        const bool option = a == "--peer" || a == "--rounds" || a == "--seconds";
        if (!option) {
            words.push_back(a);
            continue;
        }
        if (++i == argc) break;
        if (a == "--peer") s.peer = argv[i];
        if (a == "--rounds") s.rounds = std::max(1, std::atoi(argv[i]));
        if (a == "--seconds") s.seconds = argv[i];
    }
    if (words.size() < 2) {
        std::fprintf(
            stderr,
            "usage: gl_compare GL_BENCH OUR_LIBRARY_FOLDER [--peer WRAPPER] [--rounds N] [--seconds S] "
            "[--lower] [CASE...]\n");
        return 2;
    }
    s.bench = words[0];
    s.ours = words[1];
    s.cases.assign(words.begin() + 2, words.end());
    if (s.cases.empty()) s.cases = all_cases(s.bench);
    for (const char* const library : {"/libEGL.so.1", "/libGLESv2.so.2"})
        if (access((s.ours + library).c_str(), R_OK)) {  // the loader would load the system's instead
            std::fprintf(stderr, "gl_compare: there is no %s%s\n", s.ours.c_str(), library);
            return 1;
        }
    char folder[] = "/tmp/terrazzo-gl-compare-XXXXXX";
    if (!mkdtemp(folder)) return 1;
    s.cache = folder;
    mkdir((s.cache + "/terrazzo").c_str(), 0700);
    mkdir((s.cache + "/mesa").c_str(), 0700);
    std::printf("%-18s %10s %10s %8s   %6s %6s\n", "case", "Terrazzo", "peer", "ratio", "MB", "MB");
    std::vector<double> fill, es3;
    for (const std::string& c : s.cases) {
        compare(s, c, false, &fill, &es3);
        if (is_first_draw(c)) compare(s, c, true, &fill, &es3);
    }
    print_mean("fill, mean", fill);
    print_mean("ES 3, mean", es3);
    return std::system(("rm -rf '" + s.cache + "'").c_str()) != 0;
}
