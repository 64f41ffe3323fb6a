// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/texture/operands.h"

#include <algorithm>

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

bool has_coordinates(Op op) {
    return op != Op::kGetsize && op != Op::kGetbuf && op != Op::kGetinfo && op != Op::kGetpos &&
           op != Op::kRgetpos && op != Op::kRgetinfo && op != Op::kTcinv;
}

}  // namespace

TextureOperands texture_operands(const isa::Instr& instr) {
    TextureOperands o;
    if (!has_coordinates(instr.op)) {  // a level, or a sample's number
        o.first_words = instr.info().texture.sources;
        return o;
    }
    // Only isam.v reads buffers. The assembly text calls isam without .v one-dimensional, but it has two
    // coordinates.
    o.coordinates = instr.cube() ? 3 : instr.op == Op::kIsam && instr.vector() ? 1 : 2;
    unsigned n = o.coordinates;
    if (instr.shadow()) o.reference = n++;
    if (instr.array()) o.layer = n++;
    if (instr.projected()) o.divisor = n++;
    if (instr.op == Op::kIsamm) o.sample = n++;
    if (instr.op == Op::kSamgq || (instr.op >= Op::kSamgp0 && instr.op <= Op::kSamgp3)) {
        o.gradients = std::max(n, 4u);
        n = o.gradients + 2 * o.coordinates;
    }
    o.first_words = n;
    if (instr.coordinate_offset()) o.offsets = o.coordinates;
    o.second_words = o.offsets;
    if (instr.op == Op::kSamb || instr.op == Op::kSaml || instr.op == Op::kIsaml) o.lod = o.second_words++;
    return o;
}

}  // namespace terrazzo::adreno::sim
