// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The decoder's shared context (drivers/common/decode/context.h), with its options.
#pragma once

#include "drivers/common/decode/context.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali::decode {

class Context final : public terrazzo::decode::Context {
  public:
    Context(const Memory& memory, fields::Sink& sink, const Options& options)
        : terrazzo::decode::Context(memory, sink, options.max_lines), options(options) {}

    const Options& options;
};

}  // namespace terrazzo::mali::decode
