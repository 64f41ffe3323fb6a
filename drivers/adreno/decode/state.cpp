// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State that a stream loads: shaders, constants, descriptors.
#include <algorithm>
#include <cinttypes>

#include "drivers/adreno/decode/context.h"
#include "drivers/adreno/hw/load_state.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/isa/isa.h"

namespace terrazzo::adreno::decode {

using namespace hw;

namespace {

using Kind = StateKind;

struct Form {
    const char* name;
    unsigned unit_dw;      // words per unit of num_unit
    unsigned bindless_dw;  // words per descriptor in a bindless table
};

constexpr Form form_of(Kind kind) {
    // By StateKind.
    constexpr const char* kNames[] = {"words",   "code",           "constants", "sampler",
                                      "texture", "uniform buffer", "image"};
    const unsigned unit_dw = state_unit_dw(kind);
    return {kNames[size_t(kind)], unit_dw, kind < Kind::Samplers ? unit_dw : kBindlessDescriptor_dw};
}

void print_words(Context& context, unsigned indent, std::span<const uint32_t> words) {
    for (size_t at = 0; at < words.size() && !context.full(); at += 4) {
        std::string text;
        for (size_t i = at; i < std::min(at + 4, words.size()); ++i) {
            char word[40];
            std::snprintf(word, sizeof word, "%s%08x (%g)", i == at ? "" : " ", words[i],
                          double(fields::get_float(words[i])));
            text += word;
        }
        context.print(indent, "%04zx: %s", at / 4, text.c_str());
    }
}

template <class T>
void print_descriptor(Context& context, unsigned indent, const std::string& label, const uint32_t* words) {
    T value;
    fields::ReservedBits found;
    unpack(words, &value, &found);
    OneLine fields;
    print(fields, value);
    found.print(fields, 0);
    context.print_joined(indent, label, fields);
}

void print_unit(Context& context, unsigned indent, Kind kind, unsigned number, const uint32_t* words) {
    const std::string label = form_of(kind).name + (' ' + std::to_string(number)) + ": ";
    switch (kind) {
        case Kind::Samplers:
            return print_descriptor<TexSamp>(context, indent, label, words);
        case Kind::Textures:
        case Kind::Images:
            return print_descriptor<TexConst>(context, indent, label, words);
        case Kind::UniformBuffers:
            return print_descriptor<Ubo>(context, indent, label, words);
        case Kind::Unknown:
        case Kind::Code:
        case Kind::Constants:
            break;
    }
}

void print_all(Context& context, unsigned indent, Kind kind, unsigned first, unsigned stride_dw,
               std::span<const uint32_t> words) {
    if (kind == Kind::Code) return print_code(context, indent, words);
    if (kind == Kind::Constants || kind == Kind::Unknown) return print_words(context, indent, words);
    const unsigned unit_dw = form_of(kind).unit_dw;
    for (size_t at = 0; at + unit_dw <= words.size() && !context.full(); at += stride_dw)
        print_unit(context, indent, kind, first + unsigned(at / stride_dw), words.data() + at);
}

/// The address of a bindless load: a base register's number in 4 bits, and an offset in words.
bool bindless_address(const LoadState& load, const Registers& registers, uint64_t* va) {
    const bool compute = load.state_block == StateBlock::SB6_CS_TEX ||
                         load.state_block == StateBlock::SB6_CS_SHADER ||
                         load.state_block == StateBlock::SB6_CS_IBO;
    const uint32_t base = uint32_t(load.address) >> 28;
    const uint32_t reg = (compute ? uint32_t(HLSQ_CS_BINDLESS_BASE_DESCRIPTOR::kRegister)
                                  : uint32_t(HLSQ_BINDLESS_BASE_DESCRIPTOR::kRegister)) +
                         base * 2;
    if (base >= HLSQ_BINDLESS_BASE_DESCRIPTOR::kCount || !registers.is_set(reg) || !registers.is_set(reg + 1))
        return false;
    *va =
        (registers.get(reg) & ~3u) + (uint64_t(registers.get(reg + 1)) << 32) + 4 * (load.address & 0xffffff);
    return true;
}

}  // namespace

void print_loaded_state(Context& context, unsigned indent, const LoadState& load, const Registers& registers,
                        std::span<const uint32_t> payload) {
    const Kind kind = state_kind(load);
    const Form form = form_of(kind);
    if (kind == Kind::Unknown) context.problem(indent, "no state of this type is known in this block");
    const bool bindless = load.state_src == StateSrc::SS6_BINDLESS;
    const unsigned stride_dw = bindless ? form.bindless_dw : form.unit_dw;
    const size_t size_dw = size_t(load.num_unit) * stride_dw;
    uint64_t va = load.address & ~uint64_t(3);
    switch (load.state_src) {
        case StateSrc::SS6_DIRECT:
            if (payload.size() != size_dw)
                context.problem(indent, "%zu words follow for %zu words of state", payload.size(), size_dw);
            return print_all(context, indent, kind, load.dst_off, stride_dw,
                             payload.first(std::min(payload.size(), size_dw)));
        case StateSrc::SS6_UBO:
            context.print(indent, "from uniform buffer %u, offset 0x%x", unsigned(load.address) >> 16,
                          unsigned(load.address) & 0xffff);
            return;
        case StateSrc::SS6_BINDLESS:
            if (!bindless_address(load, registers, &va))
                return context.problem(indent, "the base of the bindless table is not set");
            break;
        case StateSrc::SS6_INDIRECT:
            break;
    }
    if (!payload.empty()) context.problem(indent, "%zu words follow, which nothing reads", payload.size());
    context.print(indent, "@0x%" PRIx64 ":", va);
    if (kind == Kind::Code && !context.first_time('C', va)) return context.print(indent + 1, "printed above");
    std::vector<uint32_t> words(size_dw);
    if (!context.read(va, words.data(), words.size() * 4))
        return context.problem(indent + 1, "%zu words @0x%" PRIx64 ": unmapped", size_dw, va);
    print_all(context, indent + 1, kind, load.dst_off, stride_dw, words);
}

// --- shaders -----------------------------------------------------------------------------------------------

void print_code(Context& context, unsigned indent, std::span<const uint32_t> words) {
    if (!context.options.shaders) return;
    // Code is loaded in units of 16 instructions; the last unit is padded with nops, which are zeros.
    size_t end_dw = words.size() / 2 * 2;
    while (end_dw && !words[end_dw - 1] && !words[end_dw - 2])
        end_dw -= 2;
    for (size_t i = 0; i < end_dw && !context.full(); i += 2) {
        isa::Instr instr;
        isa::Error error;
        std::string text;
        if (isa::decode(words[i] | uint64_t(words[i + 1]) << 32, &instr, &error)) {
            isa::print(instr, &text);
        } else {
            ++context.statistics.problems;
            text = std::string("! ") + error.reason;
        }
        context.print(indent, "%04zx: %08x_%08x  %s", i / 2, words[i + 1], words[i], text.c_str());
    }
    if (end_dw < words.size()) context.print(indent, "and %zu nops", (words.size() - end_dw) / 2);
}

}  // namespace terrazzo::adreno::decode
