// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code between the compiler and the memory it runs in: one block of bytes with code and constants.
// References inside it are relative. It contains no address of a process, so it can be stored and run by
// another process.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/host_code/memory.h"
#include "shaders/ir/ir.h"

namespace terrazzo::soft {

struct CodeImage {
    /// Eight bytes that receive an address when the image is loaded.
    struct Slot {
        uint32_t offset_B;
        std::string symbol;  // a name for find_runtime_symbol; empty: the image itself
        int64_t addend;
    };
    std::vector<uint8_t> bytes;
    std::vector<Slot> slots;
    uint32_t entry_B = 0;
};

/// Serialises for the cache (which verifies the bytes), and back. False: the bytes are no image.
void append_image(const CodeImage& image, std::vector<uint8_t>* out);
[[nodiscard]] bool read_image(std::span<const uint8_t> bytes, CodeImage* out);

using host_code::CodeMapping;
using host_code::CodeMemory;
/// The image in memory, with all addresses in it; its entry is `entry_B` bytes from the start. Empty, with
/// *error set: out of memory, an unknown symbol, or the host forbids executable memory.
[[nodiscard]] std::optional<CodeMemory> load_image(const CodeImage& image, std::string* error,
                                                   CodeMapping how = CodeMapping::Any);

/// Functions that code may call: memcpy and similar ones, texture functions (interp/interface.h), the IR's
/// kernels, and "run_kernel", which takes rows of kLanes words (result, operands) and a kernel. Null: there
/// is no such function.
[[nodiscard]] const void* find_runtime_symbol(const std::string& name);
/// "kernel_<op>_<result>_<operand>", with numbers.
[[nodiscard]] std::string kernel_symbol(ir::Op op, ir::Type result, ir::Type operand);

}  // namespace terrazzo::soft
