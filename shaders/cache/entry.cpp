// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/cache/entry.h"

#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

namespace terrazzo::shaders {

namespace {

struct Header {
    char magic[8] = {'T', 'Z', 'C', 'A', 'C', 'H', 'E', '3'};
    uint8_t key[kDigest_B] = {};
    uint64_t value_B = 0;
    uint64_t frame_B = 0;   // the size of the data after the header
    uint64_t is_zstd = 0;   // 0: the data are the value; 1: a zstd frame
    uint64_t checksum = 0;  // XXH3-64 of this header with checksum 0, then of the data
};
static_assert(sizeof(Header) == 72, "the file's first bytes have no holes");

uint64_t checksum_of(Header h, std::span<const uint8_t> frame) {
    h.checksum = 0;
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, &h, sizeof h);
    if (!frame.empty()) XXH3_64bits_update(&state, frame.data(), frame.size());
    return XXH3_64bits_digest(&state);
}

}  // namespace

std::vector<uint8_t> pack_entry(const CacheKey& key, std::span<const uint8_t> value) {
    if (value.size() > kMaxValue_B) return {};
    Header h;
    std::memcpy(h.key, key.bytes.data(), sizeof h.key);
    h.value_B = value.size();
    h.is_zstd = value.size() > kMaxPlain_B;
    std::vector<uint8_t> entry(sizeof h + (h.is_zstd ? ZSTD_compressBound(value.size()) : value.size()));
    uint8_t* const frame = entry.data() + sizeof h;
    h.frame_B = value.size();
    if (h.is_zstd) {
        const size_t n = ZSTD_compress(frame, entry.size() - sizeof h, value.data(), value.size(), 3);
        if (ZSTD_isError(n)) return {};
        h.frame_B = n;
        entry.resize(sizeof h + n);
    } else if (!value.empty()) {
        std::memcpy(frame, value.data(), value.size());
    }
    h.checksum = checksum_of(h, {frame, size_t(h.frame_B)});
    std::memcpy(entry.data(), &h, sizeof h);
    return entry;
}

std::optional<std::vector<uint8_t>> unpack_entry(const CacheKey& key, std::vector<uint8_t> entry) {
    Header h;
    if (entry.size() < sizeof h) return std::nullopt;
    std::memcpy(&h, entry.data(), sizeof h);
    const std::span<const uint8_t> frame = std::span(entry).subspan(sizeof h);
    if (std::memcmp(h.magic, Header{}.magic, sizeof h.magic) != 0) return std::nullopt;
    if (std::memcmp(h.key, key.bytes.data(), sizeof h.key) != 0) return std::nullopt;
    if (h.value_B > kMaxValue_B || h.frame_B != frame.size()) return std::nullopt;
    if (checksum_of(h, frame) != h.checksum) return std::nullopt;
    if (!h.is_zstd) {
        if (h.value_B != h.frame_B) return std::nullopt;
        entry.erase(entry.begin(), entry.begin() + sizeof h);
        return entry;
    }
    if (ZSTD_getFrameContentSize(frame.data(), frame.size()) != h.value_B) return std::nullopt;
    std::vector<uint8_t> value(h.value_B);
    const size_t n = ZSTD_decompress(value.data(), value.size(), frame.data(), frame.size());
    if (ZSTD_isError(n) || n != value.size()) return std::nullopt;
    return value;
}

}  // namespace terrazzo::shaders
