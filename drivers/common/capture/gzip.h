// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files in gzip's format (RFC 1952), which captures of other tools have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace terrazzo::capture {

/// The most that is read of a packed capture: captures are untrusted, and a small file may unpack to a large
/// one.
inline constexpr uint64_t kMostUnpacked_B = uint64_t(512) << 20;

/// Whether a file with this beginning is in gzip's format.
bool is_gzip(std::span<const uint8_t> file);

/// Appends the contents of the file's members to *out. False, with a reason: it is damaged or holds more than
/// most_B bytes; *out has the part before the error. May throw std::bad_alloc.
[[nodiscard]] bool gunzip(std::span<const uint8_t> file, uint64_t most_B, std::vector<uint8_t>* out,
                          const char** error);

}  // namespace terrazzo::capture
