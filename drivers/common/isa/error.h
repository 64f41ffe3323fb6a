// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The reason why an instruction word or a line of assembly was refused. Does not allocate.
#pragma once

namespace terrazzo::isa {

struct Error {
    char reason[192] = "";
};

/// Writes the reason, cut if it is too long, unless `error` is null. Returns false.
[[gnu::format(printf, 2, 3)]] bool refuse(Error* error, const char* format, ...);

}  // namespace terrazzo::isa
