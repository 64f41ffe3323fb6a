// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR's binary form, for caches and program binaries (print.h is the form for people). It has two parts:
//
//   content  all that determines what the shader does, in program order. Values are numbered in that order,
//            so shaders with equal instructions have equal content, whatever the ids of their values are.
//            Compiled code is looked up by the hash of the content.
//   remarks  names of variables and lines of instructions.
//
// Numbers are LEB128 (signed ones zigzag). An operand is the distance, in values, back to its definition.
// Files in this form have the build's id or kBinaryForm (binary_bytes.h), which changes with ops.def.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "shaders/digest.h"
#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct Binary {
    std::vector<uint8_t> content, remarks;
};
[[nodiscard]] Binary write_binary(const Shader& s);

/// Returns the shader, with values numbered in program order; null if the bytes are not in this form. Any
/// bytes are safe, but the result may be invalid IR: run the validator on it before anything else.
[[nodiscard]] std::unique_ptr<Shader> read_binary(
    std::span<const uint8_t> content, std::span<const uint8_t> remarks,
    std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// What a content begins with. False: it is none.
[[nodiscard]] bool read_head(std::span<const uint8_t> content, Stage* stage, ShaderInfo* info);

/// The digest of a content.
using ContentHash = shaders::DigestBytes;
[[nodiscard]] ContentHash hash_content(std::span<const uint8_t> content);

}  // namespace terrazzo::ir
