// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// std.h for the state tracker: nearly all of its files include the context. Parsing it was a third of such a
// file's compilation.
#include "state_tracker/context.h"
#include "std.h"
