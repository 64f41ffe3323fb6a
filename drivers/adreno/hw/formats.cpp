// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/hw/formats.h"

#include <array>

namespace terrazzo::adreno::hw {

namespace {

struct NamedRow {
    pipe::Format format;
    FormatRow row;
};

constexpr NamedRow kRows[] = {
#define FORMAT(format, vertex, texture, target, swap, depth, ubwc)                                      \
    {pipe::Format::format,                                                                              \
     {Format::vertex, Format::texture, Format::target, ColorSwap::swap, DepthFormat::depth, Ubwc::ubwc, \
      Format::texture, ColorSwap::swap}},
#define LINEAR(...)
#define BLIT(...)
#include "drivers/adreno/hw/format_rows.inc"
#undef FORMAT
#undef LINEAR
#undef BLIT
};

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

constexpr std::array<FormatRow, pipe::kFormatCount> kTable = [] {
    std::array<FormatRow, pipe::kFormatCount> table{};
    for (const NamedRow& row : kRows)
        table[size_t(row.format)] = row.row;
    for (const LinearTexture& linear : kLinear) {
        table[size_t(linear.format)].linear_texture = linear.texture;
        table[size_t(linear.format)].linear_texture_swap = linear.swap;
    }
    return table;
}();

constexpr std::array<bool, pipe::kFormatCount> kKnown = [] {
    std::array<bool, pipe::kFormatCount> known{};
    for (const NamedRow& row : kRows)
        known[size_t(row.format)] = true;
    return known;
}();

constexpr bool each_format_once() {
    size_t count = 0;
    for (bool known : kKnown)
        count += known;
    for (size_t i = 0; i < std::size(kBlits); ++i)
        for (size_t j = 0; j < i; ++j)
            if (kBlits[i].target == kBlits[j].target) return false;
    return count == std::size(kRows);
}
static_assert(each_format_once(), "two rows for one format");

}  // namespace

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

const FormatRow* format_row(pipe::Format format) {
    return kKnown[size_t(format)] ? &kTable[size_t(format)] : nullptr;
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
