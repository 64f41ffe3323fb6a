// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of Adreno: draws and transfers.
#pragma once

#include "drivers/adreno/passes/draw_context.h"
#include "drivers/adreno/transfers/transfers.h"
#include "drivers/common/context/vendor_context.h"

namespace terrazzo::adreno {

using AdrenoContext = contexts::VendorContext<DrawContext, Transfers>;

}  // namespace terrazzo::adreno
