// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the program binary target on its own:
//   fuzz_program_binary [--count N] [--seed N]
// Each input is a program with up to four changes, and has its own seed: `--seed SEED --count 1` repeats it.
// No input may crash or take longer than 60 s.
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/fuzz/program_binary.h"

extern uint64_t fuzz_accepted;
int fuzz_one(const uint8_t* data, size_t size);
size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);

namespace {

constexpr unsigned kPatience_s = 60;
constexpr size_t kMaxInput_B = 64 << 10;

volatile uint64_t g_seed;

void report(int signal) {
    char line[100];
    const int n =
        std::snprintf(line, sizeof line, "\nfuzz_program_binary: signal %d, --seed %llu --count 1\n", signal,
                      static_cast<unsigned long long>(g_seed));
    if (write(2, line, size_t(n)) < 0) _exit(2);
    ::signal(signal, SIG_DFL);
    raise(signal == SIGALRM ? SIGABRT : signal);
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
            return std::fprintf(stderr, "fuzz_program_binary: no option %s\n", argv[i]), 2;
    }
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGALRM})
        signal(s, report);
    for (uint32_t n = 0; n < 32; ++n)  // the programs that inputs are generated from
        if (fuzz::first_program(n).empty())
            return std::fprintf(stderr, "fuzz_program_binary: program %u does not link\n", n), 1;
    std::vector<uint8_t> input(kMaxInput_B);
    for (uint64_t i = seed; i < seed + count; ++i) {
        g_seed = i;
        alarm(kPatience_s);
        const auto first = uint32_t(i * 2654435761u);
        size_t size = fuzz_mutate(input.data(), 0, kMaxInput_B, first);
        for (uint32_t n = i % 4; n < 3; ++n)
            size = fuzz_mutate(input.data(), size, kMaxInput_B, first + n + 1);
        (void)fuzz_one(input.data(), size);
        if (i % 1000 == 0 && isatty(2))
            std::fprintf(stderr, "\r%llu", static_cast<unsigned long long>(i - seed));
    }
    alarm(0);
    std::printf("%llu program binaries, %llu accepted and drawn with: no crash, no hang\n",
                static_cast<unsigned long long>(count), static_cast<unsigned long long>(fuzz_accepted));
    // Enough inputs must pass the checks to test the code that follows them.
    return count >= 1000 && fuzz_accepted < count / 20;
}
