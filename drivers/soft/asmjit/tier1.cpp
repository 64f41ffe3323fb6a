// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The first-tier shader compiler: it emits machine code quickly and does not optimise. Still, compiling takes
// a hundred times as long as loading code from a cache. So its code is cached as an image, like the second
// tier's.
#include "drivers/soft/asmjit/tier1.h"

#include <mutex>
#include <new>
#include <string>

#include "drivers/soft/asmjit/codegen.h"
#include "drivers/soft/interp/lower.h"
#include "pipe/debug.h"
#include "shaders/own_stack.h"

namespace terrazzo::soft {

namespace {

/// A shader with more values is refused: it would take half a second or more.
constexpr uint32_t kMaxValues = 100'000;

class Tier1Compiler final : public ShaderCompiler {
  public:
    explicit Tier1Compiler(const CodeOptions& options)
        : store_(options, "asmjit 256", nullptr), notice_(options.notice) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override {
        return shaders::on_own_stack([&] { return compile_new(shader, nullptr, log); });
    }
    std::unique_ptr<CompiledShader> find(const ir::StoredShader& shader) override {
        return store_.caches() ? store_.find(shader.hash(), shader.stage()) : nullptr;
    }
    std::unique_ptr<CompiledShader> make(std::shared_ptr<const ir::StoredShader> shader,
                                         const pipe::Log& log) override;
    const char* name() const override { return "asmjit, 256 bits"; }

  private:
    std::unique_ptr<CompiledShader> compile_new(const ir::Shader& shader, const ir::ContentHash* hash,
                                                const pipe::Log& log);

    const CodeStore store_;
    const std::shared_ptr<SlowNotice> notice_;
};

/// Null: success; otherwise why not. Throws std::bad_alloc.
const char* emit(const ir::Shader& lowered, CompiledShader* facts, CodeImage* image) {
    asmjit::CodeHolder code;
    host_code::FirstError errors;
    auto emitter = std::make_unique<asmjit::x86::Compiler>();
    asmjit::x86::Compiler& cc = *emitter;
    if (code.init(asmjit::Environment::host()) != asmjit::kErrorOk) throw std::bad_alloc();
    if (code.attach(&cc) != asmjit::kErrorOk) {
        (void)emitter.release();  // half attached: its destructor would end the process
        throw std::bad_alloc();
    }
    code.setErrorHandler(&errors);
    asmjit::StringLogger listing;
    const bool prints = pipe::debug(pipe::DebugWord::Shaders);
    if (prints) code.setLogger(&listing);
    const bool fma = asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kFMA);
    tier1::Codegen codegen(cc, lowered, *facts, fma);
    const char* const problem = codegen.run();
    if (errors.first == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    if (problem) return problem;
    const asmjit::Error last = cc.finalize(), error = errors.first ? errors.first : last;
    if (error == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    if (error != asmjit::kErrorOk) return asmjit::DebugUtils::errorAsString(error);
    facts->frame_B = codegen.frame_B();
    // All references are within the one section, or in slots.
    if (code.sectionCount() != 1 || code.hasUnresolvedLinks() || !code.relocEntries().empty())
        return "the code is not position-independent";
    const asmjit::CodeBuffer& text = code.textSection()->buffer();
    image->bytes.assign(text.data(), text.data() + text.size());
    codegen.find_slots(code, image);
    if (prints)
        pipe::debug_print(pipe::DebugWord::Shaders, "soft, asmjit: " + std::to_string(text.size()) +
                                                        " bytes\n" + listing.content().data());
    return nullptr;
}

std::unique_ptr<CompiledShader> Tier1Compiler::compile_new(const ir::Shader& shader,
                                                           const ir::ContentHash* hash,
                                                           const pipe::Log& log) {
    const auto fail = [&](pipe::Severity severity, const std::string& why) {
        log(severity, "soft: the shader is not compiled at once: " + why);
        return nullptr;
    };
    CompiledShader facts;
    const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
    if (const char* wrong = describe_shader(*lowered, &facts)) return fail(pipe::Severity::Error, wrong);
    if (lowered->value_count() > kMaxValues) return fail(pipe::Severity::Info, "it is too large");
    CodeImage image;
    if (const char* problem = emit(*lowered, &facts, &image)) return fail(pipe::Severity::Info, problem);
    if (facts.frame_B > kMaxFrame_B)
        return fail(pipe::Severity::Info, "its stack frame has " + std::to_string(facts.frame_B) +
                                              " bytes; the limit is " + std::to_string(kMaxFrame_B));
    std::string error;
    auto compiled = store_.run(facts, image, shader.stage, &error);
    if (!compiled) {
        if (notice_) notice_->tell("run in the interpreter, which is slow: " + error);
        return fail(pipe::Severity::Info, error);
    }
    if (hash) store_.put(*hash, facts, image);
    return compiled;
}

std::unique_ptr<CompiledShader> Tier1Compiler::make(std::shared_ptr<const ir::StoredShader> shader,
                                                    const pipe::Log& log) {
    if (auto found = find(*shader)) return found;
    if (const ir::Shader* const s = shader->get())
        return shaders::on_own_stack(
            [&] { return compile_new(*s, store_.caches() ? &shader->hash() : nullptr, log); });
    log(pipe::Severity::Error, "soft: the stored shader is damaged");
    return nullptr;
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_tier1_compiler(const CodeOptions& options) {
    if (!asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kAVX2)) return nullptr;
    return std::make_unique<Tier1Compiler>(options);
}

std::unique_ptr<ShaderCompiler> create_tier1_compiler() {
    return create_tier1_compiler(CodeOptions());
}

}  // namespace terrazzo::soft
