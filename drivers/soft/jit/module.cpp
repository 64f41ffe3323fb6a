// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM's side of the door. A context and a module a compile: any number of threads may compile at once.
#include <mutex>

#include "drivers/soft/jit/engine.h"
#include "drivers/soft/jit/maker.h"

namespace terrazzo::soft::jit {

namespace {

class LlvmMaker final : public ObjectMaker {
  public:
    bool make(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
              std::vector<uint8_t>* object, std::string* error) const override {
        const std::unique_ptr<llvm::TargetMachine> machine = host_.machine();
        if (!machine) {
            *error = "LLVM does not know this CPU";
            return false;
        }
        llvm::LLVMContext context;
        context.setDiscardValueNames(true);
        llvm::Module module("shader", context);
        module.setTargetTriple(machine->getTargetTriple().str());
        module.setDataLayout(machine->createDataLayout());
        if (lowered.stage == ir::Stage::Vertex) lanes = kLanes;  // whose rows are what the pipeline reads
        Codegen codegen(module, lowered, facts, host_.features(), lanes);
        if (const char* problem = codegen.run(kShaderFunction)) {
            *error = problem;
            return false;
        }
        if (compile_module(module, *machine, object)) return true;
        *error = "LLVM cannot emit code for this CPU";
        return false;
    }

  private:
    const Host host_;
};

}  // namespace

extern "C" const LlvmModule* terrazzo_llvm_module() {
    // Never destroyed: a thread may still compile while the process ends.
    static const LlvmModule* const kModule = new LlvmModule{kStamp, new LlvmMaker};
    return kModule;
}

}  // namespace terrazzo::soft::jit
