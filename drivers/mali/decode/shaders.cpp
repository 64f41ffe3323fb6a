// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cinttypes>

#include "drivers/mali/decode/objects.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

constexpr uint64_t kMaxInstructions = 1 << 16;

/// The branch target of the instruction at `at`, as a word counted from the code's start; 0: it is no branch.
int64_t target_of(const isa::Instr& instr, int64_t at) {
    if (instr.op == isa::Op::kBranchz) return at + 1 + instr.immediate(isa::Imm::kOffset);
    return 0;
}

}  // namespace

uint64_t print_shader(Context& context, unsigned indent, const char* label, uint64_t va) {
    if (!va) return 0;
    ShaderProgram program;
    if (context.printed_above(indent, label, 'S', va)) {
        uint32_t words[ShaderProgram::kSize_dw];
        if (!context.read(va, words, sizeof words)) return 0;
        unpack(words, &program);
        return program.binary;
    }
    if (!context.descriptor(indent, label, va, &program)) return 0;
    print_code(context, indent + 1, program.binary);
    return program.binary;
}

void print_code(Context& context, unsigned indent, uint64_t va) {
    if (!va || !context.options.shaders || context.printed_above(indent, "code", 'C', va)) return;
    context.print(indent, "code @0x%" PRIx64 ":%s", va, va % 16 ? " ! misaligned" : "");
    int64_t furthest = 0;
    for (uint64_t i = 0; i < kMaxInstructions && !context.full(); ++i) {
        uint64_t word;
        if (!context.read(va + 8 * i, &word, sizeof word)) {
            context.print(indent + 1, "%04" PRIx64 ": unmapped", 8 * i);
            return;
        }
        if (word == 0) return;
        isa::Instr instr;
        isa::Error error;
        std::string text;
        const bool known = isa::decode(word, &instr, &error);
        if (known)
            isa::print(instr, &text);
        else
            text = std::string("! ") + error.reason;
        context.print(indent + 1, "%04" PRIx64 ": %016" PRIx64 "  %s", 8 * i, word, text.c_str());
        if (!known) continue;
        furthest = std::max(furthest, target_of(instr, int64_t(i)));
        if (instr.flow == isa::Flow::kEnd && furthest <= int64_t(i)) return;
    }
}

}  // namespace terrazzo::mali::decode
