// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/virtual/memory/address_space.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <map>
#include <random>

using namespace terrazzo::winsys::virt;

namespace {

std::shared_ptr<BufferObject> pages(uint64_t count) {
    int error = 0;
    auto bo = BufferObject::create(count * kPageSize_B, 0, false, &error);
    REQUIRE(bo);
    return bo;
}
constexpr uint64_t kP = kPageSize_B;

}  // namespace

TEST_CASE("an empty address space has no mapping") {
    AddressSpace space(48);
    CHECK(space.lookup(0).va_end == 0);
    CHECK(space.lookup(0x1000).va_end == 0);
    CHECK(space.end() == 1ull << 48);
    MemoryFault fault;
    CHECK_FALSE(space.check(0x1000, 1, Access::Read, &fault));
    CHECK(to_string(fault) == "read of 0x1000: nothing is mapped there");
    CHECK(exception_code(fault) == 0xc3);
    CHECK_FALSE(space.check(1ull << 48, 1, Access::Write, &fault));
    CHECK(to_string(fault) == "write to 0x1000000000000: the address is too large for the GPU");
    CHECK(space.check(0x1000, 0, Access::Read, &fault));
    CHECK_FALSE(space.check(UINT64_MAX, 8, Access::Read, &fault));
}

TEST_CASE("a lookup returns the whole mapping and its address") {
    AddressSpace space(48);
    const auto bo = pages(4);
    REQUIRE(space.map(16 * kP, 2 * kP, bo, kP, {}) == 0);
    const Region r = space.lookup(17 * kP + 5);
    CHECK(r.va_begin == 16 * kP);
    CHECK(r.va_end == 18 * kP);
    CHECK(r.host == bo->host() + kP);
    CHECK(r.at(17 * kP + 5) == bo->host() + 2 * kP + 5);
    CHECK(r.contains(16 * kP, 2 * kP));
    CHECK_FALSE(r.contains(16 * kP, 2 * kP + 1));
    CHECK_FALSE(r.contains(16 * kP - 1, 1));
    CHECK(space.lookup(18 * kP).va_end == 0);
    CHECK(space.lookup(16 * kP - 1).va_end == 0);
}

TEST_CASE("an access that a mapping forbids is a fault with the reason") {
    AddressSpace space(48);
    REQUIRE(space.map(kP, kP, pages(1), 0, {.read_only = true}) == 0);
    REQUIRE(space.map(2 * kP, kP, pages(1), 0, {.no_exec = true}) == 0);
    MemoryFault fault;
    CHECK(space.check(kP, kP, Access::Read, &fault));
    CHECK(space.check(kP, kP, Access::Execute, &fault));
    CHECK_FALSE(space.check(kP + 7, 1, Access::Write, &fault));
    CHECK(to_string(fault) == "write to 0x1007: the mapping is read-only");
    CHECK(exception_code(fault) == 0xcb);
    CHECK_FALSE(space.check(kP, 1, Access::Atomic, &fault));
    CHECK(space.check(2 * kP, kP, Access::Write, &fault));
    // Across both mappings: the first refused byte is reported.
    CHECK_FALSE(space.check(2 * kP - 1, 2, Access::Execute, &fault));
    CHECK(to_string(fault) == "fetch of code at 0x2000: the mapping is not executable");
}

TEST_CASE("reads and writes may cross mappings, and do nothing if a part is refused") {
    AddressSpace space(48);
    const auto a = pages(1), b = pages(1);
    REQUIRE(space.map(kP, kP, a, 0, {}) == 0);
    REQUIRE(space.map(2 * kP, kP, b, 0, {}) == 0);
    MemoryFault fault;
    const uint64_t value = 0x1122334455667788;
    REQUIRE(space.write(2 * kP - 3, &value, sizeof value, &fault));
    CHECK(a->host()[kP - 3] == 0x88);
    CHECK(a->host()[kP - 1] == 0x66);
    CHECK(b->host()[0] == 0x55);
    CHECK(b->host()[4] == 0x11);
    uint64_t back = 0;
    REQUIRE(space.read(2 * kP - 3, &back, sizeof back, &fault));
    CHECK(back == value);
    CHECK_FALSE(space.write(3 * kP - 1, &value, sizeof value, &fault));
    CHECK(fault.va == 3 * kP);
    CHECK(b->host()[kP - 1] == 0);
}

