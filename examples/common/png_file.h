// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// PNG files of 8-bit RGBA.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace example {

struct Picture {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;  // 4 bytes per pixel, top row first
};

/// Reads the bound framebuffer and flips it: GL's first row is the bottom one.
Picture read_framebuffer(int width, int height);
/// False: the file cannot be written; errno has the reason.
bool write_png(const std::string& path, const Picture& picture);
/// False: there is no such PNG file.
bool read_png(const std::string& path, Picture* picture);

}  // namespace example
