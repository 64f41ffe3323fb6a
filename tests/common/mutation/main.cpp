// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws and records example scenes once. Then the recordings run many times, each time without one wait,
// flush or slot (mutation.h).
//
//   mutate [--size N] [--every N] [--jobs N] [--verbose] [--debug WORDS] GALLERY [SCENE...]
//       draws with examples/gallery
//   mutate ... --known FILE
//       places that are known to be needless. A line has a place of all scenes, of one ("torus: ..."), or of
//       all shaders ("shader: ...")
//   mutate [--every N] [--verbose] --capture FILE...
//       recordings of TERRAZZO_DEBUG=trace:FILE
//   mutate --damage N [--seed N] ...
//       damages random words instead, in N runs of each recording: no run may crash or hang
//
// --every N: only each N-th place. --jobs N: the number of processes (default: one for each CPU). Places that
// are never executed cannot be noticed; they are counted apart. --debug WORDS: TERRAZZO_DEBUG while scenes
// are recorded.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/common/mutation/mutation.h"

using namespace terrazzo::test;

namespace {

constexpr const char* kScenes[] = {
    "batches", "blend",           "cube",         "cube_map",          "julia",
    "million", "mipmaps",         "points_lines", "render_to_texture", "scissor",
    "stencil", "texture_formats", "torus",        "triangle"};

struct Options {
    unsigned size = 48, every = 1, jobs = std::max(1u, std::thread::hardware_concurrency());
    unsigned damage = 0, seed = 1;  // runs of each scene; 0: places are left out
    bool verbose = false, captures = false;
    std::string debug;
    std::set<std::string> known;
    std::vector<std::string> names;  // the gallery and scenes, or files
};

/// Draws the scene on the virtual GPU. False if that failed.
bool record(const std::string& gallery, const std::string& scene, unsigned size, const std::string& debug,
            const std::string& file) {
    const std::string side = std::to_string(size);
    const pid_t child = fork();
    if (child == 0) {
        setenv("TERRAZZO_DEVICE", kRecordingDevice, 1);
        setenv("TERRAZZO_DEBUG", ("trace:" + file + (debug.empty() ? "" : "," + debug)).c_str(), 1);
        setenv("TERRAZZO_SHADER_CACHE", "off", 1);
        if (!std::freopen("/dev/null", "w", stdout)) _exit(3);
        execl(gallery.c_str(), gallery.c_str(), "--out", (file + ".out").c_str(), "--size",
              (side + "x" + side).c_str(), scene.c_str(), nullptr);
        _exit(3);
    }
    int status = 1;
    const bool good =
        child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
    unlink((file + ".out/" + scene + ".png").c_str());
    rmdir((file + ".out").c_str());
    return good;
}

/// False if it does not run. A return proves that it did not crash.
bool survive(const std::string& name, Replay& replay, const Recording& recording, const Options& o) {
    const DamageOutcome r = damage(replay, recording, o.damage, o.seed);
    if (!r.broken.empty()) return std::printf("%s: %s\n", name.c_str(), r.broken.c_str()), false;
    std::printf("%-18s %u damaged runs: %u unharmed, %u reports, %u stopped\n", name.c_str(), o.damage,
                r.unharmed, r.reports, r.stopped);
    std::fflush(stdout);
    return r.reports != 0;
}

/// A line has a place of one scene, "torus: IB1, ...", or of all scenes; or of all shaders, "shader: ...",
/// whose addresses change with the compiler.
bool is_known(const Options& o, const std::string& scene, const std::string& what) {
    const std::string any = what.rfind("shader ", 0) == 0 ? "shader" + what.substr(what.find(':')) : what;
    return o.known.count(scene + ": " + what) || o.known.count(what) || o.known.count(any);
}

/// False if it does not run, or if a change was not noticed.
bool check(const std::string& name, Replay& replay, const Recording& recording, const Options& o,
           unsigned first, Outcome* total) {
    const auto start = std::chrono::steady_clock::now();
    const Outcome r = mutate(replay, o.every, first, !o.captures, o.jobs);
    if (!r.broken.empty()) return std::printf("%s: as it is: %s\n", name.c_str(), r.broken.c_str()), false;
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf(
        "%-18s %3zu streams, %4u of %4u places: %4u noticed, %2u never executed, %zu unnoticed (%.1f s)\n",
        name.c_str(), recording.submissions.size(), r.tried, r.all, r.noticed, r.unreached,
        r.unnoticed.size(), s);
    std::map<std::string, unsigned> silent;
    bool good = true;
    for (const std::string& what : r.unnoticed) {
        ++silent[what];
        good &= is_known(o, name, what);
    }
    for (const auto& [what, count] : silent)
        std::printf("    %u times the GPU reports nothing without %s%s\n", count, what.c_str(),
                    is_known(o, name, what) ? " (known)" : "");
    if (o.verbose)
        for (const std::string& text : r.reports)
            std::printf("    %s\n", text.c_str());
    std::fflush(stdout);
    total->tried += r.tried;
    total->noticed += r.noticed;
    total->unreached += r.unreached;
    return good;
}

bool parse(int argc, char** argv, Options* o) {
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if (a == "--size" && i + 1 < argc)
            o->size = unsigned(std::atoi(argv[++i]));
        else if (a == "--every" && i + 1 < argc)
            o->every = unsigned(std::atoi(argv[++i]));
        else if (a == "--jobs" && i + 1 < argc)
            o->jobs = unsigned(std::atoi(argv[++i]));
        else if (a == "--damage" && i + 1 < argc)
            o->damage = unsigned(std::atoi(argv[++i]));
        else if (a == "--seed" && i + 1 < argc)
            o->seed = unsigned(std::atoi(argv[++i]));
        else if (a == "--known" && i + 1 < argc) {
            std::ifstream file(argv[++i]);
            for (std::string line; std::getline(file, line);)
                if (!line.empty() && line[0] != '#') o->known.insert(line);
        } else if (a == "--debug" && i + 1 < argc)
            o->debug = argv[++i];
        else if (a == "--verbose")
            o->verbose = true;
        else if (a == "--capture")
            o->captures = true;
        else
            o->names.push_back(a);
    }
    return !o->names.empty() && o->every && o->size >= 16;
}

}  // namespace

