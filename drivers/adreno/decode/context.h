// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared context of the decoder's parts (drivers/common/decode/context.h), and what they print.
#pragma once

#include <array>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/one_line.h"
#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/structs.h"
#include "drivers/common/decode/context.h"

namespace terrazzo::adreno::decode {

class Context final : public terrazzo::decode::ContextOf<Options> {
  public:
    using ContextOf::ContextOf;

    /// A line with a finding: "! TEXT".
    [[gnu::format(printf, 3, 4)]] void problem(unsigned indent, const char* format, ...);
    /// Prints a label and the line that `fields` collected; counts its findings.
    void print_joined(unsigned indent, const std::string& label, OneLine& fields);

    Statistics statistics;
};

// ---- state.cpp ----

/// Prints what a CP_LOAD_STATE6* loads. `payload`: the words after its first three, for the kind SS6_DIRECT.
void print_loaded_state(Context& context, unsigned indent, const hw::LoadState& load,
                        const Registers& registers, std::span<const uint32_t> payload);

// ---- shaders.cpp ----

/// Prints instructions of 64 bits, in memory's order.
void print_code(Context& context, unsigned indent, std::span<const uint32_t> words);

}  // namespace terrazzo::adreno::decode
