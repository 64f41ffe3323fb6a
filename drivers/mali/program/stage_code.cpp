// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/program/stage_code.h"

#include <algorithm>

#include "drivers/mali/compiler/stored.h"
#include "pipe/debug.h"
#include "shaders/ir/stored.h"

namespace terrazzo::mali {

namespace {

using compiler::Part;

void store(shaders::ShaderCache& cache, const shaders::CacheKey& key, const StageCode& code) {
    std::vector<uint8_t> bytes;
    ir::BinaryWriter out(bytes);
    for (const compiler::Binary& b : code.parts) {
        out.field(!b.code.empty());
        if (!b.code.empty()) compiler::write_binary(b, &out);
    }
    cache.put(key, bytes);
}

bool load(shaders::ShaderCache& cache, const shaders::CacheKey& key, StageCode* code) {
    const auto bytes = cache.get(key);
    if (!bytes) return false;
    ir::BinaryReader in(*bytes);
    StageCode found;
    for (compiler::Binary& b : found.parts) {
        bool present = false;
        in.field(present);
        if (present && !compiler::read_binary(&in, &b)) return false;
    }
    if (!in.ok() || !in.at_end() || found.parts[0].code.empty()) return false;
    code->parts = std::move(found.parts);
    return true;
}

}  // namespace

shaders::CacheKey stage_key(const ir::ContentHash& hash, const compiler::Options& options) {
    constexpr std::string_view kMaker = "mali v10";
    const auto halves = uint8_t(options.halves);
    const std::span<const uint8_t> parts[] = {
        {reinterpret_cast<const uint8_t*>(kMaker.data()), kMaker.size()}, {&halves, 1}, hash};
    return shaders::CacheKey::of(parts);
}

StageCode compile_stage(const ir::Shader& s, const compiler::Options& options) {
    StageCode code;
    code.uniform_dw = s.info.uniform_dw;
    const auto add = [&](unsigned part, compiler::Binary&& b) {
        if (code.error.empty()) code.error = b.error;
        code.parts[part] = std::move(b);
    };
    if (s.stage == ir::Stage::Fragment) {
        add(kFragmentCode, compiler::compile(s, Part::Fragment, options));
        return code;
    }
    compiler::VertexBinaries all = compiler::compile_vertex(s);
    add(kPositionCode, std::move(all.position));
    add(kVaryingCode, std::move(all.varying));
    add(kNoPointSizeCode, std::move(all.no_point_size));
    return code;
}

StageCode get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage, shaders::ShaderCache* cache,
                         const compiler::Options& options) {
    const ir::StoredShader* stored = desc.stored[size_t(stage)].get();
    const ir::Shader* s = desc.stages[size_t(stage)];
    if (pipe::debug(pipe::DebugWord::Ir)) cache = nullptr;  // what was compiled before says nothing
    shaders::CacheKey key;
    if (cache) {
        StageCode code;
        key = stage_key(stored ? stored->hash() : ir::hash_content(ir::write_binary(*s).content), options);
        code.uniform_dw = stored ? stored->info().uniform_dw : s->info.uniform_dw;
        if (load(*cache, key, &code)) return code;
    }
    if (stored) s = stored->get();
    StageCode code;
    if (!s) {
        code.error = "the stored shader is damaged";
        return code;
    }
    code = compile_stage(*s, options);
    if (cache && code.error.empty()) store(*cache, key, code);
    return code;
}

}  // namespace terrazzo::mali
