// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips differ in the registers of a shader processor: how many fibers run, and for how many the compiler
// looks for code with fewer registers.
#include "drivers/adreno/shader_db.h"

#include <algorithm>
#include <iterator>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/hw/chips.h"
#include "drivers/common/shader_db/chip_compilers.h"
#include "pipe/debug.h"

namespace terrazzo::adreno {

namespace {

/// Amounts that a shader processor does per clock, in threads and in the order of kUnits. The values are
/// guesses; only their order is meaningful.
constexpr double kRates[] = {64, 16, 4, 4};

}  // namespace

struct Ir3 {
    using Chip = hw::Chip;
    using Binary = compiler::Binary;
    static constexpr pipe::OfflineUnit kUnits[] = {
        {"alu", "arithmetic, moves, flow and waits (categories 0 to 3)"},
        {"sfu", "special functions: reciprocal, square root, logarithm, sine (category 4)"},
        {"texture", "texture sampling (category 5)"},
        {"memory", "loads and stores (category 6)"},
    };
    static_assert(std::size(kUnits) == std::size(kRates));
    static constexpr const char* kParts[] = {"vertex", "binning", "fragment", "compute"};
    static constexpr unsigned kBinning = 1, kFragment = 2, kCompute = 3;
    static constexpr auto& chips = hw::chips;

    static constexpr ir::Stage kStages[] = {ir::Stage::Vertex, ir::Stage::Vertex, ir::Stage::Fragment,
                                            ir::Stage::Compute};
    static Binary compile(const Chip& chip, const ir::Shader& s, unsigned part) {
        return compiler::compile(
            s, {.variant = part == kBinning ? compiler::Variant::Binning : compiler::Variant::Draw,
                .halves = !pipe::debug(pipe::DebugWord::NoFp16),
                .register_file_vec4 = chip.generation.registers_vec4});
    }
    static void measure(const Chip& chip, unsigned part, const Binary& binary, pipe::OfflineCode* out) {
        const auto& cat = binary.info.statistics.cat;
        out->registers = binary.info.full_registers * 4u;
        const hw::RegisterFile file{chip.generation.registers_vec4, part == kFragment || part == kCompute};
        out->threads = file.fibers(binary.info.full_registers);
        // Nops take the ALU's time: they wait for ALU results.
        shader_db::add_cycles({cat[0] + cat[1] + cat[2] + cat[3], cat[4], cat[5], cat[6]}, kRates, out);
    }
};

}  // namespace terrazzo::adreno

template std::span<const terrazzo::pipe::OfflineCompiler* const>
terrazzo::shader_db::chip_compilers<terrazzo::adreno::Ir3>();
