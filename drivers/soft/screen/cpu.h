// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What this CPU can do.
#pragma once

namespace terrazzo::soft {

/// Fragments that compiled shaders should handle at once: 16 with AVX-512, 8 with AVX2, else 4.
[[nodiscard]] unsigned default_lanes();

}  // namespace terrazzo::soft
