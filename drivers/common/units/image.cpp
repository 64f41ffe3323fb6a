// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/image.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/common/units/four_lanes.h"
#include "drivers/common/units/refuse.h"

namespace terrazzo::units {

using wave::kLanes;
using wave::U32;

bool Image::read(window::Window& memory, const uint32_t at[3], uint32_t out[4], std::string* why) {
    std::fill_n(out, 4, 0u);
    if (!has(at)) return true;
    uint32_t values[4];
    uint64_t va = 0;
    if (address(at, &va)) {
        uint8_t texel[kMaxTexel_B];
        if (!memory.read(va, texel, format().size_B)) return refuse(why, to_string(memory.fault()));
        format().read(texel, values);
    } else if (!access(memory, at, values, false, why)) {
        return false;
    }
    decoder_.apply_swizzle(values, out);
    return true;
}

bool Image::write(window::Window& memory, const uint32_t at[3], const uint32_t in[4], std::string* why) {
    if (!has(at)) return true;
    uint64_t va = 0;
    if (!address(at, &va)) {
        uint32_t values[4];
        std::copy_n(in, 4, values);
        return access(memory, at, values, true, why);
    }
    uint8_t texel[kMaxTexel_B] = {};
    format().write(in, texel);
    return memory.write(va, texel, format().size_B) || refuse(why, to_string(memory.fault()));
}

bool Image::read_lanes(window::Window& memory, uint32_t lanes, const U32 at[3], U32 out[4],
                       std::string* why) {
    const unsigned size_B = format().size_B;
    uint8_t texels[kLanes * kMaxTexel_B] = {};
    alignas(16) uint32_t values[kLanes][4], others[kLanes][4];
    uint32_t in_memory = 0, elsewhere = 0;
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const uint32_t place[3] = {at[0][n], at[1][n], at[2][n]};
        uint64_t va = 0;
        if (!find(place, &va)) {
            if (!read(memory, place, others[n], why)) return false;
            elsewhere |= 1u << n;
            continue;
        }
        if (!memory.read(va, texels + n * size_B, size_B)) return refuse(why, to_string(memory.fault()));
        in_memory |= 1u << n;
    }
    if (in_memory) {
        U32 unpacked[4];
        format().read_row(texels, kLanes, values[0]);
        four::transpose(values, unpacked);
        for (unsigned c = 0; c < 4; ++c) {
            const uint8_t from = decoder_.swizzle[c];
            out[c] = from < 4 ? unpacked[from] : wave::splat(from == kOne ? format().one() : 0);
        }
    }
    for (; elsewhere; elsewhere &= elsewhere - 1) {
        const auto n = unsigned(std::countr_zero(elsewhere));
        for (unsigned c = 0; c < 4; ++c)
            out[c][n] = others[n][c];
    }
    return true;
}

bool Image::write_lanes(window::Window& memory, uint32_t lanes, const U32 at[3], const U32 in[4],
                        core::StoredRange* stored, std::string* why) {
    if (!format()) return true;  // nothing is bound
    const unsigned size_B = format().size_B;
    uint8_t texels[kLanes * kMaxTexel_B] = {};
    uint32_t values[kLanes][4];
    for (unsigned n = 0; n < kLanes; ++n)
        for (unsigned c = 0; c < 4; ++c)
            values[n][c] = in[c][n];
    format().write_row(values[0], kLanes, texels);
    for (; lanes; lanes &= lanes - 1) {
        const auto n = unsigned(std::countr_zero(lanes));
        const uint32_t place[3] = {at[0][n], at[1][n], at[2][n]};
        uint64_t va = 0;
        if (find(place, &va)) {
            if (!memory.write(va, texels + n * size_B, size_B)) return refuse(why, to_string(memory.fault()));
            stored->add(va, size_B);
            continue;
        }
        const uint32_t value[4] = {in[0][n], in[1][n], in[2][n], in[3][n]};
        if (!write(memory, place, value, why)) return false;
    }
    return true;
}

}  // namespace terrazzo::units
