// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/formats.h"

#include <iterator>

namespace terrazzo::adreno::hw {

namespace {

struct LinearTexture {
    pipe::Format format;
    Format texture;
    ColorSwap swap;
};
constexpr LinearTexture kLinear[] = {
#define FORMAT(...)
#define LINEAR(format, texture, swap) {pipe::Format::format, Format::texture, ColorSwap::swap},
#define BLIT(...)
#include "drivers/adreno/hw/format_rows.inc"
#undef FORMAT
#undef LINEAR
#undef BLIT
};

constexpr FormatRow make_row(pipe::Format format, FormatRow row) {
    row.linear_texture = row.texture;
    row.linear_texture_swap = row.swap;
    for (const LinearTexture& linear : kLinear)
        if (linear.format == format) {
            row.linear_texture = linear.texture;
            row.linear_texture_swap = linear.swap;
        }
    return row;
}

constexpr tables::FormatNamed<FormatRow> kRows[] = {
#define FORMAT(format, vertex, texture, target, swap, depth, ubwc)                                     \
    {pipe::Format::format,                                                                             \
     make_row(pipe::Format::format, {Format::vertex, Format::texture, Format::target, ColorSwap::swap, \
                                     DepthFormat::depth, Ubwc::ubwc})},
#define LINEAR(...)
#define BLIT(...)
#include "drivers/adreno/hw/format_rows.inc"
#undef FORMAT
#undef LINEAR
#undef BLIT
};

struct Blit {
    Format target;
    Ifmt2d ifmt;
};
constexpr Blit kBlits[] = {
#define FORMAT(...)
#define LINEAR(...)
#define BLIT(target, ifmt) {Format::target, Ifmt2d::ifmt},
#include "drivers/adreno/hw/format_rows.inc"
#undef FORMAT
#undef LINEAR
#undef BLIT
};

constexpr bool each_target_once() {
    for (size_t i = 0; i < std::size(kBlits); ++i)
        for (size_t j = 0; j < i; ++j)
            if (kBlits[i].target == kBlits[j].target) return false;
    return true;
}
static_assert(each_target_once(), "two rows for one target");

}  // namespace

constinit const tables::FormatTable<FormatRow> format_row{kRows};

bool FormatRow::has_ubwc(const Generation& generation, unsigned samples) const {
    switch (ubwc) {
        case Ubwc::NO:
            return false;
        case Ubwc::YES:
            return true;
        case Ubwc::R8:
            return generation.has_8bpp_ubwc;
        case Ubwc::Z24UINT:
            return generation.has_z24uint_s8uint;
        case Ubwc::ONE_SAMPLE:
            return samples <= 1 || generation.has_z24uint_s8uint;
    }
    return false;
}

bool blit_format(Format target, Ifmt2d* out) {
    for (const Blit& blit : kBlits) {
        if (blit.target != target) continue;
        *out = blit.ifmt;
        return true;
    }
    return false;
}

}  // namespace terrazzo::adreno::hw
