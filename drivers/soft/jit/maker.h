// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door between the driver and LLVM. LLVM is large and dear to load: it lies in a library of its own
// (libterrazzo-llvm.so), which is opened when the first shader must be compiled, or it is linked in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft::jit {

inline constexpr const char* kShaderFunction = "shader";
inline constexpr const char* kLlvmLibrary = "libterrazzo-llvm.so";

/// Thread-safe.
class ObjectMaker {
  public:
    virtual ~ObjectMaker() = default;
    /// An object for link_object() with the function kShaderFunction. `lowered` comes from lower_for_soft(),
    /// `facts` are its; `lanes`: fragments at once. False, with *error set: this cannot be compiled;
    /// with *usable false, too: nothing can from now on, since memory ran out inside LLVM. Throws std::bad_alloc
    /// where it did before.
    [[nodiscard]] virtual bool make(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
                                    std::vector<uint8_t>* object, std::string* error, bool* usable) const = 0;
};

/// What libterrazzo-llvm.so exports, by the name terrazzo_llvm_module.
struct LlvmModule {
    const char* stamp;  // must be kStamp of who asks: of the same sources
    const ObjectMaker* maker;
};
extern "C" __attribute__((visibility("default"))) const LlvmModule* terrazzo_llvm_module();

/// Differs where the sources of the JIT, of its interfaces or LLVM's version differ (winsys/process/library_stamp.py).
extern const char kStamp[];
extern const char kVersion[];  // LLVM's

/// Opens the door; never closes it. Null, with *why set: there is no LLVM here, in words.
[[nodiscard]] const ObjectMaker* open_llvm(std::string* why);
/// The file that open_llvm() would load; empty: LLVM is linked in.
[[nodiscard]] std::string llvm_file();

}  // namespace terrazzo::soft::jit
