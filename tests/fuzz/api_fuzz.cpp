// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random EGL and OpenGL ES calls on two contexts of a share group. No call may crash, hang or leak
// (sanitizers report leaks).
//   fuzz_api [--calls N] [--seed N] [--es3 1] [--es1 1]
// By default the contexts have OpenGL ES 2.0. With --es3 they have 3.2, and its commands are called, too.
// With
// --es1 they have 1.1, and only its commands are called. Each round of calls has its own seed; after a round
// everything is destroyed. To repeat a failing round: `--seed SEED --calls 20000`. A call that takes longer
// than 20 s counts as a hang.
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "tests/fuzz/commands.h"
#include "tests/fuzz/contexts.h"

namespace {

constexpr uint64_t kRound = 20000;
constexpr unsigned kPatience_s = 20;

// For the signal handler's report.
volatile uint64_t g_seed, g_step;
const char* volatile g_command = "";

void report(int signal) {
    char line[200];
    const int n = std::snprintf(line, sizeof line, "\nfuzz_api: signal %d in '%s', --seed %llu, call %llu\n",
                                signal, g_command, static_cast<unsigned long long>(g_seed),
                                static_cast<unsigned long long>(g_step));
    if (write(2, line, size_t(n)) < 0) _exit(2);
    ::signal(signal, SIG_DFL);
    raise(signal == SIGALRM ? SIGABRT : signal);
}

bool run_round(uint64_t seed, uint64_t calls, fuzz::Arena arena,
               const std::vector<const fuzz::Command*>& table, bool es1) {
    g_seed = seed;
    fuzz::Contexts c;
    if (!c.create(unsigned(seed), es1 ? 1 : 2)) {
        std::fprintf(stderr, "fuzz_api: no context: 0x%x\n", unsigned(eglGetError()));
        return false;
    }
    fuzz::Random r(seed, arena);
    for (uint64_t i = 0; i < calls; ++i) {
        g_step = i;
        if (i % 256 == 0) alarm(kPatience_s);
        if (r.one_in(100)) {
            g_command = "egl";
            c.call(r);
            continue;
        }
        const fuzz::Command& command = *table[r.below(uint32_t(table.size()))];
        g_command = command.name;
        command.call(r);
        if (r.one_in(16))
            if (const GLenum e = glGetError(); !fuzz::known_error(e)) {
                std::fprintf(stderr, "fuzz_api: glGetError gave 0x%x after %s\n", e, command.name);
                return false;
            }
    }
    g_command = "destroying";
    alarm(kPatience_s);
    c.destroy(seed % 3 != 0);
    alarm(0);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    uint64_t calls = 100000, seed = 1;
    bool es3 = false, es1 = false;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        if (a == "--calls")
            calls = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--seed")
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--es3")
            es3 = std::strtoull(argv[i + 1], nullptr, 10) != 0;
        else if (a == "--es1")
            es1 = std::strtoull(argv[i + 1], nullptr, 10) != 0;
        else
            return std::fprintf(stderr, "fuzz_api: no option %s\n", argv[i]), 2;
    }
    setenv("EGL_PLATFORM", "surfaceless", 0);
    setenv("TERRAZZO_GLES_VERSION", es3 ? "3.2" : "2.0", 1);
    const fuzz::Arena arena = fuzz::map_arena();
    if (!arena.bytes) return 2;
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
        signal(s, report);
    std::vector<const fuzz::Command*> table = fuzz::weighted_commands();
    for (const auto& list :
         {fuzz::es3_commands(), fuzz::es32_commands(), fuzz::form_commands(), fuzz::program_commands()})
        for (const fuzz::Command& c : list)
            if (es3) table.insert(table.end(), c.weight * 4, &c);
    if (es1) table.clear();
    for (const fuzz::Command& c : fuzz::es1_commands())
        if (es1) table.insert(table.end(), c.weight, &c);
    const bool show = isatty(2);
    for (uint64_t done = 0; done < calls; done += kRound, ++seed) {
        fuzz::fill(arena, seed);
        if (!run_round(seed, std::min(kRound, calls - done), arena, table, es1)) return 1;
        if (show)
            std::fprintf(stderr, "\r%llu of %llu calls", static_cast<unsigned long long>(done + kRound),
                         static_cast<unsigned long long>(calls));
    }
    if (show) std::fprintf(stderr, "\n");
    std::printf("%llu random calls: no crash, no hang\n", static_cast<unsigned long long>(calls));
    munmap(arena.bytes, fuzz::Arena::kSize_B);
    return 0;
}
