// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The hardware's numbers in packets of draws.
#pragma once

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/program/program.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

[[nodiscard]] hw::PrimType prim_type(pipe::Primitive p);

[[nodiscard]] hw::IndexSize index_size(pipe::IndexType t);

/// For programs whose only stage before rasterization is the vertex stage.
[[nodiscard]] hw::DrawInitiator plain_initiator(pipe::Primitive mode, pipe::IndexType type);
/// For the packets of draws with the mode of `info`, by any program.
[[nodiscard]] hw::DrawInitiator draw_initiator(const AdrenoProgram& program, const pipe::DrawInfo& info);

}  // namespace terrazzo::adreno
