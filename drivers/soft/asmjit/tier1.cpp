// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The first-tier shader compiler: machine code at once and none of an optimiser's work. Code lies in memory
// that is mapped twice, writable in one place and executable in the other, by asmjit's allocator; it dies
// with its shader.
#include <new>
#include <string>

#include "drivers/soft/asmjit/codegen.h"
#include "drivers/soft/interp/lower.h"

namespace terrazzo::soft {

namespace {

/// A shader of more instructions is left to others: register allocation is not linear.
constexpr uint32_t kMaxValues = 20000;

asmjit::JitAllocator::CreateParams twice_mapped() {
    asmjit::JitAllocator::CreateParams p;
    p.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    return p;
}

class Tier1Shader final : public CompiledShader {
  public:
    explicit Tier1Shader(std::shared_ptr<asmjit::JitRuntime> runtime) : runtime_(std::move(runtime)) {}
    ~Tier1Shader() override {
        if (entry_) runtime_->release(entry_);
    }
    bool add(asmjit::CodeHolder* code, ir::Stage stage) {
        if (runtime_->add(&entry_, code) != asmjit::kErrorOk) return false;
        if (stage == ir::Stage::Vertex)
            vertex = reinterpret_cast<VertexFn>(entry_);
        else
            fragment = reinterpret_cast<FragmentFn>(entry_);
        self = this;
        return true;
    }

  private:
    const std::shared_ptr<asmjit::JitRuntime> runtime_;
    void* entry_ = nullptr;
};

/// Calls of the emitter return an error each; the first one counts.
class FirstError final : public asmjit::ErrorHandler {
  public:
    void handleError(asmjit::Error error, const char*, asmjit::BaseEmitter*) override {
        if (first == asmjit::kErrorOk) first = error;
    }
    asmjit::Error first = asmjit::kErrorOk;
};

class Tier1Compiler final : public ShaderCompiler {
  public:
    Tier1Compiler()
        : allocation_(twice_mapped()), runtime_(std::make_shared<asmjit::JitRuntime>(&allocation_)) {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override;
    const char* name() const override { return "asmjit, 256 bits"; }

  private:
    const asmjit::JitAllocator::CreateParams allocation_;
    const std::shared_ptr<asmjit::JitRuntime> runtime_;
};

std::unique_ptr<CompiledShader> Tier1Compiler::compile(const ir::Shader& shader, const pipe::Log& log) {
    const auto fail = [&](pipe::Severity severity, const std::string& why) {
        log(severity, "soft: the shader is not compiled at once: " + why);
        return nullptr;
    };
    auto out = std::make_unique<Tier1Shader>(runtime_);
    const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
    if (const char* wrong = describe_shader(*lowered, out.get())) return fail(pipe::Severity::Error, wrong);
    if (lowered->value_count() > kMaxValues) return fail(pipe::Severity::Info, "it is too large");
    asmjit::CodeHolder code;
    FirstError errors;
    auto emitter = std::make_unique<asmjit::x86::Compiler>();
    asmjit::x86::Compiler& cc = *emitter;
    if (code.init(runtime_->environment()) != asmjit::kErrorOk) throw std::bad_alloc();
    if (code.attach(&cc) != asmjit::kErrorOk) {
        (void)emitter.release();  // half attached: its destructor would end the process
        throw std::bad_alloc();
    }
    code.setErrorHandler(&errors);
    const bool fma = asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kFMA);
    tier1::Codegen codegen(cc, *lowered, *out, fma);
    const char* const problem = codegen.run();
    if (errors.first == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    if (problem) return fail(pipe::Severity::Info, problem);
    const asmjit::Error last = cc.finalize(), error = errors.first ? errors.first : last;
    if (error == asmjit::kErrorOutOfMemory) throw std::bad_alloc();
    if (error != asmjit::kErrorOk)
        return fail(pipe::Severity::Info, asmjit::DebugUtils::errorAsString(error));
    if (!out->add(&code, shader.stage)) return fail(pipe::Severity::Info, "no memory may be executed");
    return out;
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_tier1_compiler() {
    if (!asmjit::CpuInfo::host().hasFeature(asmjit::CpuFeatures::X86::kAVX2)) return nullptr;
    return std::make_unique<Tier1Compiler>();
}

}  // namespace terrazzo::soft
