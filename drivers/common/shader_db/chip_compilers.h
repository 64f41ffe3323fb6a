// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The offline compilers of a vendor's chips. `Traits` describes the vendor:
//   using Chip, Binary (error, code, info.statistics: instructions, loops, spilled_words)
//   static constexpr pipe::OfflineUnit kUnits[]; const char* kParts[]
//   static std::span<const Chip> chips()
//   static constexpr ir::Stage kStages[]  // of the shader that each part is compiled from
//   static bool has_part(const ir::Shader&, unsigned part)  // of the part's stage; none: it has all parts
//   static Binary compile(const Chip&, const ir::Shader&, unsigned part)
//   // Sets registers, threads and cycles (one for each unit).
//   static void measure(const Chip&, unsigned part, const Binary&, pipe::OfflineCode*)
#pragma once

#include <iterator>
#include <memory>
#include <vector>

#include "drivers/common/shader_db/offline.h"
#include "pipe/state.h"

namespace terrazzo::shader_db {

/// Adds the cycles of each unit: its amount of work divided by its rate (per clock of a core or shader
/// processor).
template <size_t kCount>
void add_cycles(const uint32_t (&amounts)[kCount], const double (&rates)[kCount], pipe::OfflineCode* out) {
    for (size_t i = 0; i < kCount; ++i)
        out->cycles.push_back(amounts[i] / rates[i]);
}

template <class Traits>
class ChipCompiler final : public pipe::OfflineCompiler {
  public:
    explicit ChipCompiler(const typename Traits::Chip& chip) : chip_(chip) {}
    const char* name() const override { return chip_.name; }
    std::span<const pipe::OfflineUnit> units() const override { return Traits::kUnits; }
    std::span<const char* const> parts() const override { return Traits::kParts; }

    pipe::OfflineCode compile(const pipe::ProgramDesc& program, unsigned part) const override {
        pipe::OfflineCode out;
        static_assert(std::size(Traits::kStages) == std::size(Traits::kParts));
        const ir::Shader* const shader = program.stages[size_t(Traits::kStages[part])];
        out.present = shader != nullptr;
        if constexpr (requires { Traits::has_part(*shader, part); })
            out.present = out.present && Traits::has_part(*shader, part);
        if (!out.present) return out;
        const typename Traits::Binary binary = Traits::compile(chip_, *shader, part);
        out.error = binary.error;
        if (!binary.error.empty()) return out;
        const auto& s = binary.info.statistics;
        out.instructions = s.instructions;
        out.loops = s.loops;
        out.spills = s.spilled_words;
        out.code_B = uint32_t(binary.code.size() * sizeof binary.code[0]);
        Traits::measure(chip_, part, binary, &out);
        return out;
    }

  private:
    const typename Traits::Chip& chip_;
};

template <class Traits>
std::span<const pipe::OfflineCompiler* const> chip_compilers() {
    struct List {
        std::vector<std::unique_ptr<const ChipCompiler<Traits>>> all;
        std::vector<const pipe::OfflineCompiler*> pointers;
        List() {
            for (const typename Traits::Chip& chip : Traits::chips()) {
                all.push_back(std::make_unique<const ChipCompiler<Traits>>(chip));
                pointers.push_back(all.back().get());
            }
        }
    };
    static const List list;
    return list.pointers;
}

}  // namespace terrazzo::shader_db
