// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes files in gzip's format.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <span>
#include <vector>

namespace terrazzo::test {

inline std::vector<uint8_t> gzip(std::span<const uint8_t> bytes) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
    std::vector<uint8_t> file(deflateBound(&stream, uLong(bytes.size())));
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = uInt(bytes.size());
    stream.next_out = file.data();
    stream.avail_out = uInt(file.size());
    deflate(&stream, Z_FINISH);
    file.resize(stream.total_out);
    deflateEnd(&stream);
    return file;
}

}  // namespace terrazzo::test
