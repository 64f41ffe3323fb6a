// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/fragment/picture.h"

#include <bit>

#include "drivers/agx/sim/resources/stored_image.h"
#include "drivers/common/units/refuse.h"

namespace terrazzo::agx::sim {

namespace {

bool show(const hw::Pbe& d, window::Window& memory, host::Picture* out, std::string* why) {
    units::FormatReader format;
    StoredImage image;
    if (!open_image(d, false, &format, &image, why)) return false;
    if (format.kind != units::NumberKind::Float) return units::refuse(why, "it has integers");
    const uint32_t level = d.layout == hw::Layout::Linear ? 0 : d.level;
    if (level >= image.layout().levels) return units::refuse(why, "it has no level ", level);
    const uint32_t width = image.layout().level[level].width, height = image.layout().level[level].height;
    const hw::StoredChannel source[4] = {d.swizzle_r, d.swizzle_g, d.swizzle_b, d.swizzle_a};
    const unsigned channels = pipe::format_info(format.format).channel_count;
    // A pixel's samples follow one another.
    const size_t pixel_B = size_t(format.size_B) * image.layout().samples;
    std::vector<uint8_t> row(width * pixel_B);
    out->resize(width, height);
    for (uint32_t y = 0; y < height; ++y) {
        if (!image.load(memory, level, 0, {0, int32_t(y), int32_t(width), int32_t(y) + 1}, row.data(),
                        row.size(), why))
            return false;
        for (uint32_t x = 0; x < width; ++x) {
            uint32_t value[4];
            format.read(row.data() + x * pixel_B, value);
            uint8_t* const rgba = out->at(x, y);
            rgba[3] = 255;
            for (unsigned c = 0; c < channels; ++c)
                rgba[unsigned(source[c])] = host::picture_byte(std::bit_cast<float>(value[c]));
        }
    }
    return true;
}

}  // namespace

bool picture_of(const Bindings& bindings, window::Window& memory, host::Picture* out, std::string* why) {
    for (const DescriptorRange& range : bindings.textures)
        for (unsigned n = 0; n < range.count; ++n) {
            uint32_t words[hw::Pbe::kSize_dw];
            hw::Pbe d;
            if (memory.read(range.va + uint64_t(n) * hw::Pbe::kSize_B, words, sizeof words) &&
                unpack(words, &d))
                return show(d, memory, out, why);
        }
    return false;
}

}  // namespace terrazzo::agx::sim
