// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A machine with memory in arrays, and images in it that pipe/layout lays out.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "pipe/layout/a6xx.h"
#include "tests/adreno/sim/surface/array_space.h"

namespace terrazzo::adreno::test {

class ArrayHost : public sim::Host {
  public:
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return 0; }
    bool should_stop() const override { return false; }
    ArraySpace memory;
};

/// An image with one level in memory, and its layout.
struct BlitImage {
    pipe::A6xxLayout layout;
    uint64_t va = 0;
    uint8_t* memory = nullptr;
    uint32_t w_px = 0, h_px = 0;

    uint64_t image_va() const { return va + layout.surface.level[0].offset_B; }
    uint64_t flags_va() const { return va + layout.ubwc.level[0].offset_B; }
    uint32_t pitch_B() const { return layout.surface.level[0].row_stride_B; }
    uint32_t flags_pitch_B() const { return layout.ubwc.level[0].row_stride_B; }
    hw::TileMode tile_mode() const {
        return layout.surface.tiling == pipe::Tiling::Linear ? hw::TileMode::TILE6_LINEAR
                                                             : hw::TileMode::TILE6_3;
    }
    size_t row_B() const { return size_t(w_px) * layout.surface.block_B; }
    pipe::Box box() const { return {0, 0, 0, int32_t(w_px), int32_t(h_px), 1}; }
    std::vector<uint8_t> pixels() const {
        std::vector<uint8_t> p(row_B() * h_px);
        REQUIRE(pipe::ubwc_detile_rect(layout, memory, 0, box(), p.data(), ptrdiff_t(row_B()), 0));
        return p;
    }
    void put(const std::vector<uint8_t>& p) const {
        REQUIRE(pipe::ubwc_tile_rect(layout, memory, 0, box(), p.data(), ptrdiff_t(row_B()), 0));
    }
};

struct BlitFixture {
    const hw::Chip& chip = *hw::find_chip("adreno-630");
    ArrayHost host;
    sim::Machine machine{chip, host, 1};
    sim::Fault fault;
    std::mt19937 random{1};
    uint64_t next_va = 0x100000000ull;

    template <class R>
    void set(const R& r, unsigned i = 0) {
        uint32_t words[R::kSize_dw];
        pack(r, words);
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            machine.registers.write(uint16_t(R::at(i) + w), words[w]);
    }
    BlitImage image(pipe::Format format, uint32_t w_px, uint32_t h_px, pipe::Tiling tiling,
                    bool ubwc = false) {
        BlitImage t;
        pipe::A6xxLayoutDesc d;
        d.image.format = format;
        d.image.width = w_px, d.image.height = h_px;
        d.image.tiling = tiling;
        d.ubwc = ubwc;
        const pipe::A6xxMemory m = {uint8_t(chip.highest_bank_bit), uint8_t(chip.ubwc_swizzle),
                                    chip.macrotile_mode != 0, false};
        REQUIRE(pipe::a6xx_layout_compute(d, m, &t.layout) == pipe::LayoutStatus::Ok);
        REQUIRE(t.layout.ubwc.enabled == ubwc);
        t.w_px = w_px, t.h_px = h_px;
        t.va = next_va;
        next_va += (t.layout.surface.size_B + 0x1ffff) & ~0xffffull;  // a gap after each image
        t.memory = host.memory.map(t.va, t.layout.surface.size_B);
        return t;
    }
    std::vector<uint8_t> noise(size_t size_B) {
        std::vector<uint8_t> p(size_B);
        for (uint8_t& b : p)
            b = uint8_t(random());
        return p;
    }
};

}  // namespace terrazzo::adreno::test
