// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Why an instruction word or a line of assembly was refused, in words, without taking memory.
#pragma once

namespace terrazzo::isa {

struct Error {
    char reason[192] = "";
};

/// Writes the reason (cut where it is too long) unless `error` is null, and returns false.
[[gnu::format(printf, 2, 3)]] bool refuse(Error* error, const char* format, ...);

}  // namespace terrazzo::isa
