// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mutated texts of programs with all stages (seeds/glsl) through the API: compiled, linked (which generates
// machine code), and drawn with.
//   fuzz_shaders [--count N] [--seed N]
// No text may crash, hang or leak. Every text has its own seed: `--seed SEED --count 1` repeats it. A text
// that takes longer than 60 s counts as a hang: the watchdog stops endless loops much earlier.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "shader_seeds.h"
#include "tests/fuzz/mutator.h"
#include "tests/fuzz/session.h"

namespace {

constexpr unsigned kPatience_s = 60;
constexpr uint64_t kRound = 1000;  // texts a context

// For the signal handler's report.
volatile uint64_t g_seed;
const char* volatile g_text = "";

void report(int signal) {
    char line[100];
    const int n = std::snprintf(line, sizeof line, "\nfuzz_shaders: signal %d, --seed %llu --count 1, in:\n",
                                signal, static_cast<unsigned long long>(g_seed));
    size_t length = 0;
    while (g_text[length])
        ++length;
    if (write(2, line, size_t(n)) < 0 || write(2, g_text, length) < 0) _exit(2);
    ::signal(signal, SIG_DFL);
    raise(signal == SIGALRM ? SIGABRT : signal);
}

struct Counts {
    unsigned compiled = 0, linked = 0, drawn = 0;
};

void run(fuzz::Session& session, uint64_t seed, Counts* counts) {
    fuzz::Mutator m(uint32_t(seed * 2654435761u), fuzz::kShaderSeeds);
    m.next();
    g_seed = seed;
    g_text = m.text.c_str();
    alarm(kPatience_s);
    std::mt19937 random{uint32_t(seed)};
    const fuzz::Session::Outcome o = session.run(fuzz::split_program(m.text), random);
    counts->compiled += o.compiled;
    counts->linked += o.linked;
    counts->drawn += o.drawn;
    alarm(0);
    g_text = "";
}

}  // namespace

int main(int argc, char** argv) {
    uint64_t count = 10000, seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string a = argv[i];
        if (a == "--count")
            count = std::strtoull(argv[i + 1], nullptr, 10);
        else if (a == "--seed")
            seed = std::strtoull(argv[i + 1], nullptr, 10);
        else
            return std::fprintf(stderr, "fuzz_shaders: no option %s\n", argv[i]), 2;
    }
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
        signal(s, report);
    Counts counts;
    for (uint64_t done = 0; done < count; done += kRound) {
        fuzz::Session session;
        if (!session.create()) return std::fprintf(stderr, "fuzz_shaders: no context\n"), 1;
        for (uint64_t i = done; i < count && i < done + kRound; ++i)
            run(session, seed + i, &counts);
        if (isatty(2)) std::fprintf(stderr, "\r%llu texts", static_cast<unsigned long long>(done));
    }
    std::printf("%llu texts, of which %u compiled, %u linked and %u drew: no crash, no hang\n",
                static_cast<unsigned long long>(count), counts.compiled, counts.linked, counts.drawn);
    // Enough texts must pass the parser to test the code that follows it.
    return count >= 1000 && counts.drawn < count / 20;
}
