// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of instruction selection. Internal to select*.cpp.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/compiler/emitters.h"
#include "drivers/common/backend/families.h"
#include "drivers/common/backend/select_shader.h"
#include "shaders/ir/limits.h"
#include "shaders/ir/memory.h"
#include "shaders/passes/preamble.h"

namespace terrazzo::adreno::compiler {

/// From a prepared shader (passes.h) to instructions on words, with blocks in program order.
class Selector : private backend::ShaderSelector<Selector, Function, Ref, Info, Options>,
                 private backend::FamilySelector<Selector, Ref>,
                 private Emitters<Selector> {
    friend ShaderSelector;
    friend FamilySelector;
    friend BranchRegions;
    friend Regions;
    friend Emit;
    friend Emitters;

  public:
    using ShaderSelector::ShaderSelector;
    void run();

  private:
    // --- emission (select_emit.cpp)
    /// Replaces sources that the instruction cannot have.
    void legalize(Inst& i);
    void legalize_two(Inst& i);
    void legalize_three(Inst& i);
    Ref constant_of(const Ref& r);
    Ref legal_number(const Ref& r, bool is_float, bool half);
    void move_to(Word word, Ref r);
    static isa::Instr move_of(isa::Type from, isa::Type to, isa::Round round = isa::Round::kNone) {
        return isa::make(isa::Op::kMov).set_source_type(from).set_dest_type(to).set_round(round);
    }
    /// Appends an instruction without a result.
    void act(const isa::Instr& proto, std::initializer_list<Ref> src) { (void)push(with(proto, src)); }
    /// Appends an instruction that writes `count` new words. Returns the first one.
    Word load(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count = 1);
    static Inst with(const isa::Instr& proto, std::initializer_list<Ref> src);
    Ref in_run(const ir::Instr& i, unsigned first, unsigned count) {
        return Ref::run(operand_words(i, first, count), count);
    }
    Ref convert(isa::Type from, isa::Type to, Ref r);
    /// A word that contains r, with its modifiers applied (as a float).
    Word in_word(Ref r);
    Ref constant(uint32_t bits) const { return Ref::immediate(bits); }
    Ref choose(Ref condition, Ref yes, Ref no, bool half = false);
    Ref param(Param p);

    // --- values (select.cpp)
    static constexpr const char* kName = "adreno";
    Ref new_output(const ir::Instr& i);
    bool takes_in(const ir::Instr& i, const ir::Use& use) const;
    void find_half_outputs();
    /// Whether the output is of halves: the stored value was a half, or is a constant.
    [[nodiscard]] bool stores_half(const ir::Instr& i) const { return half_outputs_ >> i.u.io.slot & 1; }
    Word output_run(const std::array<Ref, 4>& refs, unsigned count, bool half);
    void finish();
    /// The end of the code; the runs stay in registers.
    void end_with(isa::Op op, std::span<const Run> left);

    // --- the preamble (select_preamble.cpp)
    void plan_preamble();
    [[nodiscard]] bool is_in_preamble(const ir::Instr& i) const {
        return preamble_ && preamble_->home(i) == ir::PreamblePlan::Home::Preamble;
    }
    void emit_preamble();
    void leave_in_constants();

    // --- control flow (select.cpp)
    bool is_selected(const ir::Instr& i) const {
        return in_preamble_ || !preamble_ || !preamble_->only_in_preamble(i);
    }
    void before_flow(const ir::Instr& i);
    /// Sets p0.x to the condition. Returns the operand for it, or for its opposite.
    Ref predicate(const ir::Value* condition, bool opposite);
    std::pair<isa::Instr, Ref> branch(const ir::Value* unless);
    void discard(const ir::Instr& i);
    void barrier(const ir::Instr& i);

    // --- arithmetic (select_alu.cpp, select_math.cpp)
    // What backend::FamilySelector needs.
    static constexpr backend::SimpleOp<isa::Op> kSimple[] = {
        {ir::Op::FMul, isa::Op::kMulF},     {ir::Op::FMin, isa::Op::kMinF},
        {ir::Op::FMax, isa::Op::kMaxF},     {ir::Op::FSign, isa::Op::kSignF},
        {ir::Op::FFloor, isa::Op::kFloorF}, {ir::Op::FCeil, isa::Op::kCeilF},
        {ir::Op::FTrunc, isa::Op::kTruncF}, {ir::Op::FRound, isa::Op::kRndneF},
        {ir::Op::IAdd, isa::Op::kAddU},     {ir::Op::ISub, isa::Op::kSubU},
        {ir::Op::IMin, isa::Op::kMinS},     {ir::Op::IMax, isa::Op::kMaxS},
        {ir::Op::UMin, isa::Op::kMinU},     {ir::Op::UMax, isa::Op::kMaxU},
        {ir::Op::IAnd, isa::Op::kAndB},     {ir::Op::IOr, isa::Op::kOrB},
        {ir::Op::IXor, isa::Op::kXorB},     {ir::Op::BitReverse, isa::Op::kBfrevB},
        {ir::Op::FRsq, isa::Op::kRsq},      {ir::Op::FSqrt, isa::Op::kSqrt},
        {ir::Op::FExp2, isa::Op::kExp2},    {ir::Op::FLog2, isa::Op::kLog2}};
    static constexpr auto kFadd = isa::Op::kAddF, kFma = isa::Op::kMadF32, kFmul = isa::Op::kMulF,
                          kFloor = isa::Op::kFloorF;
    void select_simple(const ir::Instr& i, isa::Op op);
    Ref float_alu(const ir::Instr& i, isa::Op op, std::initializer_list<Ref> src);
    std::optional<Ref> special_op(const ir::Instr& i);
    std::optional<Ref> int_op(const ir::Instr& i);
    std::optional<Ref> bit_op(const ir::Instr& i);
    std::optional<Ref> convert_op(const ir::Instr& i);
    Ref compare(const ir::Instr& i);
    /// Returns false if the operation is no comparison.
    bool compare_to(Word word, const ir::Instr& i);
    Ref saturated(const ir::Value* v);
    Ref numeric_conversion(const ir::Instr& i);
    std::optional<Ref> made_as(const ir::Value* v, bool half);
    Ref reciprocal(const ir::Value* v);
    Ref sin_cos(Ref x, bool cos);
    Ref multiply(Ref a, Ref b);
    Ref multiply_op(const ir::Instr& i);
    Ref count_bits(Ref x);
    Ref multiply_high(Ref a, Ref b, bool is_signed);
    Ref divide(Ref n, Ref d, Ref* remainder);
    Ref divide_op(const ir::Instr& i);
    Ref derivative(Ref x, unsigned axis, bool fine);

    // --- interface (select_io.cpp)
    void plan_attributes();
    void plan_varyings();
    void plan_system_values();
    Word take_input(unsigned count, bool half, RegisterId* id);
    Ref barycentric(const ir::IoInfo& io);
    void load_uniform(const ir::Instr& i);
    void load_input(const ir::Instr& i);
    Word sample_offset(Ref sample);
    void load_input_at(const ir::Instr& i);
    void load_sysval(const ir::Instr& i);
    bool load_fragment_sysval(const ir::Instr& i);
    /// The first of four words: x and y in sixteenths of a pixel, z, 1 / w.
    Word coordinates_of_fragment();
    /// The invocation's sample.
    Ref sample_id();
    void store_output(const ir::Instr& i);
    Ref bary(unsigned inloc, Ref ij, bool half = false);
    Ref flat(unsigned inloc);
    void release_varyings();
    VaryingInput* varying(const ir::IoInfo& io, VaryingInput::Kind kind);
    void set_address(Ref index);

    // --- stages before the rasterizer (select_stage.cpp)
    void plan_stage();
    bool load_stage_sysval(const ir::Instr& i);
    void stage_access(const ir::Instr& i);
    void local_load(const ir::Instr& i);
    void global_access(const ir::Instr& i);
    void plan_patch_memory();
    Word& patch_memory(uint32_t binding);
    void finish_chained();
    void end_without_vertex(const ir::Value* count);

    // --- textures (select_tex.cpp)
    void texture(const ir::Instr& i);
    /// Finds the slots that textures use, and the fetched ones.
    void plan_textures();
    void plan_prefetches();
    void plan_colors_read();
    [[nodiscard]] bool is_prefetched(const ir::Instr& i) const {
        return std::find(prefetched_.begin(), prefetched_.end(), &i) != prefetched_.end();
    }
    /// Whether the results are only rounded to halves, or only used as coordinates of prefetches.
    [[nodiscard]] bool is_rounded_only(const ir::Instr& i) const;
    void texture_query(const ir::Instr& i, const ir::TexOperands& o);
    /// Sets the texture's number. Returns the register with a dynamic number, or nothing.
    Ref name_texture(const ir::Instr& i, const ir::TexOperands& o, isa::Instr* to);
    unsigned coordinates(const ir::Instr& i, const ir::TexOperands& o, Ref* out);
    unsigned second_source(const ir::Instr& i, const ir::TexOperands& o, Ref* out, bool* has_offset);
    /// Appends an instruction that reads a texture. Returns its first word.
    Word push_texture(const isa::Instr& proto, std::span<const Ref> first, std::span<const Ref> second,
                      uint8_t mask, bool half = false, const Ref& texture = {});

    // --- memory (select_memory.cpp)
    void plan_storage();
    void memory_op(const ir::Instr& i);
    void load_buffer(const ir::Instr& i);
    void load_block(const ir::Instr& i);
    Word load_constants(Ref buffer, Ref offset_vec4, unsigned component, unsigned count);
    void load_storage(const ir::Instr& i);
    void store_buffer(const ir::Instr& i);
    void atomic(const ir::Instr& i);
    void shared_op(const ir::Instr& i);
    void image_op(const ir::Instr& i);
    void size_op(const ir::Instr& i);
    void local_variable(const ir::Instr& i);
    void find_tables();
    void load_table(const ir::Instr& i);
    [[nodiscard]] bool is_table(const ir::Var& v) const { return tables_[v.id] != kNoTable; }
    [[nodiscard]] uint32_t uniforms_end_dw() const;
    // The maximum of each part of the constants of the stage (ConstLayout).
    [[nodiscard]] uint32_t max_uniforms_dw() const { return options_.max_constants_dw / 8 * 5; }
    [[nodiscard]] uint32_t max_preamble_dw() const { return options_.max_constants_dw / 4; }
    uint32_t max_immediates_ = kMaxImmediates_dw;  // those that fit into the constants
    Ref buffer_place(const ir::Instr& i, const ir::MemOperands& o, unsigned shift);
    Ref slot_of(const ir::Instr& i, const ir::MemOperands& o, unsigned first);
    Ref component_of(Word vec4, Ref component, unsigned unit);

    std::optional<ir::PreamblePlan> preamble_;  // none: the shader has no preamble
    bool in_preamble_ = false;
    std::pmr::vector<const ir::Instr*> prefetched_{f_.memory};  // textures
    bool samples_ = false;       // something else than prefetches needs helpers
    uint64_t half_outputs_ = 0;  // a bit per ir::FragSlot
    // By variable: its first entry of the constants; kNoTable: none.
    std::pmr::vector<uint32_t> tables_{s_.vars().size(), kNoTable, f_.memory};
    struct {
        size_t block = ~size_t(0);
        Ref index;
    } address_;  // the contents of a0.x
    // By slot * 4 + component: attributes, varyings at pixels.
    std::pmr::vector<Word> input_words_{kOutputSlots * 4, kNoWord, f_.memory};
    Word vertex_id_ = kNoWord, instance_id_ = kNoWord, coord_ = kNoWord, face_ = kNoWord,
         sample_id_ = kNoWord, sample_mask_ = kNoWord, local_id_ = kNoWord, header_ = kNoWord,
         relative_patch_ = kNoWord, primitive_id_ = kNoWord, tess_coord_ = kNoWord;
    std::array<Word, 6> ij_{kNoWord, kNoWord, kNoWord, kNoWord, kNoWord, kNoWord};
    Word patch_memory_[3] = {kNoWord, kNoWord, kNoWord};  // addresses: records, rows, levels
    Unit next_input_{};
};

/// Whether the access is to a buffer of a control, evaluation or geometry stage, not to a slot's
/// (passes.h).
[[nodiscard]] inline bool is_stage_buffer(const ir::MemInfo& m) {
    return (m.space == ir::Storage::Buffer || m.space == ir::Storage::UniformBlock) &&
           m.binding >= int(ir::kMaxStorageBuffers);
}

/// The render target whose colour the instruction loads, if it loads one.
[[nodiscard]] std::optional<unsigned> color_target(const ir::Instr& i);

/// The parameter that contains the system value; none: it is no parameter.
[[nodiscard]] std::optional<Param> param_of(const ir::IoInfo& io);

/// Whether values of the IR's type are in half registers.
[[nodiscard]] inline bool is_half(ir::Type t) {
    return ir::bit_size(t) == 16;
}

}  // namespace terrazzo::adreno::compiler
