// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM without a pass manager builder, ORC session or loader (code/object.h links): a fixed list of passes
// chosen for compile speed, and the code generator.
#include "drivers/soft/jit/engine.h"

#include <mutex>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar.h"

namespace terrazzo::soft::jit {

Host::Host() {
    static std::once_flag once;  // LLVM's registry of targets belongs to the process
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
    });
    triple_ = llvm::sys::getProcessTriple();
    cpu_ = llvm::sys::getHostCPUName().str();
    const auto host = llvm::sys::getHostCPUFeatures();
    for (const auto& f : host) {
        if (!attributes_.empty()) attributes_ += ',';
        attributes_ += (f.second ? "+" : "-") + f.first().str();
    }
    const bool arm = llvm::Triple(triple_).isAArch64();
    features_.rounding = arm || host.lookup("sse4.1");
    features_.fma = arm || host.lookup("fma");
    std::string error;
    target_ = llvm::TargetRegistry::lookupTarget(triple_, error);
}

std::unique_ptr<llvm::TargetMachine> Host::machine() const {
    if (!target_) return nullptr;
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.EmitStackSizeSection = true;  // read by link_object()
    return std::unique_ptr<llvm::TargetMachine>(
        target_->createTargetMachine(triple_, cpu_, attributes_, options, llvm::Reloc::PIC_,
                                     llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
}

bool compile_module(llvm::Module& module, llvm::TargetMachine& machine, std::vector<uint8_t>* object) {
    struct Output {
        llvm::SmallVector<char, 0> bytes;
        llvm::raw_svector_ostream stream{bytes};
        llvm::legacy::PassManager passes;
    };
    Output* const out = new Output;  // leaked by an exception: see module.cpp
    llvm::legacy::PassManager& passes = out->passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    passes.add(llvm::createSROAPass());
    passes.add(llvm::createEarlyCSEPass());
    passes.add(llvm::createCFGSimplificationPass());
    passes.add(llvm::createInstructionCombiningPass());
    passes.add(llvm::createLICMPass());
    passes.add(llvm::createEarlyCSEPass(true));
    llvm::MCContext* context = nullptr;
    const bool ok = !machine.addPassesToEmitMC(passes, context, out->stream);
    if (ok) {
        passes.run(module);
        object->assign(out->bytes.begin(), out->bytes.end());
    }
    delete out;
    return ok;
}

}  // namespace terrazzo::soft::jit
