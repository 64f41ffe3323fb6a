// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// pipe::Context of Mali: draws and transfers.
#pragma once

#include "drivers/common/context/vendor_context.h"
#include "drivers/mali/passes/draw_context.h"
#include "drivers/mali/transfers/transfers.h"

namespace terrazzo::mali {

using MaliContext = contexts::VendorContext<DrawContext, Transfers>;

}  // namespace terrazzo::mali
