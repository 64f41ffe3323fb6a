// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The text of an instruction with registers that have other names than rN: the compiler's words.
#pragma once
#include "drivers/common/isa/line.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::isa {

/// The names of registers. The methods write rN; a class that derives from it may replace them.
class RegisterNames {
  public:
    virtual ~RegisterNames() = default;
    /// A register of source n, if it is one (`present`). Returns whether the line has a register here.
    virtual bool source(terrazzo::isa::Line& line, unsigned n, bool present, Operand& operand);
    virtual void dest(terrazzo::isa::Line& line, Dest& dest);
    virtual void staging(terrazzo::isa::Line& line, const StagingInfo& row, Staging& staging);
};

/// Prints or parses an instruction, after which a parsed line may continue. A parsed instruction is not
/// validated. A printed one is not changed.
void text_of(terrazzo::isa::Line& line, RegisterNames& names, Instr& instr);

}  // namespace terrazzo::mali::isa
