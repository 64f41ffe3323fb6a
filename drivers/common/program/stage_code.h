// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A stage's code as a vendor's compiler makes it, or as the shader cache has it. `Code` is the vendor's,
// and has
//   std::string error                                       not empty: the compiler refused the stage
//   static shaders::CacheKey key(const ir::ContentHash&, const Options&)    where the cache has it
//   static Code compile(const ir::Shader&, const Options&)
//   void write(ir::BinaryWriter*) const                     an entry of the cache
//   bool read(ir::BinaryReader*)                            false: no such entry
#pragma once

#include <utility>
#include <vector>

#include "pipe/debug.h"
#include "pipe/state.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"
#include "shaders/ir/binary_bytes.h"
#include "shaders/ir/stored.h"

namespace terrazzo::programs {

/// False: the cache has no entry, or one that is damaged.
template <class Code>
[[nodiscard]] bool load_code(shaders::ShaderCache& cache, const shaders::CacheKey& key, Code* code) {
    const auto bytes = cache.get(key);
    if (!bytes) return false;
    ir::BinaryReader in(*bytes);
    Code found;
    if (!found.read(&in) || !in.ok() || !in.at_end()) return false;
    *code = std::move(found);
    return true;
}

/// `desc` has the stage. With `cache`, code that is there is not compiled, nor is a stored shader's IR
/// looked at; what was
/// compiled is put there.
template <class Code, class Options>
[[nodiscard]] Code get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage,
                                  shaders::ShaderCache* cache, const Options& options) {
    const ir::StoredShader* const stored = desc.stored[size_t(stage)].get();
    const ir::Shader* s = desc.stages[size_t(stage)];
    if (pipe::debug(pipe::DebugWord::Ir)) cache = nullptr;  // what was compiled before says nothing
    shaders::CacheKey key;
    Code code;
    if (cache) {
        key = Code::key(stored ? stored->hash() : ir::hash_content(ir::write_binary(*s).content), options);
        if (load_code(*cache, key, &code)) return code;
    }
    if (stored) s = stored->get();
    if (!s) {
        code.error = "the stored shader is damaged";
        return code;
    }
    code = Code::compile(*s, options);
    if (cache && code.error.empty()) {
        std::vector<uint8_t> bytes;
        ir::BinaryWriter out(bytes);
        code.write(&out);
        cache->put(key, bytes);
    }
    return code;
}

}  // namespace terrazzo::programs
