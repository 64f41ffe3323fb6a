// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/areas.h"
#include "drivers/common/units/workgroups.h"

#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

TEST_CASE(
    "units: areas: lists of parts put primitives into the same areas, in the same order, as one by one") {
    std::mt19937 random(5);
    constexpr int32_t kSize_px = 700, kArea_px = 32;
    std::vector<pipe::raster::PixelRect> rects;
    for (unsigned i = 0; i < 600; ++i) {
        // Rectangles of a pixel, of a few areas, and of many areas.
        const auto reach = int32_t(1) << random() % 10;
        const auto x = int32_t(random() % kSize_px), y = int32_t(random() % kSize_px);
        rects.push_back({x, y, std::min(kSize_px, x + int32_t(random() % uint32_t(reach))),
                         std::min(kSize_px, y + int32_t(random() % uint32_t(reach)))});
    }
    AreaBins wanted, got;
    wanted.begin({0, 0, kSize_px, kSize_px}, kArea_px);
    size_t total = 0;
    for (uint32_t i = 0; i < rects.size(); ++i)
        total += wanted.add(rects[i], i);
    constexpr size_t kPart = 70;
    std::vector<AreaList> lists((rects.size() + kPart - 1) / kPart);
    pipe::raster::PixelRect bounds;
    for (size_t n = 0; n < lists.size(); ++n) {
        lists[n].begin(kArea_px);
        for (size_t i = n * kPart; i < std::min(rects.size(), (n + 1) * kPart); ++i) {
            lists[n].add(rects[i], uint32_t(i));
            const auto& b = lists[n].bounds();
            CHECK((rects[i].empty() || intersect(b, rects[i]) == rects[i]));
        }
    }
    // Adds the lists in several rounds, as with limited memory. Primitives keep their order in each area.
    std::vector<std::vector<uint32_t>> areas(wanted.count());
    size_t listed = 0;
    for (size_t n = 0, at = 0; n < lists.size();) {
        got.begin({0, 0, kSize_px, kSize_px}, kArea_px);
        const size_t added = got.add(lists[n], &at, 50, [&](uint32_t i) { return rects[i]; });
        listed += added;
        CHECK((added >= 50 || at == lists[n].size()));
        for (const uint32_t a : got.used())
            areas[a].insert(areas[a].end(), got.primitives(a).begin(), got.primitives(a).end());
        if (at == lists[n].size()) ++n, at = 0;
    }
    CHECK(listed == total);
    for (unsigned a = 0; a < wanted.count(); ++a)
        REQUIRE(areas[a] == wanted.primitives(a));
}

TEST_CASE("units: areas: the first failure is reported, and a thread without memory is one") {
    for (const unsigned threads : {1u, 3u}) {
        std::shared_ptr<threads::WorkerPool> pool;
        std::string failure;
        const auto run = [&](unsigned, unsigned n, std::string* mine) {
            if (n == 7) throw std::bad_alloc();
            *mine = std::to_string(n);
            return n == 9 ? AreaResult::Failed : AreaResult::Done;
        };
        const auto result = run_areas(
            20, threads, threads, &pool, [](unsigned) {}, run, [](std::string* mine) { *mine = "no memory"; },
            [] { return false; }, &failure);
        CHECK(result == AreaResult::Failed);
        CHECK(failure == "no memory");
    }
}

TEST_CASE("units: workgroups: a number close to 2^64 is not taken for none") {
    for (const unsigned together : {1u, 48u, 64u})
        for (const uint64_t first : {0u, 1u}) {
            CAPTURE(together);
            std::shared_ptr<threads::WorkerPool> pool;
            WorkgroupFailure<std::string> failure;
            uint64_t last = 0;
            const auto run = [&](unsigned, const uint64_t* workgroup, uint64_t end, std::string* fault) {
                last = end;
                *fault = "it ran";
                return *workgroup < first;
            };
            const auto result = run_workgroups<std::string>(
                {first, UINT64_MAX, together}, 1, 1, &pool, [](unsigned) {}, run,
                [](std::string* fault) { *fault = "no memory"; }, [] { return false; }, &failure);
            CHECK(result == AreaResult::Failed);
            CHECK(failure.fault == "it ran");
            CHECK(failure.workgroup == first);
            CHECK(last == first + together);
        }
}
