// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the fuzz target of program binaries begins with, and its changes that keep a program's structure:
// numbers in the tables and in the code, operations, operands; and sometimes bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

using Bytes = std::vector<uint8_t>;

inline constexpr size_t kBinaryHeader_B = 24;

/// The binary of one of a few programs. Empty if it does not link.
[[nodiscard]] Bytes first_program(uint32_t n);
/// Corrects magic, version, length and checksum; the rest is under test.
void mend_header(Bytes& b);
[[nodiscard]] Bytes mutated(const Bytes& given, uint32_t seed);

}  // namespace fuzz
