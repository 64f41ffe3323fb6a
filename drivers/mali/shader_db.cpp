// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The chips of the generation run the same code; they differ in how many threads a core has.
#include "drivers/mali/shader_db.h"

#include <array>
#include <iterator>
#include <memory>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/hw/chips.h"
#include "pipe/debug.h"

namespace terrazzo::mali {

namespace {

constexpr pipe::OfflineUnit kUnits[] = {
    {"fma", "arithmetic: multiply and add"},
    {"cvt", "conversions, comparisons, integers and moves"},
    {"sfu", "special functions: reciprocal, square root, logarithm, sine"},
    {"v", "varyings: interpolation"},
    {"t", "texture sampling"},
    {"ls", "loads and stores"},
    {"latency", "what a warp that is alone takes, shared by as many threads as a core can have"},
};
/// Of a core per clock, in the measure of isa::Cost.
constexpr double kRates[] = {64, 64, 16, 16, 4, 1};
static_assert(std::size(kUnits) == std::size(kRates) + 1);

constexpr const char* kParts[] = {"position", "varying", "fragment"};
constexpr unsigned kFewRegisters = 32;  // more than these halve the threads

class ValhallCompiler final : public pipe::OfflineCompiler {
  public:
    explicit ValhallCompiler(const hw::Chip& chip) : chip_(chip) {}
    const char* name() const override { return chip_.name; }
    std::span<const pipe::OfflineUnit> units() const override { return kUnits; }
    std::span<const char* const> parts() const override { return kParts; }

    pipe::OfflineCode compile(const pipe::ProgramDesc& program, unsigned index) const override {
        const auto part = compiler::Part(index);
        const auto stage = part == compiler::Part::Fragment ? ir::Stage::Fragment : ir::Stage::Vertex;
        const ir::Shader* const shader = program.stages[size_t(stage)];
        pipe::OfflineCode out;
        out.present = shader && (part != compiler::Part::Varying || compiler::has_varying_part(*shader));
        if (!out.present) return out;
        compiler::Options options;
        if (pipe::debug(pipe::DebugWord::NoFp16)) options.halves = compiler::Options::Halves::Never;
        const compiler::Binary binary = compiler::compile(*shader, part, options);
        out.error = binary.error;
        if (!binary.error.empty()) return out;
        const compiler::Statistics& s = binary.info.statistics;
        out.instructions = s.instructions;
        out.loops = s.loops;
        out.registers = binary.info.work_registers;
        out.threads = chip_.max_threads / (out.registers > kFewRegisters ? 2 : 1);
        out.spills = s.spilled_words;
        out.code_B = uint32_t(binary.code.size() * sizeof binary.code[0]);
        const uint32_t amounts[] = {s.fma, s.cvt, s.sfu, s.v, s.t, s.ls};
        static_assert(std::size(amounts) == std::size(kRates));
        for (size_t i = 0; i < std::size(kRates); ++i)
            out.cycles.push_back(amounts[i] / kRates[i]);
        // As many threads as there can be take as long as a warp that is alone.
        out.cycles.push_back(double(s.alone_clk) / out.threads);
        return out;
    }

  private:
    const hw::Chip& chip_;
};

struct List {
    std::vector<std::unique_ptr<const ValhallCompiler>> all;
    std::vector<const pipe::OfflineCompiler*> pointers;
    List() {
        for (const hw::Chip& chip : hw::chips()) {
            all.push_back(std::make_unique<const ValhallCompiler>(chip));
            pointers.push_back(all.back().get());
        }
    }
};

}  // namespace

std::span<const pipe::OfflineCompiler* const> offline_compilers() {
    static const List list;
    return list.pointers;
}

}  // namespace terrazzo::mali
