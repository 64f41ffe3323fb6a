// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The code of one stage, from a vendor's compiler or from the shader cache. `Code` is the vendor's class,
// which derives from StageHead and has
//   static constexpr const char* kMaker                     names the vendor's compiler in keys of the cache
//   static constexpr std::tuple kKeyed{...}                 the options that the code depends on: members of
//                                                           Options, or functions of one
//   void make(const ir::Shader&, const Options&)            compiles
//   void write(ir::BinaryWriter*) const                     writes a cache entry
//   bool read(ir::BinaryReader*)                            false: the entry is damaged
#pragma once

#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "pipe/debug.h"
#include "pipe/state.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"
#include "shaders/ir/binary_bytes.h"
#include "shaders/ir/stored.h"

namespace terrazzo::programs {

/// The cache's key of a stage's code.
template <class Code, class Options>
[[nodiscard]] shaders::CacheKey key_of(const ir::ContentHash& hash, const Options& options) {
    std::vector<uint8_t> chosen;
    const auto add = [&](const auto& value) {
        static_assert(std::has_unique_object_representations_v<std::remove_cvref_t<decltype(value)>>);
        const auto* const bytes = reinterpret_cast<const uint8_t*>(&value);
        chosen.insert(chosen.end(), bytes, bytes + sizeof value);
    };
    std::apply([&](const auto&... option) { (add(std::invoke(option, options)), ...); }, Code::kKeyed);
    const auto* const maker = reinterpret_cast<const uint8_t*>(Code::kMaker);
    const std::span<const uint8_t> parts[] = {chosen, {maker, std::strlen(Code::kMaker)}, hash};
    return shaders::CacheKey::of(parts);
}

struct StageHead {
    std::string error;        // not empty: the compiler refused the stage
    uint32_t uniform_dw = 0;  // the size of the default block
};

/// Code that is one binary. The compiler's compile(), write_binary() and read_binary() are found in the
/// namespace of its `Binary`.
template <class Binary>
struct BinaryCode : StageHead {
    Binary binary;

    template <class Options>
    void make(const ir::Shader& s, const Options& options) {
        binary = compile(s, options);
        error = binary.error;
    }
    void write(ir::BinaryWriter* out) const { write_binary(binary, out); }
    [[nodiscard]] bool read(ir::BinaryReader* in) { return read_binary(in, &binary); }
};

/// False: the cache has no entry, or the entry is damaged.
template <class Code>
[[nodiscard]] bool load_code(shaders::ShaderCache& cache, const shaders::CacheKey& key, Code* code) {
    const auto bytes = cache.get(key);
    if (!bytes) return false;
    ir::BinaryReader in(*bytes);
    Code found;
    in.field(found.uniform_dw);
    if (!found.read(&in) || !in.ok() || !in.at_end()) return false;
    *code = std::move(found);
    return true;
}

/// `desc` must have the stage. With `cache`, code in the cache is used: a stored shader's IR is then not even
/// read. Newly compiled code is added to the cache.
template <class Code, class Options>
[[nodiscard]] Code get_stage_code(const pipe::ProgramDesc& desc, pipe::Stage stage,
                                  shaders::ShaderCache* cache, const Options& options) {
    const ir::StoredShader* const stored = desc.stored[size_t(stage)].get();
    const ir::Shader* s = desc.stages[size_t(stage)];
    if (pipe::debug(pipe::DebugWord::Ir)) cache = nullptr;  // a cached entry would print nothing
    shaders::CacheKey key;
    Code code;
    if (cache) {
        key = key_of<Code>(stored ? stored->hash() : ir::hash_content(ir::write_binary(*s).content), options);
        if (load_code(*cache, key, &code)) return code;
    }
    if (stored) s = stored->get();
    if (!s) {
        code.error = "the stored shader is damaged";
        return code;
    }
    code.make(*s, options);
    code.uniform_dw = s->info.uniform_dw;
    if (cache && code.error.empty()) {
        std::vector<uint8_t> bytes;
        ir::BinaryWriter out(bytes);
        out.field(code.uniform_dw);
        code.write(&out);
        cache->put(key, bytes);
    }
    return code;
}

}  // namespace terrazzo::programs
