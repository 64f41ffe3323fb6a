// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Records of PPP state, and the bindings of coefficient registers.
#include <cinttypes>
#include <cstdio>

#include "drivers/agx/decode/objects.h"

namespace terrazzo::agx::decode {

using namespace hw;

namespace {

void print_bindings(Context& context, unsigned indent, uint32_t address, unsigned count) {
    const uint64_t va = context.options.usc_base + address;
    if (!address || context.printed_above(indent, "Coefficient registers", 'B', va)) return;
    CfHeader header;
    if (!context.descriptor(indent, "Coefficient registers", va, &header)) return;
    for (unsigned i = 0; i < count && !context.full(); ++i) {
        char label[32];
        std::snprintf(label, sizeof label, "Binding %u", i);
        CfBinding binding;
        if (!context.descriptor(indent + 1, label, va + CfHeader::kSize_B + i * CfBinding::kSize_B, &binding))
            return;
    }
}

}  // namespace

void print_ppp(Context& context, unsigned indent, uint64_t va, unsigned size_dw) {
    uint32_t words[256];  // a size has 8 bits
    if (!context.read(va, words, size_dw * 4)) {
        context.print(indent, "PPP state @0x%" PRIx64 ": unmapped", va);
        return;
    }
    context.print(indent, "PPP state @0x%" PRIx64 ": %u words", va, size_dw);
    PppState state;
    fields::ReservedBits found;
    const unsigned read_dw = unpack(words, size_dw, &state, &found);
    if (!read_dw) {
        context.print(indent + 1, "! the record ends before what its header names");
        return;
    }
    print(static_cast<fields::Sink&>(context), state, indent + 1);
    context.print_findings(indent + 1, found);
    if (read_dw != size_dw) context.print(indent + 1, "! the header names %u words of %u", read_dw, size_dw);
    if (!state.header.fragment_shader) return;
    const FragmentShader& shader = state.fragment_shader;
    print_usc(context, indent + 1, "Fragment program", shader.pipeline, shader.counts.samplers);
    print_bindings(context, indent + 1, shader.cf_bindings, shader.counts.cf_bindings);
}

}  // namespace terrazzo::agx::decode
