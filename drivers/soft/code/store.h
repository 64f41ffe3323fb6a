// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Turns images into shaders that run, and stores images: a compiler's part of the shader cache. An entry has
// the shader's facts and the image.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "drivers/soft/code/image.h"
#include "drivers/soft/shader_abi.h"
#include "pipe/log.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/stored.h"

namespace terrazzo::soft {

/// Reports once per screen why its shaders are slow. The screen's compilers share it: the first reason
/// explains the others. Thread: any.
class SlowNotice {
  public:
    explicit SlowNotice(pipe::Log log) : log_(log) {}
    void tell(const std::string& why) {
        if (!told_.test_and_set()) log_(pipe::Severity::Error, "soft: shaders " + why);
    }

  private:
    const pipe::Log log_;
    std::atomic_flag told_;
};

struct CodeOptions {
    std::shared_ptr<shaders::ShaderCache> cache;  // null: no cache
    CodeMapping mapping = CodeMapping::Any;
    std::shared_ptr<SlowNotice> notice;  // told if no code can be executed; null: not reported
};

/// Thread: any.
class CodeStore {
  public:
    /// `maker`: the compiler's name, version and options. `self` becomes CompiledShader::self.
    CodeStore(CodeOptions options, std::string maker, const void* self)
        : options_(std::move(options)), maker_(std::move(maker)), self_(self) {}

    /// Null: not in the cache, or no memory can be executed.
    [[nodiscard]] std::unique_ptr<CompiledShader> find(const ir::ContentHash& hash, ir::Stage stage) const;
    void put(const ir::ContentHash& hash, const ShaderFacts& facts, const CodeImage& image) const;
    /// Null, with *error set: see CodeMemory::load.
    [[nodiscard]] std::unique_ptr<CompiledShader> run(const ShaderFacts& facts, const CodeImage& image,
                                                      ir::Stage stage, std::string* error) const;
    [[nodiscard]] bool caches() const { return options_.cache != nullptr; }

  private:
    const CodeOptions options_;
    const std::string maker_;
    const void* const self_;
};

}  // namespace terrazzo::soft
