// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files in gzip's format (RFC 1952), of which other tools' captures are: reading any, writing without
// compressing. Ours rather than a library: reading is short, and no other part of the house wants one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace terrazzo::capture {

/// Whether these bytes begin as such a file does.
bool is_gzip(std::span<const uint8_t> file);

/// Appends what the file's members hold to *out. False, with a reason, where it is damaged or holds more than
/// most_B bytes; *out has what came before. May throw std::bad_alloc.
[[nodiscard]] bool gunzip(std::span<const uint8_t> file, uint64_t most_B, std::vector<uint8_t>* out,
                          const char** error);

/// A file of one member with stored blocks: 5 bytes longer for each 64 KiB, and 18 more.
std::vector<uint8_t> gzip(std::span<const uint8_t> bytes);

/// The checksum of these files.
uint32_t crc32(std::span<const uint8_t> bytes);

}  // namespace terrazzo::capture
