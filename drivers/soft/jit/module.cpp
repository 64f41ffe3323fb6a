// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM's side of the door. Each compilation has its own context and module, so any number of threads may
// compile.
//
// LLVM is written for processes that end when memory runs out, and its handler would abort. Here the handler
// throws, as operator new does, through LLVM's frames, which were compiled without landing pads. Their memory
// is leaked, and locks of LLVM's process-wide registries may stay locked. So this process does not use LLVM
// again after that. The first compilation, which fills the registries, runs alone, so that no other thread
// waits for such a lock.
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "drivers/soft/jit/engine.h"
#include "drivers/soft/jit/maker.h"
#include "llvm/Support/ErrorHandling.h"

namespace terrazzo::soft::jit {

namespace {

void out_of_memory(void*, const char*, bool) {
    throw std::bad_alloc();
}

/// The data of a compilation.
struct Work {
    explicit Work(std::unique_ptr<llvm::TargetMachine> m) : machine(std::move(m)), module("shader", context) {
        context.setDiscardValueNames(true);
        module.setTargetTriple(machine->getTargetTriple().str());
        module.setDataLayout(machine->createDataLayout());
    }
    const std::unique_ptr<llvm::TargetMachine> machine;
    llvm::LLVMContext context;
    llvm::Module module;
};

class LlvmMaker final : public ObjectMaker {
  public:
    bool make(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
              std::vector<uint8_t>* object, std::string* error, bool* usable) const override;

  private:
    bool make_alone(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
                    std::vector<uint8_t>* object, std::string* error) const;

    const Host host_;
    mutable std::mutex first_;
    mutable std::atomic<bool> warm_ = false, lost_ = false;
};

bool LlvmMaker::make_alone(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
                           std::vector<uint8_t>* object, std::string* error) const {
    std::unique_ptr<llvm::TargetMachine> machine = host_.machine();
    if (!machine) {
        *error = "LLVM does not know this CPU";
        return false;
    }
    // Not on the stack: an exception must not destroy objects that are in the middle of a change.
    Work* const work = new Work(std::move(machine));
    if (lowered.stage == ir::Stage::Vertex) lanes = kLanes;  // the pipeline reads rows of this length
    auto* const codegen = new Codegen(work->module, lowered, facts, host_.features(), lanes);
    const char* problem = codegen->run(kShaderFunction);
    delete codegen;
    if (!problem && !compile_module(work->module, *work->machine, object))
        problem = "LLVM cannot emit code for this CPU";
    delete work;
    if (problem) *error = problem;
    return !problem;
}

bool LlvmMaker::make(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
                     std::vector<uint8_t>* object, std::string* error, bool* usable) const {
    std::unique_lock alone(first_, std::defer_lock);
    if (!warm_) alone.lock();
    if (!lost_) {
        try {
            const bool ok = make_alone(lowered, facts, lanes, object, error);
            warm_ = true;
            return ok;
        } catch (const std::bad_alloc&) {
            lost_ = true;
        }
    }
    *usable = false;
    *error = "memory ran out inside LLVM, which cannot go on after that";
    return false;
}

}  // namespace

extern "C" const LlvmModule* terrazzo_llvm_module() {
    // Never destroyed: a thread may still compile while the process ends. If memory runs out, it stays null:
    // LLVM's targets may be registered incompletely.
    static const LlvmModule* const kModule = []() -> const LlvmModule* {
        try {
            llvm::install_bad_alloc_error_handler(out_of_memory);
            return new LlvmModule{kStamp, new LlvmMaker};
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }();
    return kModule;
}

}  // namespace terrazzo::soft::jit
