// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the decoder says of streams that the driver has written.
#pragma once

#include <span>
#include <string>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/device.h"
#include "drivers/adreno/submission/queue.h"

namespace terrazzo::test {

struct Decoded {
    std::string text;    // with addresses
    std::string values;  // a line for each register write, "NAME = 0x.. { fields }", and each packet by name
    adreno::decode::Statistics statistics;
    adreno::decode::Registers registers;
};

/// The device's memory is read where it is mapped.
Decoded decode_stream(adreno::Device& device, std::span<const adreno::Segment> stream);
/// A stream of its own, of a state object.
Decoded decode_words(std::span<const uint32_t> words);

}  // namespace terrazzo::test
