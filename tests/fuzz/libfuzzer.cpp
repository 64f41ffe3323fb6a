// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target under libFuzzer, which has the main(). Allocations above kMaxAllocation_B fail, as on a small
// machine: then the library must refuse the request or report that it is out of memory. libFuzzer's own limit
// (-rss_limit_mb) finds inputs that use memory in small steps.
#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "tests/fuzz/target.h"

namespace {

constexpr size_t kMaxAllocation_B = size_t(512) << 20;
constexpr unsigned kPatience_ms = 1000;

void* allocate(size_t size, size_t alignment) {
    if (size > kMaxAllocation_B) return nullptr;
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
    void* p = nullptr;
    return posix_memalign(&p, alignment, size ? size : 1) == 0 ? p : nullptr;
}

void* allocate_or_throw(size_t size, size_t alignment) {
    void* const p = allocate(size, alignment);
    if (!p) throw std::bad_alloc();
    return p;
}

/// Whether another thread of this process runs.
bool others_run() {
    DIR* const tasks = opendir("/proc/self/task");
    if (!tasks) return false;
    const long self = long(syscall(SYS_gettid));
    bool runs = false;
    while (const dirent* const task = readdir(tasks)) {
        const long id = std::strtol(task->d_name, nullptr, 10);
        if (id == 0 || id == self) continue;
        char path[64], text[256];
        std::snprintf(path, sizeof path, "/proc/self/task/%ld/stat", id);
        FILE* const stat = std::fopen(path, "r");
        if (!stat) continue;  // it ended
        const size_t size = std::fread(text, 1, sizeof text - 1, stat);
        std::fclose(stat);
        text[size] = 0;
        const char* const name_end = std::strrchr(text, ')');  // the state follows the name: "1 (name) R"
        runs |= name_end && name_end[1] && name_end[2] == 'R';
    }
    closedir(tasks);
    return runs;
}

/// Waits until a virtual GPU has completed the jobs of an input. LeakSanitizer stops all threads, and would
/// report memory that one of them is just getting from malloc.
void wait_for_others() {
    for (unsigned ms = 0; ms < kPatience_ms && others_run(); ++ms)
        usleep(1000);
}

}  // namespace

// The sanitizers' operator new ends the program if there is no memory. This one throws, as the library's
// does.
void* operator new(size_t n) {
    return allocate_or_throw(n, 0);
}
void* operator new[](size_t n) {
    return allocate_or_throw(n, 0);
}
void* operator new(size_t n, std::align_val_t a) {
    return allocate_or_throw(n, size_t(a));
}
void* operator new[](size_t n, std::align_val_t a) {
    return allocate_or_throw(n, size_t(a));
}
void* operator new(size_t n, const std::nothrow_t&) noexcept {
    return allocate(n, 0);
}
void* operator new[](size_t n, const std::nothrow_t&) noexcept {
    return allocate(n, 0);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, size_t) noexcept {
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete(void* p, size_t, std::align_val_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, size_t, std::align_val_t) noexcept {
    std::free(p);
}

extern "C" {

const char* __asan_default_options();
const char* __asan_default_options() {
    return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_stack_use_after_return=0";
}
const char* __ubsan_default_options();
const char* __ubsan_default_options() {
    return "print_stacktrace=1";
}

int LLVMFuzzerInitialize(int*, char***);
int LLVMFuzzerInitialize(int*, char***) {
    fuzz::set_environment();
    return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const int result = fuzz_one(data, size);
    wait_for_others();
    return result;
}

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);
#if FUZZ_MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
    return fuzz_mutate(data, size, max_size, seed);
}
#endif
}  // extern "C"

size_t fuzz::mutate_bytes(uint8_t* data, size_t size, size_t max_size) {
    return LLVMFuzzerMutate(data, size, max_size);
}
