// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A structure's fields in one line, for streams that are thousands of small structures.
#pragma once

#include <string>
#include <utility>

#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::decode {

/// Joins the lines of generated printers: "{ width: 5 | flag | ! reserved bits 0x8 of word 0 }". Flags that are
/// false are left off; a structure that is one `value` is that value alone.
class OneLine final : public fields::Sink {
  public:
    void line(unsigned indent, std::string_view text) override;
    /// Ends the line.
    std::string take();
    /// How much was found to be wrong since the last call.
    unsigned take_problems() { return std::exchange(problems_, 0); }

  private:
    std::string text_, value_;
    unsigned problems_ = 0;
};

}  // namespace terrazzo::adreno::decode
