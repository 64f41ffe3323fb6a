// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door between the driver and LLVM. LLVM is large and slow to load. So it is in a library of its own,
// libterrazzo-llvm.so, which is opened when the first shader is compiled. Static builds link it in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/soft/shader_abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft::jit {

inline constexpr const char* kShaderFunction = "shader";
inline constexpr const char* kLlvmLibrary = "libterrazzo-llvm.so";

/// Thread: any.
class ObjectMaker {
  public:
    virtual ~ObjectMaker() = default;
    /// Compiles an object for link_object() with the function kShaderFunction. `lowered` is a result of
    /// lower_for_soft(), `facts` are its facts; `lanes`: fragments at once. False, with *error set: this
    /// shader cannot be compiled. With *usable false: no shader can be compiled any more, since memory ran
    /// out inside LLVM. Throws std::bad_alloc if memory ran out before LLVM was entered.
    [[nodiscard]] virtual bool make(const ir::Shader& lowered, const CompiledShader& facts, unsigned lanes,
                                    std::vector<uint8_t>* object, std::string* error, bool* usable) const = 0;
};

/// What libterrazzo-llvm.so exports as terrazzo_llvm_module.
struct LlvmModule {
    const char* stamp;  // must equal the caller's kStamp: both were built of the same sources
    const ObjectMaker* maker;
};
extern "C" __attribute__((visibility("default"))) const LlvmModule* terrazzo_llvm_module();

/// Changes when the sources of the JIT or of its interfaces, or LLVM's version change
/// (winsys/process/library_stamp.py).
extern const char kStamp[];
extern const char kVersion[];  // LLVM's

/// Opens the door, for good. Null, with *why set: LLVM is not available.
[[nodiscard]] const ObjectMaker* open_llvm(std::string* why);
/// The file that open_llvm() would load; empty if LLVM is linked in.
[[nodiscard]] std::string llvm_file();

}  // namespace terrazzo::soft::jit
