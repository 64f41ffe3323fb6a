// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/drm/sync_file.h"

#include <doctest/doctest.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace terrazzo::winsys {

TEST_CASE("sync file: a wait ends with its timeout or with the signal") {
    const int fd = eventfd(0, EFD_CLOEXEC);
    REQUIRE(fd >= 0);
    CHECK(!wait_for_sync_file(fd, 0));
    CHECK(!wait_for_sync_file(fd, 1'000'000));
    CHECK(!sync_file_signalled(fd));
    REQUIRE(eventfd_write(fd, 1) == 0);
    CHECK(wait_for_sync_file(fd, 0));
    CHECK(wait_for_sync_file(fd, ~0ull));
    CHECK(sync_file_signalled(fd));
    close(fd);
}

TEST_CASE("sync file: an already signalled one, if the kernel has udmabuf") {
    const int fd = create_signalled_sync_file(-1);
    if (access("/dev/udmabuf", R_OK | W_OK) != 0) {
        CHECK(fd == -1);
        return;
    }
    REQUIRE(fd >= 0);
    CHECK(is_sync_file(fd));
    CHECK(wait_for_sync_file(fd, 0));
    close(fd);
}

TEST_CASE("sync file: a descriptor that is no dma-buf has none") {
    const int fd = eventfd(0, EFD_CLOEXEC);
    CHECK(create_signalled_sync_file(fd) == -1);
    CHECK(!is_sync_file(fd));
    close(fd);
}

}  // namespace terrazzo::winsys
