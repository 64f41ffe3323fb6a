// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The reference interpreter: it defines the IR's meaning. The CPU driver also runs shaders by it in builds
// without LLVM and asmjit.
//
//   auto program = InterpProgram::create(shader, 8);   // once a shader; keeps nothing of it
//   InterpState state(*program);                       // once a thread; all memory that a run needs
//   MyEnv env;                                         // what the shader reads and writes
//   auto r = run(*program, state, env, mask, budget);
//
// Lanes run in lockstep under a mask. Four lanes are a quad (derivatives): lane = 4 * quad + 2 * (y & 1) +
// (x & 1). A discarded lane continues as a helper, for derivatives, and stores nothing. Values are rows of
// lanes: 32-bit words (Bool 0 or 1; I16 and F16 zero-extended), I64 64-bit words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "shaders/ir/image.h"
#include "shaders/ir/ir.h"
#include "shaders/ir/memory.h"

namespace terrazzo::ir {

inline constexpr unsigned kMaxInterpLanes = 64;
using InterpMask = uint64_t;  // bit per lane

/// One Tex instruction for all lanes. Rows have one word per lane; absent operands are null. Words of lanes
/// outside `mask` are undefined, except in a quad with a lane of `mask`: implicit LODs use all four lanes.
struct InterpTex {
    const TexInfo* info;
    unsigned lanes;
    InterpMask mask;           // lanes whose result is wanted (helpers included)
    const uint32_t* coord[4];  // info->coord_count of them; an array layer last
    const uint32_t* ref;
    const uint32_t* lod;  // bias, lod or sample index
    const uint32_t* ddx[3];
    const uint32_t* ddy[3];
    const uint32_t* offset[2];  // added to info->offset
    const uint32_t* index;      // added to info->binding
    unsigned result_count;
    uint32_t* out[4];  // to fill
};

/// What a shader reads and writes. Functions fill `lanes` words of `out`. Lanes outside the run's mask affect
/// derivatives of their quad, but no result.
class InterpEnv {
  public:
    virtual ~InterpEnv() = default;
    /// The default block. Reads beyond its end return 0.
    std::span<const uint32_t> uniforms;

    /// `index`: the optional operand (vertex of a primitive), else null.
    virtual void load_input(const IoInfo& io, Type type, const uint32_t* index, uint32_t* out) = 0;
    /// Of LoadInputAt. `place`: the rows of its operands. Optional: by default as load_input().
    virtual void load_input_at(const IoInfo& io, Type type, const uint32_t* const place[2], uint32_t* out) {
        (void)place;
        load_input(io, type, nullptr, out);
    }
    virtual void load_sysval(Sysval sysval, unsigned component, Type type, uint32_t* out) = 0;
    /// `mask`: the lanes to store: active, not discarded, in the run's mask.
    virtual void store_output(const IoInfo& io, Type type, InterpMask mask, const uint32_t* value) = 0;
    virtual void tex(InterpTex& call) = 0;
    /// The slots of a space: UniformBlock, Buffer or Shared. Further slots are unbound. Before linking a
    /// variable's id is its first slot. Optional: by default nothing is bound.
    [[nodiscard]] virtual std::span<const MemoryRange> slots(Storage space) {
        return (void)space, std::span<const MemoryRange>();
    }
    /// Likewise for images. Optional: by default no image is bound.
    [[nodiscard]] virtual std::span<const ImageRange> images() { return {}; }
    /// Optional: an environment that runs more invocations than lanes must make them wait.
    virtual void barrier(const MemInfo& info) { (void)info; }
    /// Called once in kTurnsPerAsk iterations of loops. False ends the run. Optional.
    static constexpr uint32_t kTurnsPerAsk = 64;
    virtual bool goes_on() { return true; }
};

/// A shader decoded into a flat list. Immutable: any number of threads may run it.
class InterpProgram {
  public:
    /// `lanes`: 4 to 64, a multiple of 4. The shader must be valid (validate.h); it may be before or after
    /// linking.
    [[nodiscard]] static std::unique_ptr<const InterpProgram> create(const Shader& s, unsigned lanes);
    ~InterpProgram();
    [[nodiscard]] unsigned lanes() const { return lanes_; }

    struct Code;
    struct VarRows {
        uint32_t first_row;
        uint32_t count;  // components
        Type type;
        Storage storage;
    };

  private:
    friend class InterpState;
    friend class InterpRun;
    friend class InterpDecoder;
    InterpProgram();
    unsigned lanes_ = 0;
    bool quads_ = false;  // fragment stage: whole quads run
    uint32_t row_count_ = 0;
    uint32_t mask_depth_ = 0;
    std::vector<Code> code_;
    std::vector<VarRows> vars_;                                 // by Var::id
    std::vector<uint32_t> operand_rows_;                        // Tex, memory: operands then results
    std::vector<std::pair<uint32_t, uint32_t>> constant_rows_;  // row, word
    std::vector<std::pair<uint32_t, uint64_t>> wide_constants_;
    std::vector<TexInfo> tex_;
    std::vector<MemInfo> mem_;
};

/// Memory of one run at a time. Must not outlive its program.
class InterpState {
  public:
    explicit InterpState(const InterpProgram& p);
    /// The words of one component of the variable with this id, one per lane (I64: 64-bit). Before linking
    /// Inputs, Uniforms and Outputs are passed here. Locals are cleared when a run begins.
    [[nodiscard]] std::span<uint32_t> var_row(uint32_t var_id, uint32_t component);
    /// Lanes that the last run discarded.
    [[nodiscard]] InterpMask discarded() const { return discarded_; }

  private:
    friend class InterpRun;
    struct Frame {
        InterpMask saved, condition, active, remaining;
    };
    const InterpProgram& program_;
    std::unique_ptr<uint32_t[]> rows_;
    std::unique_ptr<Frame[]> frames_;
    InterpMask discarded_ = 0;
};

enum class InterpStatus : uint8_t { Done, OutOfBudget };

/// Runs the lanes of `mask`. In the fragment stage the other lanes of their quads run, too, as helpers that
/// store nothing. `budget`: the number of iterations of all loops together. The run ends early when it is
/// spent, or when InterpEnv::goes_on() returns false.
[[nodiscard]] InterpStatus run(const InterpProgram& p, InterpState& state, InterpEnv& env, InterpMask mask,
                               uint64_t budget);

}  // namespace terrazzo::ir
