// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See build.h. The cache holds, by content: the log of each shader that compiled, and the log and bytes of
// each linked program.
#include "state_tracker/programs/build.h"

#include <array>
#include <cstring>
#include <iterator>

#include "shaders/cache/cache.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/programs/shader_extensions.h"

namespace terrazzo::st {
namespace {

/// Rows of kShaderExtensionNames.
constexpr auto kShaderExtensionRows = []() consteval {
    std::array<unsigned, std::size(kShaderExtensionNames)> rows{};
    for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = extension_row(kShaderExtensionNames[i]);
    return rows;
}
();

std::string_view bytes_of(const shaders::CacheKey& k) {
    return {reinterpret_cast<const char*>(k.bytes.data()), k.bytes.size()};
}

shaders::CompileResult compile(Context& ctx, std::string_view source, GLenum type) {
    std::vector<std::string_view> extensions;
    for (size_t i = 0; i < kShaderExtensionRows.size(); ++i)
        if (has_extension(ctx, kShaderExtensionRows[i])) extensions.push_back(kShaderExtensionNames[i]);
    shaders::CompileOptions options;
    options.stage = ir::Stage(stage_of(type).stage);
    options.max_version = ctx.config.version == 20 ? 100 : ctx.config.version * 10;
    options.limits = ctx.limits.shader;
    options.extensions = extensions;
    return shaders::compile(source, options);
}

shaders::CacheKey compile_key(const Context& ctx, std::string_view source, GLenum type) {
    std::string options;
    for (const unsigned row : kShaderExtensionRows)
        options += has_extension(ctx, row) ? '1' : '0';
    options += ' ' + std::to_string(ctx.config.version) + ' ' + std::to_string(type);
    static_assert(std::is_trivially_copyable_v<shaders::Limits>);
    options.append(reinterpret_cast<const char*>(&ctx.limits.shader), sizeof ctx.limits.shader);
    return shaders::CacheKey::of({"compile", options, source});
}

shaders::CacheKey link_key(std::span<const LinkStage> stages, const LinkParameters& parameters) {
    // Each name is a separate part, since a program may choose any characters.
    std::vector<std::string> parts = {"link"};
    for (const LinkStage& s : stages)
        parts.push_back(s.key);
    for (const shaders::AttributeBinding& a : parameters.attributes) {
        parts.push_back(a.name);
        parts.push_back(std::to_string(a.location));
    }
    for (const shaders::OutputBinding& o : parameters.outputs) {
        parts.push_back("output " + o.name);
        parts.push_back(std::to_string(o.location) + ' ' + std::to_string(o.index));
    }
    if (!parameters.captures.empty()) {
        // Attributes are pairs, so their number tells where the captures begin.
        parts.push_back(parameters.capture_separate ? "captured apart" : "captured");
        parts.push_back(std::to_string(parameters.attributes.size()));
        parts.insert(parts.end(), parameters.captures.begin(), parameters.captures.end());
    }
    if (parameters.separable) parts.push_back("separable");
    if (parameters.pipeline) parts.push_back(parameters.exact ? "pipeline, exact" : "pipeline");
    return shaders::CacheKey::of(std::vector<std::string_view>(parts.begin(), parts.end()));
}

/// Reads the cache's entry of a link: u32 length of the log, the log, the program. Null program: the entry is
/// invalid.
shaders::LinkResult unpack(std::span<const uint8_t> entry, const shaders::Limits& limits) {
    shaders::LinkResult r;
    uint32_t length;
    if (entry.size() < sizeof length) return r;
    std::memcpy(&length, entry.data(), sizeof length);
    entry = entry.subspan(sizeof length);
    if (entry.size() < length) return r;
    r.program = shaders::deserialize(entry.subspan(length), shaders::Stages::WhenNeeded, limits);
    if (r.program) r.log.assign(reinterpret_cast<const char*>(entry.data()), length);
    return r;
}

std::vector<uint8_t> pack(const shaders::LinkResult& r) {
    const uint32_t length = uint32_t(r.log.size());
    const std::vector<uint8_t> program = shaders::serialize(*r.program);
    std::vector<uint8_t> entry(sizeof length + length);
    std::memcpy(entry.data(), &length, sizeof length);
    std::memcpy(entry.data() + sizeof length, r.log.data(), length);
    entry.insert(entry.end(), program.begin(), program.end());
    return entry;
}

}  // namespace

CompileOutcome build_shader(Context& ctx, std::string_view source, GLenum type) {
    CompileOutcome out;
    shaders::ShaderCache* cache = ctx.share->cache.get();
    shaders::CacheKey key;
    if (cache) {
        key = compile_key(ctx, source, type);
        out.key = bytes_of(key);
        if (auto log = cache->get(key)) {
            out.ok = true;
            out.log.assign(log->begin(), log->end());
            return out;
        }
    }
    shaders::CompileResult result = compile(ctx, source, type);
    out.ok = result.shader != nullptr;
    out.shader = std::move(result.shader);
    out.log = std::move(result.log);
    if (cache && out.ok) cache->put(key, {reinterpret_cast<const uint8_t*>(out.log.data()), out.log.size()});
    return out;
}

shaders::LinkResult build_program(Context& ctx, std::span<LinkStage> stages, const LinkParameters& parameters,
                                  bool anew) {
    shaders::ShaderCache* cache = ctx.share->cache.get();
    if (cache && !anew)
        if (auto entry = cache->get(link_key(stages, parameters)))
            if (shaders::LinkResult r = unpack(*entry, ctx.limits.shader); r.program) return r;
    std::array<const shaders::CompiledShader*, pipe::kStageCount> inputs{};
    std::vector<std::shared_ptr<const shaders::CompiledShader>> prepared;
    for (LinkStage& s : stages) {
        if (!s.compiled) s.compiled = compile(ctx, s.source, s.shader->type).shader;
        // Null is possible if the cache wrongly claimed that it compiles: the linker then reports a missing
        // stage.
        inputs[size_t(stage_of(s.shader->type).stage)] = s.compiled.get();
        if (!parameters.pipeline || !s.compiled) continue;
        prepared.push_back(
            shaders::for_pipeline(*s.compiled, prepared.empty() ? nullptr : prepared.back().get()));
        inputs[size_t(stage_of(s.shader->type).stage)] = prepared.back().get();
    }
    shaders::LinkOptions options;
    options.limits = ctx.limits.shader;
    options.attributes = parameters.attributes;
    options.outputs = parameters.outputs;
    options.capture = parameters.captures;
    options.capture_separate = parameters.capture_separate;
    options.separable = parameters.separable;
    options.pipeline = parameters.exact;
    shaders::LinkResult r = shaders::link(inputs, options);
    if (cache && r.program) cache->put(link_key(stages, parameters), pack(r));
    return r;
}

}  // namespace terrazzo::st
