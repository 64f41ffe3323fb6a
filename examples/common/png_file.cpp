// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// PNG files through libpng's simplified interface.
#include "examples/common/png_file.h"

#include <GLES2/gl2.h>
#include <png.h>

#include <algorithm>

namespace example {

Picture read_framebuffer(int width, int height) {
    Picture p{width, height, std::vector<uint8_t>(size_t(width) * size_t(height) * 4)};
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, p.rgba.data());
    const size_t row = size_t(width) * 4;
    for (size_t low = 0, high = size_t(height) - 1; low < high; ++low, --high)
        std::swap_ranges(p.rgba.begin() + long(low * row), p.rgba.begin() + long((low + 1) * row),
                         p.rgba.begin() + long(high * row));
    return p;
}

bool write_png(const std::string& path, const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(picture.width);
    image.height = png_uint_32(picture.height);
    image.format = PNG_FORMAT_RGBA;
    return png_image_write_to_file(&image, path.c_str(), 0, picture.rgba.data(), 0, nullptr);
}

bool read_png(const std::string& path, Picture* picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path.c_str())) return false;
    image.format = PNG_FORMAT_RGBA;
    picture->width = int(image.width);
    picture->height = int(image.height);
    picture->rgba.resize(PNG_IMAGE_SIZE(image));
    return png_image_finish_read(&image, nullptr, picture->rgba.data(), 0, nullptr);
}

}  // namespace example
