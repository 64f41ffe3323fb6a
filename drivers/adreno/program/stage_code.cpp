// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/program/stage_code.h"

#include <algorithm>
#include <cstring>

#include "drivers/adreno/compiler/stored.h"
#include "pipe/debug.h"
#include "shaders/ir/stored.h"
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

void store(shaders::ShaderCache& cache, const shaders::CacheKey& key, const CompiledStage& code) {
    std::vector<uint8_t> bytes;
    ir::BinaryWriter out(bytes);
    out.field(code.uniform_dw), out.field(code.cube_textures), out.field(code.volume_textures);
    compiler::write_binary(code.binary, &out);
    cache.put(key, bytes);
}

bool load(shaders::ShaderCache& cache, const shaders::CacheKey& key, CompiledStage* code) {
    const auto bytes = cache.get(key);
    if (!bytes) return false;
    ir::BinaryReader in(*bytes);
    CompiledStage found;
    in.field(found.uniform_dw), in.field(found.cube_textures), in.field(found.volume_textures);
    if (!compiler::read_binary(&in, &found.binary) || !in.ok() || !in.at_end()) return false;
    *code = std::move(found);
    return true;
}

}  // namespace

shaders::CacheKey stage_key(const ir::ContentHash& hash, const compiler::Options& options) {
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

CompiledStage get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage, shaders::ShaderCache* cache,
                             const compiler::Options& options) {
    const ir::StoredShader* stored = desc.stored[size_t(stage)].get();
    const ir::Shader* s = desc.stages[size_t(stage)];
    if (pipe::debug(pipe::DebugWord::Ir)) cache = nullptr;  // what was compiled before says nothing
    shaders::CacheKey key;
    CompiledStage code;
    if (cache) {
        key = stage_key(stored ? stored->hash() : ir::hash_content(ir::write_binary(*s).content), options);
        if (load(*cache, key, &code)) return code;
    }
    if (stored) s = stored->get();
    if (!s) {
        code.binary.error = "the stored shader is damaged";
        return code;
    }
    code.binary = compiler::compile(*s, options);
    code.uniform_dw = s->info.uniform_dw;
    find_kinds(*s, &code);
    if (cache && code.binary.error.empty()) store(*cache, key, code);
    return code;
}

}  // namespace terrazzo::adreno
