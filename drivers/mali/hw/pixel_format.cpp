// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/hw/pixel_format.h"

#include <cstdio>
#include <string>

namespace terrazzo::mali::hw {

void print_pixel_format(fields::Printer& printer, const char* name, uint32_t format) {
    const char* code = enum_name(pixel_format_code(format));
    const char* order = format & 0xf00 ? nullptr : enum_name(pixel_format_order(format));
    char text[128];
    std::snprintf(text, sizeof text, "%s: %s %s%s (0x%x)", name, code ? code : "unknown",
                  order ? order : "unknown", pixel_format_srgb(format) ? " sRGB" : "", format);
    printer.sink.line(printer.indent, text);
}

void print_component_swizzle(fields::Printer& printer, const char* name, uint32_t swizzle) {
    std::string text = std::string(name) + ": ";
    for (unsigned i = 0; i < 4; ++i)
        text += "RGBA01??"[unsigned(swizzle_channel(swizzle, i))];
    printer.sink.line(printer.indent, text);
}

}  // namespace terrazzo::mali::hw
