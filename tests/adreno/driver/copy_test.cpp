// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Copies between images on the virtual GPU, compared with the written data.
#include <algorithm>
#include <vector>

#include "drivers/adreno/images/copy2d.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

uint8_t byte_at(size_t i) {
    return uint8_t(i * 167 + (i >> 8) * 13 + 5);
}

/// The bytes of a box, as complete blocks.
std::vector<uint8_t> access(DriverScene& s, pipe::Resource& r, const pipe::Box& box, bool write) {
    const pipe::FormatInfo& f = pipe::format_info(r.desc.format);
    const auto row_B = size_t(pipe::format_row_B(r.desc.format, uint32_t(box.width)));
    const int rows = (box.height + f.block_h_px - 1) / f.block_h_px;
    std::vector<uint8_t> bytes(row_B * size_t(rows));
    const pipe::Mapping m = s.context->map(r, 0, box, write ? pipe::map_flag::kWrite : pipe::map_flag::kRead);
    REQUIRE(m.data);
    for (int y = 0; y < rows; ++y) {
        auto* const row = static_cast<uint8_t*>(m.data) + size_t(y) * m.row_stride_B;
        for (size_t i = 0; i < row_B; ++i) {
            if (write) row[i] = byte_at(size_t(y) * row_B + i);
            bytes[size_t(y) * row_B + i] = row[i];
        }
    }
    s.context->unmap(r, m);
    return bytes;
}

}  // namespace

TEST_CASE("copies: the 2D engine copies bits of tiled and linear images, for all sizes of pixels") {
    DriverScene s = open_scene(16, 16);
    constexpr int kW = 70, kH = 45;
    for (const pipe::Format format :
         {pipe::Format::R8_UNORM, pipe::Format::R8G8_UNORM, pipe::Format::B5G6R5_UNORM,
          pipe::Format::R8G8B8A8_UNORM, pipe::Format::R16G16B16A16_FLOAT, pipe::Format::R32G32B32A32_FLOAT,
          pipe::Format::D24_UNORM_S8_UINT})
        for (const unsigned linear : {0u, 1u, 2u, 3u}) {
            CAPTURE(unsigned(format));
            CAPTURE(linear);
            const bool depth = format == pipe::Format::D24_UNORM_S8_UINT;
            if (depth && linear) continue;
            const auto bind = [&](bool l) {
                return pipe::bind::kSampled | (depth ? pipe::bind::kDepthStencil : 0) |
                       (l ? pipe::bind::kLinear : 0);
            };
            const auto src = s.image(format, kW, kH, bind(linear & 1)),
                       dst = s.image(format, kW, kH, bind(linear & 2));
            const auto all = access(s, *src, {0, 0, 0, kW, kH, 1}, true);
            const images::ImageCopy copy{adreno::adreno(*dst), 0, {3, 2, 0, 61, 33, 1},
                                         adreno::adreno(*src), 0, {5, 7, 0, 61, 33, 1}};
            CHECK(adreno::can_copy(copy));
            s.context->copy_region(*dst, 0, 3, 2, 0, *src, 0, copy.from);
            const auto got = access(s, *dst, {3, 2, 0, 61, 33, 1}, false);
            const auto want = access(s, *src, {5, 7, 0, 61, 33, 1}, false);
            CHECK(got == want);
            const auto outside = access(s, *dst, {0, 0, 0, 3, 45, 1}, false);
            CHECK(std::count(outside.begin(), outside.end(), 0) == ptrdiff_t(outside.size()));
        }
    CHECK(s.messages == "");
}
