// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shared context of the decoder's parts (drivers/common/decode/context.h), and what they print.
#pragma once

#include <array>
#include <string>
#include <utility>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/structs.h"
#include "drivers/common/decode/context.h"

namespace terrazzo::adreno::decode {

// Structures of streams with thousands of small ones are printed on one line.

/// Joins the lines of generated printers: "{ width: 5
///  flag
///  ! reserved bits 0x8 of word 0 }". Flags that are false are omitted; a structure with only the field
/// `value` becomes that value.
class OneLine final : public fields::Sink {
  public:
    void line(unsigned indent, std::string_view text) override;
    /// Returns the line and starts a new one.
    std::string take();
    /// The number of findings since the last call.
    unsigned take_problems() { return std::exchange(problems_, 0); }

  private:
    std::string text_, value_;
    unsigned problems_ = 0;
};

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

/// Prints instructions of 64 bits, in memory's order.
void print_code(Context& context, unsigned indent, std::span<const uint32_t> words);

}  // namespace terrazzo::adreno::decode
