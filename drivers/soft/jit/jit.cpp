// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From a shader to code that runs: out of the cache, in which case neither LLVM nor the lowering passes run,
// or through the door to LLVM. An entry of the cache: the shader's facts, then the image.
#include "drivers/soft/jit/jit.h"

#include <atomic>
#include <cstring>
#include <mutex>

#include "drivers/soft/code/key.h"
#include "drivers/soft/code/object.h"
#include "drivers/soft/cpu.h"
#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/maker.h"
#include "drivers/soft/jit/runtime.h"

namespace terrazzo::soft {

namespace {

using jit::ObjectMaker;

const jit::Runtime kRuntime;

class JitShader final : public CompiledShader {
  public:
    JitShader(const ShaderFacts& facts, ir::Stage stage, CodeMemory memory) : memory_(std::move(memory)) {
        static_cast<ShaderFacts&>(*this) = facts;
        self = &kRuntime;
        if (stage == ir::Stage::Vertex)
            vertex = reinterpret_cast<VertexFn>(memory_.entry());
        else
            fragment = reinterpret_cast<FragmentFn>(memory_.entry());
    }

  private:
    const CodeMemory memory_;
};

std::vector<uint8_t> pack(const ShaderFacts& facts, const CodeImage& image) {
    static_assert(std::is_trivially_copyable_v<ShaderFacts>);
    std::vector<uint8_t> entry(sizeof facts);
    std::memcpy(entry.data(), &facts, sizeof facts);
    append_image(image, &entry);
    return entry;
}

bool unpack(std::span<const uint8_t> entry, ShaderFacts* facts, CodeImage* image) {
    if (entry.size() < sizeof *facts) return false;
    std::memcpy(facts, entry.data(), sizeof *facts);
    return read_image(entry.subspan(sizeof *facts), image);
}

class JitCompiler final : public ShaderCompiler {
  public:
    explicit JitCompiler(const JitOptions& options)
        : options_(options),
          lanes_(options.lanes ? options.lanes : default_lanes()),
          name_(std::string("LLVM ") + jit::kLlvmVersion + ", " + std::to_string(lanes_ * 32) + " bits"),
          interpreter_(create_interpreter_compiler()) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override;
    std::unique_ptr<CompiledShader> find(const ir::Shader& shader) override {
        return options_.cache ? from_cache(code_key(shader, name_), shader.stage) : nullptr;
    }
    const char* name() const override { return name_.c_str(); }

  private:
    std::unique_ptr<CompiledShader> from_cache(const shaders::CacheKey& key, ir::Stage stage);
    bool make(const ir::Shader& shader, ShaderFacts* facts, CodeImage* image, std::string* error,
              bool* usable);
    const ObjectMaker* maker();
    void interpret(const std::string& why);

    const JitOptions options_;
    const unsigned lanes_;
    const std::string name_;
    const std::unique_ptr<ShaderCompiler> interpreter_;
    std::once_flag opened_, said_;
    const ObjectMaker* maker_ = nullptr;
    std::atomic<bool> interpret_ = false;
};

const ObjectMaker* JitCompiler::maker() {
    std::call_once(opened_, [this] {
        std::string why;
        maker_ = jit::open_llvm(&why);
        if (!maker_) interpret(why);
    });
    return maker_;
}

void JitCompiler::interpret(const std::string& why) {
    interpret_.store(true, std::memory_order_relaxed);
    std::call_once(said_, [&] {
        options_.log(pipe::Severity::Error, "soft: shaders run in the interpreter, which is slow: " + why);
    });
}

std::unique_ptr<CompiledShader> JitCompiler::from_cache(const shaders::CacheKey& key, ir::Stage stage) {
    const auto entry = options_.cache->get(key);
    ShaderFacts facts;
    CodeImage image;
    if (!entry || !unpack(*entry, &facts, &image)) return nullptr;
    std::string error;
    auto memory = CodeMemory::load(image, &error, options_.mapping);
    return memory ? std::make_unique<JitShader>(facts, stage, std::move(*memory)) : nullptr;
}

bool JitCompiler::make(const ir::Shader& shader, ShaderFacts* facts, CodeImage* image, std::string* error,
                       bool* usable) {
    const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
    CompiledShader described;
    const char* problem = describe_shader(*lowered, &described);
    std::vector<uint8_t> object;
    if (!problem && !maker_->make(*lowered, described, lanes_, &object, error, usable)) return false;
    if (!problem) problem = link_object(object, jit::kShaderFunction, image);
    if (problem) *error = problem;
    *facts = described;
    return !problem;
}

std::unique_ptr<CompiledShader> JitCompiler::compile(const ir::Shader& shader, const pipe::Log& log) {
    if (interpret_.load(std::memory_order_relaxed)) return interpreter_->compile(shader, log);
    shaders::CacheKey key;
    if (options_.cache) {
        key = code_key(shader, name_);
        if (auto cached = from_cache(key, shader.stage)) return cached;
    }
    if (!maker()) return interpreter_->compile(shader, log);
    ShaderFacts facts;
    CodeImage image;
    std::string error;
    bool usable = true;
    if (!make(shader, &facts, &image, &error, &usable)) {
        if (!usable) {
            interpret(error);
            return interpreter_->compile(shader, log);
        }
        log(pipe::Severity::Error, "soft: the shader cannot be compiled: " + error);
        return nullptr;
    }
    auto memory = CodeMemory::load(image, &error, options_.mapping);
    if (!memory) {
        interpret(error);
        return interpreter_->compile(shader, log);
    }
    if (options_.cache) options_.cache->put(key, pack(facts, image));
    return std::make_unique<JitShader>(facts, shader.stage, std::move(*memory));
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned lanes) {
    return create_jit_compiler(JitOptions{.lanes = lanes});
}

std::unique_ptr<ShaderCompiler> create_jit_compiler(const JitOptions& options) {
    return std::make_unique<JitCompiler>(options);
}

}  // namespace terrazzo::soft
