// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// std.h for targets of which most files include Adreno's registers: half of such a file's compilation was
// parsing their 14,000 generated lines.
#include "drivers/adreno/hw/registers.h"
#include "std.h"
