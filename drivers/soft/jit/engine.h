// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LLVM for this machine: compiles a module to an object file. Private to jit/.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drivers/soft/jit/codegen.h"
#include "llvm/Target/TargetMachine.h"

namespace terrazzo::soft::jit {

/// The host CPU in LLVM's terms. Each compiler creates one. Immutable.
class Host {
  public:
    Host();
    /// Null: LLVM has no such target.
    [[nodiscard]] std::unique_ptr<llvm::TargetMachine> machine() const;
    [[nodiscard]] const Features& features() const { return features_; }

  private:
    std::string triple_, cpu_, attributes_;
    Features features_;
    const llvm::Target* target_ = nullptr;
};

/// Light optimisation and code generation to an object file in memory. False: the target does not support it.
[[nodiscard]] bool compile_module(llvm::Module& module, llvm::TargetMachine& machine,
                                  std::vector<uint8_t>* object);

}  // namespace terrazzo::soft::jit
