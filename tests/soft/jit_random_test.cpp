// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random programs with nested divergent control flow, local arrays and indexed uniforms: compiled code,
// compared with the interpreter.
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

class Generator {
  public:
    Generator(ir::Shader& s, Numbers& n) : s_(s), n_(n), b_(s) {}

    void run() {
        array_ = s_.add_var("array", Type::F32, 5, ir::Storage::Local);
        scalar_ = s_.add_var("scalar", Type::I32, 1, ir::Storage::Local);
        flag_ = s_.add_var("flag", Type::Bool, 2, ir::Storage::Local);
        for (unsigned i = 0; i < 4; ++i) {
            values_.push_back(input(Type::F32, i));
            values_.push_back(input(Type::I32, i));
        }
        values_.push_back(b_.boolean(true));
        statements(14, 0);
        for (unsigned i = 0; i < 8; ++i)
            store(i, pick(i & 1 ? Type::I32 : Type::F32));
    }

  private:
    bool fragment() const { return s_.stage == ir::Stage::Fragment; }
    Value* input(Type t, unsigned i) {
        if (!fragment()) {
            Value* v = b_.load_input(Type::I32, i, n_.below(4));
            return t == Type::F32 ? b_.convert(Op::Bitcast, t, v) : v;
        }
        Value* v = b_.load_input(Type::F32, kVarying0 + i, n_.below(4), ir::Interp(i % 3));
        return t == Type::F32 ? v : b_.convert(Op::F2I, t, b_.fmul(v, b_.f32(9)));
    }
    void store(unsigned i, Value* v) {
        const uint32_t slot = fragment() ? i / 4 : kVarying0 + i / 4;
        b_.store_output(slot, i % 4, v);
    }
    Value* pick(Type t) {
        for (unsigned tries = 0; tries < 40; ++tries) {
            // Usually a recent value.
            const size_t back =
                std::min<size_t>(n_.below(3) ? n_.below(8) : n_.below(1000), values_.size() - 1);
            Value* v = values_[values_.size() - 1 - back];
            if (v->type == t) return v;
        }
        if (t == Type::Bool) return b_.alu(Op::FLt, pick(Type::F32), pick(Type::F32));
        return b_.constant(t, n_.word());
    }
    Type type() { return std::array{Type::F32, Type::I32, Type::Bool}[n_.below(3)]; }

    void arithmetic() {
        static constexpr Op kFloat[] = {Op::FAdd,   Op::FSub,  Op::FMul, Op::FDiv, Op::FMin,
                                        Op::FMax,   Op::FSat,  Op::FNeg, Op::FAbs, Op::FFloor,
                                        Op::FFract, Op::FSqrt, Op::FRcp, Op::FRsq, Op::FSign,
                                        Op::FRound, Op::FFma,  Op::FSin, Op::FExp2};
        static constexpr Op kInt[] = {Op::IAdd, Op::ISub,     Op::IMul,    Op::IDiv, Op::UDiv, Op::IMod,
                                      Op::IRem, Op::UMod,     Op::IMin,    Op::UMax, Op::IAnd, Op::IOr,
                                      Op::IXor, Op::INot,     Op::IShl,    Op::IShr, Op::UShr, Op::INeg,
                                      Op::IAbs, Op::UMulHigh, Op::IFindMsb};
        static constexpr Op kBool[] = {Op::IAnd, Op::IOr, Op::IXor, Op::INot};
        const auto some = [&](std::span<const Op> ops, Type t) {
            const Op op = ops[n_.below(uint32_t(ops.size()))];
            Value* v[4];
            const int count = ir::op_info(op).operands;
            for (int i = 0; i < count; ++i)
                v[i] = pick(t);
            values_.push_back(b_.alu(op, std::span<Value* const>(v, size_t(count))));
        };
        const Type t = type();
        switch (n_.below(6)) {
            case 0:
                return some(kFloat, Type::F32);
            case 1:
                return some(kInt, Type::I32);
            case 2:
                return some(kBool, Type::Bool);
            case 3:
                values_.push_back(n_.below(2) ? b_.alu(Op::FLt, pick(Type::F32), pick(Type::F32))
                                              : b_.alu(Op::ILt, pick(Type::I32), pick(Type::I32)));
                return;
            case 4:
                values_.push_back(b_.select(pick(Type::Bool), pick(t == Type::Bool ? Type::F32 : t),
                                            pick(t == Type::Bool ? Type::F32 : t)));
                return;
            default:
                values_.push_back(n_.below(2) ? b_.convert(Op::I2F, Type::F32, pick(Type::I32))
                                              : b_.convert(Op::F2I, Type::I32, pick(Type::F32)));
        }
    }

