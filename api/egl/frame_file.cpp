// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/egl/frame_file.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "pipe/fourcc.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::egl {
namespace {

/// The positions of red, green and blue in a pixel's bits (drm_fourcc.h).
struct Channels {
    uint32_t fourcc;
    unsigned pixel_B;
    unsigned shift[3], bits[3];
};
constexpr Channels kChannels[] = {
    {pipe::fourcc('X', 'R', '2', '4'), 4, {16, 8, 0}, {8, 8, 8}},
    {pipe::fourcc('A', 'R', '2', '4'), 4, {16, 8, 0}, {8, 8, 8}},
    {pipe::fourcc('R', 'G', '1', '6'), 2, {11, 5, 0}, {5, 6, 5}},
};

void convert_row(const Channels& f, const uint8_t* in, uint32_t width_px, uint8_t* out) {
    for (uint32_t x = 0; x < width_px; ++x) {
        uint32_t pixel = 0;
        std::memcpy(&pixel, in + size_t(x) * f.pixel_B, f.pixel_B);
        for (unsigned c = 0; c < 3; ++c) {
            const uint32_t max = (1u << f.bits[c]) - 1;
            *out++ = uint8_t(((pixel >> f.shift[c] & max) * 255 + max / 2) / max);
        }
    }
}

bool write_rows(const winsys::Frame& frame, const Channels& format, bool top_down, std::FILE* out) {
    std::vector<uint8_t> row(size_t(frame.width_px) * 3);
    bool good = std::fprintf(out, "P6\n%u %u\n255\n", frame.width_px, frame.height_px) > 0;
    for (uint32_t n = 0; good && n < frame.height_px; ++n) {
        const uint32_t y = top_down ? n : frame.height_px - 1 - n;
        convert_row(format, frame.pixels + size_t(y) * frame.stride_B, frame.width_px, row.data());
        good = std::fwrite(row.data(), 1, row.size(), out) == row.size();
    }
    return good;
}

}  // namespace

std::string frame_file_name(const std::string& folder, unsigned number) {
    char name[48];
    std::snprintf(name, sizeof name, "/%ld-%06u.ppm", long(getpid()), number);
    return folder + name;
}

bool write_frame(const winsys::Frame& frame, const std::string& file, bool top_down) {
    const Channels* format = nullptr;
    for (const Channels& c : kChannels)
        if (c.fourcc == frame.fourcc) format = &c;
    if (!format) {
        std::fprintf(stderr, "terrazzo: frames: no way to write format 0x%08x\n", frame.fourcc);
        return false;
    }
    const winsys::FileSizeSignalBlock no_signal;
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    const bool written = out && write_rows(frame, *format, top_down, out);
    const bool closed = out && std::fclose(out) == 0;
    static std::atomic<bool> reported = false;  // otherwise each frame would report it
    if ((!written || !closed) && !reported.exchange(true))
        std::fprintf(stderr, "terrazzo: TERRAZZO_DEBUG=frames: %s: %s\n", file.c_str(), std::strerror(errno));
    return written && closed;
}

}  // namespace terrazzo::egl
