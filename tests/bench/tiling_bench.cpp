// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies into and out of tiled surfaces against memcpy of the same bytes there and back again, in turn: the
// plain image to another, back, into the surface, back. So each copy reads what the one before wrote, and
// writes what was touched two copies ago; all memory has been touched. Prints the median over rounds of
// memcpy's CPU time divided by ours in the same round, as a busy machine slows both.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "pipe/layout/layout.h"

using namespace terrazzo::pipe;

namespace {

constexpr uint32_t kSide_px = 1024, kRounds = 101;

double seconds() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}
double median(std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + ptrdiff_t(v.size() / 2), v.end());
    return v[v.size() / 2];
}

void run(const char* name, Format format) {
    LayoutDesc d;
    d.format = format;
    d.width = d.height = kSide_px;
    d.tiling = Tiling::Interleaved;
    SurfaceLayout s;
    if (layout_compute(d, &s) != LayoutStatus::Ok) return;
    // Where a driver's surfaces and an application's large images are: at a page.
    uint8_t* memory[3];
    for (uint8_t*& m : memory) {
        m = static_cast<uint8_t*>(std::aligned_alloc(4096, (s.size_B + 4095) & ~uint64_t(4095)));
        if (!m) return;
        std::memset(m, 1, s.size_B);
    }
    uint8_t *const surface = memory[0], *const rows = memory[1], *const other = memory[2];
    const ptrdiff_t stride_B = ptrdiff_t(s.size_B / (kSide_px / s.block_h_px));
    Box box;
    box.width = box.height = kSide_px;
    box.depth = 1;
    std::vector<double> copy_s, tile, detile;
    for (uint32_t i = 0; i < kRounds; ++i) {
        double t[5] = {seconds()};
        std::memcpy(other, rows, s.size_B);
        t[1] = seconds();
        std::memcpy(rows, other, s.size_B);
        t[2] = seconds();
        const bool in = tile_rect(s, surface, 0, box, rows, stride_B, 0);
        t[3] = seconds();
        const bool out = detile_rect(s, surface, 0, box, rows, stride_B, 0);
        t[4] = seconds();
        if (!in || !out) return;
        copy_s.push_back(t[1] - t[0]);
        tile.push_back((t[1] - t[0]) / (t[3] - t[2]));
        detile.push_back((t[2] - t[1]) / (t[4] - t[3]));
    }
    std::printf("%-12s %2u B  memcpy %6.2f GB/s  tile %5.2fx  detile %5.2fx\n", name, s.block_B,
                double(s.size_B) / median(copy_s) * 1e-9, median(tile), median(detile));
    for (uint8_t* const p : memory)
        std::free(p);
}

}  // namespace

int main() {
    std::printf("interleaved, %ux%u (1.00x is memcpy's speed)\n", kSide_px, kSide_px);
    run("R8", Format::R8_UNORM);
    run("RGB565", Format::B5G6R5_UNORM);
    run("RGBA8", Format::R8G8B8A8_UNORM);
    run("RGBA16F", Format::R16G16B16A16_FLOAT);
    run("RGBA32F", Format::R32G32B32A32_FLOAT);
    run("ETC1", Format::ETC1_RGB8);
    run("ASTC 5x5", Format::ASTC_5x5_UNORM);
}
