// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Flow control of allocated code: waits for messages before what they write is touched, where threads meet,
// the end. Rules: Mesa 25.0.7, valhall/va_insert_flow.c.
#pragma once

#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// A blend shader is called when all is waited for, and goes back where it came from.
enum class Kind : uint8_t { Vertex, Fragment, Blend };
void insert_flow(Function& f, Kind kind);

/// Machine words of allocated code with flow; f.error where the hardware would not take one.
void pack(Function& f, std::pmr::vector<uint64_t>* code);

}  // namespace terrazzo::mali::compiler
