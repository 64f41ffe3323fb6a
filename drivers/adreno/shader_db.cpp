// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips run the same code; they differ in how many registers a shader processor has.
#include "drivers/adreno/shader_db.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/hw/chips.h"
#include "pipe/debug.h"

namespace terrazzo::adreno {

namespace {

constexpr pipe::OfflineUnit kUnits[] = {
    {"alu", "arithmetic, moves, flow and waits (categories 0 to 3)"},
    {"sfu", "special functions: reciprocal, square root, logarithm, sine (category 4)"},
    {"texture", "texture sampling (category 5)"},
    {"memory", "loads and stores (category 6)"},
};
/// Of a shader processor per clock, in threads: guesses, of which only the order is meant.
constexpr double kRates[] = {64, 16, 4, 4};
static_assert(std::size(kUnits) == std::size(kRates));

constexpr const char* kParts[] = {"vertex", "binning", "fragment", "compute"};
constexpr ir::Stage kStages[] = {ir::Stage::Vertex, ir::Stage::Vertex, ir::Stage::Fragment,
                                 ir::Stage::Compute};
static_assert(std::size(kStages) == std::size(kParts));

class Ir3Compiler final : public pipe::OfflineCompiler {
  public:
    explicit Ir3Compiler(const hw::Chip& chip) : chip_(chip) {}
    const char* name() const override { return chip_.name; }
    std::span<const pipe::OfflineUnit> units() const override { return kUnits; }
    std::span<const char* const> parts() const override { return kParts; }

    pipe::OfflineCode compile(const pipe::ProgramDesc& program, unsigned part) const override {
        constexpr unsigned kBinning = 1;
        const ir::Shader* const shader = program.stages[size_t(kStages[part])];
        pipe::OfflineCode out;
        out.present = shader != nullptr;
        if (!out.present) return out;
        compiler::Options options;
        options.variant = part == kBinning ? compiler::Variant::Binning : compiler::Variant::Draw;
        options.halves = !pipe::debug(pipe::DebugWord::NoFp16);
        const compiler::Binary binary = compiler::compile(*shader, options);
        out.error = binary.error;
        if (!binary.error.empty()) return out;
        const compiler::Statistics& s = binary.info.statistics;
        out.instructions = s.instructions;
        out.loops = s.loops;
        out.registers = binary.info.full_registers * 4u;
        out.threads = threads(binary.info.full_registers);
        out.spills = s.spilled_words;
        out.code_B = uint32_t(binary.code.size() * sizeof binary.code[0]);
        // Nops take the ALU's time, as it is theirs that they wait for.
        const uint32_t amounts[] = {s.cat[0] + s.cat[1] + s.cat[2] + s.cat[3], s.cat[4], s.cat[5], s.cat[6]};
        static_assert(std::size(amounts) == std::size(kRates));
        for (size_t i = 0; i < std::size(kRates); ++i)
            out.cycles.push_back(amounts[i] / kRates[i]);
        return out;
    }

  private:
    /// Mesa 25.0.7, ir3_get_reg_dependent_max_waves.
    [[nodiscard]] uint32_t threads(unsigned registers) const {
        const unsigned waves = registers
                                   ? chip_.generation.registers_vec4 / registers * hw::Chip::kWaveGranularity
                                   : hw::Chip::kMaxWaves;
        return std::clamp(waves, 1u, hw::Chip::kMaxWaves) * hw::Chip::kThreadsize;
    }
    const hw::Chip& chip_;
};

struct List {
    std::vector<std::unique_ptr<const Ir3Compiler>> all;
    std::vector<const pipe::OfflineCompiler*> pointers;
    List() {
        for (const hw::Chip& chip : hw::chips()) {
            all.push_back(std::make_unique<const Ir3Compiler>(chip));
            pointers.push_back(all.back().get());
        }
    }
};

}  // namespace

std::span<const pipe::OfflineCompiler* const> offline_compilers() {
    static const List list;
    return list.pointers;
}

}  // namespace terrazzo::adreno
