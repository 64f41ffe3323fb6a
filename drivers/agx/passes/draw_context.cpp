// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Bindings.
#include "drivers/agx/passes/draw_context.h"

namespace terrazzo::agx {

void DrawContext::bind_program(pipe::Program* p) {
    state_.program = static_cast<AgxProgram*>(p);
    state_.dirty |= kProgram;
}

void DrawContext::dispatch(const pipe::DispatchInfo&) {
    unsupported("a compute shader");
}

}  // namespace terrazzo::agx
