// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of captures (drivers/common/capture/capture.h), record by record. A vendor's decoder prints chips
// and streams.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/memory.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::decode {

struct CapturePrinter {
    /// What a stream's size is counted in.
    const char* unit = "bytes";
    uint32_t unit_B = 1;
    /// Counts submissions, where it is not null.
    uint64_t* submissions = nullptr;
    /// A line that says which chip it is; empty: the decoder is for others.
    std::function<std::string(const capture::Record& chip)> chip;
    const char* other_chip = "";  // what is wrong with a capture of others
    /// Prints a submission's stream. `memory`: as the submission sees it.
    std::function<void(const capture::Ranges& memory, const capture::Record& submission)> stream;
};

/// False, with a reason, where the file is damaged or of another vendor's chip; what came before is printed.
[[nodiscard]] bool print_records(std::span<const uint8_t> file, fields::Sink& sink,
                                 const CapturePrinter& printer, std::string* error);
/// Text of a file up to its first 0; control characters become '?'.
[[nodiscard]] std::string printable(std::span<const uint8_t> bytes);

}  // namespace terrazzo::decode
