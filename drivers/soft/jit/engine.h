// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM for this machine: from a module to code in memory. Private to jit/.
#pragma once

#include <memory>
#include <string>

#include "drivers/soft/jit/codegen.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

namespace terrazzo::soft::jit {

/// The host CPU as LLVM sees it. Made once a compiler; immutable.
class Host {
  public:
    Host();
    /// Null: LLVM knows no such target.
    [[nodiscard]] std::unique_ptr<llvm::TargetMachine> machine() const;
    [[nodiscard]] const Features& features() const { return features_; }

  private:
    std::string triple_, cpu_, attributes_;
    Features features_;
    const llvm::Target* target_ = nullptr;
};

/// Light optimisation and code generation: an object file in memory. Null: the target cannot.
[[nodiscard]] std::unique_ptr<llvm::MemoryBuffer> compile_module(llvm::Module& module,
                                                                 llvm::TargetMachine& machine);

/// Executable memory with one object's code in it.
class LoadedCode {
  public:
    /// Null with *error set on failure.
    [[nodiscard]] static std::unique_ptr<LoadedCode> load(const llvm::MemoryBuffer& object,
                                                          std::string* error);
    virtual ~LoadedCode() = default;
    /// Null: no such function.
    [[nodiscard]] virtual void* function(const char* name) const = 0;
};

}  // namespace terrazzo::soft::jit
