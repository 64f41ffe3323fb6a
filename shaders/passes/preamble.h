// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Preambles: what is the same for a whole draw (of uniforms, parameters of the draw, uniform blocks) is
// computed once, before the draw's invocations, which then read the results as uniforms.
//
// PreamblePlan says which instructions that are. A device that runs preambles as a part of the shader
// generates both from one Shader by the plan. split_preamble() makes two shaders of one, for devices (or
// CPUs) that run them one after the other. The plan moves single instructions out of Ifs and Loops, since
// none of them has side effects or may fail; it moves no Ifs and Loops. So it must come after if_conversion
// and loop_unroll.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "shaders/analysis/uniformity.h"
#include "shaders/ir/ir.h"

namespace terrazzo::ir {

/// What a device can compute in a preamble, and what that is worth. UniformitySources::scope() says what it
/// reads that is the same in a draw.
class PreambleModel : public UniformitySources {
  public:
    /// Dwords of results, at most.
    uint32_t max_dw = 256;
    /// A preamble must spare each invocation as many instructions; with less there is none.
    unsigned min_gain = 2;

    /// Asked for instructions with results that are the same in a draw and whose operands are there.
    /// Optional: operations without side effects whose results have at most 32 bits.
    [[nodiscard]] virtual bool can_compute(const Instr& i) const;
    /// Instructions that each invocation is spared. 0: it costs nothing where its result is used (a modifier,
    /// the place of a uniform), so it stays in the shader, and the preamble has a copy where it needs one.
    /// Optional.
    [[nodiscard]] virtual unsigned gain(const Instr& i) const;
};

class PreamblePlan {
  public:
    /// Which part of the shader computes an instruction: the main part, the preamble, or each part that uses
    /// it.
    enum class Home : uint8_t { Main, Both, Preamble };

    /// `s` is not kept; it must stay as it is while the plan is used. Time: linear in its size.
    PreamblePlan(const Shader& s, const PreambleModel& model);

    /// There is no preamble: too little is gained, or there are too many results without loads of uniform
    /// blocks, too.
    [[nodiscard]] bool empty() const { return results_.empty(); }
    [[nodiscard]] Home home(const Instr& i) const {
        return i.result_count && !homes_.empty() ? homes_[i.result()->id] : Home::Main;
    }
    /// The main part does not compute it.
    [[nodiscard]] bool only_in_preamble(const Instr& i) const;
    /// What the main part uses of what the preamble computes, in the order of the program.
    [[nodiscard]] std::span<const Value* const> results() const { return results_; }

  private:
    /// What all instructions of the preamble gain.
    unsigned find_homes(const Shader& s, const PreambleModel& model, const Uniformity& uniformity,
                        bool blocks);
    void find_results(const Shader& s);

    std::vector<Home> homes_;          // by Value::id; empty: there is no preamble
    std::vector<uint8_t> main_needs_;  // likewise
    std::vector<const Value*> results_;
};

struct SplitPreamble {
    /// A compute shader of one invocation. It stores result n as a dword at byte 4 * n of storage buffer 0:
    /// floats of 16 bits as floats of 32, Bools as 0 or 1. Null: there is none.
    std::unique_ptr<Shader> shader;
    uint32_t count_dw = 0;
};
/// Moves the preamble of `s`, which is linked, into a shader of its own. `s` then reads result n as dword
/// first_dw + n of the default block. Where there is no preamble `s` does not change.
[[nodiscard]] SplitPreamble split_preamble(Shader& s, const PreambleModel& model, uint32_t first_dw);

}  // namespace terrazzo::ir
