// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code between the compiler that made it and the memory it runs in: one block of bytes, code and
// constants, in which everything that points inside is relative. It holds no address of any process, so that
// it can be stored and run by another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "shaders/ir/ir.h"

namespace terrazzo::soft {

struct CodeImage {
    /// Eight bytes that get an address when the image is loaded.
    struct Slot {
        uint32_t offset_B;
        std::string symbol;  // of find_runtime_symbol; empty: the image itself
        int64_t addend;
    };
    std::vector<uint8_t> bytes;
    std::vector<Slot> slots;
    uint32_t entry_B = 0;
};

/// As bytes for the cache (which checks that they come back as they were), and back. False: that is no image.
void append_image(const CodeImage& image, std::vector<uint8_t>* out);
[[nodiscard]] bool read_image(std::span<const uint8_t> bytes, CodeImage* out);

/// What code may call: memcpy and its like, what textures need (interp/interface.h), the IR's kernels, and
/// "run_kernel", which takes rows of kLanes words (result, operands) and a kernel. Null: no such thing.
[[nodiscard]] const void* find_runtime_symbol(const std::string& name);
/// "kernel_<op>_<result>_<operand>", by number.
[[nodiscard]] std::string kernel_symbol(ir::Op op, ir::Type result, ir::Type operand);

}  // namespace terrazzo::soft
