// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints what control streams point to. A null address prints nothing; an object that was printed before is
// not printed again.
#pragma once

#include "drivers/agx/decode/decode.h"
#include "drivers/agx/hw/records.h"
#include "drivers/common/decode/context.h"

namespace terrazzo::agx::decode {

/// What the decoder's parts share, with its options.
using Context = terrazzo::decode::ContextOf<Options>;

/// A list of USC words at an address relative to the base. `samplers`: what follows each sampler.
void print_usc(Context& context, unsigned indent, const char* label, const hw::Pipeline& pipeline,
               hw::SamplerStates samplers);
/// A program's code, up to an end (stop, ret, trap) that no jump crosses. `address` is relative to the base.
void print_code(Context& context, unsigned indent, uint32_t address);
/// Streams, as print_vdm() and print_cdm() of decode.h.
bool print_vdm(Context& context, uint64_t va);
bool print_cdm(Context& context, uint64_t va);
/// A record of PPP state with this many words.
void print_ppp(Context& context, unsigned indent, uint64_t va, unsigned size_dw);

}  // namespace terrazzo::agx::decode
