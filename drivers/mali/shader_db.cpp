// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// All chips of the generation run the same code. They differ in the number of threads per core.
#include "drivers/mali/shader_db.h"

#include <iterator>

#include "drivers/common/shader_db/chip_compilers.h"
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/hw/chips.h"
#include "pipe/debug.h"

namespace terrazzo::mali {

namespace {

/// Amounts that a core does per clock, in units of isa::Cost and in the order of kUnits.
constexpr double kRates[] = {64, 64, 16, 16, 4, 1};
constexpr unsigned kFewRegisters = 32;  // with more registers, a core has half as many threads

}  // namespace

struct Valhall {
    using Chip = hw::Chip;
    using Binary = compiler::Binary;
    static constexpr pipe::OfflineUnit kUnits[] = {
        {"fma", "arithmetic: multiply and add"},
        {"cvt", "conversions, comparisons, integers and moves"},
        {"sfu", "special functions: reciprocal, square root, logarithm, sine"},
        {"v", "varyings: interpolation"},
        {"t", "texture sampling"},
        {"ls", "loads and stores"},
        {"latency", "what a warp that is alone takes, shared by as many threads as a core can have"},
    };
    static_assert(std::size(kUnits) == std::size(kRates) + 1);
    static constexpr const char* kParts[] = {"position", "varying", "fragment", "compute"};
    static constexpr auto& chips = hw::chips;

    static constexpr ir::Stage kStages[] = {ir::Stage::Vertex, ir::Stage::Vertex, ir::Stage::Fragment,
                                            ir::Stage::Compute};  // by compiler::Part
    static bool has_part(const ir::Shader& s, unsigned part) {
        return compiler::Part(part) != compiler::Part::Varying || compiler::has_varying_part(s);
    }
    static Binary compile(const Chip&, const ir::Shader& s, unsigned part) {
        compiler::Options options;
        if (pipe::debug(pipe::DebugWord::NoFp16)) options.halves = compiler::Options::Halves::Never;
        return compiler::compile(s, compiler::Part(part), options);
    }
    static void measure(const Chip& chip, unsigned, const Binary& binary, pipe::OfflineCode* out) {
        const compiler::Statistics& s = binary.info.statistics;
        out->registers = binary.info.work_registers;
        out->threads = chip.max_threads / (out->registers > kFewRegisters ? 2 : 1);
        shader_db::add_cycles({s.fma, s.cvt, s.sfu, s.v, s.t, s.ls}, kRates, out);
        // The latency of a single warp, divided by the number of threads that a core can run at a time.
        out->cycles.push_back(double(s.alone_clk) / out->threads);
    }
};

}  // namespace terrazzo::mali

template std::span<const terrazzo::pipe::OfflineCompiler* const>
terrazzo::shader_db::chip_compilers<terrazzo::mali::Valhall>();
