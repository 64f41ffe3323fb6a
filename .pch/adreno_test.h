// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// adreno.h for programs of unit tests.
#include "adreno.h"
#include "test.h"
