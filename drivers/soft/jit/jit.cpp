// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Turns a shader into code: from the cache, in which case neither LLVM nor the lowering passes run, or by
// LLVM.
#include "drivers/soft/jit/jit.h"

#include <atomic>
#include <mutex>

#include "drivers/soft/code/object.h"
#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/maker.h"
#include "drivers/soft/jit/runtime.h"
#include "drivers/soft/screen/cpu.h"
#include "pipe/debug.h"
#include "shaders/own_stack.h"

namespace terrazzo::soft {

namespace {

using jit::ObjectMaker;

const jit::Runtime kRuntime;

class JitCompiler final : public ShaderCompiler {
  public:
    explicit JitCompiler(const JitOptions& options)
        : options_(options),
          lanes_(options.lanes ? options.lanes : default_lanes()),
          name_(std::string("LLVM ") + jit::kVersion + ", " + std::to_string(lanes_ * 32) + " bits"),
          store_({options.cache, options.mapping, nullptr}, name_, &kRuntime),
          interpreter_(create_interpreter_compiler()) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override;
    std::unique_ptr<CompiledShader> make(std::shared_ptr<const ir::StoredShader> shader,
                                         const pipe::Log& log) override;
    std::unique_ptr<CompiledShader> find(const ir::StoredShader& shader) override {
        return store_.caches() ? store_.find(shader.hash(), shader.stage()) : nullptr;
    }
    const char* name() const override { return name_.c_str(); }

  private:
    std::unique_ptr<CompiledShader> compile_new(const ir::Shader& shader, const ir::ContentHash& hash,
                                                const pipe::Log& log);
    bool make_image(const ir::Shader& shader, ShaderFacts* facts, CodeImage* image, std::string* error,
                    bool* usable);
    bool fits(const ir::Shader& lowered, std::string* error) const;
    const ObjectMaker* maker();
    void give_up(const std::string& why);
    std::unique_ptr<CompiledShader> interpret(const ir::Shader& shader, const pipe::Log& log) {
        return options_.interprets ? interpreter_->compile(shader, log) : nullptr;
    }

    const JitOptions options_;
    const unsigned lanes_;
    const std::string name_;
    const CodeStore store_;
    const std::unique_ptr<ShaderCompiler> interpreter_;
    std::once_flag opened_;
    const ObjectMaker* maker_ = nullptr;
    std::atomic<bool> interpret_ = false;
};

const ObjectMaker* JitCompiler::maker() {
    std::call_once(opened_, [this] {
        std::string why;
        maker_ = jit::open_llvm(&why);
        if (!maker_) give_up(why);
    });
    return maker_;
}

void JitCompiler::give_up(const std::string& why) {
    interpret_.store(true, std::memory_order_relaxed);
    if (options_.notice)
        options_.notice->tell((options_.has_first ? "keep their first code" : "run in the interpreter") +
                              (", which is slow: " + why));
}

/// Whether LLVM may compile this shader.
bool JitCompiler::fits(const ir::Shader& lowered, std::string* error) const {
    const jit::LlvmWork work = jit::measure_llvm_work(lowered);
    if (jit::estimate_llvm_s(work) <= options_.max_llvm_s) return true;
    *error =
        "LLVM would take longer than " + std::to_string(int(options_.max_llvm_s)) + " s for " + print(work);
    if (pipe::debug(pipe::DebugWord::Perf))
        pipe::debug_print(pipe::DebugWord::Perf, "soft: a shader keeps its first code: " + *error);
    return false;
}

bool JitCompiler::make_image(const ir::Shader& shader, ShaderFacts* facts, CodeImage* image,
                             std::string* error, bool* usable) {
    const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
    CompiledShader described;
    const char* problem = describe_shader(*lowered, &described);
    std::vector<uint8_t> object;
    if (!problem && !fits(*lowered, error)) return false;
    if (!problem && !jit::has_room(jit::memory_for_llvm_B(jit::measure_llvm_work(*lowered)))) {
        *error = "no memory for LLVM";
        return false;
    }
    if (!problem && !maker_->make(*lowered, described, lanes_, &object, error, usable)) return false;
    if (!problem) problem = link_object(object, jit::kShaderFunction, image, &described.frame_B);
    if (problem) *error = problem;
    described.lanes = shader.stage == ir::Stage::Vertex ? kLanes : lanes_;
    *facts = described;
    return !problem;
}

std::unique_ptr<CompiledShader> JitCompiler::compile_new(const ir::Shader& shader,
                                                         const ir::ContentHash& hash, const pipe::Log& log) {
    if (interpret_.load(std::memory_order_relaxed) || !maker()) return interpret(shader, log);
    ShaderFacts facts;
    CodeImage image;
    std::string error;
    bool usable = true;
    if (!make_image(shader, &facts, &image, &error, &usable)) {
        if (!usable) {
            give_up(error);
            return interpret(shader, log);
        }
        log(pipe::Severity::Error, "soft: the shader cannot be compiled: " + error);
        return nullptr;
    }
    if (facts.frame_B > kMaxFrame_B) return interpreter_->compile(shader, log);
    auto compiled = store_.run(facts, image, shader.stage, &error);
    if (!compiled) {
        give_up(error);
        return interpret(shader, log);
    }
    store_.put(hash, facts, image);
    return compiled;
}

std::unique_ptr<CompiledShader> JitCompiler::compile(const ir::Shader& shader, const pipe::Log& log) {
    if (!store_.caches()) return shaders::on_own_stack([&] { return compile_new(shader, {}, log); });
    const ir::ContentHash hash = ir::hash_content(ir::write_binary(shader).content);
    auto found = store_.find(hash, shader.stage);
    return found ? std::move(found) : shaders::on_own_stack([&] { return compile_new(shader, hash, log); });
}

std::unique_ptr<CompiledShader> JitCompiler::make(std::shared_ptr<const ir::StoredShader> shader,
                                                  const pipe::Log& log) {
    if (auto found = find(*shader)) return found;
    if (const ir::Shader* const s = shader->get())
        return shaders::on_own_stack(
            [&] { return compile_new(*s, store_.caches() ? shader->hash() : ir::ContentHash(), log); });
    log(pipe::Severity::Error, "soft: the stored shader is damaged");
    return nullptr;
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned lanes) {
    return create_jit_compiler(JitOptions{.lanes = lanes});
}

std::unique_ptr<ShaderCompiler> create_jit_compiler(const JitOptions& options) {
    return std::make_unique<JitCompiler>(options);
}

}  // namespace terrazzo::soft
