// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR's binary form, for caches and program binaries (print.h is the form for people). It has two parts:
//
//   content  all that a shader does, in program order, its values numbered in that order: shaders with equal
//            instructions have equal content, whatever their values' ids. Compiled code is looked up by the
//            hash of its shader's content.
//   remarks  variables' names and instructions' lines.
//
// Numbers are LEB128 (signed ones zigzag); an operand is how many values ago it was defined. The form belongs
// to a build: it is stored with the build's id, or with a version that changes with ops.def and this file.
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

/// The shader, its values numbered anew in program order; null for bytes that are none. Any bytes are safe;
/// what is read need not be valid IR: run the validator on it before anything else.
[[nodiscard]] std::unique_ptr<Shader> read_binary(
    std::span<const uint8_t> content, std::span<const uint8_t> remarks,
    std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// What a content begins with. False: it is none.
[[nodiscard]] bool read_head(std::span<const uint8_t> content, Stage* stage, ShaderInfo* info);

/// The digest of a content.
using ContentHash = shaders::DigestBytes;
[[nodiscard]] ContentHash hash_content(std::span<const uint8_t> content);

}  // namespace terrazzo::ir
