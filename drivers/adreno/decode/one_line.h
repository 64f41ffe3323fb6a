// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints a structure's fields on one line, for streams with thousands of small structures.
#pragma once

#include <string>
#include <utility>

#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::decode {

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

}  // namespace terrazzo::adreno::decode
