// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/image.h"

#include <algorithm>

#include "drivers/common/units/refuse.h"

namespace terrazzo::units {

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

}  // namespace terrazzo::units
