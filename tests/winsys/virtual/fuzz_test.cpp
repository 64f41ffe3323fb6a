// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random requests and random streams: none may crash, hang or leak descriptors. For a million requests:
// TERRAZZO_FUZZ_REQUESTS=1000000.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <random>

#include "tests/winsys/virtual/kernel.h"
#include "tests/winsys/virtual/random_words.h"

using namespace terrazzo::test;

namespace {

unsigned long some_request(std::mt19937& random) {
    static const unsigned long kKnown[] = {kIoctlVersion,
                                           kIoctlGemClose,
                                           kIoctlGetCap,
                                           kIoctlPrimeHandleToFd,
                                           kIoctlPrimeFdToHandle,
                                           kIoctlSyncobjCreate,
                                           kIoctlSyncobjDestroy,
                                           kIoctlSyncobjHandleToFd,
                                           kIoctlSyncobjFdToHandle,
                                           kIoctlSyncobjReset,
                                           kIoctlSyncobjSignal,
                                           kIoctlSyncobjQuery,
                                           kIoctlSyncobjTransfer,
                                           kIoctlSyncobjTimelineSignal,
                                           kIoctlSyncobjWait,
                                           kIoctlSyncobjTimelineWait,
                                           kPanthorDevQuery,
                                           kPanthorVmCreate,
                                           kPanthorVmDestroy,
                                           kPanthorVmBind,
                                           kPanthorVmBind,
                                           kPanthorVmGetState,
                                           kPanthorBoCreate,
                                           kPanthorBoMmapOffset,
                                           kPanthorGroupCreate,
                                           kPanthorGroupDestroy,
                                           kPanthorGroupSubmit,
                                           kPanthorGroupSubmit,
                                           kPanthorGroupSubmit,
                                           kPanthorGroupGetState,
                                           kPanthorTilerHeapCreate,
                                           kPanthorTilerHeapDestroy};
    const unsigned long request = kKnown[random() % std::size(kKnown)];
    const unsigned long other = request ^ 1ul << (random() % 32);
    // If the result cannot be copied out completely, its descriptor is lost, as in a real kernel.
    const bool gives_descriptor = _IOC_NR(other) == _IOC_NR(kIoctlPrimeHandleToFd) ||
                                  _IOC_NR(other) == _IOC_NR(kIoctlSyncobjHandleToFd);
    return random() % 50 || gives_descriptor ? request : other;
}

}  // namespace

TEST_CASE("random requests never crash") {
    const char* wish = getenv("TERRAZZO_FUZZ_REQUESTS");
    const int count = wish ? atoi(wish) : 20000;
    const int descriptors = open_descriptors();
    // Between inaccessible pages: a request with a wrong size faults.
    auto* guarded =
        static_cast<uint8_t*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(mprotect(guarded + 4096, 4096, PROT_READ | PROT_WRITE) == 0);
    constexpr size_t kWords = 64;
    auto* deep = reinterpret_cast<uint32_t*>(guarded + 2 * 4096) - kWords;
    for (const bool gpu : {false, true}) {
        terrazzo::winsys::virt::SchedulerOptions options;
        options.run_timeout_ns = options.blocked_timeout_ns = 5'000'000;
        Kernel k(gpu, options);
        std::mt19937 random(gpu ? 11 : 12);
        std::vector<int> fds;
        int good = 0;
        for (int i = 0; i < count; i++) {
            if (i % 200 == 0) {  // a new file with some objects
                k.file = k.open();
                const uint32_t vm = k.vm(), bo = k.bo(65536);
                k.bind(vm, bo, 0x1000, 65536);
                (void)k.group(vm, 2);
                (void)k.syncobj(kSyncobjCreateSignaled);
                (void)k.syncobj();
            }
            uint32_t args[(1u << _IOC_SIZEBITS) / 4] =
                {};  // the longest size that a request's number can have
            for (size_t w = 0; w < kWords; w++)
                deep[w] = some_word(random, reinterpret_cast<uintptr_t>(deep));
            for (uint32_t w = 0; w < 32; w += 2) {
                args[w] = some_word(random, reinterpret_cast<uintptr_t>(deep));
                args[w + 1] = some_word(random, reinterpret_cast<uintptr_t>(deep));
                if (random() % 3 == 0) {  // a whole pointer, or an array of this many elements
                    const uint64_t pointer = reinterpret_cast<uintptr_t>(deep);
                    memcpy(&args[w], &pointer, sizeof pointer);
                }
            }
            const unsigned long request = some_request(random);
            if (request == kPanthorBoCreate && (args[1] || args[0] > 1u << 24))
                args[1] = 0, args[0] = 4096;  // do not use up the machine's memory
            if (request == kIoctlSyncobjWait || request == kIoctlSyncobjTimelineWait)
                memset(&args[request == kIoctlSyncobjWait ? 2 : 4], 0, 8);  // do not wait
            if (request == kIoctlSyncobjTransfer) args[6] &= ~kSyncobjWaitForSubmit;
            if (request == kPanthorTilerHeapCreate) args[1] %= 4, args[2] = 128 << 10;
            if (request == kIoctlPrimeFdToHandle || (request == kIoctlSyncobjFdToHandle && random() % 2))
                args[2] = fds.empty() ? UINT32_MAX : static_cast<uint32_t>(fds[random() % fds.size()]);
            avoid_own_memory(args, std::size(args), reinterpret_cast<uintptr_t>(guarded + 4096));
            avoid_own_memory(deep, kWords, reinterpret_cast<uintptr_t>(guarded + 4096));
            const int result = k.ioctl(request, args);
            good += result == 0;
            if (result == 0 && (request == kIoctlPrimeHandleToFd || request == kIoctlSyncobjHandleToFd))
                fds.push_back(static_cast<int>(args[2]));
            if (fds.size() > 50) {
                close(fds.front());
                fds.erase(fds.begin());
            }
        }
        CHECK(good > count / 40);
        MESSAGE(good << " of " << count << " requests were good");
        for (const int fd : fds)
            close(fd);
    }
    munmap(guarded, 3 * 4096);
    CHECK(open_descriptors() == descriptors);
}

TEST_CASE("random streams fault their group and nothing else") {
    terrazzo::winsys::virt::SchedulerOptions options;
    options.run_timeout_ns = options.blocked_timeout_ns = 3'000'000;
    Kernel k(true, options);
    std::mt19937 random(5);
    const uint32_t vm = k.vm(), bo = k.bo(65536), done = k.syncobj();
    k.bind(vm, bo, 0x10000, 65536);
    auto* code = k.map<uint64_t>(bo, 65536);
    for (int i = 0; i < 200; i++) {
        const uint32_t group = k.group(vm, 2);
        for (int w = 0; w < 64 * 3; w += 3) {
            code[w] = random() % 10;
            code[w + 1] = random() % 3 ? 0x10000 + random() % 65536 : random() % 256;
            code[w + 2] = random() % 4;
            if (code[w] == static_cast<uint64_t>(Op::Sleep)) code[w + 1] = 0;
        }
        REQUIRE(k.submit_error(group, 0, 0x10000, 64 * 24, {{kSyncOpSignal, done, 0}}) == 0);
        CHECK(k.wait(done) == 0);
        drm_panthor_group_destroy destroy{group, 0};
        REQUIRE(k.ioctl(kPanthorGroupDestroy, &destroy) == 0);
    }
    munmap(code, 65536);
}
