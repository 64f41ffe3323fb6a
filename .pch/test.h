// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// std.h for programs of unit tests.
#include <doctest/doctest.h>

#include "std.h"
