// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A block as x86-64 code: AVX2 and FMA with 8 lanes a vector, or AVX-512 with 16. asmjit allocates the
// registers. Private to core/.
//
// The code is a loop over units of lanes. A unit is one vector; with 8 lanes and kernels, which take 16
// lanes, it is two. Units without running lanes are skipped. Within a unit, values stay in vector registers:
// a row of the register file is loaded at its first read and stored after its last write.
//
// Lanes that do not run are computed, too, and not stored.
#pragma once

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include "drivers/common/core/micro.h"
#include "drivers/common/host_code/asmjit.h"
#include "drivers/common/host_code/frame.h"

namespace terrazzo::core {

namespace x86 = asmjit::x86;

using host_code::kMaxFrame_B;

/// What the host can do beyond the width's instructions.
struct EmitOptions {
    bool wide = false;         // 16 lanes: AVX-512 F, BW, CD, DQ, VL; otherwise AVX2, FMA and F16C
    bool counts_bits = false;  // AVX512_VPOPCNTDQ
};

class Emitter {
  public:
    Emitter(x86::Compiler& cc, const MicroBlock& block, const EmitOptions& options);
    /// Emits the function and its constants. False: it cannot be emitted.
    [[nodiscard]] bool run();
    /// After finalize(): of the function's stack frame.
    [[nodiscard]] uint32_t frame_B() const {
        // plus the return address and the padding that aligns the frame
        return function_->frame().finalStackSize() + 8 + uint32_t(sizeof(U32));
    }

  private:
    using Gp = x86::Gp;
    using KReg = x86::KReg;
    using Label = asmjit::Label;
    using Mem = x86::Mem;
    using Operand = asmjit::Operand;
    using Vec = x86::Vec;
    using InstId = asmjit::InstId;
    using Pattern = std::array<uint8_t, 16>;

    /// A value that was computed or loaded: as vectors, as a mask (16 lanes only), or as both.
    struct Slot {
        Vec vec[2];
        KReg mask;
        bool has_vec = false, has_mask = false;
        bool truth = false;  // all ones or zero, in each lane
    };
    /// The code that stores a vector where not all lanes run. It follows the function's end.
    struct PartialStore {
        Label begin, back;
        Vec value;
        Gp row;  // the offset of the row; invalid: the displacement of `to` has it
        Mem to;
        unsigned part;
    };

    // emitter.cpp
    void count_uses();
    void emit_probes();
    void begin();
    void end();
    void emit_constants();
    void emit_partial_store(const PartialStore& s);
    Vec fresh() { return wide_ ? Vec(cc_.newZmm()) : Vec(cc_.newYmm()); }
    Vec zero();
    Mem row_at(uint32_t row, unsigned part);
    Slot& loaded(uint32_t row);
    void load(Slot* slot, uint32_t row);
    Vec vec_of(Slot* slot, unsigned part);
    Vec vec(const Value& v, unsigned part);
    Operand rm(const Value& v, unsigned part);
    KReg mask_of(const Value& v);
    bool is_truth(const Value& v) const;
    Slot* slot_of(const Value& v);
    Mem word(uint32_t bits);            // the operand of an arithmetic instruction
    Mem pattern(const Pattern& bytes);  // 16 bytes
    Vec splat(uint32_t bits);
    Vec splat(const Pattern& bytes);
    void store(uint32_t row, Slot* slot);
    void instr(const MicroInstr& i);
    void call_kernel(const MicroInstr& i, Slot* out);

    // emitter_ops.cpp. `part` is 0, or 1 for the second vector of a unit.
    void compute(const MicroInstr& i, Slot* out);
    Vec compute_part(const MicroInstr& i, unsigned part);
    Vec unary(InstId id, const Vec& a);
    Vec binary(InstId id, const Vec& a, const Operand& b);
    Vec binary_imm(InstId id, const Vec& a, unsigned imm);
    Vec commuting(InstId id, const Value& a, const Value& b, unsigned part);
    Vec ordered(InstId id, const Value& a, const Value& b, unsigned part);
    Vec bit_and(const Vec& a, const Operand& b);
    Vec bit_or(const Vec& a, const Operand& b);
    Vec bit_xor(const Vec& a, const Operand& b);
    Vec bit_not(const Vec& a) { return bit_xor(a, word(~0u)); }
    Vec blend(const Vec& mask, const Operand& yes, const Vec& no);
    Vec select_part(const MicroInstr& i, unsigned part);
    Vec shift_part(const MicroInstr& i, unsigned part);
    Vec extract_part(const MicroInstr& i, unsigned part);
    Vec insert_part(const MicroInstr& i, unsigned part);
    Vec compare_part(const MicroInstr& i, unsigned part);
    KReg compare_mask(const MicroInstr& i);
    bool compares(MicroOp op) const;

    // emitter_float.cpp
    Vec float_op(const MicroInstr& i, unsigned part);
    Vec fma_part(const MicroInstr& i, unsigned part);
    Vec min_max_part(const MicroInstr& i, unsigned part);
    Vec choose(const Vec& a, const Vec& b, unsigned predicate);
    Vec clamp_part(const MicroInstr& i, unsigned part);
    Vec half_to_float(const Vec& v);
    Vec float_to_half(const Vec& v);
    Vec unsigned_to_float(const Vec& v);
    Vec float_to_signed(const Vec& v, Round mode);
    Vec float_to_unsigned(const Vec& v, Round mode);
    Vec rounded(const Vec& v, Round mode);
    Vec compare_floats(const Vec& a, const Operand& b, unsigned predicate);
    KReg compare_floats_mask(const Vec& a, const Operand& b, unsigned predicate);
    KReg compare_floats_mask(const KReg& where, const Vec& a, const Operand& b, unsigned predicate);

    // emitter_bits.cpp
    Vec count_bits(const Vec& v);
    Vec leading_zeros(const Vec& v);
    Vec reverse_bits(const Vec& v);

    x86::Compiler& cc_;
    const MicroBlock& block_;
    const bool wide_, counts_bits_;
    bool has_kernels_ = false;
    unsigned parts_ = 1;  // vectors in a unit
    int32_t vector_B_ = 32;

    asmjit::FuncNode* function_ = nullptr;
    Gp base_;      // the unit's part of row 0
    Gp stride_B_;  // of a row; invalid where the block says what it is
    Gp uniforms_, running_, left_, lanes_;
    KReg running_mask_;
    Label head_, next_, end_, constants_, call_;
    Mem room_;  // of kernels: three sources and a result

    std::vector<Slot> temporaries_;
    std::unordered_map<uint32_t, Slot> rows_;
    std::unordered_map<uint32_t, uint32_t> reads_;     // of rows, before their first write
    std::unordered_map<uint32_t, size_t> last_write_;  // of rows: an index of block_.code
    size_t at_ = 0;
    std::vector<PartialStore> partial_stores_;

    std::vector<uint8_t> table_;  // the constants' bytes
    std::unordered_map<uint32_t, int32_t> words_;
    std::vector<std::pair<Pattern, int32_t>> patterns_;
    bool failed_ = false;
};

}  // namespace terrazzo::core
