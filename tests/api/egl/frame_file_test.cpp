// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The files that TERRAZZO_DEBUG=frames writes.
#include "api/egl/frame_file.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>

using namespace terrazzo;

namespace {

std::string written(const winsys::Frame& frame, bool top_down = false) {
    char name[] = "/tmp/terrazzo-frame-test-XXXXXX";
    const int fd = mkstemp(name);
    REQUIRE(fd >= 0);
    close(fd);
    std::string out;
    if (egl::write_frame(frame, name, top_down)) {
        std::FILE* const f = std::fopen(name, "rb");
        for (int c; (c = std::fgetc(f)) != EOF;)
            out += char(c);
        std::fclose(f);
    }
    unlink(name);
    return out;
}

constexpr uint32_t kXr24 = 'X' | 'R' << 8 | '2' << 16 | uint32_t('4') << 24,
                   kRg16 = 'R' | 'G' << 8 | '1' << 16 | uint32_t('6') << 24;

}  // namespace

TEST_CASE("frames: names are sorted by time") {
    const std::string process = std::to_string(getpid());
    CHECK(egl::frame_file_name("out", 0) == "out/" + process + "-000000.ppm");
    CHECK(egl::frame_file_name("a/b", 123456) == "a/b/" + process + "-123456.ppm");
}

TEST_CASE("frames: the top row comes first, without alpha") {
    // Two rows of two pixels with four bytes of padding each.
    const uint32_t pixels[] = {0x00010203, 0xff040506, 0xdead, 0x11fffefd, 0x00070809, 0xdead};
    const winsys::Frame frame{reinterpret_cast<const uint8_t*>(pixels), 12, 2, 2, kXr24, {}};
    CHECK(written(frame) == std::string("P6\n2 2\n255\n\xff\xfe\xfd\x07\x08\x09\x01\x02\x03\x04\x05\x06"));
    CHECK(written(frame, true) ==
          std::string("P6\n2 2\n255\n\x01\x02\x03\x04\x05\x06\xff\xfe\xfd\x07\x08\x09"));
}

TEST_CASE("frames: five and six bits") {
    const uint16_t pixels[] = {0xf800, 0x07e0, 0x001f, 0x8410};
    const winsys::Frame frame{reinterpret_cast<const uint8_t*>(pixels), 8, 4, 1, kRg16, {}};
    CHECK(written(frame) == std::string("P6\n4 1\n255\n\xff\0\0\0\xff\0\0\0\xff\x84\x82\x84", 11 + 12));
}

TEST_CASE("frames: failed writes are reported") {
    const uint32_t pixel = 0;
    CHECK(written({reinterpret_cast<const uint8_t*>(&pixel), 4, 1, 1, 0x1234, {}}).empty());
    CHECK_FALSE(egl::write_frame({reinterpret_cast<const uint8_t*>(&pixel), 4, 1, 1, kXr24, {}},
                                 "/nowhere/there/is/none.ppm", false));
}
