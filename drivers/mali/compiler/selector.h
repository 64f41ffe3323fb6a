// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of instruction selection. Internal to select*.cpp.
#pragma once

#include <initializer_list>
#include <optional>

#include "drivers/common/backend/conditional.h"
#include "drivers/common/backend/select_shader.h"
#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/compiler/emitters.h"
#include "shaders/passes/load_runs.h"
#include "shaders/passes/pair_halves.h"

namespace terrazzo::mali::compiler {

using ir::bare, ir::Bare, ir::half_uniform, ir::HalfPlan, ir::read_as_half, ir::saturates, ir::takes_clamp;

/// Uniform words that uniforms and offsets of loads leave for constants and system values.
inline constexpr unsigned kSpareUniformWords = 16;

struct Selection {
    Part part;
    const BlendTarget* blend = nullptr;           // the shader is a blend shader
    const HalfPlan* halves = nullptr;             // null: it has no 16-bit floats
    bool half_colors = false;                     // mediump colours may be given as 16-bit floats
    bool own = false;                             // Options::own
    bool per_sample = false, at_samples = false;  // those of Options
};

/// From the IR to instructions on words. Structured control flow becomes branches, phis become moves into
/// words that have several definitions, interface operations become messages.
class Selector : private backend::ShaderSelector<Selector, Function, Ref, Info, Selection>,
                 private backend::ConditionalSelector<Selector, Ref>,
                 private Emitters<Selector> {
    friend ShaderSelector;
    friend FamilySelector;
    friend ConditionalSelector;
    friend BranchRegions;
    friend Regions;
    friend Emit;
    friend Emitters;

  public:
    using ShaderSelector::ShaderSelector;
    void run();

  private:
    /// Words of an array that were loaded together.
    struct Indexed {
        ir::Op op;
        const ir::Value* index;
        const ir::Region* region;
        const ir::Var* var;
        uint32_t place;
        unsigned count;
        Word word;
    };
    /// Four times an index, and the address of that offset in the thread's own memory.
    struct Scaled {
        const ir::Value* index;
        const ir::Region* region;
        Word word, address;
    };

    /// A word into which two halves were packed.
    struct Packed {
        size_t block, inst;
        Ref low, high;
        Word word;
    };
    static constexpr size_t kPackedWithin = 48, kMaxPacked = 24;

    // --- emission (select_emit.cpp)
    void move_to(Word word, Ref r);
    static Inst with(const isa::Instr& proto, std::initializer_list<Ref> src);
    /// Appends a message. It reads `read_count` staging words, and writes `count` new words. Returns the
    /// first new word.
    Word message(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count = 0,
                 Word read = kNoWord, unsigned read_count = 0);
    /// A 64-bit constant as a source.
    Ref pair(uint32_t low, uint32_t high);
    isa::Slot next_slot() { return isa::Slot(slot_++ % 3); }
    /// Replaces modifiers that the instruction lacks, and sources of the FAU that it cannot read together.
    void legalize(Inst& i);
    void use_immediate_form(Inst& i);
    void drop_modifiers(Inst& i);
    void drop_immediates(Inst& i);
    void drop_conflicts(Inst& i);
    Ref fmul(Ref a, Ref b) { return fma_f32({a, b, minus_zero()}); }
    Ref csel(isa::Op op, isa::Condition c, Ref a, Ref b, Ref yes, Ref no);

    // --- arrays (select_array.cpp)
    ir::LoadRun wanted_with(const ir::Instr& i) const;
    const Indexed* find_indexed(const ir::Instr& i) const;
    Ref index_B(const ir::Value* index);
    uint32_t in_fau(uint32_t dword) const;
    Ref uniform_from_memory(const ir::Instr& i);
    Inst array_access(bool store, const ir::Instr& i, const ir::LoadRun& run);
    void local_variable(const ir::Instr& i);
    void forget_arrays();

    // --- values
    static constexpr const char* kName = "mali";
    Ref literal(ir::Type type, uint32_t bits) const;
    Ref value_of(const ir::Value* v);
    void add_word(const ir::Value* v);
    bool takes_in(const ir::Instr& i, const ir::Use& use) const;

    // --- control flow (select_flow.cpp)
    void after_flow(const ir::Instr&) { forget_arrays(); }
    void give(ir::Value* const* to, const ir::Instr& from);
    std::pair<isa::Instr, Ref> branch(const ir::Value* unless);
    void discard(const ir::Instr& i);

    // --- arithmetic (select_alu.cpp, select_math.cpp)
    // What backend::FamilySelector and ConditionalSelector need.
    static constexpr backend::SimpleOp<isa::Op> kSimple[] = {
        {ir::Op::FRsq, isa::Op::kFrsqF32},         {ir::Op::FLdexp, isa::Op::kLdexpF32},
        {ir::Op::IAdd, isa::Op::kIaddU32},         {ir::Op::ISub, isa::Op::kIsubU32},
        {ir::Op::IMul, isa::Op::kImulI32},         {ir::Op::IAbs, isa::Op::kIabsS32},
        {ir::Op::BitCount, isa::Op::kPopcountI32}, {ir::Op::BitReverse, isa::Op::kBitrevI32},
        {ir::Op::I2F, isa::Op::kS32ToF32},         {ir::Op::U2F, isa::Op::kU32ToF32}};
    static constexpr auto kFadd = isa::Op::kFaddF32, kFma = isa::Op::kFmaF32, kRcp = isa::Op::kFrcpF32,
                          kIadd = isa::Op::kIaddU32, kIsub = isa::Op::kIsubU32, kXor = isa::Op::kLshiftXorI32;
    static constexpr backend::SimpleOp<isa::Op> kLogic[] = {{ir::Op::IAnd, isa::Op::kLshiftAndI32},
                                                            {ir::Op::IOr, isa::Op::kLshiftOrI32},
                                                            {ir::Op::IXor, isa::Op::kLshiftXorI32}};
    static constexpr uint32_t kLessThanOne = 0x3f7ffffc;  // all other steps of a division round down
    static bool is_word_type(ir::Type t) { return t == ir::Type::Bool || ir::bit_size(t) == 32; }
    std::optional<Ref> special_op(const ir::Instr& i);
    std::optional<Ref> int_op(const ir::Instr& i);
    std::optional<Ref> convert_op(const ir::Instr& i);
    std::optional<Ref> truth_op(const ir::Instr& i);
    Ref float_alu(const ir::Instr& i, isa::Op op, std::initializer_list<Ref> src);
    Ref round_down(const ir::Instr&, Ref x) { return fround_f32({x}, isa::RoundMode::kRtn); }
    Ref power(Ref x, Ref y) { return exp2(log2(x), y); }
    Ref compare(const ir::Instr& i, isa::ResultType how = isa::ResultType::kM1, const Ref* other = nullptr,
                bool both = false);
    Ref select(const backend::Comparison& c, const Sources<4>& of);
    static constexpr auto kUp = isa::RoundMode::kRtp, kDown = isa::RoundMode::kRtz;
    Ref to_float(Ref x, isa::RoundMode round) { return u32_to_f32({x}, round); }
    Ref to_unsigned(Ref x) { return f32_to_u32({x}, isa::RoundMode::kRtz); }
    Ref rest(Ref x, Ref q, Ref d) { return isub_u32({x, imul_i32({q, d})}); }
    Quotient corrected(Ref q1, Ref q2, Ref r, Ref d);
    Ref iabs(Ref x) { return iabs_s32({x}); }
    Ref logic(isa::Op op, Ref a, Ref b, bool invert = false);
    Ref shift(ir::Op op, Ref a, Ref count);
    Ref exp2(Ref scaled_by, Ref x);
    Ref log2(Ref x);
    Ref sin_cos(Ref x, bool cos);
    Ref derivative(Ref x, unsigned axis, bool fine);
    Ref multiply_high(Ref a, Ref b, bool is_signed);

    // --- 16-bit floats (select_half.cpp)
    bool half_op(const ir::Instr& i);
    bool word_half(const ir::Instr& i);
    void arithmetic_on_halves(const ir::Instr& low, const ir::Instr* high);
    void select_halves(const ir::Instr& low, const ir::Instr* high);
    void narrow(const ir::Instr& low, const ir::Instr* high);
    void set_halves(const ir::Instr& low, const ir::Instr* high, const Ref& word);
    Ref use_half(const ir::Value* v);
    Ref halves(const ir::Value* low, const ir::Value* high);
    void move_halves_to(Word word, const Ref& r);
    Ref uniform_halves(uint32_t low, uint32_t high);
    Ref packed(const Ref& low, const Ref& high);
    Ref without_modifiers(const Ref& half);
    Ref widened(const Ref& half) const;
    Ref component(Word first, unsigned n, bool half) const;
    bool is_plain_half(const Ref& r) const;
    static bool is_half_constant(const Ref& r);
    bool half_color(unsigned target) const;
    Ref narrowed(const Ref& low, const Ref& high);
    bool in_one_half(Ref* refs, unsigned count);

    // --- interface (select_io.cpp, select_tex.cpp)
    void plan_uniforms();
    void load_uniform(const ir::Instr& i);
    void load_used_uniform(const ir::Instr& i);
    void load_input(const ir::Instr& i);
    void load_attribute(const ir::Instr& i);
    void load_varying(const ir::Instr& i);
    void load_sysval(const ir::Instr& i);
    Ref frag_coord(unsigned component);
    Ref whole_pixel(const ir::Value* v);
    Word load_special(SpecialVarying which, unsigned count);
    void load_input_at(const ir::Instr& i) { load_varying(i); }
    static unsigned varying_of(uint32_t slot);
    Ref place_in_pixel(const ir::Instr& i);
    Ref local_id(unsigned component);
    Ref sample_id();
    Ref sample_position(unsigned component);
    void store_output(const ir::Instr& i);
    void finish_position();
    void finish_varyings();
    void finish_fragment();
    void write_color(unsigned target, Ref coverage);
    // --- buffers and images (select_memory.cpp)
    void load_buffer(const ir::Instr& i);
    void store_buffer(const ir::Instr& i);
    void atomic(const ir::Instr& i);
    void atomic(const ir::Instr& i, Ref address);
    void image_op(const ir::Instr& i);
    void size_op(const ir::Instr& i);
    void barrier(const ir::Instr& i);
    Ref handle(const ir::Instr& i, Table table, uint32_t first);
    Word load_words(Ref buffer, Ref offset_B, unsigned count, bool writable);
    Ref system_value(Sysval first, const Ref& index_B);
    Ref plus(const Ref& a, uint32_t constant);
    Ref offset_of(const ir::Instr& i);
    Ref address_of(const ir::Instr& i);
    std::pair<Ref, Ref> image_place(const ir::Instr& i);
    // --- the tile buffer (select_blend.cpp)
    void plan_color(uint32_t slot, uint32_t component);
    Ref load_color(unsigned target, unsigned component, bool integer);
    Ref pixel_of(uint32_t target);
    void take_blend_inputs();
    void finish_blend();
    void store(Word address, Word data, unsigned count, int offset_B);
    Word vertex_address(unsigned extra);
    Ref preload(unsigned reg) {
        info_.preload |= 1ull << reg;
        return Ref::word(register_word(reg));
    }
    Ref sysval(Sysval s);
    void texture(const ir::Instr& i);
    void note_units(const ir::TexInfo& t);
    void texture_size(const ir::Instr& i, const ir::TexOperands& o);
    void query_lod(const ir::Instr& i, const ir::TexOperands& o, Word coordinates, unsigned count, Ref handle,
                   bool wide);
    Ref texel_offsets(const ir::Instr& i, const ir::TexOperands& o);
    Ref lod_88(Ref lod);
    struct CubePlace {
        Ref direction[3], largest, face, s, t;
    };
    CubePlace cube_place(const ir::Instr& i, const ir::TexOperands& o);
    Ref cube_level(const CubePlace& p, const ir::Instr& i, const ir::TexOperands& o);
    Sysval size_of(const ir::Instr& i, unsigned part);
    Ref size_index_B(const ir::Instr& i, const ir::TexOperands& o);
    void cube_gradient(const CubePlace& p, const ir::Instr& i, int derivative, Ref out[2]);
    /// `packed`: the derivatives by x and by y of each coordinate. Returns a pair of words with the
    /// gradients.
    Word gradients(const Ref* packed, unsigned count, isa::Dimension d, Ref handle, bool wide);

    const Part part_ = options_.part;
    const BlendTarget* const blend_ = options_.blend;
    const HalfPlan* const plan_ = options_.halves;
    const bool half_colors_ = options_.half_colors;
    const bool own_ = options_.own, per_sample_ = options_.per_sample, at_samples_ = options_.at_samples;
    Word blend_input_ = kNoWord;  // eight words, each a node
    std::pmr::vector<Indexed> indexed_{f_.memory};
    std::pmr::vector<Scaled> scaled_{f_.memory};
    std::pmr::vector<const ir::Instr*> stores_{f_.memory};  // that the next one ends
    std::pmr::vector<Packed> packed_{f_.memory};
    uint32_t rounded_colors_ = ~0u;  // bit target * 4 + component: it may be rounded to 16 bits
    unsigned slot_ = 0;
    int position_kept_in_ = -1;  // block in which the interpolation position of the quad is known
};

}  // namespace terrazzo::mali::compiler
