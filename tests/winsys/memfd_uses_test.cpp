// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/memory/memfd_uses.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace terrazzo::winsys {
namespace {

int new_memfd() {
    const int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(fd >= 0);
    REQUIRE(ftruncate(fd, 4096) == 0);
    return fd;
}

size_t others(const MemfdUses& side, bool write) {
    std::vector<MemfdUses::Others> found;
    side.collect(write, &found);
    return found.size();
}

TEST_CASE("uses of a memfd: reads wait for writers, writes for all others, a user never for itself") {
    MemfdUses a(new_memfd(), true);
    MemfdUses b(open_memfd_again(a.fd()), true);
    REQUIRE(b.fd() >= 0);
    CHECK(others(b, true) == 0);
    const uint64_t reading = a.begin(false);
    REQUIRE(reading);
    CHECK(others(b, false) == 0);
    CHECK(others(b, true) == 1);
    const uint64_t own = b.begin(true);  // both at the same time: their bytes differ
    REQUIRE(own);
    CHECK(others(b, true) == 1);
    CHECK(others(a, false) == 1);
    const uint64_t writing = a.begin(true);
    CHECK(others(b, false) == 1);
    CHECK(others(b, true) == 2);
    std::vector<MemfdUses::Others> before;
    b.collect(true, &before);
    a.end(reading);
    CHECK(others(b, true) == 1);
    const uint64_t later = a.begin(true);  // did not exist when b collected the uses
    a.end(writing);
    for (const MemfdUses::Others& o : before)
        CHECK(b.ended(o));
    CHECK(others(b, true) == 1);
    a.end(later);
    b.end(own);
    CHECK(others(a, true) + others(b, true) == 0);
}

TEST_CASE("uses of a memfd: many, in any order") {
    MemfdUses a(new_memfd(), true);
    MemfdUses b(open_memfd_again(a.fd()), true);
    std::vector<uint64_t> uses;
    for (int i = 0; i < 1000; ++i)  // alternating, so that two locks are not merged
        uses.push_back(a.begin(i % 2));
    std::vector<MemfdUses::Others> found;
    b.collect(true, &found);
    const auto going_on = [&] {
        size_t n = 0;
        for (const MemfdUses::Others& o : found)
            n += !b.ended(o);
        return n;
    };
    CHECK(going_on() == found.size());
    for (size_t i = 0; i < uses.size(); i += 2)
        a.end(uses[i]);
    CHECK(going_on() > 0);
    for (size_t i = 1; i < uses.size(); i += 2)
        a.end(uses[i]);
    CHECK(going_on() == 0);
}

TEST_CASE("uses of a memfd: a shared descriptor has separate locks") {
    MemfdUses a(new_memfd(), true);
    const int given = a.export_fd();
    REQUIRE(given >= 0);
    CHECK((fcntl(given, F_GETFD) & FD_CLOEXEC));
    const uint64_t use = a.begin(true);
    MemfdUses b(given, true);
    CHECK(others(b, false) == 1);
    MemfdUses c(fcntl(given, F_DUPFD_CLOEXEC, 3), false);  // the same open file description as b's
    CHECK(others(c, false) == 1);
    CHECK(c.begin(false) == 0);
    a.end(use);
    CHECK(others(c, false) == 0);
}

TEST_CASE("uses of a memfd: they end with their process") {
    MemfdUses a(new_memfd(), true);
    int ready[2];
    REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
    const pid_t child = fork();
    if (child == 0) {
        MemfdUses b(open_memfd_again(a.fd()), true);
        const bool begun = b.begin(true) != 0;
        (void)!write(ready[1], &begun, 1);
        pause();
        _exit(0);
    }
    bool begun = false;
    REQUIRE(read(ready[0], &begun, 1) == 1);
    CHECK(begun);
    CHECK(others(a, false) == 1);
    std::thread killer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        kill(child, SIGKILL);
    });
    wait_for_memfd(a.fd(), false);
    CHECK(others(a, true) == 0);
    killer.join();
    CHECK(waitpid(child, nullptr, 0) == child);
    close(ready[0]);
    close(ready[1]);
}

uint64_t waited_ns(const MemfdUses& side, bool write, uint64_t limit_ns, bool* done, pid_t* pid) {
    const auto before = std::chrono::steady_clock::now();
    *done = side.wait(write, limit_ns, pid);
    return uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now() - before).count());
}

TEST_CASE("uses of a memfd: one that never ends costs a single wait, and its process is named") {
    constexpr uint64_t kLimit_ns = 60'000'000, kAtOnce_ns = 30'000'000;
    MemfdUses a(new_memfd(), true);
    MemfdUses b(open_memfd_again(a.fd()), true);
    const uint64_t stuck = b.begin(true);
    REQUIRE(stuck);
    bool done = true;
    pid_t pid = -1;
    CHECK(waited_ns(a, false, kLimit_ns, &done, &pid) >= kLimit_ns);
    CHECK(!done);
    CHECK(pid == getpid());
    // Later uses of the same holder are not waited for either.
    const uint64_t more = b.begin(true);
    CHECK(waited_ns(a, true, kLimit_ns, &done, &pid) < kAtOnce_ns);
    CHECK(done);
    CHECK(others(a, true) == 0);
    b.end(stuck);
    // Now they are waited for again.
    CHECK(others(a, true) == 1);
    CHECK(waited_ns(a, true, kLimit_ns, &done, &pid) >= kLimit_ns);
    CHECK(!done);
    b.end(more);
    CHECK(waited_ns(a, true, kLimit_ns, &done, &pid) < kAtOnce_ns);
    CHECK(done);
}

TEST_CASE("uses of a memfd: foreign locks have a process if the kernel reports it") {
    MemfdUses a(new_memfd(), true);
    int ready[2];
    REQUIRE(pipe2(ready, O_CLOEXEC) == 0);
    const pid_t child = fork();
    if (child == 0) {
        struct flock all {};
        all.l_type = F_WRLCK;
        all.l_whence = SEEK_SET;
        const bool locked = fcntl(open_memfd_again(a.fd()), F_SETLK, &all) ==
                            0;  // a lock of the process, not of the open file
        (void)!write(ready[1], &locked, 1);
        pause();
        _exit(0);
    }
    bool locked = false;
    REQUIRE(read(ready[0], &locked, 1) == 1);
    CHECK(locked);
    bool done = true;
    pid_t pid = 0;
    CHECK(waited_ns(a, false, 1'000'000, &done, &pid) >= 1'000'000);
    CHECK(!done);
    CHECK(pid == child);
    kill(child, SIGKILL);
    CHECK(waitpid(child, nullptr, 0) == child);
    CHECK(waited_ns(a, false, 1'000'000'000, &done, &pid) < 1'000'000'000);
    CHECK(done);
    // The kernel does not report the process of an open file's lock.
    MemfdUses b(open_memfd_again(a.fd()), true);
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    REQUIRE(fcntl(b.fd(), F_OFD_SETLK, &whole) == 0);
    CHECK(waited_ns(a, false, 1'000'000, &done, &pid) >= 1'000'000);
    CHECK(!done);
    CHECK(pid == 0);
    close(ready[0]);
    close(ready[1]);
}

}  // namespace
}  // namespace terrazzo::winsys
