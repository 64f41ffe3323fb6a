// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Render nodes that this program alone sees (fake_nodes.cpp).
#pragma once

/// True where this machine has nodes of the same names.
[[nodiscard]] bool has_real_nodes();
