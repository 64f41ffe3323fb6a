// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_format.h"

#include <array>

namespace terrazzo::adreno::sim {

namespace {

bool is_words(pipe::Format format, unsigned* words) {
    switch (format) {
        case pipe::Format::R32_FLOAT:
        case pipe::Format::R32_UINT:
        case pipe::Format::R32_SINT:
            *words = 1;
            return true;
        case pipe::Format::R32G32_FLOAT:
        case pipe::Format::R32G32_UINT:
        case pipe::Format::R32G32_SINT:
            *words = 2;
            return true;
        case pipe::Format::R32G32B32_FLOAT:
        case pipe::Format::R32G32B32_UINT:
        case pipe::Format::R32G32B32_SINT:
            *words = 3;
            return true;
        case pipe::Format::R32G32B32A32_FLOAT:
        case pipe::Format::R32G32B32A32_UINT:
        case pipe::Format::R32G32B32A32_SINT:
            *words = 4;
            return true;
        default:  // hundreds of formats; only these have a short cut
            return false;
    }
}

// Indexed by format, swap and float: the inverse of pipe's formats, made once.
struct Table {
    std::array<VertexFormat, 256 * 4 * 2> row;
    static size_t at(hw::Format format, hw::ColorSwap swap, bool as_float) {
        return size_t(format) % 256 * 8 + size_t(swap) % 4 * 2 + as_float;
    }
    Table() {
        for (size_t i = 0; i < pipe::kFormatCount; ++i) {
            const pipe::Format format = pipe::Format(i);
            const hw::FormatRow* hardware = hw::format_row(format);
            if (!hardware || !hardware->is_vertex() || !pipe::format_info(format).is_color) continue;
            const pipe::FormatInfo& info = pipe::format_info(format);
            // The hardware has no formats with an unused channel: it reads it.
            if (info.channel_count == 4 && info.swizzle[3] == pipe::Swizzle::One) continue;
            VertexFormat& v =
                row[at(hardware->vertex, hardware->swap, !info.is_pure_uint && !info.is_pure_sint)];
            // Formats that only differ in properties that attributes lack (sRGB) share a row.
            if (v.reader) continue;
            v.reader = units::format_reader(format);
            unsigned words = 0;
            if (is_words(format, &words)) v.words = uint8_t(words);
        }
    }
};

}  // namespace

const VertexFormat* vertex_format(hw::Format format, hw::ColorSwap swap, bool as_float) {
    static const Table table;
    const VertexFormat& v = table.row[Table::at(format, swap, as_float)];
    return v.reader ? &v : nullptr;
}

}  // namespace terrazzo::adreno::sim
