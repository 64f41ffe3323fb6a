// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Flow control of allocated code: waits for messages before their registers are used, reconvergence of
// threads, the end. Rules: Mesa 25.0.7, valhall/va_insert_flow.c.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// No message is pending when a blend shader is called. It returns to its caller.
enum class Kind : uint8_t { Vertex, Fragment, Blend };
void insert_flow(Function& f, Kind kind);

/// Encodes allocated code with flow control. f.error reports an instruction that has no encoding.
void pack(Function& f, std::pmr::vector<uint64_t>* code);

}  // namespace terrazzo::mali::compiler
