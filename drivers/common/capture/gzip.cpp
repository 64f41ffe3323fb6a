// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/gzip.h"

#define ZLIB_CONST
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

namespace terrazzo::capture {

namespace {

constexpr size_t kMostRatio = 1032;  // of deflate: 258 bytes for two bits
constexpr size_t kHeadAndTail_B = 18, kPiece_B = 1 << 18;
constexpr const char* kTooLarge = "it holds more than is read";

}  // namespace

bool is_gzip(std::span<const uint8_t> file) {
    return file.size() >= 2 && file[0] == 0x1f && file[1] == 0x8b;
}

bool gunzip(std::span<const uint8_t> file, uint64_t most_B, std::vector<uint8_t>* out, const char** error) {
    const auto fail = [&](const char* reason) {
        *error = reason;
        return false;
    };
    // The last member has its size modulo 2^32: files that are too large are refused before unpacking, and
    // memory for the others is reserved.
    if (file.size() >= kHeadAndTail_B) {
        uint32_t last_B;
        std::memcpy(&last_B, file.data() + file.size() - sizeof last_B, sizeof last_B);
        if (last_B > most_B) return fail(kTooLarge);
        out->reserve(out->size() + size_t(std::min<uint64_t>(last_B, file.size() * kMostRatio)));
    }
    z_stream stream{};
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();  // 16: gzip's format
    const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
    do {
        if (!is_gzip(file)) return fail("the head of a gzip file is damaged");
        inflateReset(&stream);
        for (int result = Z_OK; result != Z_STREAM_END;) {
            const size_t filled = out->size();
            // Room for one byte above the limit: if it is filled, the file is too large.
            out->resize(filled + size_t(std::min<uint64_t>(kPiece_B, most_B + 1 - filled)));
            stream.next_in = file.data();
            const uInt input_B = stream.avail_in = uInt(std::min<size_t>(file.size(), 1 << 30));
            stream.next_out = out->data() + filled;
            stream.avail_out = uInt(out->size() - filled);
            result = inflate(&stream, Z_NO_FLUSH);
            file = file.subspan(input_B - stream.avail_in);
            out->resize(out->size() - stream.avail_out);
            if (result == Z_MEM_ERROR) throw std::bad_alloc();
            if (out->size() > most_B) {
                out->resize(size_t(most_B));
                return fail(kTooLarge);
            }
            if (result == Z_BUF_ERROR) return fail("the file ends early");
            if (result != Z_OK && result != Z_STREAM_END)
                return fail(stream.msg ? stream.msg : "it is damaged");
        }
    } while (!file.empty());
    return true;
}

}  // namespace terrazzo::capture
