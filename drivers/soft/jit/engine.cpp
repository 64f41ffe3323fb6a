// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// No pass manager builder and no ORC session: a fixed list of passes chosen for compile speed, the code
// generator, and RuntimeDyld, which is the smallest part of LLVM that loads an object.
#include "drivers/soft/jit/engine.h"

#include <cmath>
#include <cstring>
#include <mutex>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/ExecutionEngine/RuntimeDyld.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar.h"

namespace terrazzo::soft::jit {

Host::Host() {
    static std::once_flag once;  // LLVM's registry of targets is the process's
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
    return std::unique_ptr<llvm::TargetMachine>(
        target_->createTargetMachine(triple_, cpu_, attributes_, options, llvm::Reloc::PIC_,
                                     llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
}

std::unique_ptr<llvm::MemoryBuffer> compile_module(llvm::Module& module, llvm::TargetMachine& machine) {
    llvm::legacy::PassManager passes;
    passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
    passes.add(llvm::createSROAPass());
    passes.add(llvm::createEarlyCSEPass());
    passes.add(llvm::createCFGSimplificationPass());
    passes.add(llvm::createInstructionCombiningPass());
    passes.add(llvm::createLICMPass());
    passes.add(llvm::createEarlyCSEPass(true));
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::MCContext* context = nullptr;
    if (machine.addPassesToEmitMC(passes, context, stream)) return nullptr;
    passes.run(module);
    return std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes), "shader", false);
}

namespace {

/// The few functions that LLVM itself calls for what the CPU has no instruction for.
class Resolver final : public llvm::LegacyJITSymbolResolver {
  public:
    llvm::JITSymbol findSymbol(const std::string& name) override {
        struct Known {
            const char* name;
            void* address;
        };
        const Known known[] = {
            {"memset", reinterpret_cast<void*>(&::memset)},
            {"memcpy", reinterpret_cast<void*>(&::memcpy)},
            {"memmove", reinterpret_cast<void*>(&::memmove)},
            {"fmaf", reinterpret_cast<void*>(static_cast<float (*)(float, float, float)>(::fmaf))},
        };
        for (const Known& k : known)
            if (name == k.name)
                return {llvm::JITTargetAddress(reinterpret_cast<uintptr_t>(k.address)),
                        llvm::JITSymbolFlags::Exported};
        return nullptr;
    }
    llvm::JITSymbol findSymbolInLogicalDylib(const std::string&) override { return nullptr; }
};

class Loaded final : public LoadedCode {
  public:
    Loaded() : linker_(memory_, resolver_) {}
    bool load(const llvm::MemoryBuffer& object, std::string* error) {
        auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
        if (!file) {
            *error = llvm::toString(file.takeError());
            return false;
        }
        const auto info = linker_.loadObject(**file);
        linker_.resolveRelocations();
        if (!info || linker_.hasError()) {
            *error = linker_.getErrorString().str();
            return false;
        }
        return !memory_.finalizeMemory(error);
    }
    void* function(const char* name) const override {
        return reinterpret_cast<void*>(uintptr_t(linker_.getSymbol(name).getAddress()));
    }

  private:
    llvm::SectionMemoryManager memory_;
    Resolver resolver_;
    llvm::RuntimeDyld linker_;
};

}  // namespace

std::unique_ptr<LoadedCode> LoadedCode::load(const llvm::MemoryBuffer& object, std::string* error) {
    auto loaded = std::make_unique<Loaded>();
    if (!loaded->load(object, error)) return nullptr;
    return loaded;
}

}  // namespace terrazzo::soft::jit