TEST_CASE("ranges must be whole pages inside the object and the address space") {
    AddressSpace space(32);
    const auto bo = pages(2);
    CHECK(space.map(1, kP, bo, 0, {}) == -EINVAL);
    CHECK(space.map(0, kP - 1, bo, 0, {}) == -EINVAL);
    CHECK(space.map(0, kP, bo, 1, {}) == -EINVAL);
    CHECK(space.map(0, 3 * kP, bo, 0, {}) == -EINVAL);
    CHECK(space.map(0, 2 * kP, bo, kP, {}) == -EINVAL);
    CHECK(space.map(0, kP, bo, UINT64_MAX - kP + 1, {}) == -EINVAL);
    CHECK(space.map((1ull << 32) - kP, 2 * kP, bo, 0, {}) == -EINVAL);
    CHECK(space.map((1ull << 32) - kP, kP, bo, 0, {}) == 0);
    CHECK(space.unmap(1, kP) == -EINVAL);
    CHECK(space.unmap(0, (1ull << 32) + kP) == -EINVAL);
    CHECK(space.regions().size() == 1);
    CHECK(space.unmap(0, 1ull << 32) == 0);
    CHECK(space.regions().empty());
}

TEST_CASE("random maps and unmaps agree with a table of pages") {
    AddressSpace space(32);
    std::mt19937 random(7);
    constexpr uint32_t kCount = 64;
    std::shared_ptr<BufferObject> objects[4];
    for (auto& bo : objects)
        bo = pages(24);
    struct Page {
        uint8_t* host = nullptr;
        bool read_only = false;
    };
    Page table[kCount];
    for (int step = 0; step < 4000; step++) {
        const uint32_t first = random() % kCount, count = random() % (std::min(24u, kCount - first) + 1);
        if (random() % 3) {
            const auto& bo = objects[random() % 4];
            const uint32_t offset = random() % (24 - count + 1);
            const bool read_only = random() % 2;
            REQUIRE(space.map(first * kP, count * kP, bo, offset * kP, {.read_only = read_only}) == 0);
            for (uint32_t i = 0; i < count; i++)
                table[first + i] = {bo->host() + (offset + i) * kP, read_only};
        } else {
            REQUIRE(space.unmap(first * kP, count * kP) == 0);
            for (uint32_t i = 0; i < count; i++)
                table[first + i] = {};
        }
        for (uint32_t i = 0; i < kCount; i++) {
            const Region r = space.lookup(i * kP + 9);
            REQUIRE((r.va_end != 0) == (table[i].host != nullptr));
            if (r.va_end) {
                REQUIRE(r.at(i * kP) == table[i].host);
                REQUIRE(r.flags.read_only == table[i].read_only);
            }
        }
    }
}

TEST_CASE("the epoch changes when a cached region may have become invalid") {
    AddressSpace space(48);
    REQUIRE(space.map(0, 4 * kP, pages(4), 0, {}) == 0);
    const uint64_t epoch = space.epoch();
    (void)space.lookup(0);
    CHECK(space.epoch() == epoch);
    REQUIRE(space.unmap(kP, kP) == 0);
    CHECK(space.epoch() > epoch);
    CHECK(space.regions().size() == 2);
}

TEST_CASE("memory outlives its mapping while the space is in use") {
    AddressSpace space(48);
    auto bo = pages(1);
    const std::weak_ptr<BufferObject> weak = bo;
    REQUIRE(space.map(0, kP, std::move(bo), 0, {}) == 0);
    {
        const AddressSpace::Use use(space);
        const Region r = space.lookup(0);
        REQUIRE(space.unmap(0, kP) == 0);
        CHECK_FALSE(weak.expired());
        r.host[0] = 1;  // outdated, but still mapped
    }
    CHECK(weak.expired());
}

