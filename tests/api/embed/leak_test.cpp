// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A thousand instances in sequence leak nothing: no byte of the caller's allocator, no thread, no growth of
// the heap or of the address space. (The first cycles keep some memory for the process: tables of LLVM and
// glslang.)
#include <dirent.h>
#include <doctest/doctest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/api/embed/program.h"

using namespace embed_test;

namespace {

// GCC announces a sanitizer with a macro, Clang with a feature.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

constexpr int kCycles = 1000, kWarm = 200;
constexpr int kDrawEvery =
    20;  // every so many cycles there is a program and a frame that is large enough for threads

unsigned thread_count() {
    unsigned n = 0;
    DIR* d = opendir("/proc/self/task");
    REQUIRE(d != nullptr);
    while (const dirent* e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/// The kernel may list a thread for a moment after it was joined: waits up to a second for the count to fall.
unsigned settled_thread_count(unsigned wanted) {
    unsigned n = thread_count();
    for (int i = 0; i < 1000 && n > wanted; ++i) {
        usleep(1000);
        n = thread_count();
    }
    return n;
}

/// Bytes of the address space.
uint64_t mapped_B() {
    unsigned long pages = 0;
    FILE* f = fopen("/proc/self/statm", "r");
    REQUIRE(f != nullptr);
    CHECK(fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    return uint64_t(pages) * uint64_t(sysconf(_SC_PAGESIZE));
}

uint64_t heap_B() {
    const struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

/// Returns the number of threads while it drew.
unsigned cycle(const Gl& gl, bool draw) {
    static Frame frame(512, 512);
    CountingAllocator memory;
    const terrazzo_allocator a = memory.get();
    const terrazzo_instance_desc d{sizeof d, &a, 3, 0, nullptr, nullptr, nullptr};
    terrazzo_instance* instance = nullptr;
    terrazzo_context* context = nullptr;
    REQUIRE(terrazzo_create_instance(&d, &instance) == TERRAZZO_OK);
    REQUIRE(terrazzo_create_context(instance, nullptr, &context) == TERRAZZO_OK);
    terrazzo_target t = frame.target();
    if (!draw) t.width_px = t.height_px = 64;
    REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
    REQUIRE(terrazzo_make_current(context) == TERRAZZO_OK);
    GLuint name = 0;
    gl.GenTextures(1, &name);
    gl.BindTexture(GL_TEXTURE_2D, name);
    gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 64, 64, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    clear(gl, 0, 1, 0, 1);
    if (draw) REQUIRE(draw_triangle(gl));
    REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(frame.at(0, 0) == (draw ? 0x00ff00ffu : 0x00ff00ffu));
    CHECK(gl.GetError() == GL_NO_ERROR);
    const unsigned threads = draw ? thread_count() : 0;
    terrazzo_destroy_context(context);
    terrazzo_destroy_instance(instance);
    CHECK(memory.bytes == 0);
    CHECK(memory.blocks == 0);
    return threads;
}

}  // namespace

TEST_CASE("a thousand cycles leave nothing") {
    const Gl gl;
    const unsigned threads = thread_count();
    unsigned most = 0;
    uint64_t heap = 0, mapped = 0;
    for (int i = 0; i < kCycles; ++i) {
        if (i == kWarm) heap = heap_B(), mapped = mapped_B();
        most = std::max(most, cycle(gl, i % kDrawEvery == 0));
        CHECK(settled_thread_count(threads) == threads);
    }
    const int64_t heap_growth_B = int64_t(heap_B() - heap), mapped_growth_B = int64_t(mapped_B() - mapped);
    if (std::getenv("TERRAZZO_TEST_VERBOSE"))
        std::printf("heap %+lld B, mapped %+lld B, threads %u\n", (long long)heap_growth_B,
                    (long long)mapped_growth_B, most);
    CHECK(most > threads);
    if (kSanitized) return;  // sanitizers keep freed memory for some time
    // The test suite disables malloc's caches of threads; with them the number is not exact.
    const int64_t slack_B = std::getenv("GLIBC_TUNABLES") ? 0 : 16 * 1024;
    CHECK(heap_growth_B <= slack_B);
    CHECK(mapped_growth_B <= slack_B);
}
