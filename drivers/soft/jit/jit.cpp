// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The shader compiler by LLVM. A context and a module a compile: any number of threads may compile at once.
#include <mutex>
#include <string>

#include "drivers/soft/cpu.h"
#include "drivers/soft/interp/lower.h"
#include "drivers/soft/jit/engine.h"
#include "llvm/Config/llvm-config.h"

namespace terrazzo::soft {

namespace {

constexpr const char* kFunction = "shader";

class JitShader final : public CompiledShader {
  public:
    jit::Runtime runtime;
    std::unique_ptr<jit::LoadedCode> code;
};

class JitCompiler final : public ShaderCompiler {
  public:
    explicit JitCompiler(unsigned lanes)
        : lanes_(lanes), name_("LLVM " LLVM_VERSION_STRING ", " + std::to_string(lanes * 32) + " bits") {}
    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override;
    const char* name() const override { return name_.c_str(); }

  private:
    const unsigned lanes_;
    const std::string name_;
    std::once_flag once_;
    std::unique_ptr<const jit::Host> host_;
};

std::unique_ptr<CompiledShader> JitCompiler::compile(const ir::Shader& shader, const pipe::Log& log) {
    const auto fail = [&](const std::string& why) {
        log(pipe::Severity::Error, "soft: the shader cannot be compiled: " + why);
        return nullptr;
    };
    std::call_once(once_, [this] { host_ = std::make_unique<const jit::Host>(); });
    const std::unique_ptr<llvm::TargetMachine> machine = host_->machine();
    if (!machine) return fail("LLVM does not know this CPU");
    auto out = std::make_unique<JitShader>();
    const std::unique_ptr<ir::Shader> lowered = lower_for_soft(shader);
    if (const char* problem = describe_shader(*lowered, out.get())) return fail(problem);

    llvm::LLVMContext context;
    context.setDiscardValueNames(true);
    llvm::Module module("shader", context);
    module.setTargetTriple(machine->getTargetTriple().str());
    module.setDataLayout(machine->createDataLayout());
    const unsigned lanes = shader.stage == ir::Stage::Fragment ? lanes_ : kLanes;
    jit::Codegen codegen(module, *lowered, *out, host_->features(), lanes);
    if (const char* problem = codegen.run(kFunction)) return fail(problem);
    for (size_t n = 0; n < codegen.kernels().size(); ++n) {
        const jit::KernelId& id = codegen.kernels()[n];
        out->runtime.kernels[n] = ir::kernel(id.op, id.result, id.operand);
    }
    const std::unique_ptr<llvm::MemoryBuffer> object = jit::compile_module(module, *machine);
    if (!object) return fail("LLVM cannot emit code for this CPU");
    std::string error;
    out->code = jit::LoadedCode::load(*object, &error);
    void* const entry = out->code ? out->code->function(kFunction) : nullptr;
    if (!entry) return fail(error);
    out->self = &out->runtime;
    if (shader.stage == ir::Stage::Vertex)
        out->vertex = reinterpret_cast<VertexFn>(entry);
    else
        out->fragment = reinterpret_cast<FragmentFn>(entry);
    return out;
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_jit_compiler(unsigned lanes) {
    return std::make_unique<JitCompiler>(lanes ? lanes : default_lanes());
}

}  // namespace terrazzo::soft
