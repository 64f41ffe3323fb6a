// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/formats.h"

#include <gbm.h>

#include <algorithm>

#include "pipe/fourcc.h"

namespace terrazzo::gbm {
namespace {

struct BitsRow {
    char name[5];
    uint8_t bits;
};
/// gbm.h's formats with one plane. A program may ask about formats that the device lacks.
constexpr BitsRow kBits[] = {
    {"C8  ", 8},  {"R8  ", 8},  {"RGB8", 8},  {"BGR8", 8},  {"R16 ", 16}, {"GR88", 16}, {"XR12", 16},
    {"XB12", 16}, {"RX12", 16}, {"BX12", 16}, {"AR12", 16}, {"AB12", 16}, {"RA12", 16}, {"BA12", 16},
    {"XR15", 16}, {"XB15", 16}, {"RX15", 16}, {"BX15", 16}, {"AR15", 16}, {"AB15", 16}, {"RA15", 16},
    {"BA15", 16}, {"RG16", 16}, {"BG16", 16}, {"RG24", 24}, {"BG24", 24}, {"XR24", 32}, {"XB24", 32},
    {"RX24", 32}, {"BX24", 32}, {"AR24", 32}, {"AB24", 32}, {"RA24", 32}, {"BA24", 32}, {"XR30", 32},
    {"XB30", 32}, {"RX30", 32}, {"BX30", 32}, {"AR30", 32}, {"AB30", 32}, {"RA30", 32}, {"BA30", 32},
    {"GR32", 32}, {"RG32", 32}, {"XB48", 64}, {"AB48", 64}, {"XB4H", 64}, {"AB4H", 64},
};

/// Whether the device supports the format; with `drawn`, whether it can draw to it.
bool is_known(const pipe::Screen& screen, pipe::Format f, bool drawn) {
    return std::ranges::any_of(screen.modifiers(f),
                               [&](const pipe::Modifier& m) { return !drawn || !m.sampled_only; });
}

}  // namespace

uint32_t canonical_format(uint32_t format) {
    switch (format) {
        case GBM_BO_FORMAT_XRGB8888:
            return GBM_FORMAT_XRGB8888;
        case GBM_BO_FORMAT_ARGB8888:
            return GBM_FORMAT_ARGB8888;
        default:
            return format;
    }
}

uint32_t bits_per_pixel(uint32_t format) {
    const uint32_t code = canonical_format(format);
    for (const BitsRow& r : kBits)
        if (pipe::fourcc(r.name[0], r.name[1], r.name[2], r.name[3]) == code) return r.bits;
    return 0;
}

pipe::Format image_format(const pipe::Screen& screen, uint32_t fourcc, bool drawn) {
    const pipe::FourccRow* const row = pipe::find_fourcc(fourcc);
    return row && !row->is_yuv() && is_known(screen, row->format, drawn) ? row->format : pipe::Format::None;
}

unsigned plane_count(const pipe::Screen& screen, uint32_t fourcc, uint64_t modifier) {
    const pipe::FourccRow* const row = pipe::find_fourcc(fourcc);
    if (!row) return 0;
    for (unsigned i = 0; i < row->planes; ++i) {
        const auto known = screen.modifiers(row->plane[i].format);
        const auto is_it = [&](const pipe::Modifier& m) {
            return m.value == modifier ||
                   (modifier == pipe::kModifierInvalid && m.value == pipe::kModifierLinear);
        };
        if (!std::ranges::any_of(known, is_it)) return 0;
    }
    return row->planes;
}

}  // namespace terrazzo::gbm
