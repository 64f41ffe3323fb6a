// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Valhall compiler for whoever wants statistics and has no device.
#pragma once

#include <span>

#include "pipe/offline_compiler.h"

namespace terrazzo::mali {

/// One a chip of hw/chips.h, in order. They live for ever.
[[nodiscard]] std::span<const pipe::OfflineCompiler* const> offline_compilers();

}  // namespace terrazzo::mali
