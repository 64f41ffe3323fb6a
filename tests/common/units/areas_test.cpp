// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/areas.h"
#include "drivers/common/units/workgroups.h"

#include <algorithm>
#include <random>
#include <string>

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

TEST_CASE("units: areas: parts that several workers list have the primitives of each area in order") {
    std::mt19937 random(5);
    constexpr int32_t kSize_px = 700, kArea_px = 32;
    AreaBins bins;
    for (unsigned round = 0; round < 40; ++round) {
        CAPTURE(round);
        // The bounds differ from run to run. Rectangles are of a pixel, of a few areas, and of many areas.
        const pipe::raster::PixelRect bounds = {int32_t(random() % 90), int32_t(random() % 90),
                                                kSize_px - int32_t(random() % 300), kSize_px};
        std::vector<pipe::raster::PixelRect> rects;
        for (unsigned i = 0; i < 300; ++i) {
            const auto reach = int32_t(1) << random() % (round % 2 ? 7 : 10);
            const auto x = int32_t(random() % kSize_px), y = int32_t(random() % kSize_px);
            rects.push_back({x, y, std::min(kSize_px, x + int32_t(random() % uint32_t(reach))),
                             std::min(kSize_px, y + int32_t(random() % uint32_t(reach)))});
        }
        constexpr size_t kPart = 70, kWorkers = 3;
        const size_t parts = (rects.size() + kPart - 1) / kPart;
        // With so many parts the lists of a part have room for 64 numbers.
        bins.begin(bounds, kArea_px, round == 7 ? size_t(1) << 18 : parts, kWorkers);
        if (round % 5 == 4) {  // of a run that failed, nothing is left
            bins.add(0, bounds, 0);
            bins.add(0, {bounds.x0, bounds.y0, bounds.x0 + 1, bounds.y0 + 1}, 1);
            bins.begin(bounds, kArea_px, parts, kWorkers);
        }
        for (size_t n = parts; n-- > 0;) {  // in any order
            const auto worker = unsigned(random() % kWorkers);
            for (size_t i = n * kPart; i < std::min(rects.size(), (n + 1) * kPart); ++i)
                bins.add(worker, rects[i], uint32_t(i));
            bins.end_part(worker, n);
        }
        bins.join();
        std::vector<unsigned> used;
        for (unsigned a = 0; a < bins.count(); ++a) {
            std::vector<uint32_t> wanted, got = {77};
            for (uint32_t i = 0; i < rects.size(); ++i)
                if (!rects[i].empty() && !intersect(rects[i], bins.rect(a)).empty()) wanted.push_back(i);
            bins.primitives(a, &got);
            REQUIRE(got == wanted);
            if (!wanted.empty()) used.push_back(a);
        }
        std::vector<uint32_t> listed = bins.used();
        std::sort(listed.begin(), listed.end());
        CHECK(std::equal(listed.begin(), listed.end(), used.begin(), used.end()));
        CHECK(!used.empty());
    }
    bins.begin({}, kArea_px, 0, 1);
    bins.join();
    CHECK(bins.count() == 0);
    CHECK(bins.used().empty());
}

TEST_CASE("units: areas: the first failure is reported, and a thread without memory is one") {
    for (const unsigned threads : {1u, 3u}) {
        std::shared_ptr<threads::WorkerPool> pool;
        std::string failure;
        const auto run = [&](unsigned, unsigned n, std::string* mine) {
            if (n == 7) throw std::bad_alloc();
            *mine = std::to_string(n);
            return n != 9;
        };
        const auto result = run_areas(
            20, {threads, threads, &pool}, run, [](std::string* mine) { *mine = "no memory"; },
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
                {first, UINT64_MAX, together}, {1, 1, &pool}, run,
                [](std::string* fault) { *fault = "no memory"; }, [] { return false; }, &failure);
            CHECK(result == AreaResult::Failed);
            CHECK(failure.fault == "it ran");
            CHECK(failure.workgroup == first);
            CHECK(last == first + together);
        }
}
