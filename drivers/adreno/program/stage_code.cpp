// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/stage_code.h"

#include <algorithm>
#include <cstring>

#include "drivers/adreno/compiler/stored.h"
#include "shaders/passes/walk.h"

namespace terrazzo::adreno {
namespace {

void find_kinds(const ir::Shader& s, CompiledStage* out) {
    ir::for_each(s.body, [&](const ir::Instr* i) {
        if (i->op != ir::Op::Tex || i->u.tex->binding < 0) return;
        const ir::TexInfo& t = *i->u.tex;
        const uint64_t slots = ((uint64_t(1) << std::min(t.count, 32u)) - 1) << t.binding;
        if (t.dim == ir::TexDim::Cube) out->cube_textures |= uint32_t(slots);
        if (t.dim == ir::TexDim::D3) out->volume_textures |= uint32_t(slots);
    });
}

}  // namespace

void CompiledStage::write(ir::BinaryWriter* out) const {
    out->field(uniform_dw), out->field(cube_textures), out->field(volume_textures);
    compiler::write_binary(binary, out);
}

bool CompiledStage::read(ir::BinaryReader* in) {
    in->field(uniform_dw), in->field(cube_textures), in->field(volume_textures);
    return compiler::read_binary(in, &binary);
}

shaders::CacheKey CompiledStage::key(const ir::ContentHash& hash, const compiler::Options& options) {
    constexpr std::string_view kMaker = "adreno a6xx";
    const blend::AdvancedDesc& blending = options.advanced_blend;
    const uint8_t chosen[] = {uint8_t(options.variant),
                              uint8_t(options.halves),
                              uint8_t(options.max_registers),
                              uint8_t(options.register_file_vec4),
                              uint8_t(options.sample_shading),
                              uint8_t(blending.equation),
                              uint8_t(blending.range),
                              blending.coverage_samples,
                              uint8_t(options.next.stage),
                              uint8_t(options.next.vertices),
                              uint8_t(options.domain),
                              uint8_t(options.tess_use_shared),
                              uint8_t(options.max_constants_dw >> 8),
                              uint8_t(options.max_constants_dw)};
    uint8_t slots[sizeof options.next.slots];
    std::memcpy(slots, &options.next.slots, sizeof slots);
    const std::span<const uint8_t> parts[] = {
        {reinterpret_cast<const uint8_t*>(kMaker.data()), kMaker.size()}, chosen, slots, hash};
    return shaders::CacheKey::of(parts);
}

CompiledStage CompiledStage::compile(const ir::Shader& s, const compiler::Options& options) {
    CompiledStage code;
    code.binary = compiler::compile(s, options);
    code.error = code.binary.error;
    code.uniform_dw = s.info.uniform_dw;
    find_kinds(s, &code);
    return code;
}

}  // namespace terrazzo::adreno
