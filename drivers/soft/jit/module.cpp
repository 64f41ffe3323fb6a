// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM's side of the door. A context and a module a compile: any number of threads may compile at once.
//
// LLVM is written for processes that end when memory runs out. Its own way to say so aborts; here it throws,
// as operator new does, through LLVM's frames, which were compiled without landing pads: nothing of what they
// hold is given back, and locks of its process-wide registries may stay locked. So LLVM is not used again in
// this process after that; what it was working on is leaked. The first compilation fills those registries: it
// is alone, so that nobody waits for such a lock.
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

/// What a compilation works on.
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
    // Not on the stack: an exception must not destroy what is half changed.
    Work* const work = new Work(std::move(machine));
    if (lowered.stage == ir::Stage::Vertex) lanes = kLanes;  // whose rows are what the pipeline reads
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
    // Never destroyed: a thread may still compile while the process ends. Null for ever where memory runs
    // out: half of LLVM's targets would be known.
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
