// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader IR to AVX2 machine code in one walk, kLanes invocations at once. asmjit allocates the registers.
// Private to asmjit/.
//
// A value is one ymm register of eight 32-bit words: F32 and I32 unchanged, I16 and F16 as zero-extended
// bits, Bool as 0 and -1. Constants and uniforms stay in memory until an instruction needs them. I64 is not
// supported. In divergent control flow, exec_ is the mask of the running lanes, as in jit/codegen_flow.cpp.
// Results are bit-identical to that compiler's and the interpreter's.
//
// Virtual registers are not SSA. The results of If and Loop and the loop arguments are registers that are
// written in several places. Each is written on every path before it is read; otherwise it would be live from
// the function's start.
//
// A function loops over the blocks of its batch or over its vertices. No value is carried from one iteration
// to the next.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "drivers/common/host_code/asmjit.h"
#include "drivers/soft/code/image.h"
#include "drivers/soft/interp/interface.h"
#include "drivers/soft/interp/lane_uniformity.h"
#include "drivers/soft/interp/tex_groups.h"
#include "shaders/ir/eval.h"

namespace terrazzo::soft::tier1 {

namespace x86 = asmjit::x86;
namespace Inst = asmjit::x86::Inst;
using InstId = asmjit::InstId;

class Codegen {
  public:
    Codegen(x86::Compiler& cc, const ir::Shader& shader, const CompiledShader& info, bool fma);
    /// Null: the code is complete; otherwise why it could not be emitted.
    const char* run();
    /// After the emitter's finalize(): the largest stack use of a call of the code.
    [[nodiscard]] uint32_t frame_B() const;
    /// After finalize(): the places in the image that hold addresses.
    void find_slots(const asmjit::CodeHolder& code, CodeImage* image) const;

  private:
    using Ymm = x86::Ymm;
    using Gp = x86::Gp;
    using Label = asmjit::Label;
    using Row = std::array<uint32_t, kLanes>;
    static constexpr int32_t kRow_B = int32_t(sizeof(Row));

    struct V {
        enum class Kind : uint8_t { None, Reg, Const, Uniform, Block };
        Kind kind = Kind::None;
        // Const: the word of every lane. Uniform: the byte offset in the default block. Block: the byte
        // offset in a uniform block, plus the block's slot times kMaxUniformBlock_B.
        uint32_t bits = 0;
        Ymm reg;
        V() = default;
        V(const Ymm& r) : kind(Kind::Reg), reg(r) {}
        V(Kind k, uint32_t b) : kind(k), bits(b) {}
    };
    struct LoopState {
        std::vector<Ymm> args, results;
        Ymm remaining, active;
        bool one_continue = false;
        LoopState* outer = nullptr;
    };
    /// Emits at an earlier place, `marker`, which moves on. The destructor returns to the current place.
    class Earlier {
      public:
        Earlier(x86::Compiler& cc, asmjit::BaseNode*& marker)
            : cc_(cc), marker_(marker), back_(cc.setCursor(marker)) {}
        ~Earlier() {
            marker_ = cc_.cursor();
            cc_.setCursor(back_);
        }
        Earlier(const Earlier&) = delete;

      private:
        x86::Compiler& cc_;
        asmjit::BaseNode*& marker_;
        asmjit::BaseNode* back_;
    };

    // codegen.cpp
    void start();
    void start_vertex();
    void start_fragment();
    void start_compute();
    void finish();
    void clear_others();
    void finish_rows(size_t count_B);
    void finish_fragment();
    void instr(const ir::Instr& i);
    void emit_probes();
    void emit_tables();
    void find_outputs(const ir::Region& r, bool nested);
    Ymm fresh();
    Gp fresh_gp();
    Ymm zero();
    V splat(uint32_t bits) { return {V::Kind::Const, bits}; }
    V splat_f32(float f) { return splat(std::bit_cast<uint32_t>(f)); }
    x86::Mem pattern(const Row& row);
    x86::Mem words(uint32_t bits);
    Ymm reg(const V& v);
    asmjit::Operand rm(const V& v);  // a register or 32 bytes of memory
    V emit(InstId id, const V& a) { return emit_to(fresh(), id, a); }
    V emit_to(const Ymm& to, InstId id, const V& a);
    V emit(InstId id, const V& a, const V& b);
    V emit_imm(InstId id, const V& a, unsigned imm);
    V emit_commuting(InstId id, const V& a, const V& b);
    V bit_and(const V& a, const V& b) { return emit_commuting(Inst::kIdVandps, a, b); }
    V bit_or(const V& a, const V& b) { return emit_commuting(Inst::kIdVorps, a, b); }
    V bit_xor(const V& a, const V& b) { return emit_commuting(Inst::kIdVxorps, a, b); }
    V and_not(const V& a, const V& not_this) { return emit(Inst::kIdVandnps, not_this, a); }
    V bit_not(const V& a) { return bit_xor(a, splat(~0u)); }
    V blend(const V& mask, const V& then_value, const V& else_value);
    void move(const Ymm& to, const V& from);
    void store(const V& v, x86::Mem to);
    V load(x86::Mem from);
    V broadcast(const x86::Mem& from);
    V as_words(const V& v, ir::Type t);
    V from_words(const V& v, ir::Type t);
    const V& value(const ir::Value* v) const { return values_[v->id]; }
    const V& operand(const ir::Instr& i, unsigned n) const { return value(i.operand(n)); }
    void set(const ir::Instr& i, const V& v, unsigned result = 0);
    /// Calls a function of find_runtime_symbol() with pointers and integers as arguments.
    void call(std::string_view function, std::initializer_list<asmjit::Operand> args);
    void call(const Gp& function, const Gp& arg);
    void call_stub(const Label& stub, std::initializer_list<asmjit::Operand> args);
    void call_look();
    void emit_look_stub();
    Gp address(const x86::Mem& m);
    /// The address of an object of find_runtime_symbol().
    Gp address(std::string_view name);
    struct Symbol {
        std::string name;
        Label stub, slot;  // the code that jumps to it; the eight bytes with its address
        bool called = false;
    };
    Symbol& symbol(std::string_view name);