TEST_CASE("pages may be larger than the host's") {
    constexpr uint64_t kBig = 4 * kP;
    AddressSpace space(39, kBig);
    CHECK(space.page_B() == kBig);
    CHECK(space.map(kP, kBig, pages(8), 0, {}) == -EINVAL);
    CHECK(space.map(kBig, kP, pages(8), 0, {}) == -EINVAL);
    CHECK(space.map(kBig, kBig, pages(8), kP, {}) == -EINVAL);
    CHECK(space.unmap(kBig + kP, kBig) == -EINVAL);
    CHECK(space.map(kBig, kBig, pages(8), kBig, {}) == 0);
    CHECK(space.lookup(2 * kBig - 1).va_begin == kBig);
}

TEST_CASE("a repeated page is at every page of its range, and stays there when the range is cut") {
    constexpr uint64_t kBig = 4 * kP, kMany = uint64_t(1) << 36;
    AddressSpace space(39, kBig);
    const auto bo = pages(8);
    bo->host()[kBig + 5] = 42;
    CHECK(space.map_repeated(kBig, kMany, bo, kP, {}) == -EINVAL);
    CHECK(space.map_repeated(kBig, kMany, bo, 2 * kBig, {}) == -EINVAL);
    CHECK(space.map_repeated(kBig, kMany, pages(1), 0, {}) == -EINVAL);
    REQUIRE(space.map_repeated(kBig, kMany, bo, kBig, {.read_only = true}) == 0);
    MemoryFault fault;
    const auto at = [&](uint64_t va) {
        uint8_t byte = 0;
        CHECK(space.read(va, &byte, 1, &fault));
        return byte;
    };
    CHECK(at(kBig + 5) == 42);
    CHECK(at(kMany + 5) == 42);
    CHECK(at(kMany) == 0);
    const Region page = space.lookup(7 * kBig + 9);
    CHECK(page.va_begin == 7 * kBig);
    CHECK(page.va_end == 8 * kBig);
    CHECK(page.host == bo->host() + kBig);
    uint8_t two[2 * kBig];
    CHECK(space.read(3 * kBig, two, sizeof two, &fault));
    CHECK(two[5] == 42);
    CHECK(two[kBig + 5] == 42);
    CHECK_FALSE(space.write(3 * kBig, two, 1, &fault));
    REQUIRE(space.unmap(16 * kBig, kBig) == 0);
    CHECK(space.lookup(16 * kBig).va_end == 0);
    CHECK(at(15 * kBig + 5) == 42);
    CHECK(at(17 * kBig + 5) == 42);
    REQUIRE(space.unmap(kBig, kBig) == 0);
    CHECK(at(2 * kBig + 5) == 42);
    REQUIRE(space.regions().size() == 2);
    CHECK(space.regions()[1].va_begin == 17 * kBig);
    CHECK(space.regions()[1].va_end == 18 * kBig);
    REQUIRE(space.map(32 * kBig, kBig, pages(8), 0, {}) == 0);
    space.unmap_object(*bo);
    CHECK(space.regions().size() == 1);
    CHECK(space.lookup(32 * kBig).va_end == 33 * kBig);
}

TEST_CASE("a write-only mapping refuses all other accesses") {
    AddressSpace space(32);
    REQUIRE(space.map(kP, kP, pages(1), 0, {.write_only = true}) == 0);
    MemoryFault fault;
    uint32_t word = 1;
    CHECK(space.write(kP, &word, sizeof word, &fault));
    CHECK_FALSE(space.read(kP, &word, sizeof word, &fault));
    CHECK(to_string(fault) == "read of 0x1000: the mapping is write-only");
    CHECK(exception_code(fault) == 0xcb);
    CHECK_FALSE(space.check(kP, 4, Access::Atomic, &fault));
    CHECK_FALSE(space.check(kP, 4, Access::Execute, &fault));
    CHECK(fault.reason == FaultReason::WriteOnly);
}