int main(int argc, char** argv) {
    Options o;
    if (!parse(argc, argv, &o)) {
        std::fprintf(
            stderr,
            "usage: mutate [--size N] [--every N] [--jobs N] [--damage N [--seed N]] [--verbose] [--debug "
            "WORDS] GALLERY [SCENE...] | "
            "--capture FILE...\n");
        return 2;
    }
    const std::string gallery = o.names[0];
    std::vector<std::string> names(o.names.begin() + !o.captures, o.names.end());
    if (names.empty()) names.assign(std::begin(kScenes), std::end(kScenes));
    char folder[] = "/tmp/terrazzo-mutate-XXXXXX";
    if (!o.captures && !mkdtemp(folder)) return 2;
    Outcome total;
    unsigned failed = 0, first = 0;
    for (const std::string& name : names) {
        const std::string file = o.captures ? name : std::string(folder) + "/" + name;
        Recording recording;
        std::string why;
        bool good = o.captures || record(gallery, name, o.size, o.debug, file);
        if (!good) std::printf("%s: cannot be drawn\n", name.c_str());
        if (good && !(good = load_recording(file, &recording, &why)))
            std::printf("%s: %s\n", name.c_str(), why.c_str());
        if (!o.captures) unlink(file.c_str());
        std::unique_ptr<Replay> replay;
        if (good && !(replay = create_replay(recording, &why)))
            std::printf("%s: %s\n", name.c_str(), why.c_str());
        failed += !replay || !(o.damage ? survive(name, *replay, recording, o)
                                        : check(name, *replay, recording, o, first++, &total));
    }
    if (!o.captures) rmdir(folder);
    if (!o.damage)
        std::printf("%u places: %u noticed, %u never executed, %u unnoticed; %u recordings failed\n",
                    total.tried, total.noticed, total.unreached,
                    total.tried - total.noticed - total.unreached, failed);
    return failed != 0;
}