    // codegen_registers.cpp
    void find_last_uses(const ir::Region& r);
    void keep(const V& v);
    void release(const V& v);
    void unkeep(const V& v);
    void release_after(const ir::Instr& i);

    // codegen_flow.cpp
    Gp bits(const V& mask);
    void jump_if_none(const Ymm& mask, const Label& to);
    Ymm lanes_of(const Gp& bits);
    void region(const ir::Region& r, const Label& bail);
    void branch(const ir::Instr& i);
    void arm(const ir::Instr& i, unsigned n, const Ymm& mask, const std::vector<Ymm>& results);
    void start_budget();
    void loop(const ir::Instr& i);
    void leave(const ir::Instr& i);
    void hand_over(const Ymm& to, const V& v, bool whole);
    void next_arguments(const ir::Instr& i);
    void discard(const ir::Instr& i);
    void leave_when_all_are_discarded();

    // codegen_alu.cpp
    V alu(const ir::Instr& i);
    V float_op(const ir::Instr& i);
    V fma(const ir::Instr& i);
    V min_max(ir::Op op, const V& a, const V& b);
    V derivative(ir::Op op, const V& a);
    V compare_op(const ir::Instr& i);
    V kernel_call(const ir::Instr& i);

    // codegen_int.cpp
    V int_op(const ir::Instr& i);
    V shift(ir::Op op, const V& a, const V& count);
    V multiply_high(bool is_signed, const V& a, const V& b);
    V divide(ir::Op op, const V& a, const V& b);
    V quotient(bool is_signed, const V& a, const V& b);
    V convert_op(const ir::Instr& i);
    V to_signed(const V& a);
    V to_unsigned(const V& a);
    V from_unsigned(const V& a);

    // codegen_io.cpp
    template <class Emit>
    V at_top(Emit&& emit) {
        const bool nested = at_top_;
        std::optional<Earlier> top;
        if (!nested) top.emplace(cc_, top_);
        at_top_ = true;
        const V v = emit();
        at_top_ = nested;
        keep(v);  // valid for all code that follows
        return v;
    }
    V corner(unsigned axis);
    V pixel(unsigned axis);
    V from_origin(unsigned axis);
    V plane(const Gp& pointer, int32_t offset_B);
    V plane_over(const V& x, const V& y, const Gp& pointer, int32_t offset_B);
    unsigned index_of(unsigned slot) const;
    Gp planes();
    V perspective();
    V attribute(const ir::IoInfo& io);
    V vertex_ids();
    V local_id(unsigned n);
    V load_input(const ir::IoInfo& io);
    V load_input_at(const ir::Instr& i);
    V load_sysval(const ir::IoInfo& io);
    V load_uniform(const ir::Instr& i);
    void store_output(const ir::Instr& i);
    x86::Mem output(unsigned key);
    x86::Mem row_at(const ir::Var& var, const V& index);
    V load_var(const ir::Instr& i);
    void store_var(const ir::Instr& i);
    V element(const ir::Instr& i, unsigned index_operand);
    V gather(const Gp& base, int32_t offset_B, const V& index);
    void clear(const Gp& base, int32_t offset_B, unsigned rows);
    void make_vars();
    /// Whether the work area has room for this. Must be checked before reserve().
    [[nodiscard]] bool has_room(uint32_t size_B) const { return size_B <= kWorkArea_B - work_used_B_; }
    int32_t reserve(uint32_t size_B);
    /// The areas' addresses. They are loaded at each use, so that they occupy no register for long.
    Gp work_area();
    Gp array_area();
    x86::Mem in_work(const Gp& work, int32_t offset_B, uint32_t size_B = 32) {
        return x86::ptr(work, offset_B, size_B);
    }

