// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of instruction selection. Internal to select*.cpp.
#pragma once

#include <initializer_list>
#include <optional>

#include "drivers/agx/compiler/compile.h"
#include "drivers/agx/compiler/emitters.h"
#include "drivers/common/backend/families.h"
#include "drivers/common/backend/select_shader.h"

namespace terrazzo::agx::compiler {

struct Selection {
    const Options* options = nullptr;
    const BlendTarget* blend = nullptr;  // the shader is a blend piece
};

/// From the IR to instructions on words. Structured control flow becomes branches and changes of the
/// execution mask, phis become moves into words that have several definitions.
class Selector : private backend::ShaderSelector<Selector, Function, Ref, Info, Selection>,
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
    void run_store();
    void run_fetch(std::span<const Attribute> attributes, const uint8_t* components);

  private:
    static constexpr const char* kName = "agx";
    struct Given {
        Word word;
        Ref value;
    };
    /// A result of several components, which later loads of the same value use.
    struct Loaded {
        ir::Op op;
        uint32_t key;
        const ir::Region* region;
        Word first;
    };

    // --- emission (select.cpp)
    void legalize(Inst& i);
    void move_to(Word word, Ref r);
    Word in_word(const Ref& r);
    Ref number(float v) const { return Ref::immediate(std::bit_cast<uint32_t>(v)); }
    static Ref minus_zero() { return Ref::immediate(0x80000000u); }
    /// Appends an instruction that is not arithmetic; `count`: new words that it writes. Returns the first
    /// one.
    Word emit(const isa::Instr& proto, std::initializer_list<Ref> src, unsigned count = 0);
    Ref to_half(const Ref& r);
    Ref special(isa::SpecialRegister r);
    /// The low half of a word as the instruction's 16-bit register, in a register.
    Ref half_register(const Ref& r) { return Ref::word(in_word(r)).half(); }

    // --- values
    static Ref literal(ir::Type type, uint32_t bits);
    void add_word(const ir::Value* v);
    bool takes_in(const ir::Instr& i, const ir::Use& use) const;
    const Loaded* find_loaded(ir::Op op, uint32_t key) const;
    Word add_loaded(ir::Op op, uint32_t key, Word first);

    // --- control flow (select_flow.cpp)
    void give(ir::Value* const* to, const ir::Instr& from);
    std::pair<isa::Instr, Ref> branch(const ir::Value* unless);
    void begin_if(const ir::Instr& i);
    void begin_else(bool falls);
    void end_if();
    void begin_loop();
    void end_loop();
    void break_loop(unsigned ifs);
    void continue_loop(unsigned ifs);
    void fence(isa::Instr proto, std::initializer_list<Ref> src);
    Branch pseudo_jump();
    void leave(unsigned levels);
    void discard(const ir::Instr& i);

    // --- arithmetic (select_alu.cpp, select_math.cpp)
    void alu_op(const ir::Instr& i);
    std::optional<Ref> float_op(const ir::Instr& i);
    std::optional<Ref> int_op(const ir::Instr& i);
    std::optional<Ref> compare_op(const ir::Instr& i);
    std::optional<Ref> convert_op(const ir::Instr& i);
    Ref compare(const ir::Instr& i, Ref yes, Ref no);
    Ref choose(const ir::Value* condition, Ref yes, Ref no);
    Ref logic(isa::TruthTable how, Ref a, Ref b) { return bitop({a, b}, how); }
    /// Selections do not have the inverted conditions.
    static constexpr unsigned kInverted = 8;
    Ref icsel(isa::IntCondition c, Ref a, Ref b, Ref yes, Ref no) {
        const auto k = unsigned(c);
        if (k & kInverted) return icmpsel({a, b, no, yes}, isa::IntCondition(k & ~kInverted));
        return icmpsel({a, b, yes, no}, c);
    }
    Ref fcsel(isa::FloatCondition c, Ref a, Ref b, Ref yes, Ref no) {
        const auto k = unsigned(c);
        if (k & kInverted) return fcmpsel({a, b, no, yes}, isa::FloatCondition(k & ~kInverted));
        return fcmpsel({a, b, yes, no}, c);
    }
    Ref shift(ir::Op op, Ref a, Ref count);
    Ref reciprocal(const ir::Value* v);
    Ref sin_cos(Ref x, bool cos);
    Ref ldexp(Ref x, Ref n);
    Ref multiply_high(Ref a, Ref b, bool is_signed);
    struct Quotient {
        Ref quotient, remainder;
    };
    Quotient divide(Ref n, Ref d);
    Ref divide_op(const ir::Instr& i);

    // --- interface (select_io.cpp)
    void scan_inputs();
    void load_uniform(const ir::Instr& i);
    void load_input(const ir::Instr& i);
    void load_varying(const ir::Instr& i);
    void load_sysval(const ir::Instr& i);
    void store_output(const ir::Instr& i);
    void local_variable(const ir::Instr& i);
    void finish_vertex();
    void finish_fragment();
    void finish_blend();
    void keep(std::span<const Ref> runs);
    void wait_pixel(unsigned mask);
    void wait_for_tile();
    Ref load_color(unsigned target, unsigned component);
    Ref frag_coord(unsigned component);
    Ref sysval(Sysval s);
    Ref fixed(unsigned reg) { return Ref::word(register_word(reg)); }
    Word interpolate(const CoefficientGroup& group);
    unsigned coefficient(CoefficientGroup group);
    void load_buffer(const ir::Instr& i);

    // --- textures (select_tex.cpp)
    void texture(const ir::Instr& i);

    const BlendTarget* const blend_ = options_.blend;
    std::pmr::vector<Loaded> loaded_{f_.memory};
    std::array<uint8_t, 64> input_mask_{};  // by slot: components that are read
    bool waited_ = false;                   // for earlier pixels' stores to the tilebuffer
    struct OpenIf {
        Branch over, out;
        bool has_else = false, has_out = false;
    };
    struct OpenLoop {
        int32_t head;
        std::pmr::vector<Branch> exits;
    };
    std::pmr::vector<OpenIf> ifs_{f_.memory};
    std::pmr::vector<OpenLoop> open_loops_{f_.memory};
};

}  // namespace terrazzo::agx::compiler
