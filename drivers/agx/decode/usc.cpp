// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// USC words and what they bind.
#include <cinttypes>
#include <cstdio>

#include "drivers/agx/decode/objects.h"

namespace terrazzo::agx::decode {

using namespace hw;

namespace {

constexpr unsigned kMostWords = 256;  // of a list; a longer one is garbage

bool has_borders(SamplerStates states) {
    return states == SamplerStates::Extended8 || states == SamplerStates::Extended16;
}

/// Whether the words are a valid T without findings.
template <class T>
bool is_valid(const uint32_t* words) {
    T value;
    return unpack(words, &value);
}

/// A table has textures and images that are written; only the program that uses them says which is which.
/// Words that can be both are printed as a texture.
void print_images(Context& context, unsigned indent, const UscTexture& table) {
    for (unsigned i = 0; i < table.count && !context.full(); ++i) {
        const uint64_t va = table.buffer + uint64_t(i) * Texture::kSize_B;
        char label[32];
        std::snprintf(label, sizeof label, "ts%u", table.start + i);
        uint32_t words[Texture::kSize_dw];
        if (context.read(va, words, sizeof words) && !is_valid<Texture>(words) && is_valid<Pbe>(words)) {
            Pbe image;
            (void)context.descriptor(indent, label, va, &image);
        } else {
            Texture texture;
            if (!context.descriptor(indent, label, va, &texture)) return;
        }
    }
}

void print_samplers(Context& context, unsigned indent, const UscSampler& table, bool borders) {
    uint64_t va = table.buffer;
    for (unsigned i = 0; i < table.count && !context.full(); ++i) {
        char label[32];
        std::snprintf(label, sizeof label, "ss%u", table.start + i);
        Sampler sampler;
        if (!context.descriptor(indent, label, va, &sampler)) return;
        va += Sampler::kSize_B;
        if (!borders) continue;
        Border border;
        if (!context.descriptor(indent + 1, "Border", va, &border)) return;
        va += Border::kSize_B;
    }
}

/// Memory that is copied into `size` uniform registers of 16 bits, from register `first` on.
void print_uniforms(Context& context, unsigned indent, unsigned first, unsigned size, uint64_t va) {
    for (unsigned i = 0; i < size && !context.full(); i += 2) {
        uint16_t halves[2] = {};
        if (!context.read(va + 2 * uint64_t(i), halves, i + 1 < size ? 4 : 2)) {
            context.print(indent, "u%u: unmapped", first + i);
            return;
        }
        const uint32_t word = halves[0] | uint32_t(halves[1]) << 16;
        context.print(indent, "u%u: %08x (%g)", first + i, word, double(fields::get_float(word)));
    }
}

struct List {
    Context& context;
    unsigned indent;
    SamplerStates samplers;

    void objects(const UscTexture& word) { print_images(context, indent, word); }
    void objects(const UscSampler& word) { print_samplers(context, indent, word, has_borders(samplers)); }
    void objects(const UscUniform& word) {
        print_uniforms(context, indent, word.start, word.size, word.buffer);
    }
    void objects(const UscUniformHigh& word) {
        print_uniforms(context, indent, 256 + word.start, word.size, word.buffer);
    }
    void objects(const UscShader& word) { print_code(context, indent, word.code); }
    void objects(const UscPreshader& word) { print_code(context, indent, word.code); }
    void objects(const UscShared&) {}
    void objects(const UscRegisters&) {}
    void objects(const UscFragmentProperties&) {}
    void objects(const UscNoPreshader&) {}

    /// Prints a word and what it binds. Returns its bytes; 0: it is not mapped.
    template <class T>
    unsigned print_word(const char* label, uint64_t va) {
        uint32_t words[2] = {};
        if (!context.read(va, words, T::kSize_B)) {
            context.print(indent, "%s @0x%" PRIx64 ": unmapped", label, va);
            return 0;
        }
        context.print(indent, "%s @0x%" PRIx64 ":", label, va);
        T word;
        ++indent;
        context.unpack_and_print(indent, words, &word);
        objects(word);
        --indent;
        return T::kSize_B;
    }
    /// 0: the list cannot be followed.
    unsigned next(uint64_t va, bool* ends) {
        uint8_t tag;
        if (!context.read(va, &tag, 1)) {
            context.print(indent, "! the list leaves mapped memory at 0x%" PRIx64, va);
            return 0;
        }
        switch (UscControl(tag)) {
            case UscControl::SHADER:
                return print_word<UscShader>("Shader", va);
            case UscControl::UNIFORM:
                return print_word<UscUniform>("Uniforms", va);
            case UscControl::UNIFORM_HIGH:
                return print_word<UscUniformHigh>("Uniforms from u256 on", va);
            case UscControl::SHARED:
                return print_word<UscShared>("Shared", va);
            case UscControl::REGISTERS:
                return print_word<UscRegisters>("Registers", va);
            case UscControl::SAMPLER:
                return print_word<UscSampler>("Samplers", va);
            case UscControl::TEXTURE:
                return print_word<UscTexture>("Textures", va);
            case UscControl::FRAGMENT_PROPERTIES:
                return print_word<UscFragmentProperties>("Fragment properties", va);
            case UscControl::PRESHADER:
                *ends = true;
                return print_word<UscPreshader>("Preshader", va);
            case UscControl::NO_PRESHADER:
                *ends = true;
                return print_word<UscNoPreshader>("No preshader", va);
        }
        context.print(indent, "! no USC word begins with 0x%02x, at 0x%" PRIx64, tag, va);
        return 0;
    }
};

}  // namespace

void print_usc(Context& context, unsigned indent, const char* label, const Pipeline& pipeline,
               SamplerStates samplers) {
    if (!pipeline.address) return;
    uint64_t va = context.options.usc_base + pipeline.address;
    if (context.printed_above(indent, label, 'P', va)) return;
    context.print(indent, "%s @0x%" PRIx64 ":", label, va);
    List list{context, indent + 1, samplers};
    bool ends = false;
    for (unsigned i = 0; i < kMostWords && !context.full(); ++i) {
        const unsigned size_B = list.next(va, &ends);
        if (ends || !size_B) return;
        va += size_B;
    }
    context.print(indent + 1, "! the list has no end within %u words", kMostWords);
}

}  // namespace terrazzo::agx::decode