    void memory() {
        switch (n_.below(9)) {
            case 0:
                values_.push_back(b_.load_uniform(Type::F32, n_.below(8)));
                return;
            case 1:
                values_.push_back(b_.load_uniform(Type::I32, 2, b_.iand(pick(Type::I32), b_.i32(3)), 4));
                return;
            case 2:
                return b_.store_var(array_, n_.below(5), pick(Type::F32));
            case 3:
                return b_.store_var(array_, n_.below(2), pick(Type::F32),
                                    b_.iand(pick(Type::I32), b_.i32(3)));
            case 4:
                values_.push_back(b_.load_var(array_, n_.below(2), b_.iand(pick(Type::I32), b_.i32(3))));
                return;
            case 5:
                b_.store_var(scalar_, 0, b_.iadd(b_.load_var(scalar_, 0), b_.i32(1)));
                values_.push_back(b_.load_var(scalar_, 0));
                return;
            case 6:
            case 7:
                return load_block();
            default:
                b_.store_var(flag_, n_.below(2), pick(Type::Bool));
                values_.push_back(b_.load_var(flag_, 0));
        }
    }

    /// At a constant, a uniform or any other offset, inside or outside the block.
    void load_block() {
        ir::MemInfo m;
        m.space = ir::Storage::UniformBlock;
        m.binding = int(n_.below(2));
        m.words = uint8_t(1 + n_.below(4));
        m.offset_B = n_.below(32);
        Value* const offsets[] = {b_.i32(int32_t(n_.below(48))), b_.load_uniform(Type::I32, n_.below(8)),
                                  b_.iand(pick(Type::I32), b_.i32(127)), pick(Type::I32)};
        const Type t = n_.below(2) ? Type::F32 : Type::I32;
        const Type types[] = {t, t, t, t};
        ir::Instr* const i =
            s_.create(Op::LoadBuffer, std::span(&offsets[n_.below(4)], 1), std::span(types, m.words));
        i->u.mem = s_.create_mem(m);
        b_.insert(i);
        values_.push_back(i->result(n_.below(m.words)));
    }

    template <class Body>
    void inside(ir::Region* r, Body&& body) {
        ir::Region* const outer = b_.region();
        const size_t kept = values_.size();
        b_.set_end(r);
        body();
        values_.resize(kept);
        b_.set_end(outer);
    }

    void branch(unsigned depth) {
        const Type results[] = {Type::F32, Type::I32, Type::Bool};
        const size_t count = n_.below(4);
        ir::Instr* i = b_.begin_if(pick(Type::Bool), std::span(results, count));
        for (unsigned a = 0; a < 2; ++a)
            inside(i->regions[a], [&] {
                if (n_.below(5)) statements(5, depth + 1);
                if (in_loop_ && n_.below(4) == 0) return leave(n_.below(2) == 0);
                Value* v[3];
                for (size_t n = 0; n < count; ++n)
                    v[n] = pick(results[n]);
                b_.yield(std::span<Value* const>(v, count));
            });
        for (size_t n = 0; n < count; ++n)
            values_.push_back(i->result(unsigned(n)));
    }

    void leave(bool is_break) {
        if (is_break) {
            Value* v[] = {pick(Type::F32), pick(Type::I32)};
            return b_.brk(v);
        }
        Value* v[] = {b_.iadd(counter_, b_.i32(1)), pick(Type::F32), pick(Type::Bool)};
        b_.cont(v);
    }

    void loop(unsigned depth) {
        const Type results[] = {Type::F32, Type::I32};
        Value* const init[] = {b_.i32(0), pick(Type::F32), pick(Type::Bool)};
        Value* const limit = b_.iand(pick(Type::I32), b_.i32(7));
        ir::Instr* i = b_.begin_loop(init, results);
        Value* const outer = counter_;
        const bool was = in_loop_;
        in_loop_ = true;
        inside(i->regions[0], [&] {
            counter_ = i->regions[0]->args[0];
            for (unsigned n = 0; n < 3; ++n)
                values_.push_back(i->regions[0]->args[n]);
            ir::Instr* done = b_.begin_if(b_.alu(Op::IGe, counter_, limit));
            inside(done->regions[0], [&] { leave(true); });
            statements(5, depth + 1);
            leave(false);
        });
        in_loop_ = was;
        counter_ = outer;
        values_.push_back(i->result(0));
        values_.push_back(i->result(1));
    }

    void statements(unsigned count, unsigned depth) {
        for (unsigned i = 0; i < count; ++i) {
            const uint32_t what = n_.below(20);
            if (what < 2 && depth < 4)
                branch(depth);
            else if (what == 2 && depth < 3)
                loop(depth);
            else if (what < 6)
                memory();
            else if (what == 6)
                store(n_.below(8), pick(Type::F32));
            else if (what == 7 && fragment())
                b_.discard(b_.iand(pick(Type::Bool), pick(Type::Bool)));
            else if (what == 8 && fragment() && depth == 0)
                values_.push_back(b_.alu(n_.below(2) ? Op::FDdx : Op::FDdyFine, pick(Type::F32)));
            else
                arithmetic();
        }
    }

    ir::Shader& s_;
    Numbers& n_;
    ir::Builder b_;
    ir::Var *array_ = nullptr, *scalar_ = nullptr, *flag_ = nullptr;
    std::vector<Value*> values_;
    Value* counter_ = nullptr;
    bool in_loop_ = false;
};