    // codegen_buffer.cpp
    bool alike(const ir::Value* v) const { return steps_.is_uniform(v); }
    Gp first_lane(const V& v);
    void memory(const ir::Instr& i);
    void load_block(const ir::Instr& i);
    void load_block_alike(const ir::Instr& i, const Gp& range);
    void load_block_gather(const ir::Instr& i, const Gp& range);
    V words_within(const Gp& range, const Ymm& at, unsigned n);
    void store_row(const ir::Instr& i);
    void call_memory(const ir::Instr& i);
    void barrier(const ir::Instr& i);
    Gp wanted_lanes();
    Ymm lanes_before(size_t count_B);
    Gp ranges(ir::Storage space);

    // codegen_lanes.cpp
    struct LaneLoop {
        Gp work, data, lane, at, old, now, other;
        int32_t rows = 0;    // the offset in the work area
        int32_t fixed = -1;  // the lane, if the code is unrolled; else -1
        V operands[5];       // constants, or values in a row of the work area
        [[nodiscard]] x86::Mem word(int32_t row) const;
        [[nodiscard]] asmjit::Operand operand(unsigned n) const;
    };
    template <class Body>
    void each_lane(const Gp& lanes, LaneLoop& l, bool unrolled, Body&& body);
    LaneLoop lane_loop(const ir::Instr& i, const Ymm& offset, const Gp& range);
    Ymm lane_offsets(const ir::Instr& i);
    void apply(ir::MemOp op, const LaneLoop& l);
    void change_own(const ir::Instr& i, const LaneLoop& l, const x86::Mem& to);
    void change_shared(const ir::Instr& i, const LaneLoop& l, const x86::Mem& to);
    void atomic(const ir::Instr& i);
    void scatter(const ir::Instr& i);

    // codegen_tex.cpp
    void tex(const ir::Instr& i);
    void tex_size(const ir::Instr& i, const Gp& unit);
    int32_t size_rows();
    void fill_call(const ir::Instr& i, const Gp& unit, const Gp& work);

    // codegen_tex_group.cpp
    struct TexGroupSite {
        int32_t group, s, t, out;  // offsets in the work area
    };
    TexGroupSite group_site(int binding, const TexGroupShape& shape);
    void call_group(const ir::Instr& first);

    x86::Compiler& cc_;
    const ir::Shader& shader_;
    const CompiledShader& info_;
    const bool fma_;
    const ir::Uniformity steps_;

    // In memory after the code:
    std::vector<Row> table_;
    std::unordered_map<uint32_t, uint32_t> splats_;  // word -> row
    Label table_label_, jump_label_, look_label_;
    std::vector<Symbol> symbols_;

    std::vector<V> values_;  // by ir::Value::id
    std::unordered_map<const ir::Instr*, std::vector<uint32_t>>
        last_used_by_;                  // ids of values of the same region
    std::vector<uint32_t> references_;  // by index of a virtual register: how many values it holds
    std::vector<Ymm> free_;             // hold no live value
    std::vector<Ymm> temporaries_;      // created by the current instruction
    std::vector<Gp> free_gps_, gp_temporaries_;
    std::vector<int32_t> vars_;               // by ir::Var::id: the byte offset in the area of arrays
    std::map<unsigned, Ymm> nested_outputs_;  // slot * 4 + component: outputs written under a mask
    std::set<unsigned> stored_;               // slot * 4 + component: outputs written anywhere
    std::map<unsigned, V> inputs_;            // slot * 4 + component, interpolation in the high bits
    Gp args_, block_, setup_, uniforms_, textures_, in_, out_, out_stride_, mask_in_, budget_, watch_;
    Ymm discarded_;
    V corner_[2], pixel_[2], from_origin_[2], perspective_;
    // Offsets in the work area; kNowhere until they are needed.
    static constexpr int32_t kNowhere = -1;
    static constexpr uint32_t kRows = 5;  // rows_: an instruction's result and operands
    int32_t call_ = kNowhere, rows_ = kNowhere, sizes_ = kNowhere, memory_call_ = kNowhere,
            lane_rows_ = kNowhere;
    uint32_t work_used_B_ = 0;
    // Where instructions that were called in a group find their results.
    std::unordered_map<const ir::Instr*, int32_t> grouped_;
    bool has_budget_ = false;

    asmjit::FuncNode* function_ = nullptr;
    // The end of the code that runs once per call; the end of the code that begins each iteration.
    asmjit::BaseNode *entry_ = nullptr, *top_ = nullptr;
    Label head_, next_, end_, none_left_;
    Ymm exec_;
    LoopState* loop_ = nullptr;
    Label bail_;          // where to jump when no lane of this region is left
    unsigned depth_ = 0;  // the nesting depth of regions; 0: the body
    const std::vector<Ymm>* if_results_ = nullptr;
    bool else_arm_ = false, discard_pending_ = false, at_top_ = false;
    const char* problem_ = nullptr;
};

}  // namespace terrazzo::soft::tier1
