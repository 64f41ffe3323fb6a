// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The ir3 compiler for whoever wants statistics and has no device.
#pragma once

#include <span>

#include "pipe/offline_compiler.h"

namespace terrazzo::adreno {

/// One a chip of hw/chips.h, in order. They live for ever.
[[nodiscard]] std::span<const pipe::OfflineCompiler* const> offline_compilers();

}  // namespace terrazzo::adreno
