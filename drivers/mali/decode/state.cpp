// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blending, depth and stencil, the tiler, draws without vertices, framebuffers.
#include "drivers/mali/decode/objects.h"
#include "drivers/mali/isa/isa.h"

#include <algorithm>
#include <cinttypes>

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

constexpr unsigned kSampleLocations = 33;  // pairs; the last one is the centre

void print_sample_locations(Context& context, unsigned indent, uint64_t va) {
    if (!va || !context.first_time('M', va)) return;
    uint16_t at[2 * kSampleLocations];
    if (!context.read(va, at, sizeof at)) {
        context.print(indent, "Sample locations @0x%" PRIx64 ": unmapped", va);
        return;
    }
    std::string text;
    for (unsigned i = 0; i < kSampleLocations; ++i) {
        char pair[32];
        std::snprintf(pair, sizeof pair, " (%d, %d)", at[2 * i] - 128, at[2 * i + 1] - 128);
        text += pair;
    }
    context.print(indent, "Sample locations @0x%" PRIx64 ":%s", va, text.c_str());
}

void print_frame_shader(Context& context, unsigned indent, const FramebufferParameters& parameters,
                        unsigned index, const char* label, PrePostFrameShaderMode mode) {
    if (mode != PrePostFrameShaderMode::Never)
        print_draw(context, indent, label, parameters.frame_shader_dcds + uint64_t(index) * Draw::kSize_B);
}

}  // namespace

void print_blend(Context& context, unsigned indent, uint64_t va, unsigned count, uint64_t fragment_code) {
    for (unsigned i = 0; i < count; ++i) {
        Blend blend;
        char label[32];
        std::snprintf(label, sizeof label, "Blend RT %u", i);
        if (!context.descriptor(indent, label, va + i * uint64_t(Blend::kSize_B), &blend)) return;
        if (blend.internal.mode == BlendMode::Shader && blend.enable && blend.internal.pc)
            print_code(context, indent + 1, (fragment_code & ~uint64_t(0xffffffff)) | blend.internal.pc);
    }
}

void print_depth_stencil(Context& context, unsigned indent, uint64_t va) {
    if (!va) return;
    DepthStencil state;
    (void)context.descriptor(indent, "Depth/stencil", va, &state);
}

void print_tiler_context(Context& context, unsigned indent, uint64_t va) {
    if (!va || context.printed_above(indent, "Tiler context", 'X', va)) return;
    TilerContext tiler;
    if (!context.descriptor(indent, "Tiler context", va, &tiler) || !tiler.heap) return;
    TilerHeap heap;
    (void)context.descriptor(indent + 1, "Tiler heap", tiler.heap, &heap);
}

void print_draw(Context& context, unsigned indent, const char* label, uint64_t va) {
    Draw draw;
    if (!context.descriptor(indent, label, va, &draw)) return;
    const unsigned inner = indent + 1;
    print_depth_stencil(context, inner, draw.depth_stencil);
    const uint64_t code = print_shader(context, inner, "Shader", draw.shader.shader);
    print_blend(context, inner, draw.blend, draw.blend_count, code);
    print_resource_tables(context, inner, "Resources", draw.shader.resources);
    print_local_storage(context, inner, "Local storage", draw.shader.thread_storage);
    print_fau(context, inner, "FAU", draw.shader.fau, draw.shader.fau_count);
}

void print_framebuffer(Context& context, unsigned indent, uint64_t va) {
    if (!va) {
        context.print(indent, "! no framebuffer");
        return;
    }
    Framebuffer framebuffer;
    if (!context.descriptor(indent, "Framebuffer", va, &framebuffer)) return;
    const FramebufferParameters& p = framebuffer.parameters;
    const unsigned inner = indent + 1;
    print_sample_locations(context, inner, p.sample_locations);
    print_frame_shader(context, inner, p, 0, "Pre frame 0", p.pre_frame_0);
    print_frame_shader(context, inner, p, 1, "Pre frame 1", p.pre_frame_1);
    print_frame_shader(context, inner, p, 2, "Post frame", p.post_frame);
    print_tiler_context(context, inner, p.tiler);
    uint64_t at = va + Framebuffer::kSize_B;
    if (p.has_zs_crc_extension) {
        ZsCrcExtension extension;
        if (!context.descriptor(inner, "ZS/CRC extension", at, &extension)) return;
        at += ZsCrcExtension::kSize_B;
    }
    for (unsigned i = 0; i < p.render_target_count; ++i, at += RenderTarget::kSize_B) {
        RenderTarget target;
        char label[32];
        std::snprintf(label, sizeof label, "Render target %u", i);
        if (!context.descriptor(inner, label, at, &target)) return;
    }
}

// --- shaders -----------------------------------------------------------------------------------------------

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
