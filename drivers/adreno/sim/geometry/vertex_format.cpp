// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_format.h"

#include <array>

namespace terrazzo::adreno::sim {

namespace {

// How many words of 32 bits a format has that memory keeps as the shader reads them; 0: it is converted.
unsigned whole_words(const pipe::FormatInfo& info) {
    for (unsigned c = 0; c < info.channel_count; ++c)
        if (info.channel[c].bits != 32 || info.swizzle[c] != pipe::Swizzle(c) ||
            !(info.is_pure_int() || info.channel[c].type == pipe::ChannelType::Float))
            return 0;
    return info.channel_count;
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
            v.words = uint8_t(whole_words(info));
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
