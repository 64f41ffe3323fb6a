// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The passes of a compilation, in their order (compile.cpp). Those on machine code report errors in f.error.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// IR passes before instruction selection, on a copy of a linked stage. Returns whether any value became a
/// half.
bool prepare(ir::Shader& s, const Options& options);

/// Fields of the header, a register with the numbers of an invocation: the first bit of each, and its mask.
struct HeaderField {
    uint32_t shift, mask;
};
/// The number of the primitive or patch in the wave. Control shaders with tess_use_shared read
/// kHeaderSharedPatch.
inline constexpr HeaderField kHeaderPrimitive{0, 63}, kHeaderSharedPatch{16, 63};
/// The number of the vertex that the invocation ran in the previous stage; the invocation's own number.
inline constexpr HeaderField kHeaderVertex{6, 31}, kHeaderInvocation{11, 31};
/// For geometry shaders: the number of the vertex that the invocation keeps.
inline constexpr HeaderField kHeaderEmitted{16, 1023};

/// The tessellator's input for a patch, in dwords: the primitive's number, outer levels, inner levels.
struct TessLevels {
    uint32_t outer, inner;
    [[nodiscard]] constexpr uint32_t size_dw() const { return 1 + outer + inner; }
};
[[nodiscard]] TessLevels tess_levels(ir::Shape domain);

/// Lowers control, evaluation and geometry stages to the hardware's form (lower_stage.cpp). Other stages are
/// not changed.
void lower_stage(ir::Shader& s, const Options& options);

/// Assigns registers below `max_registers` dwords to all words. If there are too few, nodes are spilled to
/// private memory if `spills` is set; otherwise it fails. Returns false if more units live at once than there
/// are: then other runs of registers would not help.
bool allocate(Function& f, unsigned max_registers, bool spills);
/// The registers of four dwords that allocated code uses.
[[nodiscard]] unsigned register_footprint(const Function& f);

/// Linked, allocated code of that stage to machine code: waits ((ss), (sy), nops), reconvergence points (jp),
/// the last read of varyings (ei), targets of jumps. Facts: Mesa 25.0.7, ir3_legalize.c.
void legalize(Function& f, ir::Stage stage, std::pmr::vector<isa::Instr>* out);

/// Checks that machine code waits for all that it reads on every path: for results of ALUs by time, for
/// others by (ss) and (sy). It reads machine words only, and does not depend on how legalize() inserts waits.
/// Returns the place and register of the first read or write that is too early; empty: there is none.
/// `prefetches` are pending when the code begins.
[[nodiscard]] std::string find_hazard(std::span<const uint64_t> code,
                                      std::span<const TexturePrefetch> prefetches = {});

}  // namespace terrazzo::adreno::compiler