/// Two blocks of 64 and 20 bytes, followed by zeros.
struct Blocks {
    explicit Blocks(Numbers& n) {
        for (uint32_t i = 0; i < 16; ++i)
            words[0][i] = n.word();
        for (uint32_t i = 0; i < 5; ++i)
            words[1][i] = n.word();
        ranges = {{reinterpret_cast<uint8_t*>(words[0]), 64}, {reinterpret_cast<uint8_t*>(words[1]), 20}};
        ranges.resize(ir::kMaxUniformBlocks);
    }
    uint32_t words[2][32] = {};
    std::vector<ir::MemoryRange> ranges;
};

void compare_vertex(const Compilers::Pair& pair, const CompiledShader& info, Numbers& numbers) {
    VertexRun a;
    for (unsigned i = 0; i < 16; ++i)
        a.uniforms.push_back(numbers.word());
    for (auto& attribute : a.attributes)
        for (auto& vertex : attribute)
            for (uint32_t& w : vertex)
                w = numbers.word();
    a.count = 1 + numbers.below(kLanes);
    const Blocks blocks(numbers);
    a.blocks = blocks.ranges;
    VertexRun b = a;
    a.run(*pair.jit);
    b.run(*pair.interpreter);
    for (unsigned c = 0; c < info.slot_count * 4; ++c)
        for (unsigned i = 0; i < a.count; ++i)
            REQUIRE_MESSAGE(same_word(a.out[c][i], b.out[c][i]), "component ", c, " lane ", i, ": ",
                            a.out[c][i], " is not ", b.out[c][i]);
}

void compare_fragment(const Compilers::Pair& pair, const CompiledShader& info, Numbers& numbers) {
    Plane planes[17];
    const auto small = [&] { return float(int32_t(numbers.random()) >> 16) / 4096.0f; };
    for (Plane& p : planes)
        p = {small(), small() / 8, small() / 8};
    const PrimitiveSetup setups[2] = {
        {3.25f, -1.5f, planes, true, {0.5f, 0.01f, 0.02f}, {0.75f, 0.031f, -0.02f}},
        {1.5f, 7.0f, planes + 1, false, {0.25f, 0.03f, -0.01f}, {1.25f, -0.011f, 0.04f}}};
    uint32_t uniforms[16];
    for (uint32_t& u : uniforms)
        u = numbers.word();
    Watch watch;
    FragmentArgs a{};
    give_memory(&a);
    a.watch = &watch;
    a.uniforms = uniforms;
    const Blocks blocks(numbers);
    a.blocks = blocks.ranges.data();
    a.count = 1 + numbers.below(5);
    for (uint32_t n = 0; n < a.count; ++n) {
        a.setup[n] = &setups[numbers.below(2)];
        a.x[n] = int32_t(4 * numbers.below(8));
        a.y[n] = int32_t(2 * numbers.below(8));
        a.mask[n] = uint8_t(numbers.below(4) ? 0xff : numbers.below(256));
    }
    FragmentArgs b = a;
    a.shader = pair.jit->self;
    b.shader = pair.interpreter->self;
    pair.jit->fragment(&a);
    pair.interpreter->fragment(&b);
    for (uint32_t n = 0; n < a.count; ++n)
        REQUIRE(a.mask[n] == b.mask[n]);
    for (unsigned slot = 0; slot < 2; ++slot)
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned i = 0; i < a.count * kLanes; ++i) {
                if (!(a.mask[i / kLanes] >> i % kLanes & 1) || !(info.outputs_written >> slot & 1)) continue;
                const uint32_t x = std::bit_cast<uint32_t>(a.color[slot][c][i]);
                const uint32_t y = std::bit_cast<uint32_t>(b.color[slot][c][i]);
                REQUIRE_MESSAGE(same_word(x, y), "colour ", slot, ".", c, " lane ", i, ": ", x, " is not ",
                                y);
            }
}

void random_programs(ir::Stage stage, unsigned count, unsigned lanes = 0) {
    Compilers compilers(lanes);
    for (unsigned seed = 0; seed < count; ++seed) {
        Numbers numbers(seed * 2 + (stage == ir::Stage::Fragment));
        ir::Shader s(stage);
        Generator(s, numbers).run();
        const std::string text = ir::print(s);
        INFO("seed ", seed, "\n", text);
        REQUIRE(ir::validate(s) == "");
        const auto pair = compilers.compile(s);
        for (unsigned round = 0; round < 10; ++round) {
            if (stage == ir::Stage::Vertex)
                compare_vertex(pair, *pair.jit, numbers);
            else
                compare_fragment(pair, *pair.jit, numbers);
        }
    }
}

}  // namespace

TEST_CASE("jit: random vertex programs agree with the interpreter") {
    random_programs(ir::Stage::Vertex, 60);
}
TEST_CASE("jit: random fragment programs agree with the interpreter, with any number of lanes") {
    for (const unsigned lanes : {4, 8, 16})
        random_programs(ir::Stage::Fragment, 40, lanes);
}

}  // namespace terrazzo::soft::test
