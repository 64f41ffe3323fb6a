// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Linux include/uapi/drm/drm_fourcc.h. Its names list channels from the highest bit of a
// little-endian word down, ours from the lowest bit up.
#include "pipe/fourcc.h"

namespace terrazzo::pipe {
namespace {

constexpr FourccRow color(uint32_t code, Format f) {
    return {code, f, 1, {{f, 0, 0}}};
}
constexpr FourccRow semi_planar(uint32_t code, bool v_first, uint8_t x, uint8_t y) {
    return {code, Format::None, 2, {{Format::R8_UNORM}, {Format::R8G8_UNORM, x, y}}, v_first};
}
constexpr FourccRow semi_planar16(uint32_t code, uint8_t bits) {
    return {code, Format::None, 2, {{Format::R16_UNORM}, {Format::R16G16_UNORM, 1, 1}}, false, bits};
}
constexpr FourccRow planar(uint32_t code, bool v_first, uint8_t x, uint8_t y) {
    return {code,
            Format::None,
            3,
            {{Format::R8_UNORM}, {Format::R8_UNORM, x, y}, {Format::R8_UNORM, x, y}},
            v_first};
}

constexpr FourccRow kRows[] = {
    color(fourcc('A', 'R', '2', '4'), Format::B8G8R8A8_UNORM),
    color(fourcc('X', 'R', '2', '4'), Format::B8G8R8X8_UNORM),
    color(fourcc('A', 'B', '2', '4'), Format::R8G8B8A8_UNORM),
    color(fourcc('X', 'B', '2', '4'), Format::R8G8B8X8_UNORM),
    color(fourcc('A', 'R', '3', '0'), Format::B10G10R10A2_UNORM),
    color(fourcc('X', 'R', '3', '0'), Format::B10G10R10X2_UNORM),
    color(fourcc('A', 'B', '3', '0'), Format::R10G10B10A2_UNORM),
    color(fourcc('X', 'B', '3', '0'), Format::R10G10B10X2_UNORM),
    color(fourcc('A', 'B', '4', 'H'), Format::R16G16B16A16_FLOAT),
    color(fourcc('R', 'G', '1', '6'), Format::B5G6R5_UNORM),
    color(fourcc('A', 'R', '1', '5'), Format::B5G5R5A1_UNORM),
    color(fourcc('A', 'R', '1', '2'), Format::B4G4R4A4_UNORM),
    color(fourcc('R', '8', ' ', ' '), Format::R8_UNORM),
    color(fourcc('G', 'R', '8', '8'), Format::R8G8_UNORM),
    color(fourcc('R', '1', '6', ' '), Format::R16_UNORM),
    color(fourcc('G', 'R', '3', '2'), Format::R16G16_UNORM),
    semi_planar(fourcc('N', 'V', '1', '2'), false, 1, 1),
    semi_planar(fourcc('N', 'V', '2', '1'), true, 1, 1),
    semi_planar(fourcc('N', 'V', '1', '6'), false, 1, 0),
    semi_planar(fourcc('N', 'V', '6', '1'), true, 1, 0),
    planar(fourcc('Y', 'U', '1', '2'), false, 1, 1),
    planar(fourcc('Y', 'V', '1', '2'), true, 1, 1),
    planar(fourcc('Y', 'U', '1', '6'), false, 1, 0),
    planar(fourcc('Y', 'V', '1', '6'), true, 1, 0),
    planar(fourcc('Y', 'U', '2', '4'), false, 0, 0),
    planar(fourcc('Y', 'V', '2', '4'), true, 0, 0),
    semi_planar16(fourcc('P', '0', '1', '0'), 10),
    semi_planar16(fourcc('P', '0', '1', '2'), 12),
    semi_planar16(fourcc('P', '0', '1', '6'), 16),
};

}  // namespace

std::span<const FourccRow> all_fourccs() {
    return kRows;
}

const FourccRow* find_fourcc(uint32_t code) {
    for (const FourccRow& r : kRows)
        if (r.code == code) return &r;
    return nullptr;
}

uint32_t fourcc_of(Format f) {
    const Format linear = format_to_linear(f);
    if (linear != Format::None) f = linear;
    for (const FourccRow& r : kRows)
        if (r.format == f && f != Format::None) return r.code;
    return 0;
}

}  // namespace terrazzo::pipe
