// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies into and out of tiled surfaces against memcpy of the same bytes, in turn, medians: prints memcpy's
// time divided by ours.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "pipe/layout/layout.h"

using namespace terrazzo::pipe;

namespace {

constexpr uint32_t kSide_px = 1024, kRounds = 61;

double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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
    std::vector<uint8_t> surface(s.size_B, 1), rows(s.size_B, 2), other(s.size_B, 3);
    const ptrdiff_t stride_B = ptrdiff_t(s.size_B / (kSide_px / s.block_h_px));
    Box box;
    box.width = box.height = kSide_px;
    box.depth = 1;
    std::vector<double> copy, tile, detile;
    for (uint32_t i = 0; i < kRounds; ++i) {
        const double t0 = seconds();
        std::memcpy(other.data(), rows.data(), rows.size());
        const double t1 = seconds();
        const bool in = tile_rect(s, surface.data(), 0, box, rows.data(), stride_B, 0);
        const double t2 = seconds();
        const bool out = detile_rect(s, surface.data(), 0, box, rows.data(), stride_B, 0);
        const double t3 = seconds();
        if (!in || !out) return;
        copy.push_back(t1 - t0), tile.push_back(t2 - t1), detile.push_back(t3 - t2);
    }
    const double c = median(copy);
    std::printf("%-12s %2u B  memcpy %6.2f GB/s  tile %5.2fx  detile %5.2fx\n", name, s.block_B,
                double(s.size_B) / c * 1e-9, c / median(tile), c / median(detile));
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
