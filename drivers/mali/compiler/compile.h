// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The Valhall compiler: a linked shader in, machine code and what the driver must provide out. Re-entrant;
// the same shader always gives the same code. A shader that needs what is not here yet is refused, with a
// text that says what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/mali/compiler/abi.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali::compiler {

/// Of a vertex shader, IDVS runs the position part first; the varying part only for vertices that are needed.
enum class Part : uint8_t { Position, Varying, Fragment };

struct Statistics {
    uint32_t instructions = 0, blocks = 0, loops = 0, spilled_words = 0;
    uint32_t fma = 0, cvt = 0, sfu = 0, v = 0, t = 0, ls = 0;  // units of isa::cost
};

struct Info {
    uint8_t work_registers = 32;  // 32: r0..r15 and r48..r63; 64: all
    uint64_t preload = 0;         // registers that must hold their value (abi.h) when a thread starts
    std::vector<UniformWord> fau;
    uint32_t attributes = 0;            // bit per location that is read
    uint32_t varyings = 0;              // bit per slot (VaryingSlot::Varying0 + n) that is written or read
    uint32_t textures = 0;              // bit per texture and sampler slot
    uint32_t colors = 0;                // bit per render target that is written
    bool reads_uniform_buffer = false;  // the default block must be buffer 0 of Table::UniformBuffers
    bool writes_point_size = false, writes_depth = false, discards = false;
    bool uses_derivatives = false;  // needs helper threads
    uint32_t tls_B = 0;
    Statistics statistics;
};

struct Binary {
    std::vector<uint64_t> code;  // padded with zeroes, 128 B aligned in size; empty: there is nothing to do
    Info info;
    std::string error;  // not empty: refused
};

/// `s` is a stage of a linked program (all that is common was done); it is not changed.
[[nodiscard]] Binary compile(const ir::Shader& s, Part part);

/// Whether the vertex shader has anything for the varying part to do.
[[nodiscard]] bool has_varying_part(const ir::Shader& s);

}  // namespace terrazzo::mali::compiler
