// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cerrno>

#include "winsys/virtual/fences/reservation.h"
#include "winsys/virtual/fences/sync_wait.h"

using namespace terrazzo::winsys::virt;

TEST_CASE("reads wait for writers, writes wait for all") {
    SyncDomain domain;
    const std::lock_guard lock(domain.mutex);
    Reservation reservation;
    const auto reader = std::make_shared<Fence>(domain), writer = std::make_shared<Fence>(domain);
    const auto waits = [&](bool writes) {
        std::vector<std::shared_ptr<Fence>> fences;
        reservation.collect(writes, nullptr, &fences);
        return fences;
    };
    CHECK(waits(true).empty());
    reservation.add(reader, false);
    CHECK(waits(false).empty());
    CHECK(waits(true) == std::vector{reader});
    reservation.add(writer, true);
    CHECK(waits(false) == std::vector{writer});
    CHECK(waits(true) == std::vector{reader, writer});
    reader->signal(0);
    CHECK(waits(true) == std::vector{writer});
    CHECK(wait_fences(domain, waits(true), 0) == -ETIME);
    writer->signal(-EIO);
    CHECK(waits(true).empty());
    CHECK(wait_fences(domain, {reader, writer}, 0) == 0);
}
