// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Private to interp*.cpp: the flat program. Structured control flow becomes instructions that maintain a
// stack of masks:
//
//   If c; <then>; Else; <else>; EndIf  If jumps to Else, and Else to EndIf, if no lane would run the arm
//   Loop; <body>; EndLoop              EndLoop jumps back while lanes remain
//   Break, Continue                    remove the active lanes from the iteration
#pragma once

#include "shaders/ir/eval.h"
#include "shaders/ir/interp.h"

namespace terrazzo::ir {

struct InterpProgram::Code {
    enum class Kind : uint8_t {
        Alu,
        Ddx,
        Ddy,
        DdxFine,
        DdyFine,
        LoadVar,
        StoreVar,
        Input,
        InputAt,
        Output,
        Uniform,
        Sysval,
        Tex,
        Memory,
        Discard,
        Copy,
        MaskedCopy,
        If,
        Else,
        EndIf,
        Loop,
        EndLoop,
        Break,
        Continue,
    };
    static constexpr uint32_t kNone = UINT32_MAX;

    Kind kind = Kind::Alu;
    Type type = Type::F32;    // of the value moved
    Op op = Op::Undef;        // Memory
    bool wide = false;        // 64-bit words
    Kernel kernel = nullptr;  // Alu
    uint32_t dst = kNone;     // rows ...
    uint32_t a = kNone, b = kNone, c = kNone, d = kNone;
    uint32_t target = 0;  // If, Else, EndLoop: index of code; LoadVar, StoreVar: Var::id
    uint32_t extra = 0;   // Tex, Memory: index of tex_, mem_
    uint32_t first = 0;   // Tex, Memory: first of operand_rows_
    uint16_t operand_count = 0;
    uint16_t result_count = 0;
    IoInfo io;
};

}  // namespace terrazzo::ir
