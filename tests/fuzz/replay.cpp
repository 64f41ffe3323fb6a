// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target without libFuzzer, for any compiler:
//   fuzz_NAME FILE|FOLDER...                       runs each file once
//   fuzz_NAME --count N [--seed S] FILE|FOLDER...  then N changed files, each with its own seed;
//                                                  `--seed S --count 1` repeats number S
// An input that ends the program, or takes more than 25 s of CPU time, is named on stderr. A changed input is
// also written to ./crash-NUMBER.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/target.h"

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace {

using Input = std::vector<uint8_t>;

constexpr unsigned kPatience_s = 25;
constexpr size_t kMaxInput_B = 64 << 10;

std::mt19937 g_random;
// For the signal handler's report.
const char* volatile g_name = "";
volatile uint64_t g_seed;
const Input* volatile g_changed;

/// Prints which input it was, and writes an input that is in no file.
void tell() {
    char line[400];
    int n = std::snprintf(line, sizeof line, "\nin: %s\n", g_name);
    if (const Input* const input = g_changed) {
        const auto seed = static_cast<unsigned long long>(g_seed);
        char file[40];
        std::snprintf(file, sizeof file, "crash-%llu", seed);
        n = std::snprintf(line, sizeof line, "\nin: --seed %llu --count 1 (written to %s)\n", seed, file);
        const int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (fd >= 0 && (write(fd, input->data(), input->size()) < 0 || close(fd) != 0)) n = 0;
    }
    if (write(2, line, size_t(n)) < 0) _exit(2);
}

void report(int signal) {
    tell();
    ::signal(signal, SIG_DFL);
    raise(signal == SIGPROF ? SIGABRT : signal);
}

void watch_for_signals() {
    for (const int s : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGPROF}) {
        // A sanitizer, if there is one, reports more about it, and then calls tell().
        struct sigaction old;
        if (sigaction(s, nullptr, &old) == 0 && old.sa_handler == SIG_DFL) signal(s, report);
    }
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell);
}

/// CPU time: on a busy machine an input that only waits must not count as a hang.
void watch(unsigned seconds) {
    const itimerval t{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &t, nullptr);
}

void run(const Input& input) {
    // A block of the exact size, so that a sanitizer sees reads beyond its end. It is never null.
    std::vector<uint8_t> exact(input);
    exact.reserve(1);
    watch(kPatience_s);
    (void)fuzz_one(exact.data(), exact.size());
    watch(0);
}

std::vector<std::filesystem::path> files_of(const char* path) {
    std::vector<std::filesystem::path> files;
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) {
        for (const auto& e : std::filesystem::recursive_directory_iterator(path))
            if (e.is_regular_file()) files.push_back(e.path());
    } else {
        files.emplace_back(path);
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// One of the inputs, with a few changes.
Input changed(const std::vector<Input>& inputs, uint64_t seed) {
    g_random.seed(uint32_t(seed * 2654435761u));
    Input data = inputs[g_random() % inputs.size()];
    size_t size = std::min(data.size(), kMaxInput_B);
    data.resize(kMaxInput_B);
    for (unsigned n = 1 + g_random() % 4; n > 0; --n) {
#if FUZZ_MUTATOR
        size = fuzz_mutate(data.data(), size, kMaxInput_B, uint32_t(g_random()));
#else
        size = fuzz::mutate_bytes(data.data(), size, kMaxInput_B);
#endif
    }
    data.resize(size);
    return data;
}

}  // namespace

size_t fuzz::mutate_bytes(uint8_t* data, size_t size, size_t max_size) {
    const auto below = [](size_t n) { return n ? g_random() % n : 0; };
    const size_t at = below(size + 1), room = max_size - size;
    const size_t length = std::min(size - at, 1 + below(below(4) ? 4 : 64));
    switch (below(6)) {
        case 0:  // flip a bit
            if (at < size) data[at] ^= uint8_t(1 << below(8));
            return size;
        case 1: {  // a number at a limit
            constexpr uint8_t kEdges[] = {0, 1, 2, 0x7f, 0x80, 0xff, 0x10, 0x40};
            for (size_t i = at; i < at + length; ++i)
                data[i] = kEdges[below(std::size(kEdges))];
            return size;
        }
        case 2:  // any bytes
            for (size_t i = at; i < at + length; ++i)
                data[i] = uint8_t(g_random());
            return size;
        case 3:  // remove a piece
            std::memmove(data + at, data + at + length, size - at - length);
            return size - length;
        case 4: {  // insert a piece
            const size_t n = std::min(room, 1 + below(8));
            std::memmove(data + at + n, data + at, size - at);
            for (size_t i = at; i < at + n; ++i)
                data[i] = uint8_t(g_random());
            return size + n;
        }
        default: {  // repeat a piece elsewhere
            const size_t n = std::min(length, room), to = below(size + 1);
            const std::vector<uint8_t> piece(data + at, data + at + n);
            std::memmove(data + to + n, data + to, size - to);
            std::copy(piece.begin(), piece.end(), data + to);
            return size + n;
        }
    }
}

int main(int argc, char** argv) {
    uint64_t count = 0, seed = 1;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if ((a == "--count" || a == "--seed") && i + 1 < argc)
            (a == "--count" ? count : seed) = std::strtoull(argv[++i], nullptr, 10);
        else if (a.starts_with("-"))
            return std::fprintf(stderr, "%s: no option %s\n", argv[0], argv[i]), 2;
        else
            for (std::filesystem::path& f : files_of(argv[i]))
                files.push_back(std::move(f));
    }
    fuzz::set_environment();
    watch_for_signals();
    std::vector<Input> inputs;
    for (const std::filesystem::path& f : files) {
        std::ifstream in(f, std::ios::binary);
        if (!in) return std::fprintf(stderr, "%s: cannot read it\n", f.c_str()), 2;
        inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        g_name = f.c_str();
        run(inputs.back());
    }
    if (inputs.empty()) return std::fprintf(stderr, "%s: no input\n", argv[0]), 2;
    for (uint64_t i = 0; i < count; ++i) {
        const Input input = changed(inputs, seed + i);
        g_seed = seed + i;
        g_changed = &input;
        run(input);
        g_changed = nullptr;
        if (isatty(2) && i % 64 == 0)
            std::fprintf(stderr, "\r%llu of %llu", static_cast<unsigned long long>(i),
                         static_cast<unsigned long long>(count));
    }
    std::printf("%zu inputs, and %llu changed ones: no crash, no hang\n", inputs.size(),
                static_cast<unsigned long long>(count));
    return 0;
}
