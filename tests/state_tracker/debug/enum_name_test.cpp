// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/debug/enum_name.h"

#include <doctest/doctest.h>

#include <cstdarg>
#include <string>

using namespace terrazzo::st;

namespace {

template <size_t kSize>
std::string print(const char* format, ...) {
    char out[kSize];
    va_list args;
    va_start(args, format);
    const std::string text(print_with_names(out, format, args));
    va_end(args);
    return text;
}

}  // namespace

TEST_CASE("a value has its name in OpenGL ES; names of desktop GL and of extensions are known, too") {
    CHECK(enum_name(0x1908) == "GL_RGBA");
    CHECK(enum_name(0x0DE1) == "GL_TEXTURE_2D");
    CHECK(enum_name(0x81A5) == "GL_DEPTH_COMPONENT16");
    CHECK(enum_name(0x806F) == "GL_TEXTURE_3D");
    CHECK(enum_name(0x8370) == "GL_MIRRORED_REPEAT");
    CHECK(enum_name(0x84F5) == "GL_TEXTURE_RECTANGLE");
    CHECK(enum_name(0x93B0) == "GL_COMPRESSED_RGBA_ASTC_4x4");
    // A value with several names, and one without a name.
    CHECK(enum_name(0).empty());
    CHECK(enum_name(1).empty());
    CHECK(enum_name(0xFFFF).empty());
    CHECK(enum_name(0x12345678).empty());
    for (unsigned i = 1; i < kEnumCount; ++i)
        REQUIRE(kEnumValues[i - 1] < kEnumValues[i]);
}

TEST_CASE("messages have names for enums; other numbers and texts stay unchanged") {
    CHECK(print<128>("target 0x%04x", 0x806Fu) == "target GL_TEXTURE_3D");
    CHECK(print<128>("format 0x%04x with type 0x%04x", 0x1908u, 0x1406u) ==
          "format GL_RGBA with type GL_FLOAT");
    CHECK(print<128>("mode 0x%04x, %d of %u", 0x0007u, -1, 6408u) == "mode 0x0007, -1 of 6408");
    CHECK(print<128>("'%s' is 0x%x", "0x1908", 0x1908u) == "'0x1908' is 0x1908");
    CHECK(print<128>("pname 0x%04x", 0xBEEFu) == "pname 0xbeef");
    CHECK(print<12>("target 0x%04x", 0x806Fu) == "target GL_T");
    CHECK(print<128>("%s", std::string(5000, 'x').c_str()) == std::string(127, 'x'));
}
