// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every ALU operation for each of its types: compiled code, compared with the interpreter.
#include <optional>

#include "shaders/ir/eval.h"
#include "tests/soft/jit_harness.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Sig;
using ir::Type;
using ir::Value;

constexpr Type kTypes[] = {Type::Bool, Type::I16, Type::I32, Type::I64, Type::F16, Type::F32};

/// A value of the type, computed from an attribute's component.
Value* input(ir::Builder& b, Type t, unsigned n) {
    Value* word = b.load_input(Type::I32, n, 0);
    switch (t) {
        case Type::F32:
            return b.convert(Op::Bitcast, Type::F32, word);
        case Type::F16:
            return b.convert(Op::Bitcast, Type::F16, b.convert(Op::U2U, Type::I16, word));
        case Type::I16:
            return b.convert(Op::U2U, Type::I16, word);
        case Type::I64:
            return b.alu(Op::IMul, b.convert(Op::I2I, Type::I64, word),
                         b.convert(Op::U2U, Type::I64, b.load_input(Type::I32, n, 1)));
        case Type::Bool:
            return b.alu(Op::INe, b.iand(word, b.i32(1)), b.i32(0));
        case Type::Void:
        case Type::I32:
            break;
    }
    return word;
}

/// Writes the words of a value to components 0 and 1 of the output.
void output(ir::Builder& b, Value* v) {
    switch (v->type) {
        case Type::I64: {
            b.store_output(kVarying0, 0, b.convert(Op::U2U, Type::I32, v));
            Value* high = b.alu(Op::UShr, v, b.i32(32));
            return b.store_output(kVarying0, 1, b.convert(Op::U2U, Type::I32, high));
        }
        case Type::F16:
            v = b.convert(Op::Bitcast, Type::I16, v);
            [[fallthrough]];
        case Type::I16:
            return b.store_output(kVarying0, 0, b.convert(Op::U2U, Type::I32, v));
        case Type::Bool:
            return b.store_output(kVarying0, 0, b.convert(Op::B2I, Type::I32, v));
        case Type::Void:
        case Type::I32:
        case Type::F32:
            break;
    }
    b.store_output(kVarying0, 0, v);
}

/// The shader that applies `op` to operands of type `t` with a result of type `to`. Empty if there is no such
/// operation.
std::unique_ptr<ir::Shader> shader_of(Op op, Type to, Type t) {
    if (!ir::kernel(op, to, t)) return nullptr;
    auto s = std::make_unique<ir::Shader>(ir::Stage::Vertex);
    ir::Builder b(*s);
    const ir::OpInfo& info = ir::op_info(op);
    Value* operands[4] = {};
    for (int n = 0; n < info.operands; ++n) {
        Type type = t;
        if (info.sig == Sig::Select && n == 0) type = Type::Bool;
        if (info.sig == Sig::FloatInt && n == 1) type = Type::I32;
        if (op == Op::IShl || op == Op::IShr || op == Op::UShr) type = n == 1 ? Type::I32 : t;
        if (op == Op::IBitfieldExtract || op == Op::UBitfieldExtract) type = n ? Type::I32 : t;
        if (op == Op::BitfieldInsert) type = n > 1 ? Type::I32 : t;
        operands[n] = input(b, type, unsigned(n));
    }
    const Type result[] = {to};
    ir::Instr* i = b.insert(s->create(op, std::span<Value* const>(operands, size_t(info.operands)), result));
    output(b, i->result());
    return s;
}

bool valid_signature(const ir::OpInfo& info, Type to, Type t) {
    switch (info.sig) {
        case Sig::Any:
            return false;
        case Sig::Same:
        case Sig::Select:
        case Sig::Float:
        case Sig::FloatInt:
        case Sig::Int:
        case Sig::IntOrBool:
            return to == t;
        case Sig::FloatCmp:
        case Sig::IntCmp:
            return to == Type::Bool;
        case Sig::Convert:
            return true;
    }
    return false;
}

}  // namespace

TEST_CASE("jit: every op and type computes what the interpreter computes") {
    Compilers compilers;
    Numbers numbers(1);
    unsigned tested = 0;
    for (unsigned n = 0; n < unsigned(Op::Count_); ++n) {
        const Op op = Op(n);
        for (Type t : kTypes)
            for (Type to : kTypes) {
                if (!valid_signature(ir::op_info(op), to, t)) continue;
                const auto s = shader_of(op, to, t);
                if (!s || !ir::validate(*s).empty()) continue;
                ++tested;
                const auto pair = compilers.compile(*s);
                const bool floats = ir::is_float(to);
                for (unsigned round = 0; round < 60; ++round) {
                    VertexRun a;
                    for (auto& attribute : a.attributes)
                        for (auto& vertex : attribute)
                            for (uint32_t& word : vertex)
                                word = numbers.word();
                    VertexRun b = a;
                    a.run(*pair.jit);
                    b.run(*pair.interpreter);
                    for (unsigned c = 0; c < 4; ++c)
                        for (unsigned i = 0; i < kLanes; ++i) {
                            const auto half = [](uint32_t w) { return (w & 0x7fff) > 0x7c00; };
                            if (to == Type::F16 && half(a.out[c][i]) && half(b.out[c][i])) continue;
                            INFO(std::string(ir::op_info(op).text), " ", int(to), " of ", int(t), " (",
                                 a.attributes[0][i][0], ", ", a.attributes[1][i][0], ", ",
                                 a.attributes[2][i][0], ")");
                            REQUIRE_MESSAGE(same_word(a.out[c][i], b.out[c][i], floats), a.out[c][i],
                                            " is not ", b.out[c][i]);
                        }
                }
            }
    }
    CHECK(tested > 150);
}

}  // namespace terrazzo::soft::test
