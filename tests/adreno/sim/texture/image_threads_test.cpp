// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stores of several threads to texels of one compressed block, as a dispatch's workgroups do: all of them are
// kept.
#include <doctest/doctest.h>

#include <barrier>
#include <thread>

#include "drivers/adreno/sim/texture/image_state.h"
#include "tests/adreno/sim/texture/fixture.h"

namespace terrazzo::adreno {
namespace {

using test::Fixture;
using test::TestImage;

constexpr uint32_t kSize = 1024, kThreads = 4, kRounds = 12;
constexpr uint32_t kBlockW_px = 16, kBlockH_px = 4;  // size of a UBWC block for 32-bit texels

uint32_t value_at(uint32_t x, uint32_t y, uint32_t round) {
    return (y * kSize + x) * 977 + round;
}

sim::SurfaceDesc surface_of(const hw::TexConst& d) {
    sim::SurfaceDesc s;
    s.va = d.base;
    s.format = d.fmt;
    s.tile_mode = d.tile_mode;
    s.pitch_B = d.pitch;
    s.width_px = d.width, s.height_px = d.height;
    s.has_flags = d.flag;
    s.flags_va = d.flag_base;
    s.flags_pitch_B = d.flag_buffer_pitch;
    return s;
}

// One thread's state.
struct Storing {
    sim::ImageState image;
    window::Window memory;
    unsigned lost = 0;
    std::string why;

    Storing(Fixture& f, const hw::TexConst& desc) : memory(f.host.memory) {
        uint32_t words[hw::TexConst::kSize_dw];
        hw::pack(desc, words);
        REQUIRE(image.init(f.machine, words, &why));
    }
    // One texel of each block. The first thread opens the blocks, which takes time. The others catch up, and
    // then all are at the same block.
    void run(unsigned thread, uint32_t round, bool stores) {
        for (uint32_t y = 0; y < kSize; y += kBlockH_px)
            for (uint32_t x = 0; x < kSize; x += kBlockW_px) {
                const uint32_t at[3] = {x + thread, y, 0};
                const uint32_t value[4] = {value_at(at[0], y, round), 0, 0, 1};
                uint32_t found[4] = {};
                if (stores ? !image.write(memory, at, value, &why)
                           : !image.read(memory, at, found, &why) || found[0] != value[0])
                    ++lost;
            }
    }
};

TEST_CASE("images: stores of several threads to one compressed block are all kept") {
    Fixture f;
    TestImage image;
    pipe::A6xxLayoutDesc d;
    d.image.format = pipe::Format::R32_UINT;
    d.image.kind = pipe::ResourceKind::Tex2D;
    d.image.width = d.image.height = kSize;
    d.image.tiling = pipe::Tiling::Macrotiled;
    d.ubwc = true;
    REQUIRE(f.create(d, &image));
    const hw::TexConst desc = test::describe(image);
    sim::Surface surface;
    std::string why;
    REQUIRE(surface.init(surface_of(desc), test::chip(), &why));
    std::vector<std::unique_ptr<Storing>> work;
    for (unsigned n = 0; n < kThreads; ++n)
        work.push_back(std::make_unique<Storing>(f, desc));
    // Before each round the blocks get the compressed form of a clear, so that the first store to each block
    // changes its form.
    bool filled = true;
    std::barrier begin(kThreads), between(kThreads), end(kThreads);
    const auto run = [&](unsigned n) {
        for (uint32_t round = 0; round < kRounds; ++round) {
            constexpr uint8_t kPixel[4] = {1, 2, 3, 4};
            if (n == 0)
                filled = filled && surface.fill(work[0]->memory, f.machine.gmem,
                                                {0, 0, int32_t(kSize), int32_t(kSize)}, kPixel, &why);
            begin.arrive_and_wait();
            work[n]->run(n, round, true);
            between.arrive_and_wait();
            work[n]->run(n, round, false);
            end.arrive_and_wait();
        }
    };
    std::vector<std::thread> threads;
    for (unsigned n = 0; n < kThreads; ++n)
        threads.emplace_back(run, n);
    for (std::thread& t : threads)
        t.join();
    CHECK(filled);
    for (const auto& w : work)
        CHECK(w->lost == 0);
}

}  // namespace
}  // namespace terrazzo::adreno
