// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies into and out of tiled surfaces, compared with memcpy of the same bytes between the same two buffers,
// in turn. Before each copy the caches' inner levels are filled with other memory. Otherwise the cached data
// would depend on where the previous copy ended, and so on the direction of memcpy. All memory has been
// touched before. Prints the median over rounds of memcpy's CPU time divided by ours of the same round,
// because a busy machine slows both. Argument: the width and height of the images in pixels, default 1024.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "pipe/layout/a6xx.h"
#include "pipe/layout/agx.h"
#include "pipe/layout/layout.h"

using namespace terrazzo::pipe;

namespace {

constexpr uint32_t kRounds = 101;
// Several copies of small images are measured together: reading the clock takes half a microsecond.
constexpr uint64_t kMeasured_B = 256 << 10;
constexpr uint64_t kOther_B = 1 << 20;

double seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}
double median(std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + ptrdiff_t(v.size() / 2), v.end());
    return v[v.size() / 2];
}

// The sum of the read data, so that the reads are not optimized away.
uint64_t read_lines(const uint8_t* memory, uint64_t size_B) {
    uint64_t sum = 0;
    for (uint64_t at_B = 0; at_B < size_B; at_B += 64)
        sum += memory[at_B];
    return sum;
}

bool lay_out(LayoutDesc d, SurfaceLayout* out) {
    if (d.tiling == Tiling::Twiddled) {
        AgxLayout a;
        if (agx_layout_compute({.image = d}, &a) != LayoutStatus::Ok) return false;
        *out = a.surface;
        return true;
    }
    if (d.tiling != Tiling::Macrotiled) return layout_compute(d, out) == LayoutStatus::Ok;
    A6xxLayout a;
    if (a6xx_layout_compute({.image = d}, {15, 6, false, false}, &a) != LayoutStatus::Ok)  // an a630
        return false;
    *out = a.surface;
    return true;
}

void run(Tiling tiling, const char* name, Format format, uint32_t side_px) {
    LayoutDesc d;
    d.format = format;
    d.width = d.height = side_px;
    d.tiling = tiling;
    SurfaceLayout s;
    if (!lay_out(d, &s)) return;
    // At the start of a page, like a driver's surfaces and an application's large images.
    const uint64_t other_B = std::max(s.size_B, kOther_B);
    uint8_t* memory[3];
    for (uint8_t*& m : memory) {
        m = static_cast<uint8_t*>(std::aligned_alloc(4096, (other_B + 4095) & ~uint64_t(4095)));
        if (!m) return;
        std::memset(m, 1, other_B);
    }
    uint8_t *const surface = memory[0], *const rows = memory[1];
    const ptrdiff_t stride_B = ptrdiff_t((side_px + s.block_w_px - 1) / s.block_w_px * s.block_B);
    Box box;
    box.width = box.height = int32_t(side_px);
    box.depth = 1;
    bool ok = true;
    uint64_t sum = 0;
    const auto timed = [&](auto&& copy) {
        sum += read_lines(memory[2], other_B);
        const double start = seconds();
        for (uint64_t done_B = 0; done_B < std::max(kMeasured_B, s.size_B); done_B += s.size_B)
            copy();
        return seconds() - start;
    };
    std::vector<double> copy_s, tile, detile;
    for (uint32_t i = 0; i < kRounds; ++i) {
        copy_s.push_back(timed([&] { std::memcpy(surface, rows, s.size_B); }));
        tile.push_back(copy_s.back() /
                       timed([&] { ok &= tile_rect(s, surface, 0, box, rows, stride_B, 0); }));
        const double back_s = timed([&] { std::memcpy(rows, surface, s.size_B); });
        detile.push_back(back_s / timed([&] { ok &= detile_rect(s, surface, 0, box, rows, stride_B, 0); }));
    }
    const double copied_B = double((std::max(kMeasured_B, s.size_B) + s.size_B - 1) / s.size_B * s.size_B);
    if (ok && sum)
        std::printf("%-12s %2u B  memcpy %6.2f GB/s  tile %5.2fx  detile %5.2fx\n", name, s.block_B,
                    copied_B / median(copy_s) * 1e-9, median(tile), median(detile));
    for (uint8_t* const p : memory)
        std::free(p);
}

}  // namespace

int main(int argc, char** argv) {
    const uint32_t side_px = argc > 1 ? uint32_t(std::atoi(argv[1])) : 1024;
    struct Row {
        Tiling tiling;
        const char* name;
    };
    for (const auto& [tiling, name] : {Row{Tiling::Interleaved, "Arm's interleaved"},
                                       {Tiling::Macrotiled, "Adreno's macrotiles"},
                                       {Tiling::Twiddled, "Apple's twiddled"}}) {
        std::printf("%s, %ux%u (1.00x is memcpy's speed)\n", name, side_px, side_px);
        run(tiling, "R8", Format::R8_UNORM, side_px);
        run(tiling, "RG8", Format::R8G8_UNORM, side_px);
        run(tiling, "R16", Format::R16_UINT, side_px);
        run(tiling, "RGB565", Format::B5G6R5_UNORM, side_px);
        run(tiling, "RGBA8", Format::R8G8B8A8_UNORM, side_px);
        run(tiling, "BGRA8", Format::B8G8R8A8_UNORM, side_px);
        run(tiling, "RGBA16F", Format::R16G16B16A16_FLOAT, side_px);
        run(tiling, "RGBA32F", Format::R32G32B32A32_FLOAT, side_px);
        run(tiling, "ETC1", Format::ETC1_RGB8, side_px);
        run(tiling, "ASTC 5x5", Format::ASTC_5x5_UNORM, side_px);
    }
}
