// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The decoder's text of streams that the driver has recorded.
#pragma once

#include <span>
#include <string>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/device.h"
#include "drivers/adreno/submission/queue.h"

namespace terrazzo::test {

struct Decoded {
    std::string text;  // with addresses
    std::string
        values;  // one line for each register write, "NAME = 0x.. { fields }", and for each packet its name
    adreno::decode::Statistics statistics;
    adreno::decode::Registers registers;
};

/// Reads the device's memory where it is mapped.
Decoded decode_stream(adreno::Device& device, std::span<const adreno::Segment> stream);
/// A separate stream, of a state object.
Decoded decode_words(std::span<const uint32_t> words);

}  // namespace terrazzo::test
