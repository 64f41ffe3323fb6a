// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/memory/shared_memory.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "winsys/virtual/memory/buffer_object.h"

namespace terrazzo::winsys {

TEST_CASE("shared memory: a mapping of the descriptor has the same bytes") {
    auto a = SharedMemory::create(5000);
    REQUIRE(a);
    CHECK(a->size_B() == 8192);
    CHECK(a->data()[4999] == 0);
    a->data()[4999] = 17;
    const int fd = a->export_fd();
    REQUIRE(fd >= 0);
    auto b = SharedMemory::import(fd);
    close(fd);
    REQUIRE(b);
    CHECK(b->size_B() == 8192);
    CHECK(b->data()[4999] == 17);
    b->data()[0] = 9;
    CHECK(a->data()[0] == 9);
    a->data()[8192 + 100] = 1;  // beyond the end, but without a fault
    CHECK(b->data()[8192 + 100] == 0);
    a.reset();
    CHECK(b->data()[0] == 9);
}

TEST_CASE("shared memory: the virtual kernel imports it as a dma-buf, and its dma-bufs can be opened") {
    auto ours = SharedMemory::create(4096);
    REQUIRE(ours);
    const int fd = ours->export_fd();
    int error = 0;
    auto bo = virt::BufferObject::import(fd, &error);
    close(fd);
    REQUIRE(bo);
    bo->host()[3] = 5;
    CHECK(ours->data()[3] == 5);
    auto theirs = virt::BufferObject::create(4096, 0, true, &error);
    REQUIRE(theirs);
    const int their_fd = theirs->export_fd(true);
    auto mapped = SharedMemory::import(their_fd);
    close(their_fd);
    REQUIRE(mapped);
    mapped->data()[7] = 6;
    CHECK(theirs->host()[7] == 6);
}

TEST_CASE("shared memory: files that could shrink, or are no memory, are refused") {
    CHECK(!SharedMemory::import(-1));
    const int memfd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    REQUIRE(memfd >= 0);
    REQUIRE(ftruncate(memfd, 4096) == 0);
    CHECK(!SharedMemory::import(memfd));
    REQUIRE(fcntl(memfd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    CHECK(SharedMemory::import(memfd));
    close(memfd);
    const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    CHECK(!SharedMemory::import(file));
    close(file);
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    CHECK(!SharedMemory::import(ends[0]));
    close(ends[0]);
    close(ends[1]);
    CHECK(!SharedMemory::create(0));
    CHECK(!SharedMemory::create(~0ull));
}

}  // namespace terrazzo::winsys
